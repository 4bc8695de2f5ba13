"""What OpenAPI tells of a custom resource."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen


@frozen
class CustomResource:
    """A custom resource in one version.

    :ivar schema: its structural schema; None when there is none to show. Shared, not to be changed.
    :ivar status: whether it has the subresource; so ``scale``.
    :ivar selectable: paths of selectable fields, such as ``.spec.color``.
    :ivar keeps_unknown_fields: whether objects may have fields that the schema does not know, as definitions of
        v1beta1 could say.
    """

    group: str
    version: str
    plural: str
    kind: str
    list_kind: str
    namespaced: bool
    schema: Mapping[str, Any] | None = None
    status: bool = False
    scale: bool = False
    selectable: tuple[str, ...] = ()
    keeps_unknown_fields: bool = False

    def definition(self, kind: str) -> str:
        """The name of a definition: the group backwards, version and kind."""
        return ".".join([*reversed(self.group.split(".")), self.version, kind])

    def gvk(self, kind: str) -> list[dict[str, str]]:
        return [{"group": self.group, "kind": kind, "version": self.version}]


def from_definition(crd: Mapping[str, Any], version: str) -> CustomResource:
    """A custom resource under its accepted names.

    :param crd: a CustomResourceDefinition that is established.
    :param version: one of its versions.
    """
    spec, names = crd["spec"], crd["status"]["acceptedNames"]
    facts = next(one for one in spec["versions"] if one["name"] == version)
    subresources = facts.get("subresources") or {}
    return CustomResource(
        spec["group"], version, names["plural"], names["kind"], names["listKind"], spec["scope"] == "Namespaced",
        (facts.get("schema") or {}).get("openAPIV3Schema"), subresources.get("status") is not None,
        subresources.get("scale") is not None, tuple(one["jsonPath"] for one in facts.get("selectableFields") or ()),
        bool(spec.get("preserveUnknownFields")))
