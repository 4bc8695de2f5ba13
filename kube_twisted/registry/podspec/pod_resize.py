"""Resizing a pod in place: only cpu and memory of its containers, and of the pod as a whole.

Source: KEP-1287, KEP-5419.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid
from kube_twisted.registry.podspec.annotations import MIRROR
from kube_twisted.registry.podspec.options import options_for_update
from kube_twisted.registry.podspec.pod import validate_pod_content
from kube_twisted.registry.podspec.qos import qos_class

Obj = dict[str, Any]
Errors = list[FieldError]

_RESIZABLE = ("cpu", "memory")
_KINDS = ("initContainers", "containers")
_ONLY = "only cpu and memory resources are mutable"
_ONLY_INIT = "only cpu and memory resources for init or sidecar containers are mutable"


def keep_all_but_resources(pod: Obj, old: Obj) -> None:
    """Take from ``old`` what a resize does not touch; validation refuses changed lists of containers."""
    spec, before = pod["spec"], old["spec"]
    if any(len(spec.get(kind) or ()) != len(before.get(kind) or ()) for kind in _KINDS):
        return
    merged = dict(before)
    for kind in _KINDS:
        if kind in before:
            merged[kind] = _merged(spec.get(kind) or [], before[kind] or [])
    merged.pop("resources", None)
    if "resources" in spec:
        merged["resources"] = spec["resources"]
    pod["spec"] = merged
    pod["status"] = old.get("status", {})


def _merged(new: list[Obj], old: list[Obj]) -> list[Obj]:
    if [one.get("name") for one in new] != [one.get("name") for one in old]:
        return new
    result = []
    for one, other in zip(new, old, strict=True):
        merged = {key: value for key, value in other.items() if key not in ("resources", "resizePolicy")}
        merged.update((key, one[key]) for key in ("resources", "resizePolicy") if key in one)
        result.append(merged)
    return result


def validate_resize(pod: Obj, old: Obj) -> Errors:
    """All that is wrong with a resize."""
    spec, before = pod["spec"], old["spec"]
    errors = validate_pod_content(pod, options_for_update(old, is_pod=True))
    if MIRROR in (old["metadata"].get("annotations") or ()):
        return [forbidden("", "static pods cannot be resized")]
    if (before.get("os") or {}).get("name") == "windows":
        return [forbidden("", "windows pods cannot be resized")]
    status = old.get("status") or {}
    if (status.get("qosClass") or qos_class(before)) != qos_class(spec):
        errors.append(invalid("spec", (pod.get("status") or {}).get("qosClass", ""),
                              "Pod QOS Class may not change as a result of resizing"))
    if not _node_can(status):
        errors.append(forbidden("spec", "Pod running on node without support for resize"))
    errors += _pod_level(spec, before)
    if status.get("nodeAllocatableResourceClaimStatuses"):
        errors.append(forbidden("spec", "pods with node allocatable resource claims cannot be resized"))
    order = _order(spec, before)
    return errors + order if order else errors + _containers(spec, before, bool(errors))


def _node_can(status: Obj) -> bool:
    """A running container tells its resources when its node can resize."""
    running = (one for one in status.get("containerStatuses") or () if "running" in (one.get("state") or {}))
    first = next(running, None)
    return first is None or "resources" in first


def _pod_level(spec: Obj, old: Obj) -> Errors:
    new, before = spec.get("resources"), old.get("resources")
    if not any((one or {}).get(kind) for one in (new, before) for kind in ("requests", "limits")):
        return []
    if before is not None and new is None:
        return [forbidden("spec.resources", "pod-level resources cannot be removed")]
    errors = [forbidden(f"spec.resources.{kind}", f"pod-level resource {kind} cannot be removed")
              for kind in ("requests", "limits")
              if before is not None and _removed((new or {}).get(kind), before.get(kind))]
    if _without_resizable(new or {}) != _without_resizable(before or {}):
        errors.append(forbidden("spec", f"{_ONLY} at pod-level"))
    return errors


def _removed(new: Obj | None, old: Obj | None) -> bool:
    return not (old or {}).keys() <= (new or {}).keys()


def _order(spec: Obj, old: Obj) -> Errors:
    errors: Errors = []
    for kind in ("containers", "initContainers"):
        new, before = spec.get(kind) or (), old.get(kind) or ()
        if len(new) != len(before):
            errors.append(forbidden(f"spec.{kind}", f"{kind} may not be added or removed on resize"))
        else:
            errors += [forbidden(f"spec.{kind}[{index}].name",
                                 f"{kind} may not be renamed or reordered on resize")
                       for index, (one, other) in enumerate(zip(new, before, strict=True))
                       if one.get("name") != other.get("name")]
    return errors


def _containers(spec: Obj, old: Obj, broken: bool) -> Errors:
    errors: Errors = []
    for kind in _KINDS:
        for index, (one, other) in enumerate(zip(spec.get(kind) or (), old.get(kind) or (), strict=True)):
            new, before = one.get("resources") or {}, other.get("resources") or {}
            errors += [forbidden(f"spec.{kind}[{index}].resources.{name}",
                                 f"resource {name} cannot be removed")
                       for name in ("requests", "limits") if _removed(new.get(name), before.get(name))]
    for one, other in zip(spec.get("containers") or (), old.get("containers") or (), strict=True):
        if not _same_but_sizes(one, other):
            errors.append(forbidden("spec", _ONLY))
    pairs = zip(spec.get("initContainers") or (), old.get("initContainers") or (), strict=True)
    for index, (one, other) in enumerate(pairs):
        errors += _init(f"spec.initContainers[{index}]", one, other)
    if not errors and not broken and _outside(spec) != _outside(old):
        errors.append(forbidden("spec", _ONLY))
    return errors


def _init(path: str, one: Obj, other: Obj) -> Errors:
    errors = [] if _same_but_sizes(one, other) else [forbidden(path, _ONLY_INIT)]
    if one != other and one.get("restartPolicy") != "Always":
        errors += [forbidden(path,
                             "non-sidecar init containers with a resize policy of RestartContainer cannot be "
                             "resized")
                   for policy in one.get("resizePolicy") or ()
                   if policy.get("restartPolicy") == "RestartContainer"]
    return errors


def _outside(spec: Obj) -> Obj:
    return {key: value for key, value in spec.items() if key not in (*_KINDS, "resources")}


def _same_but_sizes(one: Obj, other: Obj) -> bool:
    """Whether two containers differ in nothing but cpu and memory; claims are dropped, as upstream."""
    return (one | {"resources": _without_resizable(one.get("resources") or {})}
            == other | {"resources": _without_resizable(other.get("resources") or {})})


def _without_resizable(resources: Obj) -> Obj:
    kept = {kind: {name: amount for name, amount in (resources.get(kind) or {}).items()
                   if name not in _RESIZABLE}
            for kind in ("limits", "requests")}
    return {kind: amounts for kind, amounts in kept.items() if amounts}
