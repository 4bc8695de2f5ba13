"""The values of what expressions may name: ``object``, ``oldObject``, ``request``, ``namespaceObject`` and more."""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.expressions.checks import Checks
from kube_twisted.admission.webhooks.request import request_of
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.cel.library.authorization import Check, Question, authorizer

Obj = dict[str, Any]
#: What expressions see of a namespace.
_NAMESPACE_FIELDS = ("name", "generateName", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp",
                     "deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "finalizers")


@frozen
class Inputs:
    """One write, as a policy or webhook sees it.

    :ivar resource: which its rules name, and ``kind``: in which it wants to see the objects.
    :ivar obj: the object in that version; ``old`` likewise.
    :ivar namespace: the Namespace that the write is in.
    :ivar params: of the policy.
    :ivar checks: decides what expressions ask of the authorizer; None when they may not.
    """

    attributes: Attributes
    resource: GroupVersionResource
    kind: GroupVersionKind
    obj: Obj | None
    old: Obj | None
    namespace: Obj | None = None
    params: Obj | None = None
    checks: Checks | None = None

    def without_authorizer(self) -> Inputs:
        """For expressions that may not ask."""
        return evolve(self, checks=None)

    def for_conditions(self) -> Inputs:
        """For match conditions, which know no namespace, and the resource as the request names it."""
        return evolve(self, namespace=None, resource=self.attributes.resource)

    def values(self) -> dict[str, Any]:
        """By name."""
        found: dict[str, Any] = {
            "object": self.obj, "oldObject": self.old, "params": self.params,
            "request": request_of("", self.kind, self.resource, self.attributes, None, None),
            "namespaceObject": _shown(self.namespace)}
        if self.checks is not None:
            found["authorizer"] = authorizer(self.checks.decide)
            found["authorizer.requestResource"] = self._own_resource(self.checks)
        return found

    def _own_resource(self, checks: Checks) -> Check:
        """A question about what the request itself is about."""
        attributes = self.attributes
        return Check("ResourceCheck", checks.decide, Question(
            group=attributes.resource.group, resource=attributes.resource.resource,
            subresource=attributes.subresource, namespace=attributes.namespace, name=attributes.name))


def _shown(namespace: Obj | None) -> Obj | None:
    if namespace is None:
        return None
    meta = namespace["metadata"]
    return {"metadata": {name: meta[name] for name in _NAMESPACE_FIELDS if name in meta},
            "spec": namespace.get("spec", {}), "status": namespace.get("status", {})}
