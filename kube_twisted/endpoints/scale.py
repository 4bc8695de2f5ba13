"""The scale subresource: a workload seen as an autoscaling/v1 Scale."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from kube_twisted.api import errors
from kube_twisted.api.field import invalid
from kube_twisted.api.gvk import GroupKind, GroupVersionKind
from kube_twisted.api.labels import format_label_selector, from_labels
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.registry.printers.lookup import printer_for
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.apply.fieldset import Path, field_path
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.apply.scale import SCALE_VERSION, from_scale, to_scale

SCALE = GroupVersionKind("autoscaling", "v1", "Scale")
_KEPT_METADATA = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


@frozen
class ScaleView:
    """Shows and changes ``spec.replicas`` of a workload.

    :ivar api_version: of the workload.
    """

    api_version: str
    prints_hub = False

    @property
    def _replicas(self) -> Mapping[str, Path | None]:
        return {self.api_version: field_path("spec", "replicas")}

    def show(self, hub: Obj) -> Obj:
        meta, spec, status = hub["metadata"], hub.get("spec", {}), hub.get("status", {})
        replicas = spec.get("replicas", 0)
        scale: Obj = {
            "kind": "Scale", "apiVersion": SCALE_VERSION,
            "metadata": {key: meta[key] for key in _KEPT_METADATA if key in meta},
            "spec": {"replicas": replicas} if replicas else {},
            "status": {"replicas": status.get("replicas", 0)},
        }
        selector = _selector_text(spec.get("selector"))
        if selector:
            scale["status"]["selector"] = selector
        return scale

    def as_stored(self, obj: Obj) -> Obj:
        return obj

    def writable(self, hub: Obj) -> Obj:
        """What a write starts from: with those of the managers that own the replicas."""
        scale = self.show(hub)
        managers = to_scale(hub["metadata"].get("managedFields"), self._replicas)
        if managers:
            scale["metadata"]["managedFields"] = managers
        return scale

    def merge(self, old: Obj | None, obj: Obj) -> Obj:
        """The workload with the Scale's replicas, and its uid and resourceVersion as preconditions."""
        assert old is not None
        meta = dict(old["metadata"])
        replicas = obj.get("spec", {}).get("replicas", 0)
        if replicas < 0:
            failure = invalid("spec.replicas", replicas, "must be greater than or equal to 0")
            raise errors.invalid(GroupKind("autoscaling", "Scale"), meta["name"], [failure])
        wanted = obj["metadata"]
        meta["resourceVersion"] = wanted.get("resourceVersion", "")
        managers = from_scale(meta.get("managedFields"), wanted.get("managedFields"), self.api_version, self._replicas)
        if managers:
            meta["managedFields"] = managers
        else:
            meta.pop("managedFields", None)
        return {**old, "metadata": meta, "spec": {**old.get("spec", {}), "replicas": replicas}}


def _selector_text(selector: Obj | None) -> str:
    """A LabelSelector, or the plain map of a ReplicationController, as text."""
    if not selector:
        return ""
    if "matchLabels" in selector or "matchExpressions" in selector:
        return format_label_selector(selector)
    return str(from_labels(selector))


def scale_scope(scope: RequestScope, verbs: tuple[str, ...], plans: Plans) -> RequestScope:
    """The scope of a workload's scale."""
    struct = scope.schema.kind(SCALE)
    return evolve(
        scope, subresource="scale", struct=struct, shown_kind=SCALE, verbs=verbs,
        printer=printer_for(scope.resource.group, scope.resource.resource + "/scale"),
        view=ScaleView(scope.kind.api_version),
        field_manager=FieldManager(struct, SCALE_VERSION, "scale", kind="Scale", plans=plans))
