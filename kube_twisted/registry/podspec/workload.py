"""What the strategies of all kinds with a pod template have in common."""

from __future__ import annotations

import copy
from typing import ClassVar

from kube_twisted.api.names import dns_label
from kube_twisted.registry.podspec.aliases import sync_service_account
from kube_twisted.registry.podspec.defaults import default_template
from kube_twisted.registry.podspec.disabled import drop_disabled_template_fields
from kube_twisted.registry.podspec.warnings import pod_warnings
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

POD_NAMES_WARNING = ("metadata.name: this is used in Pod names and hostnames, which can result in surprising "
                     "behavior; a DNS label is recommended: ")


class WorkloadStrategy(Strategy):
    """A kind whose spec holds a pod template; a subclass says where, and what is more.

    :cvar empty_status: the status of a new object.
    :cvar template_path: where the template is, for warnings.
    :cvar name_in_pods: names of pods begin with the object's name.
    """

    has_generation = True
    reset_fields: tuple[tuple[str, ...], ...] = (("status",),)
    empty_status: ClassVar[Obj] = {}
    template_path = "spec.template"
    name_in_pods = True

    def template(self, obj: Obj) -> Obj:
        """The pod template inside the object; an empty dict when there is none."""
        found: Obj = obj["spec"].get("template") or {}
        return found

    def default(self, obj: Obj) -> None:
        template = self.template(obj)
        if template:
            default_template(template)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = copy.copy(self.empty_status)
        self._prepare_template(obj, {})

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})
        self._prepare_template(obj, self.template(old))

    def _prepare_template(self, obj: Obj, old: Obj) -> None:
        template = self.template(obj)
        drop_disabled_template_fields(template, old)
        if template.get("spec"):
            sync_service_account(template["spec"])

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        messages = dns_label(obj["metadata"].get("name", "")) if self.name_in_pods else []
        warnings = [f"{POD_NAMES_WARNING}[{' '.join(messages)}]"] if messages else []
        return warnings + pod_warnings(self.template(obj), self.template_path)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        if not self.generation_changed(obj, old):
            return []
        return pod_warnings(self.template(obj), self.template_path)
