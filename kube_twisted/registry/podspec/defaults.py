"""Defaults of a pod spec, the same in pods and in pod templates.

Source: the API reference of PodSpec, Container, Probe and the handlers.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.podspec.aliases import drop_init_annotations, sync_service_account
from kube_twisted.registry.podspec.images import default_pull_policy
from kube_twisted.registry.podspec.quantities import round_up_to_milli
from kube_twisted.registry.podspec.volume_defaults import default_volume

Obj = dict[str, Any]

CONTAINER_LISTS = ("initContainers", "containers", "ephemeralContainers")
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")


def default_template(template: Obj) -> None:
    """Fill in the defaults of a pod template."""
    default_pod_spec(template.setdefault("spec", {}))
    drop_init_annotations(template.get("metadata") or {})


def default_pod_spec(spec: Obj) -> None:
    """Fill in what is the same for pods and templates."""
    if not spec.get("dnsPolicy"):
        spec["dnsPolicy"] = "ClusterFirst"
    if not spec.get("restartPolicy"):
        spec["restartPolicy"] = "Always"
    if not spec.get("schedulerName"):
        spec["schedulerName"] = "default-scheduler"
    if "securityContext" not in spec:
        spec["securityContext"] = {}
    spec.setdefault("terminationGracePeriodSeconds", 30)
    if "volumes" in spec:
        for volume in spec["volumes"] or ():
            default_volume(volume)
    for container in all_containers(spec):
        _default_container(container)
    sync_service_account(spec)
    if "overhead" in spec:
        round_up_to_milli(spec["overhead"])
    if "resources" in spec:
        default_resources(spec["resources"])


def all_containers(spec: Obj) -> list[Obj]:
    """The containers of all kinds: init, regular, ephemeral."""
    return [one for name in CONTAINER_LISTS if name in spec for one in spec[name] or ()]


def default_resources(resources: Obj) -> None:
    """Round limits and requests up to thousandths."""
    round_up_to_milli(resources.get("limits"))
    round_up_to_milli(resources.get("requests"))


def _default_container(container: Obj) -> None:
    if not container.get("imagePullPolicy"):
        container["imagePullPolicy"] = default_pull_policy(container.get("image", ""))
    if not container.get("terminationMessagePath"):
        container["terminationMessagePath"] = "/dev/termination-log"
    if not container.get("terminationMessagePolicy"):
        container["terminationMessagePolicy"] = "File"
    if "ports" in container:
        for port in container["ports"] or ():
            if not port.get("protocol"):
                port["protocol"] = "TCP"
    if "env" in container:
        for variable in container["env"] or ():
            if "valueFrom" in variable:
                _default_env_source(variable["valueFrom"])
    if container.get("resources"):
        default_resources(container["resources"])
    for name in _PROBES:
        if name in container:
            _default_probe(container[name])
    if "lifecycle" in container:
        for handler in container["lifecycle"].values():
            if isinstance(handler, dict):
                _default_handler(handler)


def _default_env_source(source: Obj) -> None:
    if "fieldRef" in source and not source["fieldRef"].get("apiVersion"):
        source["fieldRef"]["apiVersion"] = "v1"
    if "fileKeyRef" in source:
        source["fileKeyRef"].setdefault("optional", False)


def _default_probe(probe: Obj) -> None:
    for name, value in (("timeoutSeconds", 1), ("periodSeconds", 10), ("successThreshold", 1),
                        ("failureThreshold", 3)):
        if not probe.get(name):
            probe[name] = value
    _default_handler(probe)
    if "grpc" in probe and probe["grpc"].get("service") is None:
        probe["grpc"]["service"] = ""


def _default_handler(handler: Obj) -> None:
    http = handler.get("httpGet")
    if http is not None:
        if not http.get("path"):
            http["path"] = "/"
        if not http.get("scheme"):
            http["scheme"] = "HTTP"
