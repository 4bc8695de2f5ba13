"""A cluster of plain objects for plugins to read, and writes to show them."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.admission.attributes import Attributes, Operation
from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.api.user import UserInfo
from kube_twisted.util.clock import Clock

Obj = dict[str, Any]


class World:
    """An ObjectReader over a dictionary.

    :ivar unseen: objects that another server has written, which the cache doesn't show yet.
    """

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str, str, str], Obj] = {}
        self.unseen: dict[tuple[str, str, str, str], Obj] = {}
        self.changes = 0
        self.add("", "namespaces", {"metadata": {"name": "ns"}, "status": {"phase": "Active"}})

    @staticmethod
    def _key(group: str, resource: str, obj: Obj) -> tuple[str, str, str, str]:
        return group, resource, obj["metadata"].get("namespace", ""), obj["metadata"]["name"]

    def add(self, group: str, resource: str, obj: Obj) -> None:
        self.objects[self._key(group, resource, obj)] = obj
        self.changes += 1

    def add_elsewhere(self, group: str, resource: str, obj: Obj) -> None:
        self.unseen[self._key(group, resource, obj)] = obj

    def peek(self, group: str, resource: str, namespace: str, name: str) -> Obj | None:
        return self.objects.get((group, resource, namespace, name))

    def peek_all(self, group: str, resource: str, namespace: str = "") -> list[Obj]:
        return [obj for key, obj in sorted(self.objects.items())
                if key[:2] == (group, resource) and namespace in ("", key[2])]

    def changed(self, group: str, resource: str) -> int:
        return self.changes

    async def peek_latest(self, group: str, resource: str, namespace: str, name: str) -> Obj | None:
        self.objects.update(self.unseen)
        self.unseen = {}
        return self.peek(group, resource, namespace, name)


def pod(name: str = "p", containers: list[Obj] | None = None, **spec: Any) -> Obj:
    """A pod with one container ``app``, unless others are given."""
    return {"metadata": {"name": name, "namespace": "ns"},
            "spec": {"containers": containers if containers is not None else [container("app")], **spec}}


def container(name: str, **fields: Any) -> Obj:
    return {"name": name, "image": "i", **fields}


class AdmissionTestCase(SynchronousTestCase):
    """Runs plugins on writes.

    :ivar warnings: of all writes so far; annotations beside them.
    """

    def setUp(self) -> None:
        self.time = FakeTime()
        self.clock = Clock(self.time)
        self.world = World()
        self.warnings: list[str] = []
        self.annotations: dict[str, str] = {}

    def write(self, obj: Obj | None, resource: str = "pods", old: Obj | None = None, *, group: str = "",
              operation: Operation | None = None, subresource: str = "", namespace: str = "ns",
              dry_run: bool = False, user: str = "jane") -> Attributes:
        """A creation, or an update when there is an ``old`` object."""
        meta = (obj or old or {}).get("metadata", {})
        return Attributes(
            operation or ("CREATE" if old is None else "UPDATE"), GroupVersionKind(group, "v1", "Thing"),
            GroupVersionResource(group, "v1", resource), subresource, namespace, meta.get("name", ""), obj, old,
            UserInfo(user), {}, dry_run, self.warnings.append, self.annotations.__setitem__)

    def admit(self, plugin: Any, attributes: Attributes) -> Obj:
        """The object after the plugin's mutation."""
        self.successResultOf(Deferred.fromCoroutine(plugin.admit(attributes)))
        assert attributes.obj is not None
        return attributes.obj

    def validate(self, plugin: Any, attributes: Attributes) -> None:
        before = deepcopy(attributes.obj)
        self.successResultOf(Deferred.fromCoroutine(plugin.validate(attributes)))
        self.assertEqual(attributes.obj, before)

    def refusal(self, step: Callable[[Attributes], Any], attributes: Attributes, code: int = 403) -> StatusError:
        """The error with which a step refuses."""
        error: StatusError = self.failureResultOf(Deferred.fromCoroutine(step(attributes)), StatusError).value
        self.assertEqual(error.code, code)
        return error
