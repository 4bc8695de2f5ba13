"""Settings of the admission plugin PodSecurity: kube-apiserver's PodSecurityConfiguration."""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import section, setting

_LEVEL = reading.choice("privileged", "baseline", "restricted")


def _version(value: Any) -> str:
    """``latest`` or a minor version of Kubernetes."""
    if value == "latest" or (isinstance(value, str) and re.fullmatch(r"v1\.(0|[1-9][0-9]*)", value)):
        return str(value)
    raise ValueError("must be latest or a version such as v1.36")


def _names(value: Any) -> tuple[str, ...]:
    """A list of names, each once."""
    names = reading.texts(value)
    if "" in names or len(set(names)) < len(names):
        raise ValueError("must be a list of names, each once")
    return names


@frozen
class PodSecurityDefaults:
    """The section ``admission.podSecurity.defaults``: for namespaces whose labels don't say otherwise."""

    enforce: str = setting("enforce", "privileged", _LEVEL)
    enforce_version: str = setting("enforceVersion", "latest", _version)
    audit: str = setting("audit", "privileged", _LEVEL)
    audit_version: str = setting("auditVersion", "latest", _version)
    warn: str = setting("warn", "privileged", _LEVEL)
    warn_version: str = setting("warnVersion", "latest", _version)


@frozen
class PodSecurityExemptions:
    """The section ``admission.podSecurity.exemptions``: whose pods are not looked at."""

    usernames: tuple[str, ...] = setting("usernames", (), _names)
    """Users who create and change pods, and objects with pod templates."""

    namespaces: tuple[str, ...] = setting("namespaces", (), _names)

    runtime_classes: tuple[str, ...] = setting("runtimeClasses", (), _names)
    """RuntimeClasses that pods name."""


@frozen
class PodSecuritySettings:
    """The section ``admission.podSecurity``."""

    defaults: PodSecurityDefaults = section("defaults", PodSecurityDefaults)
    exemptions: PodSecurityExemptions = section("exemptions", PodSecurityExemptions)
