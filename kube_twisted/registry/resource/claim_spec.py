"""The spec of resource claims and of their templates: requests, constraints between them, configuration."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.resource.collections import validate_items, validate_set
from kube_twisted.registry.resource.config import validate_configuration, validate_selector
from kube_twisted.registry.resource.names import qualified_attribute_name

Request = dict[str, Any]

_MAX_LIST, _MAX_FIRST = 32, 8
_MODES = ("All", "ExactCount")
_OPERATORS, _EFFECTS = ("Equal", "Exists"), ("NoExecute", "NoSchedule", "None")
_EITHER = "exactly one of `exactly` or `firstAvailable` is required"
_REFERENCE = ("must be the name of a request in the claim or the name of a request and a subrequest "
              "separated by '/'")


def default_claim_spec(spec: dict[str, Any]) -> None:
    """One device of each request unless it says otherwise."""
    for request in spec.get("devices", {}).get("requests") or []:
        for one in (*([request["exactly"]] if "exactly" in request else []),
                    *request.get("firstAvailable", [])):
            if not one.get("allocationMode"):
                one["allocationMode"] = "ExactCount"
            if one["allocationMode"] == "ExactCount" and not one.get("count"):
                one["count"] = 1
            default_tolerations(one)


def default_tolerations(tolerating: dict[str, Any]) -> None:
    """A toleration is for one value unless it says otherwise."""
    for toleration in tolerating.get("tolerations", []):
        if not toleration.get("operator"):
            toleration["operator"] = "Equal"


def request_names(spec: dict[str, Any]) -> set[str]:
    """The names by which constraints and results refer to requests and their alternatives."""
    found = set()
    for request in spec.get("devices", {}).get("requests") or []:
        found.add(request.get("name", ""))
        found |= {f"{request.get('name', '')}/{one.get('name', '')}"
                  for one in request.get("firstAvailable", [])}
    return found


def validate_claim_spec(path: str, spec: dict[str, Any]) -> list[FieldError]:
    """All of it."""
    devices, at, known = spec.get("devices", {}), f"{path}.devices", request_names(spec)

    def constraint(here: str, one: dict[str, Any]) -> list[FieldError]:
        return validate_references(f"{here}.requests", one, known) + _validate_constraint(here, one)

    def config(here: str, one: dict[str, Any]) -> list[FieldError]:
        return validate_references(f"{here}.requests", one, known) + validate_configuration(here, one)

    errors = validate_set(f"{at}.requests", devices.get("requests") or [], _MAX_LIST, _validate_request,
                          _name)
    errors += validate_items(f"{at}.constraints", devices.get("constraints", []), _MAX_LIST, constraint)
    return errors + validate_items(f"{at}.config", devices.get("config", []), _MAX_LIST, config)


def _name(request: Request) -> str:
    return str(request.get("name", ""))


def _validate_request(path: str, request: Request) -> list[FieldError]:
    errors = rules.dns_label(f"{path}.name", _name(request))
    alternatives, exactly = request.get("firstAvailable"), request.get("exactly")
    if not alternatives and exactly is None:
        errors.append(required(path, _EITHER))
    elif alternatives and exactly is not None:
        errors.append(invalid(path, None, f"{_EITHER}, but multiple fields are set"))
    elif alternatives:
        errors += validate_set(f"{path}.firstAvailable", alternatives, _MAX_FIRST, _validate_alternative,
                               _name)
    else:
        errors += _validate_device(f"{path}.exactly", exactly or {})
    return errors


def _validate_alternative(path: str, request: Request) -> list[FieldError]:
    return rules.dns_label(f"{path}.name", _name(request)) + _validate_device(path, request)


def _validate_device(path: str, request: Request) -> list[FieldError]:
    """What both forms of a request say about the device."""
    name, at = request.get("deviceClassName", ""), f"{path}.deviceClassName"
    errors = rules.dns_subdomain(at, name) if name else [required(at)]
    errors += validate_items(f"{path}.selectors", request.get("selectors", []), _MAX_LIST, validate_selector)
    errors += _validate_mode(path, request)
    for index, one in enumerate(request.get("tolerations", [])):
        errors += _validate_toleration(f"{path}.tolerations[{index}]", one)
    return errors


def _validate_mode(path: str, request: Request) -> list[FieldError]:
    mode, count = request.get("allocationMode", ""), request.get("count", 0)
    if mode == "All":
        return [invalid(f"{path}.count", count,
                        "must not be specified when allocationMode is 'All'")] if count else []
    if mode == "ExactCount":
        return [] if count > 0 else [invalid(f"{path}.count", count, "must be greater than zero")]
    return [not_supported(f"{path}.allocationMode", mode, _MODES)]


def _validate_toleration(path: str, one: dict[str, Any]) -> list[FieldError]:
    operator, value, effect = (one.get(name, "") for name in ("operator", "value", "effect"))
    errors = rules.qualified_name(f"{path}.key", one["key"]) if one.get("key") else []
    if operator == "Exists":
        if value:
            errors.append(invalid(f"{path}.value", value, "must be empty for operator `Exists`"))
    elif operator == "Equal":
        errors += rules.messages(f"{path}.value", value, names.label_value(value))
    else:
        errors += rules.required_one_of(f"{path}.operator", operator, _OPERATORS)
    return errors + (rules.one_of(f"{path}.effect", effect, _EFFECTS) if effect else [])


def _validate_constraint(path: str, one: dict[str, Any]) -> list[FieldError]:
    for field in ("matchAttribute", "distinctAttribute"):
        if field in one:
            return qualified_attribute_name(f"{path}.{field}", one[field])
    return [required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple '
                           "fields are set")]


def validate_references(path: str, one: dict[str, Any], known: set[str]) -> list[FieldError]:
    """The ``requests`` that something is meant for."""

    def check(here: str, name: str) -> list[FieldError]:
        return validate_reference(here, name, known)

    return validate_set(path, one.get("requests", []), _MAX_LIST, check)


def validate_reference(path: str, name: str, known: set[str]) -> list[FieldError]:
    """The name of a request, or of one of its alternatives behind a slash."""
    parts = name.split("/")
    if len(parts) > 2:
        return [invalid(path, name, _REFERENCE)]
    errors = [error for part in parts for error in rules.dns_label(path, part)]
    return errors if name in known else [*errors, invalid(path, name, _REFERENCE)]
