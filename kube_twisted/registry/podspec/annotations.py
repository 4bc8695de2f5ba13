"""Annotations that mean something to pods."""

from __future__ import annotations

import json
import re
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, go_quote, invalid
from kube_twisted.api.metadata import validate_annotations as general_annotations
from kube_twisted.registry.podspec.defaults import all_containers
from kube_twisted.registry.podspec.paths import descending

Obj = dict[str, Any]
Errors = list[FieldError]
Annotations = dict[str, str]

MIRROR = "kubernetes.io/config.mirror"
TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations"
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"
_PROFILES = (SECCOMP_POD, SECCOMP_CONTAINER, APPARMOR)
_SECCOMP_PROFILES = ("runtime/default", "docker/default", "unconfined")
_LOCALHOST = "localhost/"
_is_cost = re.compile(r"-?\d+").fullmatch


def validate_annotations(path: str, annotations: Annotations) -> Errors:
    """The rules for annotations of any object."""
    return general_annotations(annotations, path) if annotations else []


def deletion_cost_is_valid(annotations: Annotations) -> bool:
    """Whether the cost, if there is one, is a plain 32-bit number (KEP-2255)."""
    text = annotations.get(DELETION_COST)
    if text is None:
        return True
    plain = bool(_is_cost(text)) and text.isascii() and (text == "0" or not text.startswith("0"))
    return plain and -2**31 <= int(text) < 2**31


def validate_pod_annotations(path: str, annotations: Annotations, spec: Obj, any_cost: bool) -> Errors:
    """What annotations say about this pod must fit its spec.

    :param any_cost: the deletion cost need not be a number, since the stored one is not.
    """
    errors: Errors = []
    if MIRROR in annotations and not spec.get("nodeName"):
        errors.append(invalid(f"{path}[{MIRROR}]", annotations[MIRROR],
                              "must set spec.nodeName if mirror pod annotation is set"))
    if annotations.get(TOLERATIONS):
        errors += _tolerations(path, annotations[TOLERATIONS])
    if not any_cost and not deletion_cost_is_valid(annotations):
        errors.append(invalid(f"{path}[{DELETION_COST}]", annotations[DELETION_COST],
                              "must be a 32bit integer"))
    if not names_profiles(annotations):
        return errors
    for key, text in annotations.items():
        if key == SECCOMP_POD or key.startswith(SECCOMP_CONTAINER):
            errors += _seccomp(f"{path}.{key}", text)
    for key, text in annotations.items():
        if key.startswith(APPARMOR):
            errors += _apparmor(f"{path}[{key}]", key.removeprefix(APPARMOR), text, spec)
    return errors


def names_profiles(annotations: Annotations) -> bool:
    """Whether some annotation is about a seccomp or AppArmor profile."""
    return any(key.startswith(_PROFILES) for key in annotations)


def _tolerations(path: str, text: str) -> Errors:
    try:
        json.loads(text)
    except ValueError as error:
        return [invalid(path, TOLERATIONS, str(error))]
    return []


def _seccomp(path: str, text: str) -> Errors:
    if text in _SECCOMP_PROFILES:
        return []
    if text.startswith(_LOCALHOST):
        return descending(path, text.removeprefix(_LOCALHOST))
    return [invalid(path, text, "must be a valid seccomp profile")]


def _apparmor(path: str, container: str, text: str, spec: Obj) -> Errors:
    errors: Errors = []
    if all(one.get("name", "") != container for one in all_containers(spec)):
        errors.append(invalid(path, container, "container not found"))
    if text not in ("", "runtime/default", "unconfined") and not text.startswith(_LOCALHOST):
        errors.append(invalid(path, text, f"invalid AppArmor profile name: {go_quote(text)}"))
    return errors


def validate_profiles_match(path: str, annotations: Annotations, spec: Obj,
                            containers: list[tuple[str, Obj]]) -> Errors:
    """Where both the annotation and the field name a profile, they name the same one.

    :param path: of the spec.
    """
    pod = spec.get("securityContext") or {}
    errors: Errors = []
    if "seccompProfile" in pod and SECCOMP_POD in annotations:
        errors += _match(f"{path}.securityContext.seccompProfile", "seccomp", annotations[SECCOMP_POD],
                         pod["seccompProfile"])
    for here, container in containers:
        profile = (container.get("securityContext") or {}).get("seccompProfile")
        annotation = annotations.get(SECCOMP_CONTAINER + container.get("name", ""))
        if profile is not None and annotation is not None:
            errors += _match(f"{here}.securityContext.seccompProfile", "seccomp", annotation, profile)
    if (spec.get("os") or {}).get("name") == "windows":
        return errors
    for here, container in containers:
        own = container.get("securityContext") or {}
        profile = own.get("appArmorProfile") or pod.get("appArmorProfile")
        annotation = annotations.get(APPARMOR + container.get("name", ""))
        if profile is not None and annotation is not None:
            errors += _match(f"{here}.securityContext.appArmorProfile", "apparmor", annotation, profile)
    return errors


def _match(path: str, what: str, annotation: str, profile: Obj) -> Errors:
    default = ("runtime/default", "docker/default") if what == "seccomp" else ("runtime/default",)
    plain = {"Unconfined": ("unconfined",), "RuntimeDefault": default}
    kind = profile.get("type", "")
    if kind == "Localhost" and annotation.startswith(_LOCALHOST):
        same = annotation.removeprefix(_LOCALHOST) == profile.get("localhostProfile")
        return [] if same else [
            forbidden(f"{path}.localhostProfile", f"{what} profile in annotation and field must match")]
    if kind != "Localhost" and annotation in plain.get(kind, (annotation,)):
        return []
    return [forbidden(f"{path}.type", f"{what} type in annotation and field must match")]


def validate_annotations_update(path: str, new: Annotations, old: Annotations) -> Errors:
    """AppArmor's and the mirror pod's annotations are fixed."""
    errors: Errors = []
    for key in [*old, *(one for one in new if one not in old)]:
        if new.get(key) == old.get(key):
            continue
        changed = key in old
        if key.startswith(APPARMOR):
            errors.append(forbidden(f"{path}[{key}]",
                                    "may not remove or update AppArmor annotations" if changed
                                    else "may not add AppArmor annotations"))
        if key == MIRROR:
            errors.append(forbidden(f"{path}[{key}]",
                                    "may not remove or update mirror pod annotation" if changed
                                    else "may not add mirror pod annotation"))
    return errors
