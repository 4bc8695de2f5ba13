"""Gives definitions their names: no two of a group may share one.

Source of the rules: the Kubernetes documentation, "Extend the Kubernetes API with CustomResourceDefinitions", and the
naming controller of the original.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from attrs import define, field

from kube_twisted.api.field import go_quote
from kube_twisted.registry.apiextensions import conditions
from kube_twisted.registry.apiextensions.conditions import ESTABLISHED, NAMES_ACCEPTED, condition, find
from kube_twisted.registry.strategy import Obj

_RESOURCES = ("plural", "singular")
_KINDS = ("kind", "listKind")


@define
class Taken:
    """The names that definitions of a group have."""

    resources: set[str] = field(factory=set)
    kinds: set[str] = field(factory=set)


def taken_names(crds: Iterable[Obj], group: str) -> Taken:
    """What is taken in a group, by any of the definitions given."""
    taken = Taken()
    for crd in crds:
        if crd["spec"]["group"] == group:
            names = crd.get("status", {}).get("acceptedNames") or {}
            taken.resources |= {names.get("plural", ""), names.get("singular", ""), *(names.get("shortNames") or ())}
            taken.kinds |= {names.get("kind", ""), names.get("listKind", "")}
    return taken


def accept_names(crd: Obj, taken: Taken, now: str) -> bool:
    """Note in the status which names the definition gets; tells whether anything changed."""
    wanted, accepted = crd["spec"]["names"], crd.get("status", {}).get("acceptedNames") or {}
    if wanted == accepted:
        return False
    names, verdict = _decide(wanted, accepted, taken)
    if names == accepted and conditions.equivalent(verdict, find(crd, NAMES_ACCEPTED)):
        return False
    established = _established(crd, verdict["status"] == "True")
    crd.setdefault("status", {})["acceptedNames"] = names
    conditions.set_condition(crd, verdict, now)
    conditions.set_condition(crd, established, now)
    return True


def _decide(wanted: Obj, accepted: Obj, taken: Taken) -> tuple[Obj, Obj]:
    """The names that it gets, and the condition that tells of it; of several conflicts the last."""
    names = dict(accepted)
    verdict = condition(NAMES_ACCEPTED, "True", "NoConflicts", "no conflicts found")
    for key in _RESOURCES:
        verdict = _take(key, wanted, names, taken.resources) or verdict
    verdict = _take_short_names(wanted, names, taken.resources) or verdict
    for key in _KINDS:
        verdict = _take(key, wanted, names, taken.kinds) or verdict
    _copy("categories", wanted, names)
    return names, verdict


def _take(key: str, wanted: Obj, names: Obj, used: Collection[str]) -> Obj | None:
    """Take a name, or tell that it is in use."""
    if wanted.get(key, "") != names.get(key, "") and wanted.get(key, "") in used:
        return _conflict(key, _in_use(wanted[key]))
    _copy(key, wanted, names)
    return None


def _take_short_names(wanted: Obj, names: Obj, used: Collection[str]) -> Obj | None:
    own = names.get("shortNames") or ()
    clashes = [_in_use(one) for one in wanted.get("shortNames") or () if one not in own and one in used]
    if clashes:
        return _conflict("shortNames", clashes[0] if len(clashes) == 1 else f"[{', '.join(clashes)}]")
    _copy("shortNames", wanted, names)
    return None


def _copy(key: str, wanted: Obj, names: Obj) -> None:
    if key in wanted:
        names[key] = wanted[key]
    else:
        names.pop(key, None)


def _in_use(name: str) -> str:
    return f"{go_quote(name)} is already in use"


def _conflict(key: str, message: str) -> Obj:
    return condition(NAMES_ACCEPTED, "False", f"{key[0].upper()}{key[1:]}Conflict", message)


def _established(crd: Obj, accepted: bool) -> Obj:
    """The condition as it is while the names are settled; the establishing step makes it true."""
    found = find(crd, ESTABLISHED)
    if found is not None and found["status"] == "True":
        return found
    if accepted:
        return condition(ESTABLISHED, "False", "Installing", "the initial names have been accepted")
    return found or condition(ESTABLISHED, "False", "NotAccepted", "not all names are accepted")
