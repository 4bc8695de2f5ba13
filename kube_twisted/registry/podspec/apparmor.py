"""AppArmor profiles given by the annotation that came before the field.

Source: https://kubernetes.io/docs/tutorials/security/apparmor/ and KEP-24.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.podspec.defaults import all_containers

Obj = dict[str, Any]

ANNOTATION_PREFIX = "container.apparmor.security.beta.kubernetes.io/"
DEPRECATED = 'deprecated since v1.30; use the "appArmorProfile" field instead'
_LOCALHOST = "localhost/"


def profile_of(annotation: str) -> Obj | None:
    """The field's value that an annotation means; None for an unknown one."""
    if annotation == "unconfined":
        return {"type": "Unconfined"}
    if annotation == "runtime/default":
        return {"type": "RuntimeDefault"}
    if annotation.startswith(_LOCALHOST) and annotation != _LOCALHOST:
        return {"type": "Localhost", "localhostProfile": annotation.removeprefix(_LOCALHOST)}
    return None


def apply_annotations(pod: Obj) -> None:
    """Copy the annotations of a new pod into its containers' fields, where those say nothing."""
    annotations = _profiles(pod)
    spec = pod["spec"]
    if not annotations or (spec.get("os") or {}).get("name") == "windows":
        return
    general = (spec.get("securityContext") or {}).get("appArmorProfile")
    for container in all_containers(spec):
        annotation = annotations.get(ANNOTATION_PREFIX + container.get("name", ""))
        if annotation is None or "appArmorProfile" in (container.get("securityContext") or {}):
            continue
        profile = profile_of(annotation)
        if profile and profile != general:
            container.setdefault("securityContext", {})["appArmorProfile"] = profile


def _profiles(pod: Obj) -> dict[str, str]:
    """The annotations that are about AppArmor."""
    return {key: text for key, text in (pod["metadata"].get("annotations") or {}).items()
            if key.startswith(ANNOTATION_PREFIX)}


def annotation_warnings(pod: Obj) -> list[str]:
    """Warnings about a new pod's annotations: those that decided a field, and those that mean nothing."""
    annotations = _profiles(pod)
    spec = pod["spec"]
    if not annotations or (spec.get("os") or {}).get("name") == "windows":
        return []
    return [f"metadata.annotations[{key}]: {DEPRECATED}" for key in
            (ANNOTATION_PREFIX + one.get("name", "") for one in all_containers(spec)) if key in annotations
            and _is_old_fashioned(annotations[key], spec)]


def _is_old_fashioned(annotation: str, spec: Obj) -> bool:
    profile = profile_of(annotation)
    return profile is None or profile != (spec.get("securityContext") or {}).get("appArmorProfile")
