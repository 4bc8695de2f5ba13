"""Environment variables of a container."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.api.names import dns_subdomain, env_var_name
from kube_twisted.registry.podspec.references import (
    ENV_FIELDS,
    field_reference,
    file_key_reference,
    key_reference,
    resource_reference,
)
from kube_twisted.registry.rules import messages

Obj = dict[str, Any]
Errors = list[FieldError]

_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_ONE_OF = ("must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or "
           "`fileKeyRef`")
_TOO_MANY = "may not have more than one field specified at a time"


def validate_env(path: str, variables: list[Obj]) -> Errors:
    """The ``env`` list."""
    errors: Errors = []
    for index, variable in enumerate(variables):
        name = variable.get("name", "")
        if not name:
            errors.append(required(f"{path}[{index}].name"))
        elif found := env_var_name(name):
            errors += messages(f"{path}[{index}].name", name, found)
        if "valueFrom" in variable:
            errors += _value_from(f"{path}[{index}].valueFrom", variable["valueFrom"],
                                  variable.get("value", ""))
    return errors


def _value_from(path: str, source: Obj, value: str) -> Errors:
    errors: Errors = []
    if "fieldRef" in source:
        errors += field_reference(f"{path}.fieldRef", source["fieldRef"], ENV_FIELDS)
    if "resourceFieldRef" in source:
        errors += resource_reference(f"{path}.resourceFieldRef", source["resourceFieldRef"], in_file=False)
    for name in ("configMapKeyRef", "secretKeyRef"):
        if name in source:
            errors += key_reference(f"{path}.{name}", source[name])
    if "fileKeyRef" in source:
        errors += file_key_reference(f"{path}.fileKeyRef", source["fileKeyRef"])
    count = sum(name in source for name in _SOURCES)
    if not count:
        errors.append(invalid(path, "", _ONE_OF))
    elif value:
        errors.append(invalid(path, "", "may not be specified when `value` is not empty"))
    elif count > 1:
        errors.append(invalid(path, "", _TOO_MANY))
    return errors


def validate_env_from(path: str, sources: list[Obj]) -> Errors:
    """The ``envFrom`` list."""
    errors: Errors = []
    for index, source in enumerate(sources):
        prefix = source.get("prefix", "")
        if prefix:
            errors += messages(f"{path}[{index}].prefix", prefix, env_var_name(prefix))
        count = 0
        for kind in ("configMapRef", "secretRef"):
            if kind in source:
                count += 1
                errors += _whole(f"{path}[{index}].{kind}.name", source[kind].get("name", ""))
        if count != 1:
            errors.append(invalid(path, "", _TOO_MANY if count else
                                  "must specify one of: `configMapRef` or `secretRef`"))
    return errors


def _whole(path: str, name: str) -> Errors:
    return messages(path, name, dns_subdomain(name, True)) if name else [required(path)]
