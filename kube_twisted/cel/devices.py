"""Selectors of devices: expressions about the variable ``device`` (KEP-4381)."""

from __future__ import annotations

from attrs import evolve

from kube_twisted.api.field import FieldError, forbidden, internal_error, invalid
from kube_twisted.cel.base import BASE
from kube_twisted.cel.costs.estimate import Path, estimate
from kube_twisted.cel.costs.ranges import Range
from kube_twisted.cel.declared import DeclaredType, DeclaredTypes
from kube_twisted.cel.errors import CompilationFailed
from kube_twisted.cel.program import BadProgram, check_expression, instantiate
from kube_twisted.cel.types import BOOL, STRING, Type, map_of, struct

#: What a selector may cost by estimate.
MAX_COST = 1_000_000
_MOST, _MAX_DOMAIN, _MAX_ID, _MAX_DRIVER, _MAX_VALUE = 32, 63, 32, 63, 64
_ANY = Type("dyn", "any")


def _map(key: DeclaredType, value: DeclaredType) -> DeclaredType:
    return DeclaredType(map_of(key.type, value.type), key=key, element=value, max_elements=_MOST)


def _text(length: int) -> DeclaredType:
    return DeclaredType(STRING, max_elements=length)


_ATTRIBUTE = DeclaredType(_ANY, max_elements=_MAX_VALUE)
_QUANTITY = DeclaredType(struct("kubernetes.Quantity"), min_size=8)
_DEVICE = DeclaredType(struct("kubernetes.DRADevice"), fields={
    "driver": _text(_MAX_DRIVER),
    "allowMultipleAllocations": DeclaredType(BOOL, max_elements=1),
    "attributes": _map(_text(_MAX_DOMAIN), _map(_text(_MAX_ID), _ATTRIBUTE)),
    "capacity": _map(_text(_MAX_DOMAIN), _map(_text(_MAX_ID), _QUANTITY))})
#: What a selector may name. It may also bind names to values: ``cel.bind(x, device.attributes["a"], x.b && x.c)``.
ENVIRONMENT = evolve(BASE.with_variables({"device": _DEVICE.type}, DeclaredTypes.of(_DEVICE)), binds=True)


def validate_selector(path: str, expression: str) -> list[FieldError]:
    """What is wrong with a selector."""
    try:
        checked = check_expression(expression, ENVIRONMENT)
        if checked.result not in (BOOL, _ANY):
            return [invalid(path, expression,
                            f"must evaluate to {BOOL} or the unknown type, not {checked.result}")]
        instantiate(expression, checked, ENVIRONMENT)
    except CompilationFailed as error:
        return [invalid(path, expression, f"compilation failed: {error}")]
    except BadProgram as error:
        return [internal_error(path, f"program instantiation failed: {error}")]
    if estimate(checked, _sizes).high > MAX_COST:
        return [forbidden(path, "too complex, exceeds cost limit")]
    return []


def _sizes(path: Path) -> Range | None:
    """Sizes by path; attributes may also be named as fields."""
    if path[0] != "device":
        return None
    found = _DEVICE.sizes()(path)
    if found is None and len(path) == 4 and path[1] == "attributes":
        return Range(0, _ATTRIBUTE.max_elements)
    return found
