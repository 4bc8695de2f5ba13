"""The conditions of a definition that follow from its spec: approval, structure, and that it is served."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid, to_aggregate
from kube_twisted.registry.apiextensions import approval, ca_bundle
from kube_twisted.registry.apiextensions.conditions import (
    API_APPROVAL,
    ESTABLISHED,
    NAMES_ACCEPTED,
    NON_STRUCTURAL,
    condition,
    equivalent,
    find,
    is_true,
    remove_condition,
    set_condition,
)
from kube_twisted.registry.strategy import Obj

_BAD_BUNDLE = condition(ESTABLISHED, "False", "InvalidCABundle", "The conversion webhook CABundle is invalid")
_ESTABLISHED = condition(ESTABLISHED, "True", "InitialNamesAccepted", "the initial names have been accepted")


def establish(crd: Obj, now: str) -> bool:
    """A definition whose names are accepted is served from now on; tells whether anything changed."""
    if not is_true(crd, NAMES_ACCEPTED) or is_true(crd, ESTABLISHED):
        return False
    wanted = _BAD_BUNDLE if ca_bundle.is_bad(crd["spec"]) else _ESTABLISHED
    return _settle(crd, ESTABLISHED, wanted, now)


def note_approval(crd: Obj, now: str) -> bool:
    """Whether a definition of a protected group is approved."""
    wanted = approval.condition(crd)
    return wanted is not None and _settle(crd, API_APPROVAL, wanted, now)


def note_structure(crd: Obj, now: str) -> bool:
    """What keeps its schemas from being structural: those of definitions from before v1 may not be."""
    return _settle(crd, NON_STRUCTURAL, _structure(crd["spec"]), now)


def _settle(crd: Obj, type_: str, wanted: Obj | None, now: str) -> bool:
    found = find(crd, type_)
    if equivalent(found, wanted):
        return False
    if wanted is None:
        remove_condition(crd, type_)
    else:
        set_condition(crd, wanted, now)
    return True


def _structure(spec: Obj) -> Obj | None:
    """Definitions of v1 are structural, or would not have been accepted."""
    if not spec.get("preserveUnknownFields"):
        return None
    from kube_twisted.registry.apiextensions import structural

    failures: list[FieldError] = [invalid("spec.preserveUnknownFields", True, "must be false")]
    for index, version in enumerate(spec["versions"]):
        schema = (version.get("schema") or {}).get("openAPIV3Schema")
        if schema is not None:
            failures += structural.validate(f"spec.versions[{index}].schema.openAPIV3Schema", schema)
    return condition(NON_STRUCTURAL, "True", "Violations", to_aggregate(failures))
