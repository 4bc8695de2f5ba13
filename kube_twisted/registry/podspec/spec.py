"""Validation of a pod spec, as pods and templates share it.

Source: the API reference of PodSpec. Errors come in the order in which kube-apiserver reports them.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, not_found, required
from kube_twisted.api.labels import validate_labels
from kube_twisted.api.names import dns_label as label_messages
from kube_twisted.api.names import dns_subdomain, range_error
from kube_twisted.registry.podspec.annotations import MIRROR
from kube_twisted.registry.podspec.containers import (
    PodView,
    Setting,
    validate_containers,
    validate_ephemeral_containers,
    validate_init_containers,
)
from kube_twisted.registry.podspec.defaults import CONTAINER_LISTS, all_containers
from kube_twisted.registry.podspec.network import (
    validate_dns,
    validate_host_aliases,
    validate_host_ports,
    validate_hostname_override,
)
from kube_twisted.registry.podspec.options import Options
from kube_twisted.registry.podspec.resources import validate_container_resources, validate_pod_resources
from kube_twisted.registry.podspec.scheduling import (
    validate_affinity,
    validate_gates,
    validate_spread,
    validate_tolerations,
)
from kube_twisted.registry.podspec.security import validate_host_users, validate_pod_security_context
from kube_twisted.registry.podspec.volumes import validate_volumes
from kube_twisted.registry.podspec.windows import validate_host_process, validate_os
from kube_twisted.registry.rules import dns_label, messages, required_one_of

Obj = dict[str, Any]
Errors = list[FieldError]

_RESTART_POLICIES = ("Always", "OnFailure", "Never")
_DNS_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_LONGEST_DEADLINE = 2**31 - 1


def validate_pod_spec(path: str, spec: Obj, metadata: Obj | None, options: Options) -> Errors:
    """All that is wrong with a spec.

    :param metadata: of the pod; None for a template.
    """
    grace = spec.get("terminationGracePeriodSeconds")
    errors = [required(f"{path}.terminationGracePeriodSeconds")] if grace is None else []
    volumes: dict[str, Obj] = {}
    if "volumes" in spec:
        volumes, found = validate_volumes(f"{path}.volumes", spec["volumes"] or [],
                                          (metadata or {}).get("name", ""), options)
        errors += found
    claims: frozenset[str] = frozenset()
    if "resourceClaims" in spec:
        claims = frozenset(one["name"] for one in spec["resourceClaims"] or () if one.get("name"))
        errors += _resource_claims(f"{path}.resourceClaims", spec["resourceClaims"] or [], metadata)
    setting = Setting(claims, options.any_huge_pages, spec.get("restartPolicy", ""),
                      spec.get("hostUsers") is not False)
    pod = PodView(setting, volumes, grace, options.init_restart_on_resize)
    errors += validate_containers(f"{path}.containers", spec.get("containers") or [], pod)
    if "initContainers" in spec:
        errors += validate_init_containers(f"{path}.initContainers", spec, pod)
    if "ephemeralContainers" in spec:
        errors += validate_ephemeral_containers(f"{path}.ephemeralContainers", spec, pod)
    if "resources" in spec:
        errors += validate_pod_resources(path, spec, claims, options.any_huge_pages)
    return errors + _surroundings(path, spec, options) + _remaining(path, spec, options)


def with_paths(path: str, spec: Obj) -> list[tuple[str, Obj]]:
    """All containers with their paths."""
    return [(f"{path}.{kind}[{index}]", container) for kind in CONTAINER_LISTS
            for index, container in enumerate(spec.get(kind) or ())]


def _surroundings(path: str, spec: Obj, options: Options) -> Errors:
    """Policies, security and placement."""
    errors: Errors = []
    if spec.get("hostNetwork"):
        errors += validate_host_ports(f"{path}.containers", spec.get("containers") or [], options.is_pod)
    if spec.get("restartPolicy") not in _RESTART_POLICIES:
        errors += required_one_of(f"{path}.restartPolicy", spec.get("restartPolicy", ""), _RESTART_POLICIES)
    if spec.get("dnsPolicy") not in _DNS_POLICIES:
        errors += required_one_of(f"{path}.dnsPolicy", spec.get("dnsPolicy", ""), _DNS_POLICIES)
    if "nodeSelector" in spec:
        errors += validate_labels(spec["nodeSelector"] or {}, f"{path}.nodeSelector")
    if spec.get("securityContext"):
        errors += validate_pod_security_context(f"{path}.securityContext", spec, options.host_sysctls,
                                                options.any_selinux_change)
    if "affinity" in spec:
        errors += validate_affinity(f"{path}.affinity", spec["affinity"], options)
    if "dnsConfig" in spec or spec.get("dnsPolicy") == "None":
        errors += validate_dns(f"{path}.dnsConfig", spec)
    if "readinessGates" in spec or "schedulingGates" in spec:
        errors += validate_gates(path, spec)
    if "topologySpreadConstraints" in spec:
        errors += validate_spread(f"{path}.topologySpreadConstraints",
                                  spec["topologySpreadConstraints"] or [])
    if _mentions_windows(spec):
        errors += validate_host_process(path, spec, with_paths(path, spec))
    if spec.get("hostUsers") is False:
        errors += validate_host_users(path, spec, with_paths(path, spec), options.host_network_users,
                                      options.user_namespace_devices)
    if "hostnameOverride" in spec:
        errors += validate_hostname_override(f"{path}.hostnameOverride", spec)
    return errors


def _mentions_windows(spec: Obj) -> bool:
    for holder in (spec, *all_containers(spec)):
        if "securityContext" in holder and "windowsOptions" in holder["securityContext"]:
            return True
    return False


def _remaining(path: str, spec: Obj, options: Options) -> Errors:
    errors: Errors = []
    for name in ("serviceAccountName", "nodeName"):
        if spec.get(name) and (found := dns_subdomain(spec[name])):
            errors += messages(f"{path}.{name}", spec[name], found)
    deadline = spec.get("activeDeadlineSeconds")
    if deadline is not None and not 1 <= deadline <= _LONGEST_DEADLINE:
        errors.append(invalid(f"{path}.activeDeadlineSeconds", deadline, range_error(1, _LONGEST_DEADLINE)))
    for name in ("hostname", "subdomain"):
        if spec.get(name):
            errors += dns_label(f"{path}.{name}", spec[name])
    if "tolerations" in spec:
        errors += validate_tolerations(f"{path}.tolerations", spec["tolerations"] or [])
    if "hostAliases" in spec:
        errors += validate_host_aliases(f"{path}.hostAliases", spec["hostAliases"] or [])
    for name in ("priorityClassName", "runtimeClassName"):
        if spec.get(name) or (name == "runtimeClassName" and name in spec):
            errors += messages(f"{path}.{name}", spec[name], dns_subdomain(spec[name]))
    if "preemptionPolicy" in spec:
        errors += required_one_of(f"{path}.preemptionPolicy", spec["preemptionPolicy"],
                                  ("PreemptLowerPriority", "Never"))
    if "overhead" in spec:
        errors += _overhead(f"{path}.overhead", spec["overhead"], options)
    if "os" in spec:
        errors += validate_os(path, spec, with_paths(path, spec))
    return errors + _file_key_volumes(path, spec)


def _overhead(path: str, overhead: dict[str, str], options: Options) -> Errors:
    """What a runtime class adds, checked as if it were a container's limits."""
    return validate_container_resources(path, {"limits": overhead}, (), options.any_huge_pages)


def _file_key_volumes(path: str, spec: Obj) -> Errors:
    """Variables from files take them from emptyDir volumes (KEP-3721)."""
    errors: Errors = []
    for kind in CONTAINER_LISTS:
        for index, container in enumerate(spec.get(kind) or ()):
            for place, variable in enumerate(container.get("env") or ()):
                if "valueFrom" in variable and "fileKeyRef" in variable["valueFrom"]:
                    errors += _file_key_volume(
                        f"{path}.{kind}[{index}].env[{place}].valueFrom.fileKeyRef.volumeName",
                        variable["valueFrom"]["fileKeyRef"].get("volumeName", ""), spec)
    return errors


def _file_key_volume(path: str, name: str, spec: Obj) -> Errors:
    volume = next((one for one in spec.get("volumes") or () if one.get("name", "") == name), None)
    if volume is None:
        return [not_found(path, name)]
    return [] if "emptyDir" in volume else [
        invalid(path, name, "referenced volume must be of type emptyDir")]


def _resource_claims(path: str, claims: list[Obj], metadata: Obj | None) -> Errors:
    """Claims of dynamic resource allocation (KEP-4381)."""
    if MIRROR in ((metadata or {}).get("annotations") or ()):
        return [forbidden("", "static pods do not support resource claims") for _ in claims]
    errors: Errors = []
    names: set[str] = set()
    for index, claim in enumerate(claims):
        here, name = f"{path}[{index}]", claim.get("name", "")
        if not name:
            errors.append(required(f"{here}.name"))
        elif name in names:
            errors.append(duplicate(f"{here}.name", name))
        else:
            errors += messages(f"{here}.name", name, label_messages(name))
            names.add(name)
        errors += _claim_source(here, claim)
    return errors


def _claim_source(path: str, claim: Obj) -> Errors:
    sources = [name for name in ("resourceClaimName", "resourceClaimTemplateName") if name in claim]
    shown = {"Name": claim.get("name", ""), "ResourceClaimName": claim.get("resourceClaimName"),
             "ResourceClaimTemplateName": claim.get("resourceClaimTemplateName")}
    errors: Errors = []
    if len(sources) == 2:
        errors.append(invalid(path, shown,
                              "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be "
                              "specified"))
    if not sources:
        errors.append(invalid(path, shown,
                              "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"))
    return errors + [error for name in sources
                     for error in messages(f"{path}.{name}", claim[name], dns_subdomain(claim[name]))]
