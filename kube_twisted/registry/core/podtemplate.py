"""PodTemplates."""

from __future__ import annotations

from kube_twisted.api.field import FieldError
from kube_twisted.registry.podspec.options import TEMPLATE, options_for_update
from kube_twisted.registry.podspec.template import validate_template
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, WriteContext


class PodTemplateStrategy(WorkloadStrategy):
    """Source: the API reference of PodTemplate. There is no spec and no status."""

    returns_deleted_object = True
    reset_fields: tuple[tuple[str, ...], ...] = ()
    template_path = "template"
    name_in_pods = False

    def template(self, obj: Obj) -> Obj:
        found: Obj = obj.get("template") or {}
        return found

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        self._prepare_template(obj, {})

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        self._prepare_template(obj, self.template(old))

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_template("template", self.template(obj), TEMPLATE)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_template("template", self.template(obj), options_for_update(self.template(old)))

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        return self.template(obj) != self.template(old)


STRATEGY = PodTemplateStrategy()
