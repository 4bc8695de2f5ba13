"""Secrets: ``stringData`` folded into ``data``, what each type must hold, an immutable type."""

from __future__ import annotations

import base64

from kube_twisted.api.field import FieldError, invalid, required, too_long
from kube_twisted.registry import rules
from kube_twisted.registry.core.configmap import MAX_SIZE, decoded_size, frozen_fields
from kube_twisted.registry.core.go_json import go_json_error
from kube_twisted.registry.core.keypair import tls_warning
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

SERVICE_ACCOUNT_TOKEN = "kubernetes.io/service-account-token"
SERVICE_ACCOUNT_NAME = "kubernetes.io/service-account.name"

#: type -> keys that must all be there
_REQUIRED_KEYS = {
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
}
_DOCKER_CONFIGS = ("kubernetes.io/dockercfg", "kubernetes.io/dockerconfigjson")


class SecretStrategy(Strategy):
    """Rules of ``secrets``."""

    field_labels = frozenset({"type"})

    def default(self, obj: Obj) -> None:
        texts = obj.pop("stringData", None)
        if texts:
            encoded = {key: base64.b64encode(text.encode()).decode() for key, text in texts.items()}
            obj["data"] = {**obj.get("data", {}), **encoded}
        obj.setdefault("type", "Opaque")

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        if not obj.get("type") and old.get("type"):
            obj["type"] = old["type"]

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        data = obj.get("data", {})
        errors = []
        for key in sorted(data):
            errors += rules.config_key(f"data[{key}]", key)
        if decoded_size(data) > MAX_SIZE:
            errors.append(too_long("data", MAX_SIZE))
        return errors + _validate_type(obj, data)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = rules.immutable("type", obj.get("type", ""), old.get("type", ""))
        return errors + frozen_fields(obj, old, ("data",)) + self.validate(ctx, obj)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        if obj.get("type") != "kubernetes.io/tls":
            return []
        data = obj.get("data", {})
        warning = tls_warning(*(base64.b64decode(data.get(key) or "") for key in ("tls.crt", "tls.key")))
        return [warning] if warning else []

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return {"type": obj.get("type", "")}


def _validate_type(obj: Obj, data: dict[str, str | None]) -> list[FieldError]:
    kind = obj.get("type", "")
    if kind == SERVICE_ACCOUNT_TOKEN:
        named = obj.get("metadata", {}).get("annotations", {}).get(SERVICE_ACCOUNT_NAME)
        return [] if named else [required(f"metadata.annotations[{SERVICE_ACCOUNT_NAME}]")]
    if kind == "kubernetes.io/basic-auth" and not {"username", "password"} & data.keys():
        return [required("data[username]"), required("data[password]")]
    if kind == "kubernetes.io/ssh-auth" and not data.get("ssh-privatekey"):
        return [required("data[ssh-privatekey]")]
    errors = [required(f"data[{key}]") for key in _REQUIRED_KEYS.get(kind, ()) if key not in data]
    if kind in _DOCKER_CONFIGS and not errors:
        errors = _validate_docker_config(_REQUIRED_KEYS[kind][0], data)
    return errors


def _validate_docker_config(key: str, data: dict[str, str | None]) -> list[FieldError]:
    problem = go_json_error(base64.b64decode(data[key] or ""))
    return [invalid(f"data[{key}]", "<secret contents redacted>", problem)] if problem else []


STRATEGY = SecretStrategy()
