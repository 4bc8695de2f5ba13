"""APIServices: who serves a group version, this server or another one behind a service."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, go_quote, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.status import IsolatedStatusStrategy
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext
from kube_twisted.registry.webhooks import default_service

_CONDITION_STATUSES = ("True", "False", "Unknown")


class APIServiceStrategy(Strategy):
    """Rules of ``apiservices``; those that this server serves itself are available at once."""

    allow_unconditional_update = False
    strict_finalizers = False
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        default_service(obj.get("spec", {}))

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return names.path_segment(name, prefix)

    def name_rule(self, obj: Obj) -> Callable[[str, bool], list[str]]:
        spec = obj.get("spec", {})
        expected = f"{spec.get('version', '')}.{spec.get('group', '')}"

        def rule(name: str, prefix: bool) -> list[str]:
            wrong = names.path_segment(name, prefix)
            if wrong or name == expected:
                return wrong
            return [f'must be `spec.version+"."+spec.group`: {go_quote(expected)}']

        return rule

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}
        if "service" not in obj["spec"]:
            obj["status"]["conditions"] = [{
                "type": "Available", "status": "True", "lastTransitionTime": ctx.now, "reason": "Local",
                "message": "Local APIServices are always available"}]

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec = obj.get("spec", {})
        group, version = spec.get("group", ""), spec.get("version", "")
        errors = []
        if not group and version != "v1":
            errors.append(required("spec.group",
                                   "only v1 may have an empty group and it better be legacy kube"))
        if group:
            errors += rules.dns_subdomain("spec.group", group)
        errors += rules.messages("spec.version", version, names.dns1035_label(version))
        errors += _validate_priority("spec.groupPriorityMinimum", spec.get("groupPriorityMinimum", 0), 20000)
        errors += _validate_priority("spec.versionPriority", spec.get("versionPriority", 0), 1000)
        return errors + (_validate_remote(spec) if "service" in spec else _validate_local(spec))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        name = obj["metadata"].get("name", "")
        return rules.messages("metadata.name", name, self.name_rule(obj)(name, False)) + self.validate(ctx, obj)


class APIServiceStatusStrategy(IsolatedStatusStrategy):
    """Rules of ``apiservices/status``."""

    has_tables = False

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return [not_supported(f"status.conditions[{index}].status", one.get("status", ""),
                              _CONDITION_STATUSES)
                for index, one in enumerate(obj.get("status", {}).get("conditions", []))
                if one.get("status") not in _CONDITION_STATUSES]


def _validate_priority(path: str, value: int, below: int) -> list[FieldError]:
    return [] if 0 < value <= below else [invalid(path, value, f"must be positive and less than {below}")]


def _validate_local(spec: dict[str, Any]) -> list[FieldError]:
    errors = []
    if spec.get("caBundle"):
        size = len(base64.b64decode(spec["caBundle"]))
        errors.append(invalid("spec.caBundle", f"{size} bytes", "local APIServices may not have a caBundle"))
    if spec.get("insecureSkipTLSVerify"):
        errors.append(invalid("spec.insecureSkipTLSVerify", True,
                              "local APIServices may not have insecureSkipTLSVerify"))
    return errors


def _validate_remote(spec: dict[str, Any]) -> list[FieldError]:
    service = spec["service"]
    errors = [required(f"spec.service.{field}") for field in ("namespace", "name") if not service.get(field)]
    port = service.get("port", 0)
    wrong = names.port_number(port)
    if wrong:
        errors.append(invalid("spec.service.port", port, f"port is not valid: {', '.join(wrong)}"))
    if spec.get("insecureSkipTLSVerify") and spec.get("caBundle"):
        errors.append(invalid("spec.insecureSkipTLSVerify", True, "may not be true if caBundle is present"))
    return errors


STRATEGY = APIServiceStrategy()
STATUS = APIServiceStatusStrategy(STRATEGY)
