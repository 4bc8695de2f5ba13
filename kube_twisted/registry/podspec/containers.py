"""The containers of a pod spec: regular, init and ephemeral ones."""

from __future__ import annotations

from typing import Any, NamedTuple

from kube_twisted.api.field import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_found,
    not_supported,
    required,
)
from kube_twisted.api.names import port_name
from kube_twisted.registry.podspec.env import validate_env, validate_env_from
from kube_twisted.registry.podspec.faultless import remembering_faultless
from kube_twisted.registry.podspec.mounts import validate_devices, validate_mounts
from kube_twisted.registry.podspec.probes import PROBES, validate_lifecycle, validate_probes
from kube_twisted.registry.podspec.resources import validate_container_resources
from kube_twisted.registry.podspec.restart_rules import (
    validate_init_restart_policy,
    validate_resize_policy,
    validate_restart_policy,
)
from kube_twisted.registry.podspec.security import validate_security_context
from kube_twisted.registry.podspec.volumes import PULL_POLICIES
from kube_twisted.registry.rules import dns_label, messages, port_number, required_one_of

Obj = dict[str, Any]
Errors = list[FieldError]

_ATTACHMENTS = ("volumeMounts", "volumeDevices")
_PROTOCOLS = ("SCTP", "TCP", "UDP")
_MESSAGE_POLICIES = ("File", "FallbackToLogsOnError")
#: Fields that ephemeral containers may not have (KEP-277), in Go's spelling of the error.
_NOT_EPHEMERAL = ("ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules",
                  "livenessProbe", "readinessProbe", "startupProbe", "lifecycle")
#: Those of them that may be there and empty.
_ALWAYS_THERE = ("resources",)


class Setting(NamedTuple):
    """What the verdict about a container by itself depends on.

    :ivar claims: names of the pod's resource claims.
    :ivar any_huge_pages: amounts of huge pages need not be multiples of the page's size.
    :ivar restart_policy: of the pod.
    :ivar host_users: the pod has no user namespace of its own.
    """

    claims: frozenset[str]
    any_huge_pages: bool
    restart_policy: str
    host_users: bool


class PodView(NamedTuple):
    """What the rules for containers need to know of their pod.

    :ivar volumes: the valid volumes by name.
    :ivar grace: terminationGracePeriodSeconds.
    :ivar init_restart_on_resize: init containers that are no sidecars may restart on resize.
    """

    setting: Setting
    volumes: dict[str, Obj]
    grace: int | None
    init_restart_on_resize: bool


def validate_containers(path: str, containers: list[Obj], pod: PodView) -> Errors:
    """The ``containers`` list."""
    if not containers:
        return [required(path)]
    errors: Errors = []
    names: set[str] = set()
    for index, container in enumerate(containers):
        here, name = f"{path}[{index}]", container.get("name", "")
        errors += _common(here, container, pod)
        if name in names:
            errors.append(duplicate(f"{here}.name", name))
        names.add(name)
        if "lifecycle" in container:
            errors += validate_lifecycle(f"{here}.lifecycle", container["lifecycle"], pod.grace)
        if not container.keys().isdisjoint(PROBES):
            errors += validate_probes(here, container, pod.grace)
        if "restartPolicy" in container or "restartPolicyRules" in container:
            errors += validate_restart_policy(here, container)
    return errors + _host_port_conflicts(path, containers)


def validate_init_containers(path: str, spec: Obj, pod: PodView) -> Errors:
    """The ``initContainers`` list, in which those that always restart are sidecars (KEP-753)."""
    errors: Errors = []
    names = {one.get("name", "") for one in spec.get("containers") or ()}
    for index, container in enumerate(spec["initContainers"] or ()):
        here, name = f"{path}[{index}]", container.get("name", "")
        errors += _common(here, container, pod)
        errors += validate_init_restart_policy(here, container)
        if name in names:
            errors.append(duplicate(f"{here}.name", name))
        elif name:
            names.add(name)
        errors += _host_port_conflicts(path, [container])
        if container.get("restartPolicy") == "Always":
            if "lifecycle" in container:
                errors += validate_lifecycle(f"{here}.lifecycle", container["lifecycle"], pod.grace)
            errors += validate_probes(here, container, pod.grace)
        else:
            errors += _not_sidecar(here, container, pod.init_restart_on_resize)
    return errors


def _not_sidecar(path: str, container: Obj, restart_on_resize: bool) -> Errors:
    errors = [forbidden(f"{path}.{name}", "may not be set for init containers without restartPolicy=Always")
              for name in ("lifecycle", *PROBES) if name in container]
    if restart_on_resize:
        return errors
    return errors + [
        invalid(f"{path}.resizePolicy[{index}].restartPolicy", "RestartContainer",
                "must not be set to 'RestartContainer' for non-sidecar initContainers")
        for index, policy in enumerate(container.get("resizePolicy") or ())
        if policy.get("restartPolicy") == "RestartContainer"]


def validate_ephemeral_containers(path: str, spec: Obj, pod: PodView) -> Errors:
    """The ``ephemeralContainers`` list."""
    errors: Errors = []
    others = {one.get("name", "") for kind in ("containers", "initContainers")
              for one in spec.get(kind) or ()}
    names = set(others)
    for index, container in enumerate(spec["ephemeralContainers"] or ()):
        here, name = f"{path}[{index}]", container.get("name", "")
        errors += _common(here, container, pod)
        errors += validate_image_spaces(here, container)
        if name in names:
            errors.append(duplicate(f"{here}.name", name))
        names.add(name)
        target = container.get("targetContainerName", "")
        if target and target not in others:
            errors.append(not_found(f"{here}.targetContainerName", target))
        errors += [forbidden(f"{here}.{kind}", "cannot be set for an Ephemeral Container")
                   for kind in _NOT_EPHEMERAL
                   if container.get(kind) or (kind in container and kind not in _ALWAYS_THERE)]
        errors += [forbidden(f"{here}.volumeMounts[{place}].{kind}",
                             "cannot be set for an Ephemeral Container")
                   for place, mount in enumerate(container.get("volumeMounts") or ())
                   for kind in ("subPath", "subPathExpr") if mount.get(kind)]
    return errors


def has_image_spaces(container: Obj) -> bool:
    """Whether the image has spaces around."""
    image: str = container.get("image", "")
    return image != image.strip()


def validate_image_spaces(path: str, container: Obj) -> Errors:
    """Only pods refuse images with spaces around: templates were always allowed to have them."""
    if not has_image_spaces(container):
        return []
    return [invalid(f"{path}.image", container["image"], "must not have leading or trailing whitespace")]


def _common(path: str, container: Obj, pod: PodView) -> Errors:
    """What holds for all containers.

    Their volumes have names of their own in every pod; the rest is mostly the same from pod to pod.
    """
    rest = {name: value for name, value in container.items() if name not in _ATTACHMENTS}
    attached = _attachments(path, container, pod.volumes)
    if not _rest(path, rest, pod.setting):
        return attached
    return _identity(path, container) + attached + _means(path, container, pod.setting)


@remembering_faultless
def _rest(path: str, container: Obj, setting: Setting) -> Errors:
    """What is wrong with a container apart from its volumes."""
    return _identity(path, container) + _means(path, container, setting)


def _attachments(path: str, container: Obj, volumes: dict[str, Obj]) -> Errors:
    errors: Errors = []
    if "volumeMounts" in container:
        errors += validate_mounts(f"{path}.volumeMounts", container, volumes)
    if "volumeDevices" in container:
        errors += validate_devices(f"{path}.volumeDevices", container, volumes)
    return errors


def _identity(path: str, container: Obj) -> Errors:
    """What a container runs, and what it shows to the outside."""
    name = container.get("name", "")
    errors = dns_label(f"{path}.name", name) if name else [required(f"{path}.name")]
    if not container.get("image"):
        errors.append(required(f"{path}.image"))
    policy = container.get("terminationMessagePolicy", "")
    if policy not in _MESSAGE_POLICIES:
        errors += required_one_of(f"{path}.terminationMessagePolicy", policy, _MESSAGE_POLICIES)
    if "ports" in container:
        errors += _ports(f"{path}.ports", container["ports"] or [])
    if "env" in container:
        errors += validate_env(f"{path}.env", container["env"] or [])
    if "envFrom" in container:
        errors += validate_env_from(f"{path}.envFrom", container["envFrom"] or [])
    return errors


def _means(path: str, container: Obj, setting: Setting) -> Errors:
    """What a container may use: its image, resources and rights."""
    errors: Errors = []
    policy = container.get("imagePullPolicy", "")
    if policy not in PULL_POLICIES:
        errors += required_one_of(f"{path}.imagePullPolicy", policy, PULL_POLICIES)
    if container.get("resources"):
        errors += validate_container_resources(f"{path}.resources", container["resources"], setting.claims,
                                               setting.any_huge_pages)
    if "resizePolicy" in container:
        errors += validate_resize_policy(f"{path}.resizePolicy", container["resizePolicy"] or [],
                                         setting.restart_policy)
    if "securityContext" in container:
        errors += validate_security_context(f"{path}.securityContext", container["securityContext"],
                                            setting.host_users)
    return errors


def _ports(path: str, ports: list[Obj]) -> Errors:
    errors: Errors = []
    names: set[str] = set()
    for index, port in enumerate(ports):
        here, name = f"{path}[{index}]", port.get("name", "")
        bad = messages(f"{here}.name", name, port_name(name)) if name else []
        errors += bad
        if name in names:
            errors.append(duplicate(f"{here}.name", name))
        elif name and not bad:
            names.add(name)
        number, host = port.get("containerPort", 0), port.get("hostPort", 0)
        protocol = port.get("protocol", "")
        if number:
            errors += port_number(f"{here}.containerPort", number)
        else:
            errors.append(required(f"{here}.containerPort"))
        if host:
            errors += port_number(f"{here}.hostPort", host)
        if not protocol:
            errors.append(required(f"{here}.protocol"))
        elif protocol not in _PROTOCOLS:
            errors.append(not_supported(f"{here}.protocol", protocol, _PROTOCOLS))
    return errors


def _host_port_conflicts(path: str, containers: list[Obj]) -> Errors:
    errors: Errors = []
    taken: set[str] = set()
    for index, container in enumerate(containers):
        for place, port in enumerate(container.get("ports") or ()):
            if port.get("hostPort"):
                key = f"{port.get('protocol', '')}/{port.get('hostIP', '')}/{port['hostPort']}"
                if key in taken:
                    errors.append(duplicate(f"{path}[{index}].ports[{place}].hostPort", key))
                taken.add(key)
    return errors
