"""Warnings about a pod or pod template that is valid but probably not meant so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kube_twisted.api.field import go_quote
from kube_twisted.registry.addresses import ip_warnings
from kube_twisted.registry.podspec.annotations import APPARMOR, SECCOMP_CONTAINER, SECCOMP_POD
from kube_twisted.registry.podspec.apparmor import DEPRECATED, profile_of
from kube_twisted.registry.podspec.claim_warnings import claim_warnings
from kube_twisted.registry.podspec.defaults import CONTAINER_LISTS
from kube_twisted.registry.podspec.faultless import remembering_faultless
from kube_twisted.registry.podspec.path_warnings import path_warnings
from kube_twisted.registry.podspec.placement_warnings import placement_warnings, selector_warnings
from kube_twisted.registry.podspec.port_warnings import port_warnings
from kube_twisted.registry.podspec.quantities import has_fraction

Obj = dict[str, Any]

_ANNOTATIONS = {
    "scheduler.alpha.kubernetes.io/critical-pod":
        'non-functional in v1.16+; use the "priorityClassName" field instead',
    "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
    "security.alpha.kubernetes.io/unsafe-sysctls":
        'non-functional in v1.11+; use the "sysctls" field instead',
}
_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead'
_VOLUMES = {
    "photonPersistentDisk": "deprecated in v1.11, non-functional in v1.16+",
    "gitRepo": "deprecated in v1.11, and disabled by default in v1.33+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "storageos": "deprecated in v1.22, non-functional in v1.25+",
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
}
#: How the original spells a source, where that differs from the field.
_SPELLED = {"storageos": "storageOS"}
_BYTES = ("memory", "ephemeral-storage")


def pod_warnings(pod: Obj, path: str = "") -> list[str]:
    """Warnings for a pod, or for a template at ``path``.

    :param pod: what has ``metadata`` and ``spec``.
    """
    spec = pod.get("spec") or {}
    annotations = (pod.get("metadata") or {}).get("annotations") or {}
    prefix = f"{path}." if path else ""
    here = f"{prefix}spec"
    warnings = placement_warnings(here, spec)
    if annotations:
        warnings += [f"{prefix}metadata.annotations[{key}]: {message}"
                     for key, message in _ANNOTATIONS.items() if key in annotations]
    if "volumes" in spec:
        warnings += _volumes(f"{here}.volumes", spec["volumes"] or ())
    if "hostAliases" in spec:
        warnings += _repeated(f"{here}.hostAliases", "ip", spec["hostAliases"] or ())
    if "imagePullSecrets" in spec:
        warnings += _pull_secrets(f"{here}.imagePullSecrets", spec["imagePullSecrets"] or ())
    if "overhead" in spec:
        warnings += _fractions(f"{here}.overhead", spec["overhead"])
    if annotations:
        warnings += _pod_seccomp(f"{prefix}metadata.annotations", annotations, spec)
    warnings += _containers(prefix, spec, annotations, bool(path))
    if spec.get("terminationGracePeriodSeconds", 0) < 0:
        warnings.append(f"{here}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid "
                        "and will be treated as 1")
    return warnings + selector_warnings(here, spec) + _addresses(here, spec)


def _containers(prefix: str, spec: Obj, annotations: dict[str, str], in_template: bool) -> list[str]:
    containers = [(f"{prefix}spec.{kind}[{index}]", container) for kind in CONTAINER_LISTS if kind in spec
                  for index, container in enumerate(spec[kind] or ())]
    warnings: list[str] = []
    for place, container in containers:
        if annotations:
            warnings += _profiles(f"{prefix}metadata.annotations", annotations, spec, container, in_template)
        if "resources" in container or "env" in container:
            warnings += _odd_values(place, (container.get("resources") or {}, container.get("env") or ()))
    return warnings + port_warnings(containers)


@remembering_faultless
def _odd_values(path: str, parts: tuple[Obj, Iterable[Obj]]) -> list[str]:
    """What is odd about the resources and the environment of a container."""
    resources, variables = parts
    return _fractional_resources(f"{path}.resources", resources) + _hidden_variables(f"{path}.env", variables)


def _volumes(path: str, volumes: Iterable[Obj]) -> list[str]:
    warnings = []
    for index, volume in enumerate(volumes):
        for kind in volume:
            if kind in _VOLUMES:
                warnings.append(f"{path}[{index}].{_SPELLED.get(kind, kind)}: {_VOLUMES[kind]}")
        template = (volume.get("ephemeral") or {}).get("volumeClaimTemplate")
        if template:
            warnings += claim_warnings(f"{path}[{index}].ephemeral.volumeClaimTemplate.spec",
                                       template.get("spec") or {})
    return warnings + path_warnings(volumes)


def _repeated(path: str, name: str, items: Iterable[Obj]) -> list[str]:
    warnings = []
    seen: set[str] = set()
    for index, item in enumerate(items):
        value = item.get(name, "")
        if value in seen:
            warnings.append(f"{path}[{index}].{name}: duplicate {name} {go_quote(value)}")
        seen.add(value)
    return warnings


def _pull_secrets(path: str, secrets: Iterable[Obj]) -> list[str]:
    return _repeated(path, "name", secrets) + [
        f'{path}[{index}].name: invalid empty name ""' for index, secret in enumerate(secrets)
        if not secret.get("name")]


def _fractions(path: str, resources: dict[str, str] | None) -> list[str]:
    return [f'{path}[{name}]: fractional byte value "{resources[name]}" is invalid, must be an integer'
            for name in _BYTES if resources and name in resources and has_fraction(resources[name])]


def _pod_seccomp(path: str, annotations: dict[str, str], spec: Obj) -> list[str]:
    if SECCOMP_POD in annotations and "seccompProfile" not in (spec.get("securityContext") or {}):
        return [f"{path}[{SECCOMP_POD}]: {_SECCOMP}"]
    return []


def _profiles(path: str, annotations: dict[str, str], spec: Obj, container: Obj,
              in_template: bool) -> list[str]:
    context = container.get("securityContext") or {}
    name = container.get("name", "")
    warnings = []
    if "seccompProfile" not in context and SECCOMP_CONTAINER + name in annotations:
        warnings.append(f"{path}[{SECCOMP_CONTAINER}{name}]: {_SECCOMP}")
    annotation = annotations.get(APPARMOR + name)
    if in_template and annotation is not None and "appArmorProfile" not in context:
        general = (spec.get("securityContext") or {}).get("appArmorProfile")
        if general is None or general != profile_of(annotation):
            warnings.append(f"{path}[{APPARMOR}{name}]: {DEPRECATED}")
    return warnings


def _fractional_resources(path: str, resources: Obj) -> list[str]:
    warnings: list[str] = []
    for name in _BYTES:
        for kind in ("limits", "requests"):
            amounts = resources.get(kind)
            if amounts and name in amounts and has_fraction(amounts[name]):
                warnings += _fractions(f"{path}.{kind}", {name: amounts[name]})
    return warnings


def _hidden_variables(path: str, variables: Iterable[Obj]) -> list[str]:
    warnings: list[str] = []
    seen: set[str] = set()
    for index, variable in enumerate(variables):
        name = variable.get("name", "")
        if name not in seen:
            seen.add(name)
            continue
        value, reference = variable.get("value", ""), f"$({name})"
        if "valueFrom" in variable or value == reference or reference not in value:
            warnings.append(f"{path}[{index}]: hides previous definition of {go_quote(name)}, which may be "
                            "dropped when using apply")
    return warnings


def _addresses(path: str, spec: Obj) -> list[str]:
    if "dnsConfig" not in spec and "hostAliases" not in spec:
        return []
    servers = (spec.get("dnsConfig") or {}).get("nameservers") or ()
    return [warning for index, server in enumerate(servers)
            for warning in ip_warnings(f"{path}.dnsConfig.nameservers[{index}]", server)] + [
        warning for index, alias in enumerate(spec.get("hostAliases") or ())
        for warning in ip_warnings(f"{path}.hostAliases[{index}].ip", alias.get("ip", ""))]
