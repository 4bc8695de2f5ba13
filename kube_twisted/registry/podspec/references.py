"""References to fields, resources and keys, from which variables and downward API files take their values."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.api.names import config_map_key, dns_subdomain, env_var_name, qualified_name
from kube_twisted.registry.podspec.paths import no_backsteps
from kube_twisted.registry.podspec.quantities import parsed
from kube_twisted.registry.rules import dns_label, messages

Obj = dict[str, Any]
Errors = list[FieldError]

ENV_FIELDS = ("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
              "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs")
FILE_FIELDS = ("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace",
               "metadata.uid")
_KNOWN_FIELDS = frozenset((*ENV_FIELDS, *FILE_FIELDS, "spec.restartPolicy", "spec.schedulerName",
                           "status.phase"))
_RESOURCES = ("limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu",
              "requests.ephemeral-storage", "requests.memory")
_HUGE_PAGES = ("limits.hugepages-", "requests.hugepages-")
_SUBSCRIPT = re.compile(r"(.+?)\['(.*)'\]", re.DOTALL)
_UNITS = ("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei")


def field_reference(path: str, reference: Obj, known: Collection[str]) -> Errors:
    """A ``fieldRef``.

    :param known: the fields that may be taken without a subscript, sorted.
    """
    version, target = reference.get("apiVersion", ""), reference.get("fieldPath", "")
    if not version:
        return [required(f"{path}.apiVersion")]
    if not target:
        return [required(f"{path}.fieldPath")]
    match = _SUBSCRIPT.fullmatch(target)
    why = _conversion_error(version, match[1] if match else target, bool(match))
    if why:
        return [invalid(f"{path}.fieldPath", target, f"error converting fieldPath: {why}")]
    if match is None:
        target = "spec.nodeName" if target == "spec.host" else target
        return [] if target in known else [not_supported(f"{path}.fieldPath", target, known)]
    if match[1] == "metadata.annotations":
        return messages(path, match[2].lower(), qualified_name(match[2].lower()))
    return messages(path, match[2], qualified_name(match[2]))


def _conversion_error(version: str, target: str, subscripted: bool) -> str:
    if version != "v1":
        return f"unsupported pod version: {version}"
    if subscripted:
        known = target in ("metadata.annotations", "metadata.labels")
        return "" if known else f"field label does not support subscript: {target}"
    return "" if target in _KNOWN_FIELDS or target == "spec.host" else f"field label not supported: {target}"


def resource_reference(path: str, reference: Obj, in_file: bool) -> Errors:
    """A ``resourceFieldRef``; in a file it must name its container."""
    errors: Errors = []
    resource = reference.get("resource", "")
    if in_file and not reference.get("containerName"):
        errors.append(required(f"{path}.containerName"))
    elif not resource:
        errors.append(required(f"{path}.resource"))
    elif resource not in _RESOURCES and not resource.startswith(_HUGE_PAGES):
        errors.append(not_supported(f"{path}.resource", resource, _RESOURCES))
    return errors + _divisor(f"{path}.divisor", resource, reference.get("divisor", "0"))


def _divisor(path: str, resource: str, divisor: str) -> Errors:
    if divisor == "0" or not parsed(divisor):
        return []
    kind = resource.partition(".")[2]
    if kind == "cpu":
        if divisor not in ("1m", "1"):
            return [invalid(path, resource,
                            "only divisor's values 1m and 1 are supported with the cpu resource")]
        return []
    named = {"memory": "memory", "ephemeral-storage": "local ephemeral storage"}.get(kind)
    if resource.startswith(_HUGE_PAGES):
        named = "hugepages"
    if named and divisor not in _UNITS:
        return [invalid(path, resource,
                        f"only divisor's values {', '.join(_UNITS)} are supported with the {named} resource")]
    return []


def key_reference(path: str, reference: Obj) -> Errors:
    """A ``configMapKeyRef`` or ``secretKeyRef``."""
    name, key = reference.get("name", ""), reference.get("key", "")
    errors = messages(f"{path}.name", name, dns_subdomain(name))
    return errors + (messages(f"{path}.key", key, config_map_key(key)) if key else [required(f"{path}.key")])


def file_key_reference(path: str, reference: Obj) -> Errors:
    """A ``fileKeyRef``."""
    key, volume, file = reference.get("key", ""), reference.get("volumeName", ""), reference.get("path", "")
    errors = messages(f"{path}.key", key, env_var_name(key)) if key else [required(f"{path}.key")]
    errors += dns_label(f"{path}.volumeName", volume) if volume else [required(f"{path}.volumeName")]
    return errors + (no_backsteps(f"{path}.path", file) if file else [required(f"{path}.path")])
