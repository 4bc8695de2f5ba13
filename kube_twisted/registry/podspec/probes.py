"""Probes and lifecycle hooks of a container, and the handlers both are made of."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.api.names import http_header_name, port_name, port_number
from kube_twisted.registry.rules import messages, non_negative

Obj = dict[str, Any]
Errors = list[FieldError]

_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc", "sleep")
_COUNTS = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
PROBES = ("livenessProbe", "readinessProbe", "startupProbe")


def validate_probes(path: str, container: Obj, grace: int | None) -> Errors:
    """All probes of a container.

    :param grace: the pod's terminationGracePeriodSeconds.
    """
    errors: Errors = []
    for name in PROBES:
        if name in container:
            errors += _probe(f"{path}.{name}", container[name], grace)
            if name != "readinessProbe" and container[name].get("successThreshold") != 1:
                errors.append(invalid(f"{path}.{name}.successThreshold",
                                      container[name].get("successThreshold", 0), "must be 1"))
            elif name == "readinessProbe" and "terminationGracePeriodSeconds" in container[name]:
                errors.append(invalid(f"{path}.{name}.terminationGracePeriodSeconds",
                                      container[name]["terminationGracePeriodSeconds"],
                                      "must not be set for readinessProbes"))
    return errors


def _probe(path: str, probe: Obj, grace: int | None) -> Errors:
    errors = validate_handler(path, probe, grace)
    for name in _COUNTS:
        if probe.get(name, 0) < 0:
            errors += non_negative(f"{path}.{name}", probe[name])
    period = probe.get("terminationGracePeriodSeconds")
    if period is not None and period <= 0:
        errors.append(invalid(f"{path}.terminationGracePeriodSeconds", period, "must be greater than 0"))
    return errors


def validate_lifecycle(path: str, lifecycle: Obj, grace: int | None) -> Errors:
    """The hooks of a container."""
    errors: Errors = []
    for name in ("postStart", "preStop"):
        if name in lifecycle:
            errors += validate_handler(f"{path}.{name}", lifecycle[name], grace)
    return errors


def validate_handler(path: str, handler: Obj, grace: int | None) -> Errors:
    """Exactly one action."""
    kinds = [kind for kind in _HANDLERS if kind in handler]
    if not kinds:
        return [required(path, "must specify a handler type")]
    errors = _action(f"{path}.{kinds[0]}", kinds[0], handler[kinds[0]], grace)
    return errors + [forbidden(f"{path}.{kind}", "may not specify more than 1 handler type")
                     for kind in kinds[1:]]


def _action(path: str, kind: str, action: Obj, grace: int | None) -> Errors:
    if kind == "exec":
        return [] if action.get("command") else [required(f"{path}.command")]
    if kind == "httpGet":
        return _http_get(path, action)
    if kind == "sleep":
        seconds = action.get("seconds", 0)
        if grace is None or 0 <= seconds <= grace:
            return []
        return [invalid(path, seconds,
                        f"must be non-negative and less than terminationGracePeriodSeconds ({grace})")]
    return port(f"{path}.port", action.get("port", 0))


def _http_get(path: str, action: Obj) -> Errors:
    errors = [] if action.get("path") else [required(f"{path}.path")]
    errors += port(f"{path}.port", action.get("port", 0))
    scheme = action.get("scheme", "")
    if scheme not in ("HTTP", "HTTPS"):
        errors.append(not_supported(f"{path}.scheme", scheme, ("HTTP", "HTTPS")))
    for header in action.get("httpHeaders") or ():
        errors += messages(f"{path}.httpHeaders", header.get("name", ""),
                           http_header_name(header.get("name", "")))
    return errors


def port(path: str, number: int | str) -> Errors:
    """A port by number or by name."""
    return messages(path, number, port_name(number) if isinstance(number, str) else port_number(number))
