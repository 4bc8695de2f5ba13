"""What may change in the spec of a Job, and when."""

from __future__ import annotations

import copy
from typing import Any

from kube_twisted.api.field import FieldError, invalid
from kube_twisted.registry.podspec.internal import shown
from kube_twisted.registry.rules import immutable

Obj = dict[str, Any]
Errors = list[FieldError]

_FIXED = ("completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy")
_TYPES = {"podFailurePolicy": "PodFailurePolicy", "successPolicy": "SuccessPolicy"}
#: What a suspended Job may change to be queued elsewhere (KEP-2926).
_SCHEDULING = ("nodeSelector", "tolerations", "schedulingGates")


def validate_job_update(job: Obj, old: Obj) -> Errors:
    """All that may not change; the new spec itself is validated elsewhere."""
    spec, before = job["spec"], old["spec"]
    errors = _completions("spec.completions", spec, before)
    errors += immutable("spec.selector", spec.get("selector"), before.get("selector"))
    errors += _template(spec.get("template") or {}, old)
    for name in _FIXED:
        if spec.get(name) != before.get(name):
            value = shown(_TYPES[name], spec.get(name)) if name in _TYPES else spec.get(name)
            errors.append(invalid(f"spec.{name}", value, "field is immutable"))
    return errors


def _completions(path: str, spec: Obj, old: Obj) -> Errors:
    """An Indexed Job is elastic: its completions follow its parallelism (KEP-3715)."""
    completions = spec.get("completions")
    if spec.get("completionMode") != "Indexed":
        return immutable(path, completions, old.get("completions"))
    if completions in (None, old.get("completions"), spec.get("parallelism")):
        return []
    return [invalid(path, completions, "can only be modified in tandem with spec.parallelism")]


def _template(template: Obj, old: Obj) -> Errors:
    before = old["spec"].get("template") or {}
    if not old["spec"].get("suspend"):
        return _same("PodTemplateSpec", "spec.template", template, before)
    if not _is_idle(old):
        return _same("PodTemplateSpec", "spec.template", template, before)
    allowed = _with_resources(template, _with_scheduling(template, before))
    return _same("PodSpec", "spec.template.spec", template.get("spec") or {}, allowed)


def _same(kind: str, path: str, new: Obj, old: Obj) -> Errors:
    return [] if new == old else [invalid(path, shown(kind, new), "field is immutable")]


def _is_idle(job: Obj) -> bool:
    """A suspended Job without pods, never started or known to be suspended, may change its template."""
    status = job.get("status") or {}
    suspended = any(one.get("type") == "Suspended" and one.get("status") == "True"
                    for one in status.get("conditions") or ())
    return ("startTime" not in status or suspended) and not status.get("active")


def _with_scheduling(template: Obj, old: Obj) -> Obj:
    """The old spec with the new directives of scheduling."""
    new, spec = template.get("spec") or {}, copy.deepcopy(old.get("spec") or {})
    for name in _SCHEDULING:
        spec.pop(name, None)
        if name in new:
            spec[name] = new[name]
    affinity = spec.pop("affinity", None) or {}
    affinity.pop("nodeAffinity", None)
    node = (new.get("affinity") or {}).get("nodeAffinity")
    if node is not None:
        affinity["nodeAffinity"] = node
    if affinity or "affinity" in new:
        spec["affinity"] = affinity
    return spec


def _with_resources(template: Obj, spec: Obj) -> Obj:
    """The old spec with the new resources of its containers (KEP-5440)."""
    new = template.get("spec") or {}
    for kind in ("containers", "initContainers"):
        ours, theirs = spec.get(kind) or (), new.get(kind) or ()
        if len(ours) == len(theirs):
            for mine, other in zip(ours, theirs, strict=True):
                if mine.get("name") == other.get("name"):
                    mine["resources"] = other.get("resources", {})
    return spec
