"""The controls of the level "baseline": no known way to escape the pod.

Each takes a pod's metadata and spec, and answers what violates it. Source: the Kubernetes documentation, "Pod Security
Standards", baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

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

#: A control.
Check = Callable[[Obj, Obj], Violation | None]

_CAPABILITIES = frozenset({
    "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP",
    "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT",
})
_HANDLERS = (("livenessProbe",), ("readinessProbe",), ("startupProbe",), ("lifecycle", "postStart"),
             ("lifecycle", "preStop"))


def capabilities(meta: Obj, spec: Obj) -> Violation | None:
    bad, forbidden = [], set()
    for container in containers(spec):
        added = set(security_context(container).get("capabilities", {}).get("add") or ()) - _CAPABILITIES
        if added:
            bad.append(container["name"])
            forbidden |= added
    if not bad:
        return None
    return Violation("non-default capabilities", f"{named('container', bad)} must not include "
                                                 f"{quoted(sorted(forbidden))} in securityContext.capabilities.add")


def host_namespaces(meta: Obj, spec: Obj) -> Violation | None:
    used = [f"{field}=true" for field in ("hostNetwork", "hostPID", "hostIPC") if spec.get(field)]
    return Violation("host namespaces", ", ".join(used)) if used else None


def host_path_volumes(meta: Obj, spec: Obj) -> Violation | None:
    bad = [volume["name"] for volume in spec.get("volumes") or () if "hostPath" in volume]
    return Violation("hostPath volumes", named("volume", bad)) if bad else None


def host_ports(meta: Obj, spec: Obj) -> Violation | None:
    bad, forbidden = [], set()
    for container in containers(spec):
        used = {str(port["hostPort"]) for port in container.get("ports") or () if port.get("hostPort")}
        if used:
            bad.append(container["name"])
            forbidden |= used
    if not bad:
        return None
    return Violation("hostPort", f"{named('container', bad)} {'uses' if len(bad) == 1 else 'use'} "
                                 f"{plural('hostPort', len(forbidden))} {', '.join(sorted(forbidden))}")


def host_probes(meta: Obj, spec: Obj) -> Violation | None:
    bad, forbidden = set(), set()
    for container in containers(spec):
        hosts = _handler_hosts(container)
        if hosts:
            bad.add(container["name"])
            forbidden |= hosts
    if not bad:
        return None
    return Violation("probe or lifecycle host",
                     f"{named('container', sorted(bad))} {'uses' if len(bad) == 1 else 'use'} "
                     f"{named('probe or lifecycle host', sorted(forbidden))}")


def _handler_hosts(container: Obj) -> set[str]:
    hosts = set()
    for path in _HANDLERS:
        handler = container
        for key in path:
            handler = handler.get(key) or {}
        hosts |= {handler.get(action, {}).get("host", "") for action in ("httpGet", "tcpSocket")}
    return hosts - {""}


def privileged(meta: Obj, spec: Obj) -> Violation | None:
    bad = [container["name"] for container in containers(spec) if security_context(container).get("privileged")]
    if not bad:
        return None
    return Violation("privileged", f"{named('container', bad)} must not set securityContext.privileged=true")


def proc_mount(meta: Obj, spec: Obj) -> Violation | None:
    bad, forbidden = [], set()
    for container in containers(spec):
        kind = security_context(container).get("procMount", "Default")
        if kind != "Default":
            bad.append(container["name"])
            forbidden.add(kind)
    if not bad:
        return None
    return Violation("procMount", f"{named('container', bad)} must not set securityContext.procMount to "
                                  f"{quoted(sorted(forbidden))}")


def unless_in_user_namespace(check: Check) -> Check:
    """A control that pods with ``hostUsers: false`` are free of (KEP-127)."""
    return lambda meta, spec: None if spec.get("hostUsers") is False else check(meta, spec)


def unless_windows(check: Check) -> Check:
    """A control that makes no sense for Windows."""
    return lambda meta, spec: None if spec.get("os", {}).get("name") == "windows" else check(meta, spec)


def sysctls(allowed: Collection[str]) -> Check:
    """Only safe kernel parameters."""

    def check(meta: Obj, spec: Obj) -> Violation | None:
        names = [one["name"] for one in security_context(spec).get("sysctls") or ()]
        bad = [name for name in names if name not in allowed]
        return Violation("forbidden sysctls", ", ".join(bad)) if bad else None

    return check


def windows_host_process(meta: Obj, spec: Obj) -> Violation | None:
    def sets(one: Obj) -> bool:
        return bool(security_context(one).get("windowsOptions", {}).get("hostProcess"))

    who = setters(sets(spec), [container["name"] for container in containers(spec) if sets(container)])
    if not who:
        return None
    return Violation("hostProcess", f"{who} must not set securityContext.windowsOptions.hostProcess=true")
