"""Leases of etcd, under which keys with a time to live are written; etcd deletes them when it is over."""

from __future__ import annotations

from attrs import define, field
from twisted.internet.defer import Deferred

from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.messages import LEASE_GRANT, LeaseGrantRequest
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred

#: How long a lease is used for further keys: a share of the time to live, and at most so many seconds.
REUSE_SHARE, REUSE_SECONDS = 0.05, 60
#: How many keys a lease has at most.
MOST_KEYS = 1000


@define
class _Lease:
    """:ivar until: when it is too old for further keys, in seconds since the epoch."""

    id: int
    until: float
    keys: int = 0


@define
class _Kind:
    """The lease for one time to live, and those who wait for the next one."""

    lease: _Lease | None = None
    waiting: list[Deferred[None]] = field(factory=list)


class Leases:
    """One lease for many keys that end at about the same time, as the original does; each lives a little longer."""

    def __init__(self, client: EtcdClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._kinds: dict[int, _Kind] = {}

    async def obtain(self, ttl: int) -> int:
        """The lease for a key that lives ``ttl`` seconds from now on.

        :raises RPCError: when none is granted.
        """
        kind = self._kinds.setdefault(ttl, _Kind())
        lease = kind.lease
        if lease is None or lease.keys >= MOST_KEYS or self._clock.seconds() > lease.until:
            await self._renew(ttl, kind)
            lease = kind.lease
        assert lease is not None, "it was granted"
        lease.keys += 1
        return lease.id

    async def _renew(self, ttl: int, kind: _Kind) -> None:
        """Have a lease granted, or wait for another caller who does."""
        waiting: Deferred[None] = Deferred()
        kind.waiting.append(waiting)
        if len(kind.waiting) == 1:
            to_deferred(self._grant(ttl, kind)).addBoth(self._tell, kind)
        await waiting

    async def _grant(self, ttl: int, kind: _Kind) -> None:
        reuse = int(min(REUSE_SHARE * ttl, REUSE_SECONDS))
        until = self._clock.seconds() + reuse
        granted = await self._client.call(LEASE_GRANT, LeaseGrantRequest(ttl + reuse))
        kind.lease = _Lease(granted.id, until)

    def _tell(self, result: object, kind: _Kind) -> None:
        waiting, kind.waiting = kind.waiting, []
        for one in waiting:
            if not one.called:
                one.callback(result)  # type: ignore[arg-type]
