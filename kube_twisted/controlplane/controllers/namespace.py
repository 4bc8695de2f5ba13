"""The controller ``namespace``: empties a namespace that is being deleted, and then lets it go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from twisted.logger import Logger
from zope.interface import implementer

from kube_twisted.api.errors import StatusError
from kube_twisted.api.timefmt import seconds_since
from kube_twisted.controlplane.controllers.context import Context, IController
from kube_twisted.controlplane.controllers.informer import Handlers
from kube_twisted.controlplane.controllers.namespace_content import ContentRemover, Remains
from kube_twisted.server.queue import RetryAfter, WorkFailed, WorkQueue, delay

Obj = dict[str, Any]

NAMESPACES = "/api/v1/namespaces"
FINALIZER = "kubernetes"
#: How long writes that were under way when the namespace was deleted have to arrive. The original gives other servers
#: of the cluster five seconds.
_SETTLE = 1.0
_WORKERS = 5
_MAX_DELAY = 60.0


@implementer(IController)
class NamespaceController:
    """Works on each namespace with a deletionTimestamp until nothing is left in it."""

    _log = Logger()

    def __init__(self, context: Context) -> None:
        self._client = context.client
        self._clock = context.clock
        self._rounds: dict[str, int] = {}
        self._queue = WorkQueue("namespace", context.clock, context.tasks, self._sync, _WORKERS, _MAX_DELAY)
        context.informers.get(NAMESPACES).add(Handlers(self._changed))

    def start(self) -> None:
        self._queue.start()

    def stop(self) -> None:
        self._queue.stop()

    def _changed(self, namespace: Obj) -> None:
        meta = namespace["metadata"]
        if meta.get("deletionTimestamp") and namespace["spec"].get("finalizers"):
            self._queue.add_after(meta["name"], _SETTLE)

    async def _sync(self, name: str) -> None:
        """:raises RetryAfter: while something remains that takes its time."""
        try:
            await self._delete(await self._client.call("GET", f"{NAMESPACES}/{name}"))
        except StatusError as error:
            if error.code != 404:
                raise
        self._rounds.pop(name, None)

    async def _delete(self, namespace: Obj) -> None:
        meta = namespace["metadata"]
        if not meta.get("deletionTimestamp"):
            return
        namespace = await self._retried(namespace, self._mark_terminating)
        if not namespace["spec"].get("finalizers"):
            return
        age = seconds_since(meta["deletionTimestamp"], self._clock.seconds())
        remains = await ContentRemover(self._client, meta["name"], age).run()
        namespace = await self._tell(namespace, remains)
        if remains.errors:
            raise WorkFailed(", ".join(remains.errors))
        if remains.estimate:
            raise RetryAfter(self._pause(meta["name"], remains.estimate))
        await self._retried(namespace, self._finalize)

    def _pause(self, name: str, estimate: int) -> float:
        """Look again after half of what is expected, as the original does; sooner at first."""
        rounds = self._rounds[name] = self._rounds.get(name, 0) + 1
        return delay(rounds, 1.0, estimate // 2 + 1)

    # -- writing the namespace ------------------------------------------------------------------------------------

    async def _mark_terminating(self, namespace: Obj) -> Obj:
        status = namespace.get("status") or {}
        if not namespace["metadata"].get("deletionTimestamp") or status.get("phase") == "Terminating":
            return namespace
        return await self._put(namespace, "status", status={**status, "phase": "Terminating"})

    async def _tell(self, namespace: Obj, remains: Remains) -> Obj:
        """Have the conditions tell what remains. Failing to is no reason to stop."""
        status = remains.conditions.applied(namespace["status"], self._clock.rfc3339())
        if status is None:
            return namespace
        try:
            return await self._put(namespace, "status", status=status)
        except StatusError as error:
            self._log.warn("the conditions of namespace {name} are not written: {error}",
                           name=namespace["metadata"]["name"], error=error.message)
            return namespace

    async def _finalize(self, namespace: Obj) -> Obj:
        spec = namespace["spec"]
        others = sorted({one for one in spec.get("finalizers") or () if one != FINALIZER})
        return await self._put(namespace, "finalize", spec={**spec, "finalizers": others})

    async def _put(self, namespace: Obj, subresource: str, **parts: Obj) -> Obj:
        path = f"{NAMESPACES}/{namespace['metadata']['name']}/{subresource}"
        return await self._client.call("PUT", path, {**namespace, **parts})

    async def _retried(self, namespace: Obj, write: Callable[[Obj], Awaitable[Obj]]) -> Obj:
        """Write, on the newest state when somebody else has written meanwhile.

        :raises WorkFailed: when there is another namespace of that name by now.
        """
        while True:
            try:
                return await write(namespace)
            except StatusError as error:
                if error.reason != "Conflict":
                    raise
            newest = await self._client.call("GET", f"{NAMESPACES}/{namespace['metadata']['name']}")
            if newest["metadata"]["uid"] != namespace["metadata"]["uid"]:
                raise WorkFailed("namespace uid has changed across retries")
            namespace = newest
