"""Resource requests and limits, of containers and of whole pods."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, not_supported, required
from kube_twisted.api.names import qualified_name
from kube_twisted.registry.podspec.quantities import compare, has_fraction, huge_pages_fit, parsed
from kube_twisted.registry.podspec.resource_defaults import aggregate
from kube_twisted.registry.rules import dns_label, messages

Obj = dict[str, Any]
Errors = list[FieldError]

NEGATIVE = "must be greater than or equal to 0"
_HUGE_PAGES = "hugepages-"
_CONTAINER = ("cpu", "memory", "ephemeral-storage")
_COUNTED = ("pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
            "persistentvolumeclaims", "services.nodeports", "services.loadbalancers")
_STANDARD = frozenset((*_CONTAINER, *_COUNTED, "storage", "requests.cpu", "requests.memory",
                       "requests.ephemeral-storage", "limits.cpu", "limits.memory",
                       "limits.ephemeral-storage"))
_OF_PODS = ("cpu", "hugepages-", "memory")


def validate_container_resources(path: str, resources: Obj, claims: Collection[str],
                                 any_huge_pages: bool) -> Errors:
    """The ``resources`` of a container.

    :param claims: names of the pod's resource claims.
    :param any_huge_pages: amounts of huge pages need not be multiples.
    """
    return _requirements(path, resources, _container_resource, claims, any_huge_pages)


def validate_pod_resources(path: str, spec: Obj, claims: Collection[str], any_huge_pages: bool) -> Errors:
    """The ``resources`` of a pod as a whole (KEP-2837); ``path`` is that of the spec."""
    resources = spec["resources"]
    here = f"{path}.resources"
    if (spec.get("os") or {}).get("name") == "windows":
        return [forbidden(here, "may not be set for a windows pod")]
    errors = [forbidden(f"{here}.claims", "claims may not be set for Resources at pod-level")] \
        if "claims" in resources else []
    errors += _requirements(here, resources, _pod_resource, claims, any_huge_pages)
    return errors + _consistent(here, spec, resources)


def _requirements(path: str, resources: Obj, name_rule: Callable[[str, str], Errors], claims: Collection[str],
                  any_huge_pages: bool) -> Errors:
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    errors: Errors = []
    for name, quantity in sorted(limits.items()):
        errors += _amount(f"{path}.limits[{name}]", name, quantity, name_rule, any_huge_pages)
    for name, quantity in sorted(requests.items()):
        errors += _amount(f"{path}.requests[{name}]", name, quantity, name_rule, any_huge_pages,
                          _against_limit(path, name, quantity, limits.get(name)))
    names = limits.keys() | requests.keys()
    if names.isdisjoint(("cpu", "memory")) and any(name.startswith(_HUGE_PAGES) for name in names):
        errors.append(forbidden(path, "HugePages require cpu or memory"))
    return errors + _claims(f"{path}.claims", resources.get("claims") or (), claims)


def _amount(path: str, name: str, quantity: str, name_rule: Callable[[str, str], Errors],
            any_huge_pages: bool, between: Errors | None = None) -> Errors:
    errors = [] if name in ("cpu", "memory") else name_rule(path, name)
    amount = parsed(quantity)
    if amount.sign < 0:
        errors.append(invalid(path, quantity, NEGATIVE))
    if (name in _COUNTED or _is_extended(name)) and has_fraction(quantity):
        errors.append(invalid(path, quantity, "must be an integer"))
    errors += between or ()
    if name.startswith(_HUGE_PAGES) and not any_huge_pages and not huge_pages_fit(name, quantity):
        errors.append(invalid(path, quantity, f"{quantity} is not positive integer multiple of {name}"))
    return errors


def _against_limit(path: str, name: str, quantity: str, limit: str | None) -> Errors:
    overcommitted = _is_native(name) and not name.startswith(_HUGE_PAGES)
    if limit is None:
        return [] if overcommitted else [
            required(f"{path}.limits", "Limit must be set for non overcommitable resources")]
    difference = compare(quantity, limit)
    if difference and not overcommitted:
        return [invalid(f"{path}.requests", quantity, f"must be equal to {name} limit of {limit}")]
    if difference > 0:
        return [invalid(f"{path}.requests", quantity,
                        f"must be less than or equal to {name} limit of {limit}")]
    return []


def _is_native(name: str) -> bool:
    return "/" not in name or "kubernetes.io/" in name


def _is_extended(name: str) -> bool:
    return (not _is_native(name) and not name.startswith("requests.")
            and not qualified_name(f"requests.{name}"))


def _resource_name(path: str, name: str) -> Errors:
    errors = messages(path, name, qualified_name(name))
    if not errors and "/" not in name and name not in _STANDARD \
            and not name.startswith((_HUGE_PAGES, "requests.hugepages-")):
        errors.append(invalid(path, name, "must be a standard resource type or fully qualified"))
    return errors


def _container_resource(path: str, name: str) -> Errors:
    errors = _resource_name(path, name)
    if "/" not in name:
        if name not in _CONTAINER and not name.startswith(_HUGE_PAGES):
            errors.append(invalid(path, name, "must be a standard resource for containers"))
    elif not _is_native(name) and not _is_extended(name):
        errors.append(invalid(path, name, "doesn't follow extended resource name standard"))
    return errors


def _pod_resource(path: str, name: str) -> Errors:
    errors = _resource_name(path, name)
    if not errors and not name.startswith(_OF_PODS):
        errors.append(not_supported(path, name, _OF_PODS))
    return errors


def _claims(path: str, used: Collection[Obj], known: Collection[str]) -> Errors:
    errors: Errors = []
    seen: set[str] = set()
    for index, claim in enumerate(used):
        here, name, request = f"{path}[{index}]", claim.get("name", ""), claim.get("request", "")
        if not name:
            errors.append(required(here))
            continue
        if name in seen:
            errors.append(duplicate(here, name))
        else:
            errors += _claim_key(here, name, request, seen)
        if name not in known:
            names = f": {', '.join(sorted(known))}" if known else " which is empty"
            errors.append(FieldError("NotFound", here, name,
                                     f"must be one of the names in pod.spec.resourceClaims{names}"))
    return errors


def _claim_key(path: str, name: str, request: str, seen: set[str]) -> Errors:
    errors = dns_label(f"{path}.request", request) if request else []
    key = f"{name}/{request}" if request else name
    if key in seen:
        errors.append(duplicate(path, key))
    elif not request:
        errors += [duplicate(path, name) for other in seen if other.startswith(f"{name}/")]
    seen.add(key)
    return errors


def _consistent(path: str, spec: Obj, resources: Obj) -> Errors:
    """What the containers need together fits into what the pod has."""
    requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
    errors = [invalid(f"{path}.requests[{name}]", requests[name],
                      f"must be greater than or equal to aggregate container requests of {total}")
              for name, total in aggregate(spec, "requests").items()
              if name in requests and compare(total, requests[name]) > 0]
    errors += [invalid(f"{path}.limits[{name}]", limits[name],
                       f"must be greater than or equal to aggregate container limits of {total}")
               for name, total in aggregate(spec, "limits").items()
               if name in limits and name.startswith(_HUGE_PAGES) and compare(total, limits[name]) > 0]
    for index, container in enumerate(spec.get("containers") or ()):
        for name, limit in ((container.get("resources") or {}).get("limits") or {}).items():
            if name in limits and compare(limit, limits[name]) > 0:
                errors.append(invalid(f"{path}.containers[{index}][{name}].limits", limit,
                                      f"must be less than or equal to pod limits of {limits[name]}"))
    return errors
