"""What validation of a pod spec lets pass: pods are checked closer than templates, stored flaws may stay.

Every leniency is for updates of objects that were accepted by an older, laxer server.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.api.labels import has_invalid_values
from kube_twisted.api.names import label_value
from kube_twisted.registry.podspec.annotations import deletion_cost_is_valid
from kube_twisted.registry.podspec.defaults import all_containers
from kube_twisted.registry.podspec.quantities import huge_pages_fit

Obj = dict[str, Any]


@frozen
class Options:
    """How to validate.

    :ivar is_pod: the spec is a pod's, not a template's.
    :ivar any_huge_pages: amounts of huge pages need not be multiples of the page's size.
    :ivar any_selector_values: selectors in affinity terms may have values that are no labels.
    :ivar any_node_values: the same for required node affinity.
    :ivar any_token_path: paths of projected tokens may leave the volume.
    :ivar host_sysctls: sysctls may be of namespaces shared with the host.
    :ivar any_deletion_cost: the annotation of a pod's deletion cost need not be a number.
    :ivar host_network_users: user namespaces may go with the host's network.
    :ivar user_namespace_devices: user namespaces may go with block devices.
    :ivar any_selinux_change: the volumes' SELinux labels may also be mount options (KEP-1710).
    :ivar init_restart_on_resize: init containers that are no sidecars may restart on resize.
    """

    is_pod: bool = False
    any_huge_pages: bool = False
    any_selector_values: bool = False
    any_node_values: bool = False
    any_token_path: bool = False
    host_sysctls: bool = False
    any_deletion_cost: bool = False
    host_network_users: bool = False
    user_namespace_devices: bool = False
    any_selinux_change: bool = False
    init_restart_on_resize: bool = False


POD = Options(is_pod=True)
TEMPLATE = Options()


def options_for_update(old: Obj, is_pod: bool = False) -> Options:
    """The options for a change of a pod or pod template ``old``."""
    spec = old.get("spec") or {}
    isolated = spec.get("hostUsers") is False
    return Options(
        is_pod=is_pod,
        any_huge_pages=_has_odd_huge_pages(spec),
        any_selector_values=_has_invalid_selector(spec),
        any_node_values=_has_invalid_node_values(spec),
        any_token_path=_has_outer_token_path(spec),
        host_sysctls=bool((spec.get("securityContext") or {}).get("sysctls")) and _shares_namespaces(spec),
        any_deletion_cost=not deletion_cost_is_valid((old.get("metadata") or {}).get("annotations") or {}),
        host_network_users=isolated and bool(spec.get("hostNetwork")),
        user_namespace_devices=isolated and any("volumeDevices" in one for one in all_containers(spec)),
        any_selinux_change="seLinuxChangePolicy" in (spec.get("securityContext") or {}),
        init_restart_on_resize=_init_restarts_on_resize(spec),
    )


def _has_odd_huge_pages(spec: Obj) -> bool:
    return any(name.startswith("hugepages-") and not huge_pages_fit(name, quantity)
               for one in all_containers(spec) for kind in ("limits", "requests")
               for name, quantity in ((one.get("resources") or {}).get(kind) or {}).items())


def _has_invalid_selector(spec: Obj) -> bool:
    for kind in ("podAffinity", "podAntiAffinity"):
        rules = (spec.get("affinity") or {}).get(kind) or {}
        terms = [*(rules.get("requiredDuringSchedulingIgnoredDuringExecution") or ()),
                 *(one.get("podAffinityTerm") or {}
                   for one in rules.get("preferredDuringSchedulingIgnoredDuringExecution") or ())]
        if any(has_invalid_values(term.get(name)) for term in terms
               for name in ("labelSelector", "namespaceSelector")):
            return True
    return False


def _has_invalid_node_values(spec: Obj) -> bool:
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    return any(label_value(value) for term in required.get("nodeSelectorTerms") or ()
               for one in term.get("matchExpressions") or () for value in one.get("values") or ())


def _has_outer_token_path(spec: Obj) -> bool:
    paths = [source["serviceAccountToken"].get("path", "")
             for volume in spec.get("volumes") or () if "projected" in volume
             for source in volume["projected"].get("sources") or () if "serviceAccountToken" in source]
    return any(path.startswith(("/", "..")) or ".." in path.split("/") for path in paths)


def _shares_namespaces(spec: Obj) -> bool:
    return bool(spec.get("hostNetwork") or spec.get("hostIPC"))


def _init_restarts_on_resize(spec: Obj) -> bool:
    return any(policy.get("restartPolicy") == "RestartContainer" for one in spec.get("initContainers") or ()
               if one.get("restartPolicy") != "Always" for policy in one.get("resizePolicy") or ())
