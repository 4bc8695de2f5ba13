"""Fields of a pod spec whose features are off by default: dropped, unless the old object has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kube_twisted.registry.podspec.defaults import all_containers

Obj = dict[str, Any]

_STATUS_LISTS = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
_OFF_SOURCES = ("clusterTrustBundle", "podCertificate")


def drop_disabled_template_fields(template: Obj, old: Obj | None = None) -> None:
    """The same for a pod template, which may be absent."""
    drop_disabled_fields(template.get("spec") or {}, (old or {}).get("spec"))


def drop_disabled_fields(spec: Obj, old: Obj | None = None) -> None:
    """Drop what features that are off (as of 1.36) would use: GenericWorkload, ClusterTrustBundleProjection,
    PodCertificateRequest and ContainerStopSignals.

    :param old: the spec before the update, None on create.
    """
    old = old or {}
    if "schedulingGroup" in spec and "schedulingGroup" not in old:
        del spec["schedulingGroup"]
    for holder in _projections(spec):
        for name in _OFF_SOURCES:
            if name in holder and not any(name in one for one in _projections(old)):
                del holder[name]
    _drop_stop_signals(spec, old)


def drop_disabled_status(status: Obj, old: Obj) -> None:
    """The same for a pod's status: the digests of mounted images (ImageVolumeWithDigest)."""
    mounts = _status_mounts(status)
    if any("volumeStatus" in one for one in mounts) and not any("volumeStatus" in one for one in _status_mounts(old)):
        for one in mounts:
            one.pop("volumeStatus", None)


def _status_mounts(status: Obj) -> list[Obj]:
    containers = [one for kind in _STATUS_LISTS for one in status.get(kind) or ()]
    return [mount for one in containers for mount in one.get("volumeMounts") or ()]


def _projections(spec: Obj) -> Iterator[Obj]:
    for volume in spec.get("volumes") or ():
        if "projected" in volume:
            yield from volume["projected"].get("sources") or ()


def _drop_stop_signals(spec: Obj, old: Obj) -> None:
    holders = [one for one in all_containers(spec) if "lifecycle" in one and "stopSignal" in one["lifecycle"]]
    if holders and not any("stopSignal" in one.get("lifecycle", ()) for one in all_containers(old)):
        for one in holders:
            del one["lifecycle"]["stopSignal"]
            if not one["lifecycle"]:
                del one["lifecycle"]
