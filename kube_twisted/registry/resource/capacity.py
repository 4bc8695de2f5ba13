"""How the capacity of a shared device can be split (KEP-5075)."""

from __future__ import annotations

import itertools
from typing import Any

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, required, too_many
from kube_twisted.registry.podspec.quantities import add, compare, parsed

_MAX_VALUES = 10


def validate_request_policy(path: str, capacity: dict[str, Any]) -> list[FieldError]:
    """Either some values or a range, with a default that is among them, all within the capacity."""
    if "requestPolicy" not in capacity:
        return []
    policy, at, whole = capacity["requestPolicy"], f"{path}.requestPolicy", capacity.get("value", "0")
    values, span, default = policy.get("validValues"), policy.get("validRange"), policy.get("default")
    if values and span is not None:
        return [forbidden(at, "exactly one policy can be specified, cannot specify "
                              '"validValues" and "validRange" at the same time')]
    if not values and span is None:
        return []
    if default is None:
        return [required(f"{at}.default",
                         f"required when {'validValues' if values else 'validRange'} is defined")]
    if values:
        return _validate_values(f"{at}.validValues", values, default, whole)
    return _validate_range(f"{at}.validRange", span or {}, default, whole)


def _validate_values(path: str, values: list[str], default: str, whole: str) -> list[FieldError]:
    errors = [invalid(f"{path}[{index + 1}]", after, "values must be sorted in ascending order")
              for index, (before, after) in enumerate(itertools.pairwise(values))
              if compare(before, after) > 0]
    if len(values) > _MAX_VALUES:
        errors.append(too_many(path, len(values), _MAX_VALUES))
    else:
        errors += [invalid(f"{path}[{index}]", value, f"option is larger than capacity value: {whole}")
                   for index, value in enumerate(values) if compare(value, whole) > 0]
        keys = [str(parsed(value).value()) for value in values]
        errors += [duplicate(f"{path}[{index}]", key) for index,
                   key in enumerate(keys) if key in keys[:index]]
    if not any(compare(value, default) == 0 for value in values):
        errors.append(invalid(path, default, "default value is not valid according to the requestPolicy"))
    return errors


def _validate_range(path: str, span: dict[str, str], default: str, whole: str) -> list[FieldError]:
    low, high, step = span.get("min"), span.get("max"), span.get("step")
    if low is None:
        return [required(f"{path}.min", "required when validRange is defined")]
    errors = []
    if compare(low, whole) > 0:
        errors.append(invalid(f"{path}.min", low, f"min is larger than capacity value: {whole}"))
    if compare(default, low) < 0:
        errors.append(invalid(f"{path}.min", default, f"default is less than min: {low}"))
    if high is not None:
        if compare(low, high) > 0:
            errors.append(invalid(f"{path}.max", low, f"min is larger than max: {high}"))
        if compare(high, whole) > 0:
            errors.append(invalid(f"{path}.max", high, f"max is larger than capacity value: {whole}"))
        if compare(default, high) > 0:
            errors.append(invalid(f"{path}.max", default, f"default is more than max: {high}"))
    return errors + (_validate_step(f"{path}.step", step, low, [default, *([high] if high else [])], whole)
                     if step is not None else [])


def _validate_step(path: str, step: str, low: str, values: list[str], whole: str) -> list[FieldError]:
    errors, size = [], parsed(step).value()
    if compare(add(low, step), whole) > 0:
        errors.append(invalid(path, step,
                              f"one step {add(low, step)} is larger than capacity value: {whole}"))
    return errors + [invalid(path, value, f"value is not a multiple of a given step ({step}) from ({low})")
                     for value in values if size == 0 or (parsed(value).value() - parsed(low).value()) % size]
