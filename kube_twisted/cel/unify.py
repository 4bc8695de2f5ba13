"""Whether one type can stand for another, and what type parameters then are."""

from __future__ import annotations

from kube_twisted.cel.types import DYN, Type

#: Type parameter -> what it was found to be.
Bindings = dict[Type, Type]

_NULLABLE = frozenset({"opaque", "struct", "duration", "timestamp"})
_NESTED = frozenset({"opaque", "list", "map", "type"})


def is_assignable(bindings: Bindings, first: Type, second: Type) -> Bindings | None:
    """The bindings that make the types agree; None when they can't."""
    return are_assignable(bindings, (first,), (second,))


def are_assignable(bindings: Bindings, first: tuple[Type, ...], second: tuple[Type, ...]) -> Bindings | None:
    """The same for lists of types of the same length."""
    found = dict(bindings)
    return found if _all_assignable(found, first, second) else None


def _all_assignable(bindings: Bindings, first: tuple[Type, ...], second: tuple[Type, ...]) -> bool:
    return len(first) == len(second) and all(
        _assignable(bindings, one, two) for one, two in zip(first, second, strict=True))


def _assignable(bindings: Bindings, first: Type, second: Type) -> bool:
    if second.kind == "param":
        valid, bound = _substitutes(bindings, first, second)
        if valid or bound:
            return valid
    if first.kind == "param":
        return _substitutes(bindings, second, first)[0]
    if is_dyn_or_error(first) or is_dyn_or_error(second):
        return True
    if "null_type" in (first.kind, second.kind):
        other = second if first.kind == "null_type" else first
        return other.kind in _NULLABLE or other.kind == "null_type"
    if first.kind == "type":
        return second.kind == "type"
    if first.kind in _NESTED:
        return first.kind == second.kind and first.name == second.name and _all_assignable(
            bindings, first.params, second.params)
    return first == second


def _substitutes(bindings: Bindings, first: Type, second: Type) -> tuple[bool, bool]:
    """Whether ``first`` can be the parameter ``second``, and whether that already has a meaning."""
    if first == second:
        return True, True
    bound = bindings.get(second)
    if bound is None:
        if not _free_of(bindings, second, first):
            return False, False
        bindings[second] = first
        return True, False
    if first == bound:
        return True, True
    if not _assignable(bindings, first, bound):
        return False, True
    general = most_general(first, bound)
    if _free_of(bindings, second, general):
        bindings[second] = general
    return True, True


def _free_of(bindings: Bindings, wanted: Type, within: Type) -> bool:
    """Whether a parameter occurs nowhere in a type."""
    if wanted == within:
        return False
    if within.kind == "param":
        return within not in bindings or _free_of(bindings, wanted, bindings[within])
    return all(_free_of(bindings, wanted, one) for one in within.params)


def is_dyn_or_error(found: Type) -> bool:
    return found.kind in ("dyn", "error")


def most_general(first: Type, second: Type) -> Type:
    """The less specific of two types that agree."""
    return first if _is_more_general(first, second) else second


def _is_more_general(first: Type, second: Type) -> bool:
    if first.kind in ("dyn", "param"):
        return True
    if second.kind in ("dyn", "param") or first.kind != second.kind:
        return False
    if first.kind == "type":
        return True
    if first.kind in _NESTED:
        return first.name == second.name and len(first.params) == len(second.params) and all(
            _is_more_general(one, two) for one, two in zip(first.params, second.params, strict=True))
    return first == second


def substitute(bindings: Bindings, found: Type, to_dyn: bool) -> Type:
    """The type with its parameters replaced; with ``to_dyn`` those without a meaning become ``dyn``."""
    bound = bindings.get(found)
    if bound is not None:
        return substitute(bindings, bound, to_dyn)
    if found.kind == "param":
        return DYN if to_dyn else found
    if not found.params:
        return found
    return Type(found.kind, found.name, tuple(substitute(bindings, one, to_dyn) for one in found.params))
