"""How custom resources are defaulted, validated and changed, as their definition says.

Source of the rules: the Kubernetes documentation, "Extend the Kubernetes API with CustomResourceDefinitions", and the
original's strategy of custom resources.
"""

from __future__ import annotations

from collections.abc import Iterable

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError, go_quote, invalid
from kube_twisted.api.gvk import GroupKind, GroupVersion
from kube_twisted.api.names import qualified_name
from kube_twisted.apiextensions.definition import Definition, Version
from kube_twisted.apiextensions.scale import ScalePaths
from kube_twisted.apiextensions.schemas import VersionSchema
from kube_twisted.apiextensions.selectable_fields import selectable_fields
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_STANDARD_FINALIZERS = ("orphan", "foregroundDeletion", "kubernetes")
#: Rules are not asked about an object that is wrong in such a way.
_BLOCKING = ("NotSupported", "Required", "TooLong", "TooMany", "TypeInvalid")
_NOT_CHECKED = ("some validation rules were not checked because the object was invalid; correct the existing errors to "
                "complete validation")


class CustomResourceStrategy(Strategy):
    """One version of a custom resource. Where it has a status subresource, its status can't be written here."""

    allow_unconditional_update = False
    has_generation = True
    strict_finalizers = False

    def __init__(self, definition: Definition, version: Version, schema: VersionSchema) -> None:
        self.kind = definition.gvk(version.name)
        self.schema = schema
        self.scale = ScalePaths.of(version.scale) if version.scale is not None else None
        selectable = selectable_fields(version.selectable)
        self.field_labels = selectable.labels
        self.selects_namespace = definition.namespaced
        self.selectable_fields = selectable.values  # type: ignore[method-assign]
        self.status = version.status
        if self.status:
            self.reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        if obj.get("kind") == self.kind.kind and obj.get("apiVersion") == self.kind.api_version:
            self.schema.default(obj)

    # -- creating -------------------------------------------------------------------------------------------------

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        if self.status:
            obj.pop("status", None)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        self._check_type(obj)
        failures = self.schema.validate(obj)
        if self.scale is not None:
            failures += self.scale.validate_spec(obj) + self.scale.validate_status(obj)
        failures += self.schema.validate_embedded(obj)
        failures += self.schema.validate_lists(obj)
        return failures + self._broken_rules(ctx, obj, None, failures)

    def _check_type(self, obj: Obj) -> None:
        """:raises StatusError: 422 for an object of another kind."""
        failures = []
        if obj["kind"] != self.kind.kind:
            failures.append(invalid("kind", obj["kind"], f"must be {self.kind.kind}"))
        if obj["apiVersion"] != self.kind.api_version:
            failures.append(invalid("apiVersion", obj["apiVersion"], f"must be {self.kind.api_version}"))
        if failures:
            group = GroupVersion.parse(obj["apiVersion"]).group
            raise errors.invalid(GroupKind(group, obj["kind"]), obj["metadata"].get("name", ""), failures)

    def _broken_rules(self, ctx: WriteContext, obj: Obj, old: Obj | None,
                      failures: Iterable[FieldError]) -> list[FieldError]:
        """What ``x-kubernetes-validations`` say against an object that is right otherwise."""
        if self.schema.rules is None:
            return []
        if any(one.type in _BLOCKING for one in failures):
            return [FieldError("Invalid", "<nil>", None, _NOT_CHECKED)]
        report = self.schema.rules.validate(obj, old, ratchet=old is not None)
        for text in report.warnings:
            ctx.add_warning(text)
        return report.errors

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return _finalizer_warnings(set(obj["metadata"].get("finalizers") or ()))

    # -- updating -------------------------------------------------------------------------------------------------

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        if self.status:
            _take_back("status", obj, old)

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        return _without_metadata(obj) != _without_metadata(old)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        self._check_type(obj)
        failures = self.schema.validate_update(obj, old)
        if self.scale is not None:
            failures += self.scale.validate_spec(obj) + self.scale.validate_status(obj)
        failures += self.schema.validate_embedded(obj)
        failures += self.schema.validate_lists(obj, old)
        return failures + self._broken_rules(ctx, obj, old, failures)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        before = set(old["metadata"].get("finalizers") or ())
        return _finalizer_warnings(set(obj["metadata"].get("finalizers") or ()) - before)


class CustomResourceStatusStrategy(CustomResourceStrategy):
    """The status subresource: nothing but status is written there."""

    def __init__(self, definition: Definition, version: Version, schema: VersionSchema) -> None:
        super().__init__(definition, version, schema)
        self.reset_fields = (("metadata",), ("spec",))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        sent = {key: obj[key] for key in ("status",) if key in obj}
        managers = obj["metadata"].get("managedFields")
        obj.clear()
        obj.update(old)
        obj["metadata"] = {key: value for key, value in old["metadata"].items() if key != "managedFields"}
        if managers:
            obj["metadata"]["managedFields"] = managers
        obj.pop("status", None)
        obj.update(sent)

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        return False

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        self._check_type(obj)
        failures = self.schema.validate_status_update(obj, old)
        if self.scale is not None:
            failures += self.scale.validate_status(obj)
        failures += self.schema.validate_lists(obj, old)
        return failures + self._broken_rules(ctx, obj, old, failures)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return []


def _take_back(key: str, obj: Obj, old: Obj) -> None:
    if key in old:
        obj[key] = old[key]
    else:
        obj.pop(key, None)


def _without_metadata(obj: Obj) -> Obj:
    return {key: value for key, value in obj.items() if key != "metadata"}


def _finalizer_warnings(added: Iterable[str]) -> list[str]:
    warnings = []
    for name in sorted(added):
        warnings += [f"metadata.finalizers: {go_quote(name)}: {message}" for message in qualified_name(name)]
        if "/" not in name and name not in _STANDARD_FINALIZERS:
            advice = "including a path (/) " if "." in name else ""
            warnings.append(f"metadata.finalizers: {go_quote(name)}: prefer a domain-qualified finalizer name {advice}"
                            "to avoid accidental conflicts with other finalizer writers")
    return warnings
