"""The spec as the original server holds it while it validates: this decides at which path an error is.

What all versions have in common (schema, subresources, columns, selectable fields) is held once, at the top.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.registry.apiextensions.go_schema import go_validation

Version = dict[str, Any]

_SHARED = {"schema": "validation", "subresources": "subresources",
           "additionalPrinterColumns": "additionalPrinterColumns", "selectableFields": "selectableFields"}


@frozen
class InternalSpec:
    """A spec whose common parts are moved up.

    :ivar shared: what all versions have in common, by its name at the top.
    :ivar versions: the versions without it.
    :ivar given: whether there is a list of versions at all.
    """

    shared: dict[str, Any]
    versions: list[Version]
    given: bool = True

    @classmethod
    def of(cls, spec: dict[str, Any]) -> InternalSpec:
        versions = [dict(one) for one in spec.get("versions") or []]
        shared = {}
        for key, name in _SHARED.items():
            values = [one.get(key) or _absent(one, key) for one in versions]
            if versions and all(value == values[0] for value in values):
                shared[name] = values[0]
                for one in versions:
                    one.pop(key, None)
        return cls({name: value for name, value in shared.items() if value is not None}, versions,
                   spec.get("versions") is not None)

    def go_versions(self) -> list[dict[str, Any]] | None:
        """The versions as an error message shows them."""
        return [_go_version(one) for one in self.versions] if self.given else None


def _absent(version: Version, key: str) -> Any:
    """An empty list is none; an empty object is one."""
    value = version.get(key)
    return value if isinstance(value, dict) else None


def _go_version(version: Version) -> dict[str, Any]:
    return {
        "Name": version["name"],
        "Served": version.get("served", False),
        "Storage": version.get("storage", False),
        "Deprecated": version.get("deprecated", False),
        "DeprecationWarning": version.get("deprecationWarning"),
        "Schema": go_validation(version.get("schema")),
        "Subresources": _go_subresources(version.get("subresources")),
        "AdditionalPrinterColumns": [_go_column(one) for one in version.get("additionalPrinterColumns") or []]
        or None,
        "SelectableFields": [{"JSONPath": one.get("jsonPath", "")}
                             for one in version.get("selectableFields") or []] or None,
    }


def _go_subresources(value: dict[str, Any] | None) -> dict[str, Any] | None:
    if value is None:
        return None
    scale = value.get("scale")
    return {"Status": value.get("status"), "Scale": None if scale is None else {
        "SpecReplicasPath": scale.get("specReplicasPath", ""),
        "StatusReplicasPath": scale.get("statusReplicasPath", ""),
        "LabelSelectorPath": scale.get("labelSelectorPath"),
    }}


def _go_column(column: dict[str, Any]) -> dict[str, Any]:
    texts = {"Name": "name", "Type": "type", "Format": "format", "Description": "description"}
    return {**{go: column.get(key, "") for go, key in texts.items()},
            "Priority": column.get("priority", 0), "JSONPath": column.get("jsonPath", "")}
