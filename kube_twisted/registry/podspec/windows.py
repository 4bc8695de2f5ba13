"""What only Windows containers may have, and what they may not."""

from __future__ import annotations

import re
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.api.names import dns_subdomain
from kube_twisted.registry.rules import messages

Obj = dict[str, Any]
Errors = list[FieldError]

_SYSTEMS = ("linux", "windows")
_FOR_LINUX = "windows options cannot be set for a linux pod"
_FOR_WINDOWS = "cannot be set for a windows pod"
_LONGEST_SPEC = 64 * 1024
_LONGEST_DOMAIN = 256
_LONGEST_USER = 104
_has_control = re.compile(r"[\x00-\x1f\x7f]").search
_is_netbios = re.compile(r'[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}').fullmatch
_DNS_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_is_domain = re.compile(rf"{_DNS_LABEL}(?:\.{_DNS_LABEL})*").fullmatch
_has_bad_character = re.compile(r'["/\\:;|=,+*?<>@\[\]]').search
_is_dots_and_spaces = re.compile(r"[. ]+").fullmatch

#: (in the pod's spec or in its securityContext, the field)
_POD_FIELDS = (
    (True, "appArmorProfile"), (True, "seLinuxOptions"), (False, "hostUsers"), (False, "hostPID"),
    (False, "hostIPC"), (True, "seccompProfile"), (True, "fsGroup"), (True, "fsGroupChangePolicy"),
    (True, "sysctls"), (False, "shareProcessNamespace"), (True, "runAsUser"), (True, "runAsGroup"),
    (True, "supplementalGroups"), (True, "supplementalGroupsPolicy"), (True, "seLinuxChangePolicy"))
_CONTAINER_FIELDS = ("appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities",
                     "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation", "procMount",
                     "runAsUser", "runAsGroup")


def validate_os(path: str, spec: Obj, containers: list[tuple[str, Obj]]) -> Errors:
    """``os`` of a pod spec, and the fields that do not go with it.

    :param containers: all containers with their paths.
    """
    name = spec["os"].get("name", "")
    if not name:
        return [required(f"{path}.os.name")]
    if name not in _SYSTEMS:
        return [not_supported(f"{path}.os", name, _SYSTEMS)]
    context = spec.get("securityContext") or {}
    if name == "linux":
        places = [(path, context), *((here, one.get("securityContext") or {}) for here, one in containers)]
        return [forbidden(f"{here}.securityContext.windowsOptions", _FOR_LINUX) for here, one in places
                if "windowsOptions" in one]
    errors = [forbidden(f"{path}.securityContext.{field}" if inside else f"{path}.{field}", _FOR_WINDOWS)
              for inside, field in _POD_FIELDS if field in (context if inside else spec)]
    return errors + [forbidden(f"{here}.securityContext.{field}", _FOR_WINDOWS) for here, one in containers
                     for field in _CONTAINER_FIELDS if field in (one.get("securityContext") or {})]


def validate_host_process(path: str, spec: Obj, containers: list[tuple[str, Obj]]) -> Errors:
    """HostProcess containers (KEP-1981): all or none, and in the host's network."""
    of_pod = _host_process(spec)
    errors: Errors = []
    count = 0
    for here, container in containers:
        own = _host_process(container)
        if of_pod is not None and own is not None and of_pod != own:
            errors.append(invalid(f"{here}.securityContext.windowsOptions.hostProcess", own,
                                  "pod hostProcess value must be identical if both are specified, was "
                                  f"{str(of_pod).lower()}"))
        count += bool(of_pod if own is None else own)
    if not count:
        return errors
    if count != len(containers):
        errors.append(invalid(path, "",
                              "If pod contains any hostProcess containers then all containers must be "
                              "HostProcess containers"))
    if not spec.get("hostNetwork"):
        errors.append(invalid(f"{path}.hostNetwork", False,
                              "hostNetwork must be true if pod contains any hostProcess containers"))
    return errors


def _host_process(holder: Obj) -> bool | None:
    context = holder.get("securityContext") or {}
    found: bool | None = (context.get("windowsOptions") or {}).get("hostProcess")
    return found


def validate_windows_options(path: str, options: Obj) -> Errors:
    """``windowsOptions`` of a security context."""
    errors: Errors = []
    name, content, user = (options.get(one) for one in (
        "gmsaCredentialSpecName", "gmsaCredentialSpec", "runAsUserName"))
    if name is not None:
        errors += messages(f"{path}.gmsaCredentialSpecName", name, dns_subdomain(name))
    if content == "":
        errors.append(invalid(f"{path}.gmsaCredentialSpec", content,
                              "gmsaCredentialSpec cannot be an empty string"))
    elif content is not None and len(content.encode()) > _LONGEST_SPEC:
        errors.append(invalid(f"{path}.gmsaCredentialSpec", content,
                              "gmsaCredentialSpec size must be under 64 KiB"))
    if user is not None:
        errors += messages(f"{path}.runAsUserName", user,
                           [f"runAsUserName{text}" for text in _user_name(user)])
    return errors


def _user_name(text: str) -> list[str]:
    if not text:
        return [" cannot be an empty string"]
    if _has_control(text):
        return [" cannot contain control characters"]
    domain, backslash, user = text.rpartition("\\")
    if "\\" in domain:
        return [" cannot contain more than one backslash"]
    checks = (
        (len(domain) >= _LONGEST_DOMAIN, f"'s Domain length must be under {_LONGEST_DOMAIN} characters"),
        (backslash and not _is_netbios(domain) and not _is_domain(domain),
         "'s Domain doesn't match the NetBios nor the DNS format"),
        (not user, "'s User cannot be empty"),
        (len(user) > _LONGEST_USER, f"'s User length must not be longer than {_LONGEST_USER} characters"),
        (_is_dots_and_spaces(user), "'s User cannot contain only periods or spaces"),
        (_has_bad_character(user), '\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]'),
    )
    return [message for wrong, message in checks if wrong]
