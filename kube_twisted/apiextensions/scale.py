"""The scale subresource of custom resources: a definition says where they keep what a Scale shows.

Source of the rules: the Kubernetes documentation, "Scale subresource" of custom resources.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError, go_quote, invalid
from kube_twisted.api.jsonvalue import go_print, go_type
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.endpoints.scale import MISSING, Counts, ScaleView, viewed_as_scale
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.registry.printers.custom import custom_scale_printer
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.apply.fieldset import field_path
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.apply.scale import ReplicasPaths

_VERBS = ("get", "patch", "update")
_MAX_INT32 = (1 << 31) - 1
_TYPES = {int: "int64", str: "string"}


class _UnfitError(ValueError):
    """A path leads to something else than expected; the text says to what."""


def custom_scale_scope(scope: RequestScope, plans: Plans, paths: ScalePaths, replicas: ReplicasPaths) -> RequestScope:
    """The scope of a custom resource's scale.

    :param scope: of the resource itself, in the same version; the store's objects are in that version.
    :param replicas: of all versions; see :func:`replicas_paths`.
    """
    view = ScaleView(scope.kind.api_version, replicas, paths)
    return viewed_as_scale(scope, view, custom_scale_printer, _VERBS, plans)


def replicas_paths(definition: Definition) -> ReplicasPaths:
    """Where each version keeps the replicas, for field ownership."""
    return {str(version.group_version): field_path(*_names(version.scale["specReplicasPath"]))
            if version.scale is not None else None for version in definition.versions.values()}


@frozen
class ScalePaths:
    """Where objects keep what their Scale shows; paths such as ``.spec.replicas``.

    :ivar selector: empty where there is none.
    """

    spec: str
    status: str
    selector: str = ""

    @classmethod
    def of(cls, scale: Mapping[str, Any]) -> ScalePaths:
        """As a definition's ``subresources.scale`` says."""
        return cls(scale["specReplicasPath"], scale["statusReplicasPath"], scale.get("labelSelectorPath") or "")

    # -- the view -------------------------------------------------------------------------------------------------

    def counts(self, obj: Obj, missing: int | None = None) -> Counts:
        """What the Scale shows.

        :raises StatusError: 500 when there are no replicas to show, or something else than a number of them.
        """
        try:
            wanted = _find(obj, self.spec, int)
            present = _find(obj, self.status, int) or 0
            selector = _find(obj, self.selector, str) if self.selector else ""
        except _UnfitError as error:
            raise errors.plain_internal(str(error)) from None
        if wanted is None:
            if missing is None:
                raise errors.internal_error(f"the spec replicas field {go_quote(self.spec)} does not exist")
            wanted = missing
        return Counts(wanted, present, selector or "")

    def with_replicas(self, obj: Obj, replicas: int) -> Obj:
        if replicas == MISSING:
            raise errors.bad_request(f"the spec replicas field {go_quote(self.spec)} cannot be empty")
        *parents, last = _names(self.spec)
        changed = parent = dict(obj)
        for index, name in enumerate(parents):
            inner = parent.get(name, {})
            if not isinstance(inner, dict):
                path = "." + ".".join(parents[:index + 1])
                raise errors.plain_internal(f"value cannot be set because {path} is not a map[string]interface{{}}")
            parent[name] = dict(inner)
            parent = parent[name]
        parent[last] = replicas
        return changed

    # -- validation -----------------------------------------------------------------------------------------------

    def validate_spec(self, obj: Obj) -> list[FieldError]:
        """What a Scale could not show of the object's spec."""
        return _validate_count(self.spec, obj)

    def validate_status(self, obj: Obj) -> list[FieldError]:
        """What a Scale could not show of the object's status."""
        failures = _validate_count(self.status, obj)
        if self.selector:
            try:
                _find(obj, self.selector, str)
            except _UnfitError as error:
                failures.append(invalid(self.selector, "", str(error)))
        return failures


def _validate_count(path: str, obj: Obj) -> list[FieldError]:
    try:
        count = _find(obj, path, int) or 0
    except _UnfitError as error:
        return [invalid(path, 0, str(error))]
    if count < 0:
        return [invalid(path, count, "should be a non-negative integer")]
    if count > _MAX_INT32:
        return [invalid(path, count, f"should be less than or equal to {_MAX_INT32}")]
    return []


# -- paths --------------------------------------------------------------------------------------------------------


def _names(path: str) -> list[str]:
    return path.removeprefix(".").split(".")


def _find(obj: Obj, path: str, type_: type) -> Any:
    """What is at the path; None when it leads nowhere.

    :raises _UnfitError: when it is of another type; worded as the original's error.
    """
    names, value = _names(path), obj
    for index, name in enumerate(names):
        if value is None:
            return None
        if not isinstance(value, dict):
            raise _unfit(names[:index + 1], value, "map[string]interface{}")
        if name not in value:
            return None
        value = value[name]
    if type(value) is not type_:
        raise _unfit(names, value, _TYPES[type_])
    return value


def _unfit(names: list[str], value: Any, expected: str) -> _UnfitError:
    found = "<nil>" if value is None else go_type(value)
    return _UnfitError(f".{'.'.join(names)} accessor error: {go_print(value)} is of the type {found}, "
                       f"expected {expected}")
