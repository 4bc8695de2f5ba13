"""The controls that the level "restricted" adds: best practices of hardening.

Source: the Kubernetes documentation, "Pod Security Standards", restricted.
"""

from __future__ import annotations

from kube_twisted.admission.podsecurity.profiles import forbidden_types
from kube_twisted.admission.podsecurity.wording import (
    Obj,
    Violation,
    containers,
    named,
    plural,
    quoted,
    security_context,
    setters,
)

_VOLUMES = ("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected",
            "secret")
_OTHER_VOLUMES = (
    "hostPath", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "nfs", "iscsi", "glusterfs", "rbd",
    "flexVolume", "cinder", "cephfs", "flocker",
    "fc", "azureFile", "vsphereVolume", "quobyte", "azureDisk", "photonPersistentDisk",
    "portworxVolume", "scaleIO", "storageos",
)


def privilege_escalation(meta: Obj, spec: Obj) -> Violation | None:
    bad = [container["name"] for container in containers(spec)
           if security_context(container).get("allowPrivilegeEscalation", True)]
    if not bad:
        return None
    return Violation("allowPrivilegeEscalation != false",
                     f"{named('container', bad)} must set securityContext.allowPrivilegeEscalation=false")


def capabilities(meta: Obj, spec: Obj) -> Violation | None:
    keeping, adding, forbidden = [], [], set()
    for container in containers(spec):
        changes = security_context(container).get("capabilities") or {}
        if "ALL" not in (changes.get("drop") or ()):
            keeping.append(container["name"])
        added = set(changes.get("add") or ()) - {"NET_BIND_SERVICE"}
        if added:
            adding.append(container["name"])
            forbidden |= added
    details = []
    if keeping:
        details.append(f'{named("container", keeping)} must set securityContext.capabilities.drop=["ALL"]')
    if adding:
        details.append(f"{named('container', adding)} must not include {quoted(sorted(forbidden))} in "
                       "securityContext.capabilities.add")
    return Violation("unrestricted capabilities", "; ".join(details)) if details else None


def volumes(meta: Obj, spec: Obj) -> Violation | None:
    bad = [volume for volume in spec.get("volumes") or () if not any(kind in volume for kind in _VOLUMES)]
    if not bad:
        return None
    kinds = sorted({next((kind for kind in _OTHER_VOLUMES if kind in volume), "unknown") for volume in bad})
    return Violation("restricted volume types",
                     f"{named('volume', [volume['name'] for volume in bad])} {'uses' if len(bad) == 1 else 'use'} "
                     f"{plural('restricted volume type', len(kinds))} {quoted(kinds)}")


def run_as_non_root(meta: Obj, spec: Obj) -> Violation | None:
    pod = security_context(spec).get("runAsNonRoot")
    settings = [(container["name"], security_context(container).get("runAsNonRoot")) for container in containers(spec)]
    who = setters(pod is False, [name for name, setting in settings if setting is False])
    if who:
        return Violation("runAsNonRoot != true", f"{who} must not set securityContext.runAsNonRoot=false")
    silent = [] if pod else [name for name, setting in settings if setting is None]
    if not silent:
        return None
    return Violation("runAsNonRoot != true",
                     f"pod or {named('container', silent)} must set securityContext.runAsNonRoot=true")


def run_as_user(meta: Obj, spec: Obj) -> Violation | None:
    def is_root(one: Obj) -> bool:
        return bool(security_context(one).get("runAsUser") == 0)

    who = setters(is_root(spec), [container["name"] for container in containers(spec) if is_root(container)])
    return Violation("runAsUser=0", f"{who} must not set runAsUser=0") if who else None


def seccomp(meta: Obj, spec: Obj) -> Violation | None:
    pod, names, values = forbidden_types(spec, "seccompProfile")
    who = setters(pod, names)
    if who:
        return Violation("seccompProfile",
                         f"{who} must not set securityContext.seccompProfile.type to {quoted(sorted(values))}")
    if "seccompProfile" in security_context(spec):
        return None
    silent = [container["name"] for container in containers(spec)
              if "seccompProfile" not in security_context(container)]
    if not silent:
        return None
    return Violation("seccompProfile", f"pod or {named('container', silent)} must set "
                                       'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"')
