"""What a garbage collector asks of the server: to look at objects, change their metadata, and delete them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.controllers.discovery import Resource
from kube_twisted.controlplane.controllers.garbage.references import Identity, Obj, Reference
from kube_twisted.server.loopback import METADATA, LoopbackClient

_MERGE = "application/merge-patch+json"
_STRATEGIC = "application/strategic-merge-patch+json"
_ATTEMPTS = 5


class UnknownKind(Exception):
    """No resource of the server has this kind; it may come yet."""


class NamespacedOwner(Exception):
    """An object of the cluster names an owner that is in a namespace: that is never right."""


class Objects:
    """Objects by identity.

    :ivar resources: by apiVersion and kind; replaced when they change.
    """

    def __init__(self, client: LoopbackClient) -> None:
        self._client = client
        self.resources: Mapping[tuple[str, str], Resource] = {}

    def resource(self, named: Identity | Reference) -> Resource:
        """:raises UnknownKind: when there is none."""
        try:
            return self.resources[named.api_version, named.kind]
        except KeyError:
            raise UnknownKind(f"{named.api_version}/{named.kind}") from None

    async def find(self, identity: Identity) -> Obj | None:
        """The object with its metadata; None when there is none of that uid.

        :raises UnknownKind, NamespacedOwner, StatusError: when it can't be looked up.
        """
        try:
            found = await self._client.call("GET", self._path(identity), accept=METADATA)
        except StatusError as error:
            if error.code != 404:
                raise
            return None
        return found if found["metadata"]["uid"] == identity.uid else None

    async def delete(self, identity: Identity, latest: Obj, policy: str) -> bool:
        """Delete an object unless its owners have changed; tell whether it was still there.

        :param latest: its metadata as the decision was made on.
        :raises StatusError: 409 when its owners have changed, and whatever else goes wrong.
        """
        try:
            await self._delete(identity, policy, resourceVersion=latest["resourceVersion"])
        except StatusError as error:
            if error.code == 404:
                return False
            if error.code != 409:
                raise
            newest = await self.find(identity)
            if newest is None:
                return False
            if newest["metadata"].get("ownerReferences") != latest.get("ownerReferences"):
                raise
            return await self._delete_any_version(identity, policy)
        return True

    async def _delete_any_version(self, identity: Identity, policy: str) -> bool:
        """What changed was not the owners; an object that changes all the time must go nevertheless."""
        try:
            await self._delete(identity, policy)
        except StatusError as error:
            if error.code != 404:
                raise
            return False
        return True

    async def _delete(self, identity: Identity, policy: str, **preconditions: str) -> None:
        await self._client.call("DELETE", self._path(identity), {
            "apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": policy,
            "preconditions": {"uid": identity.uid, **preconditions}}, accept=METADATA)

    async def remove_owners(self, identity: Identity, uids: Collection[str]) -> None:
        """Take owners out of an object's references."""
        removals = [{"$patch": "delete", "uid": uid} for uid in uids]
        await self._patch_owners(identity, removals, lambda refs: [one for one in refs if one["uid"] not in uids])

    async def unblock_owners(self, identity: Identity, owners: Collection[Reference]) -> None:
        """Let no owner of an object wait for it."""
        changed = [{"apiVersion": one.api_version, "kind": one.kind, "name": one.name, "uid": one.uid,
                    "blockOwnerDeletion": False} for one in owners if one.blocks]
        await self._patch_owners(identity, changed, lambda refs: [{**one, "blockOwnerDeletion": False} for one in refs])

    async def _patch_owners(self, identity: Identity, strategic: list[Obj], rewrite: Any) -> None:
        """:param strategic: the entries of a strategic merge patch.
        :param rewrite: makes the new references of the old, for kinds that know no such patch.
        """
        body = {"metadata": {"ownerReferences": strategic, "uid": identity.uid}}
        try:
            await self._patch(identity, body, _STRATEGIC)
        except StatusError as error:
            if error.code != 415:
                raise
            await self._merge_owners(identity, rewrite)

    async def _merge_owners(self, identity: Identity, rewrite: Any) -> None:
        found = await self.find(identity)
        if found is not None:
            meta = found["metadata"]
            refs = rewrite(meta.get("ownerReferences") or [])
            await self._patch(identity, {"metadata": {
                "resourceVersion": meta["resourceVersion"], "ownerReferences": refs or None}}, _MERGE)

    async def remove_finalizer(self, identity: Identity, finalizer: str) -> None:
        """Take a finalizer from an object, if it and the object are there.

        :raises StatusError: 409 when it keeps changing.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            found = await self.find(identity)
            finalizers = (found or {}).get("metadata", {}).get("finalizers") or []
            if found is None or finalizer not in finalizers:
                return
            rest = [one for one in finalizers if one != finalizer]
            version = found["metadata"]["resourceVersion"]
            try:
                await self._patch(identity, {"metadata": {"resourceVersion": version, "finalizers": rest}}, _MERGE)
                return
            except StatusError as error:
                if error.code != 409 or attempt == _ATTEMPTS:
                    raise

    async def _patch(self, identity: Identity, body: Obj, content_type: str) -> None:
        await self._client.call("PATCH", self._path(identity), body, content_type, METADATA)

    def _path(self, identity: Identity) -> str:
        resource = self.resource(identity)
        if resource.namespaced and not identity.namespace:
            raise NamespacedOwner(str(identity))
        return f"{resource.collection(identity.namespace)}/{identity.name}"
