"""The controls of the level "baseline" about AppArmor, SELinux and seccomp profiles."""

from __future__ import annotations

from collections.abc import Collection

from kube_twisted.admission.podsecurity.baseline import Check
from kube_twisted.admission.podsecurity.wording import (
    Obj,
    Violation,
    containers,
    plural,
    quoted,
    security_context,
    setters,
)
from kube_twisted.api.field import go_quote

_APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
_SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod"
_SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
ALLOWED_TYPES = ("RuntimeDefault", "Localhost")


def app_armor(meta: Obj, spec: Obj) -> Violation | None:
    pod, names, values = forbidden_types(spec, "appArmorProfile")
    who = setters(pod, names)
    annotations = sorted(f"{key}={go_quote(value)}" for key, value in (meta.get("annotations") or {}).items()
                         if key.startswith(_APP_ARMOR) and not _is_allowed_app_armor(value))
    if annotations:
        who = " and ".join(filter(None, (who, plural("annotation", len(annotations)))))
    if not who:
        return None
    bad = sorted(values) + annotations
    return Violation(plural("forbidden AppArmor profile", len(bad)),
                     f"{who} must not set AppArmor profile type to {quoted(bad)}")


def _is_allowed_app_armor(profile: str) -> bool:
    return profile in ("", "runtime/default") or profile.startswith("localhost/")


def forbidden_types(spec: Obj, field: str) -> tuple[bool, list[str], set[str]]:
    """Whether the pod, and which containers, set a profile of a type that isn't allowed, and those types."""
    def bad_type(one: Obj) -> str | None:
        profile = security_context(one).get(field)
        kind: str | None = profile.get("type", "") if profile is not None else None
        return kind if kind not in ALLOWED_TYPES else None

    pod = bad_type(spec)
    found = [(container["name"], kind) for container in containers(spec) if (kind := bad_type(container)) is not None]
    values = {kind for _, kind in found} | ({pod} if pod is not None else set())
    return pod is not None, [name for name, _ in found], values


def seccomp_annotations(meta: Obj, spec: Obj) -> Violation | None:
    """Before 1.19 profiles were annotations."""
    annotations = meta.get("annotations") or {}
    keys = [_SECCOMP_POD, *(_SECCOMP_CONTAINER + container["name"] for container in containers(spec))]
    bad = sorted({f"{key}={go_quote(annotations[key])}" for key in keys
                  if key in annotations and not _is_allowed_seccomp(annotations[key])})
    if not bad:
        return None
    return Violation("seccompProfile", f"forbidden {plural('annotation', len(bad))} {', '.join(bad)}")


def _is_allowed_seccomp(profile: str) -> bool:
    return profile in ("runtime/default", "docker/default") or profile.startswith("localhost/")


def seccomp(meta: Obj, spec: Obj) -> Violation | None:
    pod, names, values = forbidden_types(spec, "seccompProfile")
    who = setters(pod, names)
    if not who:
        return None
    return Violation("seccompProfile",
                     f"{who} must not set securityContext.seccompProfile.type to {quoted(sorted(values))}")


def se_linux(allowed: Collection[str]) -> Check:
    """Only types of containers, and neither user nor role."""

    def check(meta: Obj, spec: Obj) -> Violation | None:
        found: list[Obj] = []

        def sets(one: Obj) -> bool:
            options = security_context(one).get("seLinuxOptions") or {}
            bad = (options.get("type", "") not in ("", *allowed) or bool(options.get("user") or options.get("role")))
            if bad:
                found.append(options)
            return bad

        who = setters(sets(spec), [container["name"] for container in containers(spec) if sets(container)])
        if not who:
            return None
        return Violation("seLinuxOptions",
                         f"{who} set forbidden securityContext.seLinuxOptions: {_options(found, allowed)}")

    return check


def _options(found: list[Obj], allowed: Collection[str]) -> str:
    types = sorted({one.get("type", "") for one in found} - {"", *allowed})
    parts = [f"{plural('type', len(types))} {quoted(types)}"] if types else []
    parts += [f"{key} may not be set" for key in ("user", "role") if any(one.get(key) for one in found)]
    return "; ".join(parts)
