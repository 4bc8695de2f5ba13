"""Keeping one object of a certain name in every namespace."""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.controllers.context import Context, IController
from kube_twisted.controlplane.controllers.informer import Handlers
from kube_twisted.server.queue import WorkQueue

Obj = dict[str, Any]

NAMESPACES = "/api/v1/namespaces"


@implementer(IController)
class PerNamespace:
    """Works on a namespace when it appears or changes, and when its object does.

    :param resource: the core resource of the object.
    :param name: of the object.
    """

    def __init__(self, context: Context, title: str, resource: str, name: str) -> None:
        self.client = context.client
        self.resource = resource
        self.name = name
        self._namespaces: set[str] = set()
        self._queue = WorkQueue(title, context.clock, context.tasks, self._sync)
        context.informers.get(NAMESPACES).add(Handlers(self._namespace_changed, self._namespace_deleted))
        own = context.informers.get(f"/api/v1/{resource}", f"fieldSelector=metadata.name%3D{name}")
        own.add(Handlers(self._object_changed, self._object_changed, self._objects_listed))

    def start(self) -> None:
        self._queue.start()

    def stop(self) -> None:
        self._queue.stop()

    def missing(self) -> Obj:
        """The object to create where there is none."""
        raise NotImplementedError

    def corrected(self, obj: Obj) -> Obj | None:
        """The object as it should be; None when it is so already."""
        return None

    # -- what happens ---------------------------------------------------------------------------------------------

    def _namespace_changed(self, namespace: Obj) -> None:
        name = namespace["metadata"]["name"]
        self._namespaces.add(name)
        if not namespace["metadata"].get("deletionTimestamp"):
            self._queue.add(name)

    def _namespace_deleted(self, namespace: Obj) -> None:
        self._namespaces.discard(namespace["metadata"]["name"])

    def _object_changed(self, obj: Obj) -> None:
        self._queue.add(obj["metadata"]["namespace"])

    def _objects_listed(self, _: object) -> None:
        """Some may have been deleted unseen."""
        for name in self._namespaces:
            self._queue.add(name)

    # -- what is done ---------------------------------------------------------------------------------------------

    async def _sync(self, namespace: str) -> None:
        collection = f"{NAMESPACES}/{namespace}/{self.resource}"
        found = await self._find(f"{collection}/{self.name}")
        if found is None:
            await self._create(collection)
            return
        wanted = self.corrected(found)
        if wanted is not None:
            await self.client.call("PUT", f"{collection}/{self.name}", wanted)

    async def _find(self, path: str) -> Obj | None:
        try:
            return await self.client.call("GET", path)
        except StatusError as error:
            if error.code != 404:
                raise
            return None

    async def _create(self, collection: str) -> None:
        try:
            await self.client.call("POST", collection, self.missing())
        except StatusError as error:
            if not (error.code == 404 or error.reason == "AlreadyExists" or _terminating(error)):
                raise


def _terminating(error: StatusError) -> bool:
    """Whether something can't be created because its namespace is being deleted."""
    causes = (error.details or {}).get("causes") or ()
    return any(cause.get("reason") == "NamespaceTerminating" for cause in causes)
