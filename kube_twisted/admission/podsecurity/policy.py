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
LABEL_PREFIX = "pod-security.kubernetes.io/"
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

    def is_equivalent_to(self, other: LevelVersion) -> bool:
        """Whether both mean the same: the version of ``privileged`` doesn't matter."""
        return self == other or self.level == other.level == PRIVILEGED

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

    def is_equivalent_to(self, other: Policy) -> bool:
        return (self.enforce.is_equivalent_to(other.enforce) and self.audit.is_equivalent_to(other.audit)
                and self.warn.is_equivalent_to(other.warn))


_NOTHING = Policy()


def minor_of(version: str) -> int:
    """The minor version of ``v1.x``; ``latest`` is newer than any.

    :raises ValueError: for anything else.
    """
    match = _VERSION.fullmatch(version)
    if match is None and version != "latest":
        raise ValueError('must be "latest" or "v1.x"')
    return int(match[1]) if match is not None else LATEST


def policy_of(labels: Mapping[str, str] | None, defaults: Policy = _NOTHING) -> tuple[Policy, list[FieldError]]:
    """The policy that labels ask for, and what is wrong with them.

    A bad level is enforced as restricted, but neither audited nor warned about; a bad version is the latest.
    Without a level of its own, ``warn`` follows an ``enforce`` that is stricter.

    :param defaults: what applies where the labels say nothing.
    """
    if not labels or not any(key.startswith(LABEL_PREFIX) for key in labels):
        return defaults, []
    failures: list[FieldError] = []
    enforce = _read(labels, "enforce", defaults.enforce, RESTRICTED, failures)
    audit = _read(labels, "audit", defaults.audit, PRIVILEGED, failures)
    warn = _read(labels, "warn", defaults.warn, PRIVILEGED, failures)
    level = labels.get(LABEL_PREFIX + "enforce", "")
    if LABEL_PREFIX + "warn" not in labels and level in _LEVELS and enforce.is_stricter_than(warn):
        pinned = LABEL_PREFIX + "warn-version" in labels
        warn = LevelVersion(enforce.level, warn.minor if pinned else enforce.minor)
    return Policy(enforce, audit, warn), failures


def _read(labels: Mapping[str, str], mode: str, default: LevelVersion, fallback: str,
          failures: list[FieldError]) -> LevelVersion:
    level, minor = labels.get(LABEL_PREFIX + mode, default.level), default.minor
    if level not in _LEVELS:
        failures.append(_invalid(LABEL_PREFIX + mode, level, "must be one of " + ", ".join(_LEVELS)))
        level = fallback
    version = labels.get(f"{LABEL_PREFIX}{mode}-version")
    if version is not None:
        try:
            minor = minor_of(version)
        except ValueError as error:
            minor = LATEST
            failures.append(_invalid(f"{LABEL_PREFIX}{mode}-version", version, str(error)))
    return LevelVersion(level, minor)


def _invalid(label: str, value: str, problem: str) -> FieldError:
    return field.invalid(f"metadata.labels[{label}]", value, problem)
