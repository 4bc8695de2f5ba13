"""RoleBindings, and the rules that they share with ClusterRoleBindings: known subjects, a role that stays."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

GROUP = "rbac.authorization.k8s.io"
_SUBJECT_KINDS = ("ServiceAccount", "User", "Group")


class RoleBindingStrategy(Strategy):
    """Rules of ``rolebindings``."""

    allow_create_on_update = True
    #: What may be bound, and whether a service account's namespace can be left out.
    role_kinds: tuple[str, ...] = ("Role", "ClusterRole")
    namespaced = True

    def default(self, obj: Obj) -> None:
        reference = obj.setdefault("roleRef", {})
        if not reference.get("apiGroup"):
            reference["apiGroup"] = GROUP
        for subject in obj.get("subjects", []):
            if not subject.get("apiGroup") and subject.get("kind") in ("User", "Group"):
                subject["apiGroup"] = GROUP

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return names.path_segment(name, prefix)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        reference = obj.get("roleRef", {})
        errors = rules.one_of("roleRef.apiGroup", reference.get("apiGroup", ""), (GROUP,))
        errors += rules.one_of("roleRef.kind", reference.get("kind", ""), self.role_kinds)
        name = reference.get("name", "")
        errors += rules.path_segment("roleRef.name", name) if name else [required("roleRef.name")]
        for index, subject in enumerate(obj.get("subjects", [])):
            errors += _validate_subject(f"subjects[{index}]", subject, self.namespaced)
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors, reference = self.validate(ctx, obj), obj.get("roleRef", {})
        if reference != old.get("roleRef", {}):
            shown = {name: reference.get(field, "")
                     for name, field in (("APIGroup", "apiGroup"), ("Kind", "kind"), ("Name", "name"))}
            errors.append(invalid("roleRef", shown, "cannot change roleRef"))
        return errors


def _validate_subject(path: str, subject: dict[str, Any], namespaced: bool) -> list[FieldError]:
    kind, name, group = (subject.get(field, "") for field in ("kind", "name", "apiGroup"))
    errors = [] if name else [required(f"{path}.name")]
    if kind == "ServiceAccount":
        if name:
            errors += rules.dns_subdomain(f"{path}.name", name)
        errors += rules.one_of(f"{path}.apiGroup", group, ("",))
        if not namespaced and not subject.get("namespace"):
            errors.append(required(f"{path}.namespace"))
    elif kind in _SUBJECT_KINDS:
        errors += rules.one_of(f"{path}.apiGroup", group, (GROUP,))
    else:
        errors.append(not_supported(f"{path}.kind", kind, _SUBJECT_KINDS))
    return errors


STRATEGY = RoleBindingStrategy()
