"""Removing all that is in a namespace."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import define, field

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.controllers.discovery import Discovered, Resource, discover
from kube_twisted.controlplane.controllers.namespace_conditions import Conditions
from kube_twisted.server.loopback import METADATA_LIST, LoopbackClient

Obj = dict[str, Any]

#: Seconds that objects with finalizers are given.
_FINALIZER_ESTIMATE = 15
_BACKGROUND = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background"}
#: What a resource answers that lacks a verb, or is gone.
_UNSUPPORTED = (404, 405)


@define
class Remains:
    """What one round of removing left behind.

    :ivar estimate: seconds after which the rest may be gone; 0 when nothing is left to wait for.
    :ivar counts: of objects, by ``resource.group``.
    :ivar finalizers: how many objects have each.
    """

    estimate: int = 0
    counts: Counter[str] = field(factory=Counter)
    finalizers: Counter[str] = field(factory=Counter)
    errors: list[str] = field(factory=list)
    conditions: Conditions = field(factory=Conditions)


class ContentRemover:
    """One round of removing the content of a namespace: pods first, the others when no pod is left.

    Source of the rules: the Kubernetes documentation on namespaces, and KEP-5080, "Ordered Namespace Deletion".

    :param age: seconds since the namespace was deleted.
    """

    def __init__(self, client: LoopbackClient, namespace: str, age: float) -> None:
        self._client = client
        self._namespace = namespace
        self._age = age
        self._remains = Remains()

    async def run(self) -> Remains:
        """Remove what can be removed.

        :raises StatusError: when the server does not tell its resources; what else fails is among the errors.
        """
        remains = self._remains
        found = await discover(self._client)
        resources = self._deletable(found)
        pods = [one for one in resources if (one.group, one.name) == ("", "pods")]
        for resource in pods:
            await self._attempt(resource)
        if not remains.counts:
            for resource in resources:
                if resource not in pods:
                    await self._attempt(resource)
            remains.conditions.content_remains(remains.counts, remains.finalizers)
        remains.conditions.content_failed(remains.errors)
        if found.failures:
            remains.conditions.discovery_failed(found.failures, found.failure())
            remains.errors.append(found.failure())
        return remains

    @staticmethod
    def _deletable(found: Discovered) -> list[Resource]:
        return [one for one in found.preferred("delete") if one.namespaced]

    async def _attempt(self, resource: Resource) -> None:
        try:
            await self._remove(resource)
        except StatusError as error:
            self._remains.errors.append(error.message)

    async def _remove(self, resource: Resource) -> None:
        estimate = await self._estimate(resource)
        await self._delete(resource)
        items = await self._list(resource)
        if items:
            self._count(resource, items, estimate)

    def _count(self, resource: Resource, items: list[Obj], estimate: int) -> None:
        remains = self._remains
        finalizers = Counter(one for item in items for one in item["metadata"].get("finalizers") or ())
        remains.counts[f"{resource.name}.{resource.group}"] = len(items)
        remains.finalizers.update(finalizers)
        if estimate or finalizers:
            remains.estimate = max(remains.estimate, estimate or _FINALIZER_ESTIMATE)
        else:
            remains.errors.append(
                f"unexpected items still remain in namespace: {self._namespace} for gvr: {resource}")

    # -- one resource ---------------------------------------------------------------------------------------------

    async def _delete(self, resource: Resource) -> None:
        path = resource.collection(self._namespace)
        if "deletecollection" in resource.verbs and await self._call("DELETE", path) is not None:
            return
        for item in await self._list(resource):
            await self._call("DELETE", f"{path}/{item['metadata']['name']}")

    async def _list(self, resource: Resource) -> list[Obj]:
        """The metadata of all objects; none for a resource that can't be listed."""
        if "list" not in resource.verbs:
            return []
        answer = await self._call("GET", resource.collection(self._namespace))
        return (answer or {}).get("items") or []

    async def _call(self, method: str, path: str) -> Obj | None:
        """The answer; None when the resource does not support that, or is gone."""
        try:
            if method == "GET":
                return await self._client.call("GET", path, accept=METADATA_LIST)
            return await self._client.call(method, path, _BACKGROUND)
        except StatusError as error:
            if error.code not in _UNSUPPORTED:
                raise
            return None

    async def _estimate(self, resource: Resource) -> int:
        """Seconds that pods may need to end; 0 for other resources, and when that time is over."""
        if (resource.group, resource.name) != ("", "pods"):
            return 0
        pods = await self._client.call("GET", resource.collection(self._namespace))
        graces = [pod["spec"].get("terminationGracePeriodSeconds") or 0 for pod in pods["items"]
                  if pod.get("status", {}).get("phase") not in ("Succeeded", "Failed")]
        longest: int = max(graces, default=0)
        return longest if self._age < longest else 0


