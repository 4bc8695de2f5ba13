"""What may change in a pod: little more than images.

Source: https://kubernetes.io/docs/concepts/workloads/pods/#pod-update-and-replacement
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.api.names import range_error
from kube_twisted.registry.podspec.annotations import MIRROR
from kube_twisted.registry.podspec.containers import validate_image_spaces
from kube_twisted.registry.podspec.internal import difference, shown
from kube_twisted.registry.podspec.options import options_for_update
from kube_twisted.registry.podspec.pod import validate_fixed_annotations, validate_pod_content
from kube_twisted.registry.podspec.scheduling import validate_tolerations

Obj = dict[str, Any]
Errors = list[FieldError]

_LONGEST_DEADLINE = 2**31 - 1
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_TERMS = f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms"
_UPDATABLE = ",".join((
    "`spec.containers[*].image`",
    "`spec.initContainers[*].image`",
    "`spec.activeDeadlineSeconds`",
    "`spec.tolerations` (only additions to existing tolerations)",
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"))


def validate_pod_update(pod: Obj, old: Obj) -> Errors:
    """All that is wrong with a change."""
    options = options_for_update(old, is_pod=True)
    new, before = pod["spec"], old["spec"]
    errors = validate_pod_content(pod, options) + validate_fixed_annotations(pod, old, options)
    for kind in ("containers", "initContainers"):
        if len(new.get(kind) or ()) != len(before.get(kind) or ()):
            return [*errors, forbidden(f"spec.{kind}", "pod updates may not add or remove containers")]
        errors += _images(f"spec.{kind}", new.get(kind) or ())
    deadline, final = _deadline(new.get("activeDeadlineSeconds"), before.get("activeDeadlineSeconds"))
    errors += deadline
    if final:
        return errors
    errors += _tolerations(new.get("tolerations") or [], before.get("tolerations") or [])
    errors += _gates(new.get("schedulingGates") or [], before.get("schedulingGates") or [])
    return errors if new == before else errors + _rest(new, before)


def _images(path: str, containers: Any) -> Errors:
    errors: Errors = []
    for index, container in enumerate(containers):
        if not container.get("image"):
            errors.append(required(f"{path}[{index}].image"))
        errors += validate_image_spaces(f"{path}[{index}]", container)
    return errors


def _deadline(new: int | None, old: int | None) -> tuple[Errors, bool]:
    """Errors, and whether they end the validation."""
    path = "spec.activeDeadlineSeconds"
    if new is None:
        return ([] if old is None else [
            invalid(path, None, "must not update from a positive integer to nil value")]), False
    if not 0 <= new <= _LONGEST_DEADLINE:
        return [invalid(path, new, range_error(0, _LONGEST_DEADLINE))], True
    if old is not None and old < new:
        return [invalid(path, new, "must be less than or equal to previous value")], True
    return [], False


def _tolerations(new: list[Obj], old: list[Obj]) -> Errors:
    def fixed(toleration: Obj) -> Obj:
        return {key: value for key, value in toleration.items() if key != "tolerationSeconds"}

    kept = [fixed(one) for one in new]
    if any(fixed(one) not in kept for one in old):
        return [forbidden("spec.tolerations",
                          "existing toleration can not be modified except its tolerationSeconds")]
    return validate_tolerations("spec.tolerations", new)


def _gates(new: list[Obj], old: list[Obj]) -> Errors:
    known = {gate.get("name") for gate in old}
    return [forbidden(f"spec.schedulingGates[{index}].name",
                      f"only deletion is allowed, but found new scheduling gate '{gate.get('name', '')}'")
            for index, gate in enumerate(new) if gate.get("name") not in known]


def _rest(new: Obj, old: Obj) -> Errors:
    """Everything else is as it was; a gated pod may be narrowed to fewer nodes."""
    munged = _with_allowed(new, old)
    errors: Errors = []
    if old.get("schedulingGates"):
        errors += _node_selector(munged, old)
        errors += _node_affinity(munged, old)
    if munged != old:
        changes = difference("PodSpec", old, munged)
        errors.append(forbidden("spec",
                                f"pod updates may not change fields other than {_UPDATABLE}\n{changes}"))
    return errors


def _with_allowed(new: Obj, old: Obj) -> Obj:
    """The new spec, with what may change put back."""
    munged = dict(new)
    for kind in ("containers", "initContainers"):
        if kind in new:
            munged[kind] = [one | {"image": other.get("image", "")}
                            for one, other in zip(new[kind] or (), old.get(kind) or (), strict=True)]
    for name in ("activeDeadlineSeconds", "schedulingGates", "tolerations"):
        munged.pop(name, None)
        if name in old:
            munged[name] = old[name]
    if old.get("terminationGracePeriodSeconds", 0) < 0 and new.get("terminationGracePeriodSeconds") == 1:
        munged["terminationGracePeriodSeconds"] = old["terminationGracePeriodSeconds"]
    return munged


def _put_back(munged: Obj, old: Obj, name: str) -> None:
    munged.pop(name, None)
    if name in old:
        munged[name] = old[name]


def _node_selector(munged: Obj, old: Obj) -> Errors:
    new, before = munged.get("nodeSelector") or {}, old.get("nodeSelector") or {}
    _put_back(munged, old, "nodeSelector")
    if before.items() <= new.items():
        return []
    return [invalid("spec.nodeSelector", dict(sorted(new.items())) or None,
                    "only additions to spec.nodeSelector are allowed (no mutations or deletions)")]


def _node_affinity(munged: Obj, old: Obj) -> Errors:
    new, before = (one.get("affinity") or {} for one in (munged, old))
    errors = _required_terms(new.get("nodeAffinity") or {}, before.get("nodeAffinity") or {})
    if new.get("nodeAffinity") == before.get("nodeAffinity"):
        return errors
    affinity = dict(new)
    _put_back(affinity, before, "nodeAffinity")
    if affinity or "affinity" in old:
        munged["affinity"] = affinity
    else:
        munged.pop("affinity", None)
    return errors


def _required_terms(new: Obj, old: Obj) -> Errors:
    if _REQUIRED not in old:
        return []
    before = old[_REQUIRED].get("nodeSelectorTerms") or []
    after = (new.get(_REQUIRED) or {}).get("nodeSelectorTerms") or []
    if before and len(before) != len(after):
        return [invalid(_TERMS, [shown("NodeSelectorTerm", one) for one in after] or None,
                        "no additions/deletions to non-empty NodeSelectorTerms list are allowed")]
    return [invalid(f"{_TERMS}[{index}]", shown("NodeSelectorTerm", term),
                    "only additions are allowed (no mutations or deletions)")
            for index, (term, other) in enumerate(zip(after, before, strict=False))
            if not _only_added(term, other)]


def _only_added(new: Obj, old: Obj) -> bool:
    names = ("matchExpressions", "matchFields")
    if not any(old.get(name) for name in names):
        return not any(new.get(name) for name in names)
    return all((new.get(name) or [])[:len(old.get(name) or [])] == (old.get(name) or []) for name in names)


def validate_ephemeral_update(pod: Obj, old: Obj) -> Errors:
    """Ephemeral containers are only added (KEP-277)."""
    if MIRROR in (old["metadata"].get("annotations") or ()):
        return [forbidden("", "static pods do not support ephemeral containers")]
    options = options_for_update(old, is_pod=True)
    errors = validate_pod_content(pod, options) + validate_fixed_annotations(pod, old, options)
    new = {one.get("name", ""): one for one in pod["spec"].get("ephemeralContainers") or ()}
    path = "spec.ephemeralContainers"
    for container in old["spec"].get("ephemeralContainers") or ():
        name = container.get("name", "")
        if name not in new:
            errors.append(forbidden(path, f'existing ephemeral containers "{name}" may not be removed\n'))
        elif new[name] != container:
            changes = difference("EphemeralContainer", container, new[name])
            errors.append(forbidden(path,
                                    f'existing ephemeral containers "{name}" may not be changed\n{changes}'))
    return errors
