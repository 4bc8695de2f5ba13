"""Security contexts of pods and containers."""

from __future__ import annotations

import re
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
from kube_twisted.api.names import range_error
from kube_twisted.registry.podspec.internal import shown
from kube_twisted.registry.podspec.paths import descending
from kube_twisted.registry.podspec.windows import validate_windows_options
from kube_twisted.registry.rules import one_of

Obj = dict[str, Any]
Errors = list[FieldError]

_LARGEST_ID = 2**31 - 1
_ID_RANGE = range_error(0, _LARGEST_ID)
_PROFILES = ("Localhost", "RuntimeDefault", "Unconfined")
_LONGEST_PATH = 4095
_SYSCTL_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SYSCTL = rf"({_SYSCTL_SEGMENT}[\./])*{_SYSCTL_SEGMENT}"
_is_sysctl = re.compile(_SYSCTL).fullmatch
_LONGEST_SYSCTL = 253
_IPC_SYSCTLS = frozenset({
    "kernel.sem", "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced", "kernel.shm",
    "kernel.msgmax", "kernel.msgmnb", "kernel.msgmni", "kernel.msg"})


def validate_security_context(path: str, context: Obj, host_users: bool) -> Errors:
    """The ``securityContext`` of a container.

    :param host_users: the pod has no user namespace of its own.
    """
    errors: Errors = []
    if not context:
        return errors
    for name in ("runAsUser", "runAsGroup"):
        errors += _identifier(f"{path}.{name}", context.get(name))
    proc = context.get("procMount")
    if proc is not None:
        errors += one_of(f"{path}.procMount", proc, ("Default", "Unmasked"))
        if host_users and proc == "Unmasked":
            errors.append(invalid(f"{path}.procMount", proc, "`hostUsers` must be false to use `Unmasked`"))
    errors += _seccomp(f"{path}.seccompProfile", context.get("seccompProfile"))
    if context.get("allowPrivilegeEscalation") is False:
        errors += _escalation(path, context)
    if "windowsOptions" in context:
        errors += validate_windows_options(f"{path}.windowsOptions", context["windowsOptions"])
    return errors + validate_apparmor(f"{path}.appArmorProfile", context.get("appArmorProfile"))


def _escalation(path: str, context: Obj) -> Errors:
    errors: Errors = []
    if context.get("privileged"):
        errors.append(invalid(path, shown("SecurityContext", context),
                              "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"))
    if "CAP_SYS_ADMIN" in ((context.get("capabilities") or {}).get("add") or ()):
        errors.append(invalid(path, shown("SecurityContext", context),
                              "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` "
                              "CAP_SYS_ADMIN"))
    return errors


def validate_pod_security_context(path: str, spec: Obj, host_sysctls: bool,
                                  any_selinux_change: bool = False) -> Errors:
    """The ``securityContext`` of a pod.

    :param host_sysctls: sysctls may be of namespaces shared with the host, since the stored ones are.
    :param any_selinux_change: the stored one has a policy about SELinux labels already, so any will do.
    """
    context = spec["securityContext"]
    errors: Errors = []
    for name in ("fsGroup", "runAsUser", "runAsGroup"):
        errors += _identifier(f"{path}.{name}", context.get(name))
    for index, group in enumerate(context.get("supplementalGroups") or ()):
        errors += _identifier(f"{path}.supplementalGroups[{index}]", group)
    if spec.get("shareProcessNamespace") and spec.get("hostPID"):
        errors.append(invalid(f"{path}.shareProcessNamespace", True,
                              "ShareProcessNamespace and HostPID cannot both be enabled"))
    if context.get("sysctls"):
        errors += _sysctls(f"{path}.sysctls", spec, context["sysctls"], host_sysctls)
    errors += _choice(path, context, "fsGroupChangePolicy", ("Always", "OnRootMismatch"))
    errors += _seccomp(f"{path}.seccompProfile", context.get("seccompProfile"))
    if "windowsOptions" in context:
        errors += validate_windows_options(f"{path}.windowsOptions", context["windowsOptions"])
    errors += validate_apparmor(f"{path}.appArmorProfile", context.get("appArmorProfile"))
    errors += _choice(path, context, "supplementalGroupsPolicy", ("Merge", "Strict"))
    changes = ("MountOption", "Recursive") if any_selinux_change else ("Recursive",)
    return errors + _choice(path, context, "seLinuxChangePolicy", changes)


def _choice(path: str, context: Obj, name: str, values: tuple[str, ...]) -> Errors:
    return one_of(f"{path}.{name}", context[name], values) if name in context else []


def _identifier(path: str, number: int | None) -> Errors:
    return [] if number is None or 0 <= number <= _LARGEST_ID else [invalid(path, number, _ID_RANGE)]


def _sysctls(path: str, spec: Obj, sysctls: list[Obj], host_sysctls: bool) -> Errors:
    errors: Errors = []
    seen: set[str] = set()
    for index, sysctl in enumerate(sysctls):
        here, name = f"{path}[{index}].name", sysctl.get("name", "")
        if not name:
            errors.append(required(here))
        elif len(name) > _LONGEST_SYSCTL or not _is_sysctl(name):
            errors.append(invalid(here, name,
                                  f"must have at most {_LONGEST_SYSCTL} characters and match regex "
                                  f"^{_SYSCTL}$"))
        elif name in seen:
            errors.append(duplicate(here, name))
        if not host_sysctls:
            errors += _host_sysctl(here, name, spec)
        seen.add(name)
    return errors


def _host_sysctl(path: str, name: str, spec: Obj) -> Errors:
    first = re.search(r"[./]", name)
    dotted = name.replace("/", ".") if first is None or first[0] == "." else name.translate(
        str.maketrans("./", "/."))
    if spec.get("hostNetwork") and dotted.startswith("net."):
        return [invalid(path, name, "may not be specified when 'hostNetwork' is true")]
    if spec.get("hostIPC") and (dotted in _IPC_SYSCTLS or dotted.startswith("fs.mqueue.")):
        return [invalid(path, name, "may not be specified when 'hostIPC' is true")]
    return []


def _profile_type(path: str, kind: str, name: str) -> Errors:
    if not kind:
        return [required(path, f"type is required when {name} is set")]
    return [] if kind in _PROFILES else [not_supported(path, kind, _PROFILES)]


def _seccomp(path: str, profile: Obj | None) -> Errors:
    if profile is None:
        return []
    kind, local = profile.get("type", ""), profile.get("localhostProfile")
    errors = _profile_type(f"{path}.type", kind, "seccompProfile")
    if kind == "Localhost":
        if local is None:
            return [*errors,
                    required(f"{path}.localhostProfile", "must be set when seccomp type is Localhost")]
        return errors + descending(f"{path}.localhostProfile", local)
    if local is not None:
        errors.append(invalid(f"{path}.localhostProfile", shown("SeccompProfile", profile),
                              "can only be set when seccomp type is Localhost"))
    return errors


def validate_apparmor(path: str, profile: Obj | None) -> Errors:
    """An ``appArmorProfile``."""
    if profile is None:
        return []
    kind, local = profile.get("type", ""), profile.get("localhostProfile")
    if kind == "Localhost":
        return _local_apparmor(f"{path}.localhostProfile", local)
    if kind in ("RuntimeDefault", "Unconfined"):
        return [] if local is None else [
            invalid(f"{path}.localhostProfile", local, "can only be set when AppArmor type is Localhost")]
    return _profile_type(f"{path}.type", kind, "appArmorProfile")


def _local_apparmor(path: str, local: str | None) -> Errors:
    if local is None:
        return [required(path, "must be set when AppArmor type is Localhost")]
    errors: Errors = []
    if local != local.strip():
        errors.append(invalid(path, local, "must not be padded with whitespace"))
    elif not local:
        errors.append(required(path, "must be set when AppArmor type is Localhost"))
    if len(local) > _LONGEST_PATH:
        errors.append(too_long(path, _LONGEST_PATH))
    return errors


def validate_host_users(path: str, spec: Obj, containers: list[tuple[str, Obj]], allow_host_network: bool,
                        allow_devices: bool) -> Errors:
    """A pod in a user namespace of its own (KEP-127) may not share the host's other namespaces."""
    if spec.get("hostUsers") is not False:
        return []
    errors: Errors = []
    if spec.get("hostNetwork") and not allow_host_network:
        errors.append(forbidden(f"{path}.hostNetwork", "when `hostUsers` is false"))
    for name in ("hostPID", "hostIPC"):
        if spec.get(name):
            errors.append(forbidden(f"{path}.H{name[1:]}", "when `hostUsers` is false"))
    if not allow_devices:
        errors += [forbidden(f"{here}.volumeDevices", "when `hostUsers` is false")
                   for here, one in containers if one.get("volumeDevices")]
    return errors
