"""CustomResourceDefinition: its defaults, and which checks apply when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.api.field import FieldError, go_quote, invalid
from kube_twisted.api.names import dns_subdomain
from kube_twisted.registry import rules, webhooks
from kube_twisted.registry.apiextensions import approval, formats, literals, names, stored_versions
from kube_twisted.registry.apiextensions.conditions import ESTABLISHED, is_true
from kube_twisted.registry.apiextensions.strictness import Strictness
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext
from kube_twisted.schema.types import Struct

_NAME = 'must be spec.names.plural+"."+spec.group'
_PRESERVE = ("cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
             "spec.versions[*].schema instead")


class CustomResourceDefinitionStrategy(Strategy):
    """The rules of definitions.

    :param meta: the type of metadata; nothing can be validated without it.
    """

    allow_unconditional_update = False
    has_generation = True
    strict_finalizers = False
    reset_fields = (("status",),)

    def __init__(self, meta: Struct | None = None) -> None:
        self._meta = meta

    def for_kind(self, struct: Struct) -> CustomResourceDefinitionStrategy:
        meta = struct.fields["metadata"].type
        assert isinstance(meta, Struct)
        return CustomResourceDefinitionStrategy(meta)

    def default(self, obj: Obj) -> None:
        literals.normalize(obj["spec"])
        _default_names(obj["spec"]["names"])
        conversion = obj["spec"].setdefault("conversion", {"strategy": "None"})
        webhooks.default_service(conversion.get("webhook", {}).get("clientConfig", {}))
        status = obj.setdefault("status", {})
        if not status.get("storedVersions"):
            status["storedVersions"] = stored_versions.storage_version(obj["spec"]) or None

    def name_rule(self, obj: Obj) -> Callable[[str, bool], list[str]]:
        wanted = f'{obj["spec"]["names"].get("plural", "")}.{obj["spec"].get("group", "")}'
        return lambda name, prefix: dns_subdomain(name, prefix) + ([] if name == wanted else [_NAME])

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {
            "conditions": None,
            "acceptedNames": {"plural": "", "kind": ""},
            "storedVersions": stored_versions.storage_version(obj["spec"]) or None,
        }

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return self._validate_spec(obj["spec"]) + _validate_rest(obj, None)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return [_warning(one) for one in formats.unrecognized(obj["spec"])]

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = dict(old.get("status", {}))
        stored = obj["status"].get("storedVersions") or []
        added = [one for one in stored_versions.storage_version(obj["spec"]) if one not in stored]
        if added:
            obj["status"]["storedVersions"] = stored + added

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        established = is_true(old, ESTABLISHED)
        errors = self._validate_spec(obj["spec"], old["spec"], established)
        errors += _validate_identity(obj["spec"], old["spec"], established)
        return errors + _validate_rest(obj, old)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        known = set(formats.unrecognized(old["spec"]))
        return [_warning(one) for one in formats.unrecognized(obj["spec"]) if one not in known]

    def _validate_spec(self, spec: Obj, old: Obj | None = None, established: bool = False) -> list[FieldError]:
        # only servers that have definitions pay for what it takes to check them
        from kube_twisted.registry.apiextensions.ratcheting import strictness_of_change
        from kube_twisted.registry.apiextensions.spec import validate

        assert self._meta is not None, "there is no type of metadata before for_kind"
        strictness = Strictness() if old is None else strictness_of_change(spec, old, established, self._meta)
        return validate(spec, strictness, self._meta)


class CustomResourceDefinitionStatus(StatusStrategy):
    """The controllers' part: conditions and accepted names; metadata may change with it."""

    has_tables = False

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return names.validate("status.acceptedNames", obj.get("status", {}).get("acceptedNames", {}))


def _default_names(given: dict[str, Any]) -> None:
    kind = given.get("kind", "")
    if not given.get("singular") and kind:
        given["singular"] = kind.lower()
    if not given.get("listKind") and kind:
        given["listKind"] = f"{kind}List"


def _warning(name: str) -> str:
    return f"unrecognized format {go_quote(name)}"


def _validate_identity(new: dict[str, Any], old: dict[str, Any], established: bool) -> list[FieldError]:
    """Group and plural never change; scope and kind no more once the resource is served."""
    errors = []
    if established:
        errors += rules.immutable("spec.scope", new.get("scope", ""), old.get("scope", ""))
        errors += rules.immutable("spec.names.kind", new["names"].get("kind"), old["names"].get("kind"))
    errors += rules.immutable("spec.group", new.get("group", ""), old.get("group", ""))
    return errors + rules.immutable("spec.names.plural", new["names"].get("plural"),
                                    old["names"].get("plural"))


def _validate_rest(obj: Obj, old: Obj | None) -> list[FieldError]:
    status = obj.get("status", {})
    errors = names.validate("status.acceptedNames", status.get("acceptedNames", {}))
    errors += stored_versions.validate("status.storedVersions", status.get("storedVersions"),
                                       obj["spec"].get("versions") or [])
    errors += approval.validate(obj, old)
    preserved = old is not None and old["spec"].get("preserveUnknownFields")
    if obj["spec"].get("preserveUnknownFields") and not preserved:
        errors.append(invalid("spec.preserveUnknownFields", True, _PRESERVE))
    return errors


STRATEGY = CustomResourceDefinitionStrategy()
STATUS = CustomResourceDefinitionStatus(STRATEGY)
