"""Group-versions of other servers, as those tell them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroupVersion

CURRENT, STALE = "Current", "Stale"


class RemoteGroupVersion(APIGroupVersion):
    """A group-version that another server serves.

    :ivar document: what the aggregated discovery document has of it.
    """

    def __init__(self, group_version: GroupVersion, told: Mapping[str, Any] | None, freshness: str) -> None:
        super().__init__(group_version)
        resources = (told or {}).get("resources")
        self.document: dict[str, Any] = {"version": group_version.version}
        if resources:
            self.document["resources"] = resources
        self.document["freshness"] = freshness


def told_versions(document: Mapping[str, Any]) -> dict[GroupVersion, dict[str, Any]]:
    """The group-versions of an aggregated discovery document, with kinds in all places where clients want one.

    :raises ValueError: when it isn't such a document.
    """
    found: dict[GroupVersion, dict[str, Any]] = {}
    try:
        for group in document.get("items") or ():
            for version in group.get("versions") or ():
                name = GroupVersion((group.get("metadata") or {}).get("name", ""), version["version"])
                found[name] = {"resources": [_whole(one) for one in version.get("resources") or ()]}
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not a discovery document: {error!r}") from error
    return found


def _whole(resource: Mapping[str, Any]) -> dict[str, Any]:
    shown = {**resource, "responseKind": _kind(resource.get("responseKind"))}
    shown.setdefault("scope", "")
    shown.setdefault("singularResource", "")
    shown["verbs"] = list(resource.get("verbs") or ())
    subresources = [{**one, "responseKind": _kind(one.get("responseKind"))}
                    for one in resource.get("subresources") or ()]
    if subresources:
        shown["subresources"] = subresources
    return shown


def _kind(kind: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"group": "", "version": "", "kind": "", **(kind or {})}


def from_resource_list(resources: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What the aggregated document would have, from the plain list of a group-version's resources.

    :raises ValueError: when the scopes of a resource and of its subresource differ, or it isn't such a list.
    """
    found: dict[str, dict[str, Any]] = {}
    try:
        resources = list(resources)
        for one in resources:
            if "/" not in one["name"]:
                found[one["name"]] = _resource(one)
        for one in resources:
            parent, _, name = one["name"].partition("/")
            if name:
                _add_subresource(found, parent, name, one)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not a list of resources: {error!r}") from error
    return {"resources": list(found.values())}


def _resource(told: Mapping[str, Any]) -> dict[str, Any]:
    shown = {"resource": told["name"], "responseKind": _told_kind(told), "scope": _scope(told),
             "singularResource": told.get("singularName", ""), "verbs": list(told.get("verbs") or ())}
    return shown | {key: list(told[key]) for key in ("shortNames", "categories") if told.get(key)}


def _add_subresource(found: dict[str, dict[str, Any]], parent: str, name: str, told: Mapping[str, Any]) -> None:
    scope = _scope(told)
    main = found.setdefault(parent, {"resource": parent, "responseKind": _kind(None), "scope": scope,
                                     "singularResource": "", "verbs": []})
    if main["scope"] != scope:
        raise ValueError(f"parent {parent} (scope: {main['scope']}) and subresource {name} (scope: {scope}) "
                         "scope do not match")
    main.setdefault("subresources", []).append(
        {"subresource": name, "responseKind": _told_kind(told), "verbs": list(told.get("verbs") or ())})


def _told_kind(told: Mapping[str, Any]) -> dict[str, Any]:
    if not told.get("kind"):
        return _kind(None)
    return {"group": told.get("group", ""), "version": told.get("version", ""), "kind": told["kind"]}


def _scope(told: Mapping[str, Any]) -> str:
    return "Namespaced" if told.get("namespaced") else "Cluster"
