"""Plain discovery documents: APIVersions, APIGroupList, APIGroup and APIResourceList, as data.

Members stand in the order in which the original writes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion, APIResource


def api_versions(core: APIGroup, server_address: str) -> dict[str, Any]:
    """The document at ``/api``.

    :param server_address: host and port at which clients of any network reach the server.
    """
    return {
        "kind": "APIVersions",
        "versions": [version.group_version.version for version in core.versions],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": server_address}],
    }


def api_group_list(groups: Iterable[APIGroup]) -> dict[str, Any]:
    """The document at ``/apis``.

    :param groups: in order, without the core group.
    """
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group(group) for group in groups]}


def api_group(group: APIGroup) -> dict[str, Any]:
    """The document at ``/apis/<group>``."""
    return {"kind": "APIGroup", "apiVersion": "v1", **_group(group)}


def _group(group: APIGroup) -> dict[str, Any]:
    versions = [{"groupVersion": str(one.group_version), "version": one.group_version.version}
                for one in group.versions]
    return {"name": group.name, "versions": versions, "preferredVersion": versions[0]}


def api_resource_list(version: APIGroupVersion) -> dict[str, Any]:
    """The document at ``/api/v1`` or ``/apis/<group>/<version>``; the core group's has no apiVersion."""
    document: dict[str, Any] = {"kind": "APIResourceList"}
    if version.group_version.group:
        document["apiVersion"] = "v1"
    document["groupVersion"] = str(version.group_version)
    document["resources"] = [_resource(one) for one in version.listed]
    return document


def _resource(resource: APIResource) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": resource.name, "singularName": resource.singular, "namespaced": resource.namespaced}
    optional = {
        "group": resource.group,
        "version": resource.version,
        "kind": resource.kind,
        "verbs": list(resource.verbs),
        "shortNames": list(resource.short_names),
        "categories": list(resource.categories),
        "storageVersionHash": resource.storage_version_hash,
    }
    document.update((name, value) for name, value in optional.items() if value or name in ("kind", "verbs"))
    return document
