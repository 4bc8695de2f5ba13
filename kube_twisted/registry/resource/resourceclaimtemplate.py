"""ResourceClaimTemplates: claims to be made for pods, which never change."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid
from kube_twisted.registry import rules
from kube_twisted.registry.podspec.internal import shown
from kube_twisted.registry.resource.claim_spec import default_claim_spec, validate_claim_spec
from kube_twisted.registry.resource.internal_types import RESOURCE_TYPES
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext


class ResourceClaimTemplateStrategy(Strategy):
    """Rules of ``resourceclaimtemplates``."""

    returns_deleted_object = True

    def default(self, obj: Obj) -> None:
        default_claim_spec(obj.get("spec", {}).get("spec", {}))

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec = obj.get("spec", {})
        metadata = spec.get("metadata", {})
        errors = rules.labels("spec.metadata.labels", metadata.get("labels", {}))
        for key in metadata.get("annotations", {}):
            errors += rules.qualified_name("spec.metadata.annotations", key.lower())
        return errors + validate_claim_spec("spec.spec", spec.get("spec", {}))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        new, before = (one.get("spec", {}) for one in (obj, old))
        errors = self.validate(ctx, obj)
        if new != before:
            errors.append(invalid("spec", shown("ResourceClaimTemplateSpec", new, RESOURCE_TYPES), rules.IMMUTABLE))
        return errors


STRATEGY = ResourceClaimTemplateStrategy()
