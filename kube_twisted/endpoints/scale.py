"""The scale subresource: an object that has replicas, seen as an autoscaling/v1 Scale."""

from __future__ import annotations

from typing import Protocol

from attrs import evolve, frozen

from kube_twisted.api import errors
from kube_twisted.api.field import invalid
from kube_twisted.api.gvk import GroupKind, GroupVersionKind
from kube_twisted.api.labels import format_label_selector, from_labels
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.registry.printers.finding import PrinterFinder, printer_of
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.apply.fieldset import field_path
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.apply.scale import SCALE_VERSION, ReplicasPaths, from_scale, to_scale

SCALE = GroupVersionKind("autoscaling", "v1", "Scale")
#: Stands for replicas that aren't there, in a Scale from which a write starts.
MISSING = -(1 << 31)
_KEPT_METADATA = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


@frozen
class Counts:
    """What a Scale shows of an object.

    :ivar wanted: replicas that there should be.
    :ivar present: replicas that there are.
    :ivar selector: of the replicas, as text.
    """

    wanted: int
    present: int
    selector: str = ""


class Scaled(Protocol):
    """Where objects of a kind keep what their Scale shows."""

    def counts(self, obj: Obj, missing: int | None = None) -> Counts:
        """What the Scale of an object shows.

        :param missing: stands for replicas that aren't there; without it they must be.
        :raises StatusError: for an object that can't be scaled.
        """

    def with_replicas(self, obj: Obj, replicas: int) -> Obj:
        """A copy of the object with another number of replicas.

        :raises StatusError: for a number that can't be.
        """


@frozen
class WorkloadScaled:
    """Built-in workloads: ``spec.replicas``, ``status.replicas`` and ``spec.selector``."""

    def counts(self, obj: Obj, missing: int | None = None) -> Counts:
        spec, status = obj.get("spec", {}), obj.get("status", {})
        return Counts(spec.get("replicas", 0), status.get("replicas", 0), _selector_text(spec.get("selector")))

    def with_replicas(self, obj: Obj, replicas: int) -> Obj:
        if replicas < 0:
            failure = invalid("spec.replicas", replicas, "must be greater than or equal to 0")
            raise errors.invalid(GroupKind("autoscaling", "Scale"), obj["metadata"]["name"], [failure])
        return {**obj, "spec": {**obj.get("spec", {}), "replicas": replicas}}


@frozen
class ScaleView:
    """Shows and changes the replicas of an object.

    :ivar api_version: of the object.
    :ivar replicas: where the versions of its kind keep them.
    """

    api_version: str
    replicas: ReplicasPaths
    scaled: Scaled
    prints_hub = False

    def show(self, hub: Obj) -> Obj:
        return _scale(hub, self.scaled.counts(hub))

    def before(self, hub: Obj) -> Obj:
        return _scale(hub, self.scaled.counts(hub, 0))

    def as_stored(self, obj: Obj) -> Obj:
        return obj

    def writable(self, hub: Obj) -> Obj:
        """What a write starts from: with those of the managers that own the replicas."""
        scale = _scale(hub, self.scaled.counts(hub, MISSING))
        managers = to_scale(hub["metadata"].get("managedFields"), self.replicas)
        if managers:
            scale["metadata"]["managedFields"] = managers
        return scale

    def merge(self, old: Obj | None, obj: Obj) -> Obj:
        """The object with the Scale's replicas, and its resourceVersion as a precondition."""
        assert old is not None
        changed = self.scaled.with_replicas(old, obj.get("spec", {}).get("replicas", 0))
        meta, wanted = dict(old["metadata"]), obj["metadata"]
        meta["resourceVersion"] = wanted.get("resourceVersion") or meta["resourceVersion"]
        managers = from_scale(meta.get("managedFields"), wanted.get("managedFields"), self.api_version, self.replicas)
        if managers:
            meta["managedFields"] = managers
        else:
            meta.pop("managedFields", None)
        return {**changed, "metadata": meta}


def _scale(obj: Obj, counts: Counts) -> Obj:
    meta = obj["metadata"]
    scale: Obj = {
        "kind": "Scale", "apiVersion": SCALE_VERSION,
        "metadata": {key: meta[key] for key in _KEPT_METADATA if key in meta},
        "spec": {"replicas": counts.wanted} if counts.wanted else {},
        "status": {"replicas": counts.present},
    }
    if counts.selector:
        scale["status"]["selector"] = counts.selector
    return scale


def _selector_text(selector: Obj | None) -> str:
    """A LabelSelector, or the plain map of a ReplicationController, as text."""
    if not selector:
        return ""
    if "matchLabels" in selector or "matchExpressions" in selector:
        return format_label_selector(selector)
    return str(from_labels(selector))


def scale_scope(scope: RequestScope, verbs: tuple[str, ...], plans: Plans) -> RequestScope:
    """The scope of a workload's scale."""
    api_version = scope.kind.api_version
    view = ScaleView(api_version, {api_version: field_path("spec", "replicas")}, WorkloadScaled())
    return viewed_as_scale(scope, view, printer_of("", "/scale"), verbs, plans)


def viewed_as_scale(scope: RequestScope, view: ScaleView, printed_by: PrinterFinder, verbs: tuple[str, ...],
                    plans: Plans) -> RequestScope:
    """The scope of the scale of a resource, from the resource's own."""
    struct = scope.schema.kind(SCALE)
    return evolve(
        scope, subresource="scale", struct=struct, shown_kind=SCALE, verbs=verbs, printed_by=printed_by, view=view,
        read_by=None, converted_by=None,
        field_manager=FieldManager(struct, SCALE_VERSION, "scale", kind="Scale", plans=plans))
