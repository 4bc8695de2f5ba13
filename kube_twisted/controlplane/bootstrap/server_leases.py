"""Which servers of a store are alive: each keeps a key there that runs out when it no longer renews it."""

from __future__ import annotations

from contextlib import suppress

import orjson

from kube_twisted.storage.interfaces import Create, Delete, IStore, PreconditionFailed, Update

#: Where the keys are; the original's servers keep theirs there.
PREFIX = "/registry/masterleases/"
#: Seconds that a lease lasts; it is renewed well before.
TTL = 15
_ATTEMPTS = 5


class ServerLeases:
    """The leases of all servers."""

    def __init__(self, storage: IStore) -> None:
        self._storage = storage

    async def addresses(self) -> list[str]:
        """Of the servers that are alive, in order."""
        page = await self._storage.list_entries(PREFIX)
        return sorted(entry.key.removeprefix(PREFIX) for entry in page.entries)

    async def renew(self, address: str) -> None:
        """Take a lease, or make it last its whole time again."""
        key = PREFIX + address
        for _ in range(_ATTEMPTS):
            entry = await self._storage.get(key)
            try:
                if entry is None:
                    await self._storage.transact([Create(key, _lease(address, 1), TTL)])
                else:
                    value = _lease(address, entry.revision)
                    await self._storage.transact([Update(key, value, entry.revision, TTL)])
                return
            except PreconditionFailed:
                continue  # it ran out, or a server of the same address has renewed it

    async def remove(self, address: str) -> None:
        """Give a lease back."""
        entry = await self._storage.get(PREFIX + address)
        if entry is not None:
            with suppress(PreconditionFailed):  # it has just run out
                await self._storage.transact([Delete(entry.key, entry.revision)])


def _lease(address: str, generation: int) -> bytes:
    """The lease as the original writes it: an Endpoints with one address."""
    return orjson.dumps({"kind": "Endpoints", "apiVersion": "v1", "metadata": {"generation": generation},
                         "subsets": [{"addresses": [{"ip": address}]}]})
