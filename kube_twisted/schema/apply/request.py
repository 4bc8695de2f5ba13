"""The kind and version that an apply patch says it has, and how messages name the object."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import bad_request
from kube_twisted.api.gvk import GroupVersion


def check_patch(patch: dict[str, Any], api_version: str, kind: str) -> None:
    """A patch must be of the kind and version of the request.

    :raises StatusError: 400.
    """
    if patch.get("apiVersion") != api_version or patch.get("kind") != kind:
        raise bad_request(f"invalid object type: {kind_text(patch)}")


def kind_text(obj: dict[str, Any]) -> str:
    """Group, version and kind as Go prints them: ``apps/v1, Kind=Deployment``, ``/v1, Kind=Pod``."""
    version, kind = _text(obj, "apiVersion"), _text(obj, "kind")
    try:
        parsed = GroupVersion.parse(version)
    except ValueError:
        return "/, Kind="
    return f"{parsed.group}/{parsed.version}, Kind={kind}"


def described(obj: dict[str, Any]) -> str:
    """Namespace, name and kind as error messages show them: ``default/web; apps/v1, Kind=Deployment``."""
    metadata = obj.get("metadata")
    named = metadata if isinstance(metadata, dict) else {}
    return f"{_text(named, 'namespace')}/{_text(named, 'name')}; {kind_text(obj)}"


def _text(obj: dict[str, Any], key: str) -> str:
    value = obj.get(key)
    return value if isinstance(value, str) else ""
