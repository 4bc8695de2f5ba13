"""Aggregated discovery: everything below ``/api`` or ``/apis`` in one document.

Source of the rules: KEP-3352, "Aggregated Discovery".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kube_twisted.endpoints.accept import clauses
from kube_twisted.endpoints.discovery.remote import CURRENT, RemoteGroupVersion
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion, APIResource
from kube_twisted.endpoints.negotiation import OFFERED

_PARAMETERS = {"g": "apidiscovery.k8s.io", "v": "v2", "as": "APIGroupDiscoveryList"}
_SUFFIX = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


def aggregated_type(accept: str | None) -> str:
    """The media type in which the client wants the aggregated document; empty if it doesn't ask for it.

    Those who accept the plain documents as well get the aggregated one, whatever the qualities.
    """
    if not accept or "APIGroupDiscoveryList" not in accept:
        return ""
    for clause in clauses(accept):
        if clause.parameters.items() >= _PARAMETERS.items():
            for media_type in OFFERED:
                if clause.matches(media_type):
                    return media_type
    return ""


def content_type(media_type: str) -> str:
    """The Content-Type of the aggregated document."""
    return media_type + _SUFFIX


def api_group_discovery_list(groups: Iterable[APIGroup]) -> dict[str, Any]:
    """The document as data.

    :param groups: in order; the core group alone for ``/api``, all others for ``/apis``.
    """
    return {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {},
            "items": [_group(group) for group in groups]}


def _group(group: APIGroup) -> dict[str, Any]:
    return {"metadata": {"name": group.name} if group.name else {},
            "versions": [_version(version) for version in group.versions]}


def _version(version: APIGroupVersion) -> dict[str, Any]:
    if isinstance(version, RemoteGroupVersion):
        return version.document
    resources: dict[str, dict[str, Any]] = {}
    for resource in version.listed:
        name = resource.name
        main, _, subresource = name.partition("/")
        if not subresource:
            resources[main] = _resource(resource)
            continue
        parent = resources.setdefault(
            main, {"resource": main, "scope": _scope(resource), "singularResource": "", "verbs": []})
        parent.setdefault("subresources", []).append(_subresource(subresource, resource))
    return {"version": version.group_version.version, "resources": list(resources.values()),
            "freshness": CURRENT}


def _resource(resource: APIResource) -> dict[str, Any]:
    document: dict[str, Any] = {
        "resource": resource.name,
        "responseKind": _response_kind(resource),
        "scope": _scope(resource),
        "singularResource": resource.singular,
        "verbs": list(resource.verbs),
    }
    if resource.short_names:
        document["shortNames"] = list(resource.short_names)
    if resource.categories:
        document["categories"] = list(resource.categories)
    return document


def _subresource(name: str, resource: APIResource) -> dict[str, Any]:
    return {"subresource": name, "responseKind": _response_kind(resource), "verbs": list(resource.verbs)}


def _response_kind(resource: APIResource) -> dict[str, str]:
    """The kind; its group and version are empty where they are those of the list that it stands in."""
    return {"group": resource.group, "version": resource.version, "kind": resource.kind}


def _scope(resource: APIResource) -> str:
    return "Namespaced" if resource.namespaced else "Cluster"
