"""Which containers that ended may be reported as running again."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden

Obj = dict[str, Any]
Errors = list[FieldError]

_NOT_AGAIN = "may not be transitioned to non-terminated state"


def validate_restarts(spec: Obj, status: Obj, before: Obj) -> Errors:
    """An ended container stays so unless its rules, its policy or the pod's policy say otherwise (KEP-5307).

    :param spec: of the pod before the update.
    """
    errors: Errors = []
    if not _restarts_all(spec):
        for name, kind in (("containerStatuses", "containers"), ("initContainerStatuses", "initContainers")):
            containers = {one.get("name", ""): one for one in spec.get(kind) or ()}
            for index, one, code in _resurrected(name, status, before):
                container = containers.get(one)
                if container is None or not _may_restart(container, spec, code):
                    errors.append(forbidden(f"status.{name}[{index}].state", _NOT_AGAIN))
    name = "ephemeralContainerStatuses"
    return errors + [forbidden(f"status.{name}[{index}].state", _NOT_AGAIN)
                     for index, _, _ in _resurrected(name, status, before)]


def _restarts_all(spec: Obj) -> bool:
    return any(rule.get("action") == "RestartAllContainers" for kind in ("initContainers", "containers")
               for one in spec.get(kind) or () for rule in one.get("restartPolicyRules") or ())


def _resurrected(name: str, status: Obj, before: Obj) -> list[tuple[int, str, int]]:
    """(index, name, exit code) of the containers that had ended and no longer have."""
    now = {one.get("name", ""): one for one in reversed(status.get(name) or ())}
    found = []
    for index, old in enumerate(before.get(name) or ()):
        ended = (old.get("state") or {}).get("terminated")
        new = now.get(old.get("name", ""))
        if ended is not None and new is not None and "terminated" not in (new.get("state") or {}):
            found.append((index, old.get("name", ""), ended.get("exitCode", 0)))
    return found


def _may_restart(container: Obj, spec: Obj, code: int) -> bool:
    policy = container.get("restartPolicy")
    if policy is not None and _rule_matches(container, code):
        return True
    policy = policy or spec.get("restartPolicy")
    return policy == "Always" or (policy == "OnFailure" and code != 0)


def _rule_matches(container: Obj, code: int) -> bool:
    for rule in container.get("restartPolicyRules") or ():
        codes = rule.get("exitCodes")
        if codes is not None and (code in (codes.get("values") or ())) == (codes.get("operator") == "In"):
            return True
    return False
