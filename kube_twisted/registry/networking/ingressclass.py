"""IngressClasses: who implements the ingresses of the class, which never changes, and its parameters."""

from __future__ import annotations

import re
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required, too_long
from kube_twisted.registry import rules
from kube_twisted.registry.references import validate_typed_reference
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_HTTP_PATH = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
_MAX_CONTROLLER = 250


class IngressClassStrategy(Strategy):
    """Rules of ``ingressclasses``."""

    has_generation = True

    def default(self, obj: Obj) -> None:
        parameters = obj.get("spec", {}).get("parameters")
        if parameters is not None and parameters.get("scope") is None:
            parameters["scope"] = "Cluster"

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec = obj.get("spec", {})
        controller = spec.get("controller", "")
        errors = [too_long("spec.controller", _MAX_CONTROLLER)] if len(controller) > _MAX_CONTROLLER else []
        errors += _validate_domain_path("spec.controller", controller)
        if "parameters" in spec:
            errors += _validate_parameters("spec.parameters", spec["parameters"])
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        new, before = (one.get("spec", {}).get("controller", "") for one in (obj, old))
        return rules.immutable("spec.controller", new, before) + self.validate(ctx, obj)


def _validate_domain_path(path: str, text: str) -> list[FieldError]:
    """``example.com/path``."""
    if not text:
        return [required(path)]
    host, _, rest = text.partition("/")
    if not host or not rest:
        return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')]
    errors = rules.dns_subdomain(path, host)
    if not re.fullmatch(_HTTP_PATH, rest):
        errors.append(invalid(path, rest, f"Invalid path (regex used for validation is '{_HTTP_PATH}')"))
    return errors


def _validate_parameters(path: str, parameters: dict[str, Any]) -> list[FieldError]:
    errors = validate_typed_reference(path, parameters)
    scope, namespace = parameters.get("scope"), parameters.get("namespace")
    if scope is None:
        errors.append(required(f"{path}.scope"))
    elif scope not in ("Cluster", "Namespace"):
        errors.append(not_supported(f"{path}.scope", scope, ("Cluster", "Namespace")))
    elif scope == "Cluster" and namespace is not None:
        errors.append(forbidden(f"{path}.namespace", "`parameters.scope` is set to 'Cluster'"))
    elif scope == "Namespace" and namespace is None:
        errors.append(required(f"{path}.namespace", "`parameters.scope` is set to 'Namespace'"))
    elif scope == "Namespace":
        errors += rules.dns_label(f"{path}.namespace", namespace or "")
    return errors


STRATEGY = IngressClassStrategy()
