"""Ingresses: hosts, paths and the services behind them."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import legacy_ip, parse_ip
from kube_twisted.registry.core.loadbalancer_status import validate_hostname
from kube_twisted.registry.references import validate_typed_reference
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

_CLASS = "kubernetes.io/ingress.class"
_PATH_TYPES = ("Exact", "ImplementationSpecific", "Prefix")
_BAD_SEQUENCES, _BAD_SUFFIXES = ("//", "/./", "/../", "%2f", "%2F"), ("/..", "/.")


class IngressStrategy(Strategy):
    """Rules of ``ingresses``."""

    has_generation = True
    reset_fields = (("status",),)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {"loadBalancer": {}}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = _validate_spec(obj["spec"], {})
        annotations = obj["metadata"].get("annotations", {})
        named = annotations.get(_CLASS)
        if named is not None and obj["spec"].get("ingressClassName", named) != named:
            errors.append(invalid(f"annotations.{_CLASS}", named,
                                  "must match `ingressClassName` when both are specified"))
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], old["spec"])

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        if _CLASS not in obj["metadata"].get("annotations", {}) or "ingressClassName" in obj["spec"]:
            return []
        return [f"annotation \"{_CLASS}\" is deprecated, please use 'spec.ingressClassName' instead"]


class IngressStatusStrategy(StatusStrategy):
    """Rules of ``ingresses/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        before, after = (one.get("status", {}).get("loadBalancer", {}).get("ingress", [])
                         for one in (old, obj))
        known = [one["ip"] for one in before if one.get("ip")]
        errors = []
        for index, one in enumerate(after):
            path = f"status.loadBalancer.ingress[{index}]"
            if one.get("ip"):
                errors += legacy_ip(f"{path}.ip", one["ip"], known)
            errors += validate_hostname(f"{path}.hostname", one.get("hostname", ""))
        return errors


def _validate_spec(spec: Obj, old: Obj) -> list[FieldError]:
    errors = []
    if not spec.get("rules") and "defaultBackend" not in spec:
        errors.append(invalid("spec", spec.get("rules"),
                              "either `defaultBackend` or `rules` must be specified"))
    if "defaultBackend" in spec:
        errors += _validate_backend("spec.defaultBackend", spec["defaultBackend"])
    lenient = any("*" in rule.get("host", "") and _validate_paths("", rule) for rule in old.get("rules", []))
    for index, rule in enumerate(spec.get("rules", [])):
        path, host = f"spec.rules[{index}]", rule.get("host", "")
        errors += _validate_host(f"{path}.host", host) if host else []
        if not lenient or "*" not in host:
            errors += _validate_paths(path, rule)
    errors += _validate_tls(spec, old)
    if "ingressClassName" in spec:
        errors += rules.dns_subdomain("spec.ingressClassName", spec["ingressClassName"])
    return errors


def _validate_host(path: str, host: str) -> list[FieldError]:
    errors = []
    if parse_ip(host) is not None:
        errors.append(invalid(path, host, "must be a DNS name, not an IP address"))
    return errors + _validate_dns_name(path, host)


def _validate_dns_name(path: str, host: str) -> list[FieldError]:
    check = names.wildcard_dns_subdomain if "*" in host else names.dns_subdomain
    return rules.messages(path, host, check(host))


def _validate_tls(spec: Obj, old: Obj) -> list[FieldError]:
    any_secret = any(names.dns_subdomain(one["secretName"]) for one in old.get("tls", [])
                     if one.get("secretName"))
    errors = []
    for index, tls in enumerate(spec.get("tls", [])):
        for number, host in enumerate(tls.get("hosts", [])):
            errors += _validate_dns_name(f"spec.tls[{index}].hosts[{number}]", host)
        if tls.get("secretName") and not any_secret:
            errors += rules.dns_subdomain(f"spec.tls[{index}].secretName", tls["secretName"])
    return errors


def _validate_paths(path: str, rule: dict[str, Any]) -> list[FieldError]:
    if "http" not in rule:
        return []
    paths = rule["http"].get("paths") or []
    errors = [] if paths else [required(f"{path}.http.paths")]
    for index, one in enumerate(paths):
        errors += _validate_path(f"{path}.http.paths[{index}]", one)
    return errors


def _validate_path(path: str, one: dict[str, Any]) -> list[FieldError]:
    kind, text = one.get("pathType"), one.get("path", "")
    if kind is None:
        return [required(f"{path}.pathType", "pathType must be specified")]
    errors = []
    if kind not in _PATH_TYPES:
        errors.append(not_supported(f"{path}.pathType", kind, _PATH_TYPES))
    elif not text.startswith("/") and (text or kind != "ImplementationSpecific"):
        errors.append(invalid(f"{path}.path", text, "must be an absolute path"))
    if kind in ("Exact", "Prefix"):
        errors += [invalid(f"{path}.path", text, f"must not contain '{bad}'") for bad in _BAD_SEQUENCES
                   if bad in text]
        errors += [invalid(f"{path}.path", text, f"cannot end with '{bad}'")
                   for bad in _BAD_SUFFIXES if text.endswith(bad)]
    return errors + _validate_backend(f"{path}.backend", one.get("backend", {}))


def _validate_backend(path: str, backend: dict[str, Any]) -> list[FieldError]:
    resource, service = backend.get("resource"), backend.get("service")
    if resource is not None and service is not None:
        return [invalid(path, "", "cannot set both resource and service backends")]
    if resource is not None:
        return validate_typed_reference(f"{path}.resource", resource)
    if service is None:
        return [invalid(path, "", "resource or service backend is required")]
    name, port = service.get("name", ""), service.get("port", {})
    errors = rules.dns_label(f"{path}.service.name", name) if name else [required(f"{path}.service.name")]
    if port.get("name") and port.get("number"):
        errors.append(invalid(path, "", "cannot set both port name & port number"))
    elif port.get("name"):
        errors += rules.port(f"{path}.service.port.name", port["name"])
    elif port.get("number"):
        errors += rules.port_number(f"{path}.service.port.number", port["number"])
    else:
        errors.append(required(path, "port name or number is required"))
    return errors


STRATEGY = IngressStrategy()
STATUS = IngressStatusStrategy(STRATEGY)
