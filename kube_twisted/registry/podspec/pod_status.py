"""What the status of a pod may be after an update by its kubelet or the scheduler."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
    too_long,
)
from kube_twisted.api.names import dns_label, dns_subdomain, qualified_name, range_error
from kube_twisted.registry.addresses import is_dual_stack, legacy_ip
from kube_twisted.registry.podspec.options import options_for_update
from kube_twisted.registry.podspec.pod import validate_fixed_annotations
from kube_twisted.registry.podspec.restarts import validate_restarts
from kube_twisted.registry.rules import immutable, messages

Obj = dict[str, Any]
Errors = list[FieldError]

_SYSTEM = ("PodScheduled", "Ready", "Initialized")
_STATUS_LISTS = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
_HEALTH = ("Healthy", "Unhealthy", "Unknown")
_LARGEST_ID = 2**31 - 1
_LONGEST_MESSAGE = 1024
_NOT_NEGATIVE = "must be a non-negative integer"


def validate_pod_status(pod: Obj, old: Obj) -> Errors:
    """All that is wrong with a new status."""
    status, before = pod.get("status") or {}, old.get("status") or {}
    errors = validate_fixed_annotations(pod, old, options_for_update(old, is_pod=True))
    errors += _conditions(status.get("conditions") or ())
    errors += _nominated(status, before, bool(old["spec"].get("nodeName")))
    if status.get("observedGeneration", 0) < 0:
        errors.append(invalid("status.observedGeneration", status["observedGeneration"], _NOT_NEGATIVE))
    errors += immutable("status.qosClass", status.get("qosClass", ""), before.get("qosClass", ""))
    errors += validate_restarts(old["spec"], status, before)
    errors += _claims(status.get("resourceClaimStatuses") or (), pod["spec"])
    if "extendedResourceClaimStatus" in status:
        errors += _extended("status.extendedResourceClaimStatus", status["extendedResourceClaimStatus"],
                            pod["spec"])
    errors += _addresses("podIPs", status, before)
    errors += _host_addresses(status, before)
    return errors + _container_statuses(status, pod["spec"])


def _conditions(conditions: Any) -> Errors:
    errors: Errors = []
    for index, condition in enumerate(conditions):
        kind, generation = condition.get("type", ""), condition.get("observedGeneration", 0)
        if generation < 0:
            errors.append(invalid(f"status.conditions[{index}].observedGeneration", generation,
                                  _NOT_NEGATIVE))
        if kind not in _SYSTEM:
            errors += messages(f"status.conditions[{index}].Type", kind, qualified_name(kind))
    return errors


def _nominated(status: Obj, before: Obj, bound: bool) -> Errors:
    name = status.get("nominatedNodeName", "")
    if not name or name == before.get("nominatedNodeName", ""):
        return []
    errors = messages("status.nominatedNodeName", name, dns_subdomain(name))
    if bound:
        errors.append(forbidden("status.nominatedNodeName",
                                "may not be set on pods that are already bound to a node"))
    return errors


def _claims(statuses: Any, spec: Obj) -> Errors:
    known = {claim.get("name", "") for claim in spec.get("resourceClaims") or ()}
    seen: set[str] = set()
    errors: Errors = []
    for index, status in enumerate(statuses):
        path, name, claim = f"status.resourceClaimStatuses[{index}]", status.get("name", ""), \
            status.get("resourceClaimName")
        if name not in known:
            errors.append(invalid(f"{path}.name", name,
                                  "must match the name of an entry in `spec.resourceClaims`"))
        if name in seen:
            errors.append(duplicate(f"{path}.name", name))
        seen.add(name)
        if claim is not None:
            errors += messages(f"{path}.resourceClaimName", claim, dns_subdomain(claim))
    return errors


def _extended(path: str, status: Obj, spec: Obj) -> Errors:
    """Extended resources that devices stand for (KEP-5004)."""
    containers = {one.get("name", ""): one for kind in ("initContainers", "containers")
                  for one in spec.get(kind) or ()}
    mappings = status.get("requestMappings") or ()
    errors = [] if mappings else [required(f"{path}.requestMappings",
                                           "at least one request mapping is required")]
    seen: set[tuple[str, str, str]] = set()
    for index, mapping in enumerate(mappings):
        here = f"{path}.requestMappings[{index}]"
        key = (mapping.get("containerName", ""), mapping.get("resourceName", ""),
               mapping.get("requestName", ""))
        errors += _mapped(here, containers.get(key[0]), key)
        errors += messages(f"{path}.requestName", key[2], dns_label(key[2]))
        if key in seen:
            errors += [duplicate(f"{here}.{name}", value) for name, value in zip(
                ("containerName", "resourceName", "requestName"), key, strict=True)]
        seen.add(key)
    claim = status.get("resourceClaimName", "")
    return errors + (messages(f"{path}.resourceClaimName", claim, dns_subdomain(claim)) if claim
                     else [required(f"{path}.resourceClaimName")])


def _mapped(path: str, container: Obj | None, key: tuple[str, str, str]) -> Errors:
    if container is None:
        return [invalid(f"{path}.containerName", key[0], "must match the name of an entry in "
                        "spec.initContainers.name or spec.containers.name")]
    if key[1] in ((container.get("resources") or {}).get("requests") or ()):
        return []
    return [invalid(f"{path}.resourceName", key[1], "must match the extended resource name of an entry in "
                                                    "spec.initContainers.resources.requests or "
                                                    "spec.containers.resources.requests")]


def _addresses(name: str, status: Obj, before: Obj) -> Errors:
    addresses = [one.get("ip", "") for one in status.get(name) or ()]
    existing = [one.get("ip", "") for one in before.get(name) or ()]
    errors = [error for index, address in enumerate(addresses)
              for error in legacy_ip(f"status.{name}[{index}]", address, existing)]
    if len(addresses) > 2 or (len(addresses) == 2 and not is_dual_stack(addresses)):
        errors.append(invalid(f"status.{name}", [{"IP": one} for one in addresses],
                              "may specify no more than one IP for each IP family"))
    return errors


def _host_addresses(status: Obj, before: Obj) -> Errors:
    addresses = status.get("hostIPs")
    if not addresses:
        return []
    first = addresses[0].get("ip", "")
    errors = [] if status.get("hostIP", "") == first else [
        invalid("status.hostIPs[0].ip", first, "must be equal to `hostIP`")]
    return errors + _addresses("hostIPs", status, before)


def _container_statuses(status: Obj, spec: Obj) -> Errors:
    system = (spec.get("os") or {}).get("name", "linux")
    errors: Errors = []
    for name in _STATUS_LISTS:
        for index, one in enumerate(status.get(name) or ()):
            if "user" in one:
                errors += _user(f"status.{name}[{index}].user.linux", one["user"].get("linux"), system)
    for name, kind in (("containerStatuses", "containers"), ("initContainerStatuses", "initContainers")):
        containers = {one.get("name", ""): one for one in spec.get(kind) or ()}
        for index, one in enumerate(status.get(name) or ()):
            errors += _allocated(f"status.{name}[{index}].allocatedResourcesStatus", one,
                                 containers.get(one.get("name", "")))
    return errors + [
        forbidden(f"status.ephemeralContainerStatuses[{index}].allocatedResourcesStatus",
                  "must not be specified in container status")
        for index, one in enumerate(status.get("ephemeralContainerStatuses") or ())
        if one.get("allocatedResourcesStatus")]


def _user(path: str, user: Obj | None, system: str) -> Errors:
    if user is None:
        return []
    if system == "windows":
        return [forbidden(path, "cannot be set for a windows pod")]
    places = [("uid", user.get("uid", 0)), ("gid", user.get("gid", 0)),
              *((f"supplementalGroups[{index}]", group)
                for index, group in enumerate(user.get("supplementalGroups") or ()))]
    return [invalid(f"{path}.{name}", number, range_error(0, _LARGEST_ID)) for name, number in places
            if not 0 <= number <= _LARGEST_ID]


def _allocated(path: str, status: Obj, container: Obj | None) -> Errors:
    """Health of devices (KEP-4680)."""
    errors: Errors = []
    for index, allocated in enumerate(status.get("allocatedResourcesStatus") or ()):
        if container is not None:
            errors += _known_resource(f"{path}[{index}].name", allocated.get("name", ""), container)
        seen: set[str] = set()
        for place, resource in enumerate(allocated.get("resources") or ()):
            here, identifier = f"{path}[{index}].resources[{place}]", resource.get("resourceID", "")
            errors += _health(here, resource)
            if identifier in seen:
                errors.append(duplicate(f"{here}.resourceID", identifier))
            seen.add(identifier)
    return errors


def _health(path: str, resource: Obj) -> Errors:
    health, message = resource.get("health", ""), resource.get("message")
    errors = [] if health in _HEALTH else [not_supported(f"{path}.health", health, _HEALTH)]
    if message == "":
        errors.append(required(f"{path}.message", "must be non-empty if specified"))
    elif message is not None and len(message.encode()) > _LONGEST_MESSAGE:
        errors.append(too_long(f"{path}.message", _LONGEST_MESSAGE))
    return errors


def _known_resource(path: str, name: str, container: Obj) -> Errors:
    resources = container.get("resources") or {}
    if not name.startswith("claim:"):
        return [] if name in (resources.get("requests") or ()) else [
            invalid(path, name, "must match one of the container's resource requests")]
    claims = {f"claim:{one.get('name', '')}" + (f"/{one['request']}" if one.get("request") else "")
              for one in resources.get("claims") or ()}
    return [] if name in claims else [
        invalid(path, name, "must match one of the container's resource claims in a format "
                            "'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty")]
