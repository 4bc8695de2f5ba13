"""The policy of a namespace: which level, at which version, is enforced, audited and warned about.

Source of the rules: the Kubernetes documentation, "Pod Security Admission", labels of namespaces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from kube_twisted.api import field
from kube_twisted.api.field import FieldError

PRIVILEGED, BASELINE, RESTRICTED = "privileged", "baseline", "restricted"
#: From the least to the most restrictive.
_LEVELS = (PRIVILEGED, BASELINE, RESTRICTED)
_PREFIX = "pod-security.kubernetes.io/"
_VERSION = re.compile(r"v1\.(0|[1-9][0-9]*)")
#: Newer than any version.
LATEST = 1 << 31


@frozen
class LevelVersion:
    """A level as it was defined in a minor version of Kubernetes 1."""

    level: str = PRIVILEGED
    minor: int = LATEST

    def __str__(self) -> str:
        return f"{self.level}:latest" if self.minor == LATEST else f"{self.level}:v1.{self.minor}"

    def is_stricter_than(self, other: LevelVersion) -> bool:
        return _LEVELS.index(self.level) > _LEVELS.index(other.level)


@frozen
class Policy:
    """What applies to the pods of a namespace."""

    enforce: LevelVersion = LevelVersion()
    audit: LevelVersion = LevelVersion()
    warn: LevelVersion = LevelVersion()

    @property
    def warns_or_audits(self) -> bool:
        return self.warn.level != PRIVILEGED or self.audit.level != PRIVILEGED

    @property
    def is_privileged(self) -> bool:
        return self.enforce.level == PRIVILEGED and not self.warns_or_audits


_NOTHING = Policy()


def policy_of(labels: Mapping[str, str] | None) -> tuple[Policy, list[FieldError]]:
    """The policy that labels ask for, and what is wrong with them.

    A bad level is enforced as restricted, but neither audited nor warned about; a bad version is the latest.
    Without a level of its own, ``warn`` follows ``enforce``.
    """
    if not labels or not any(key.startswith(_PREFIX) for key in labels):
        return _NOTHING, []
    failures: list[FieldError] = []
    enforce = _read(labels, "enforce", RESTRICTED, failures)
    audit = _read(labels, "audit", PRIVILEGED, failures)
    warn = _read(labels, "warn", PRIVILEGED, failures)
    level = labels.get(_PREFIX + "enforce", "")
    if _PREFIX + "warn" not in labels and level in _LEVELS and enforce.is_stricter_than(warn):
        pinned = _PREFIX + "warn-version" in labels
        warn = LevelVersion(enforce.level, warn.minor if pinned else enforce.minor)
    return Policy(enforce, audit, warn), failures


def _read(labels: Mapping[str, str], mode: str, fallback: str, failures: list[FieldError]) -> LevelVersion:
    level, minor = labels.get(_PREFIX + mode, PRIVILEGED), LATEST
    if level not in _LEVELS:
        failures.append(_invalid(_PREFIX + mode, level, "must be one of " + ", ".join(_LEVELS)))
        level = fallback
    version = labels.get(f"{_PREFIX}{mode}-version", "latest")
    match = _VERSION.fullmatch(version)
    if match is not None:
        minor = int(match[1])
    elif version != "latest":
        failures.append(_invalid(f"{_PREFIX}{mode}-version", version, 'must be "latest" or "v1.x"'))
    return LevelVersion(level, minor)


def _invalid(label: str, value: str, problem: str) -> FieldError:
    return field.invalid(f"metadata.labels[{label}]", value, problem)
