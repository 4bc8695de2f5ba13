"""``spec.conversion``. Paths are those of the internal form, which has no ``webhook`` level."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.api.names import dns1035_label
from kube_twisted.registry import rules, webhooks
from kube_twisted.registry.apiextensions import ca_bundle

#: Versions of ConversionReview that the server speaks.
REVIEW_VERSIONS = ("v1", "v1beta1")
_NOT_WEBHOOK = "should not be set when strategy is not set to Webhook"


def validate(path: str, conversion: dict[str, Any], allow_any_ca: bool) -> list[FieldError]:
    strategy = conversion.get("strategy", "")
    webhook = conversion.get("webhook") or {}
    config, versions = webhook.get("clientConfig"), webhook.get("conversionReviewVersions") or []
    errors = rules.required_one_of(f"{path}.strategy", strategy, ("None", "Webhook"))
    if strategy == "Webhook":
        errors += _validate_config(f"{path}.webhookClientConfig", config, allow_any_ca)
        return errors + _validate_versions(f"{path}.conversionReviewVersions", versions)
    if config is not None:
        errors.append(forbidden(f"{path}.webhookClientConfig", _NOT_WEBHOOK))
    if versions:
        errors.append(forbidden(f"{path}.conversionReviewVersions", _NOT_WEBHOOK))
    return errors


def _validate_config(path: str, config: dict[str, Any] | None, allow_any_ca: bool) -> list[FieldError]:
    if config is None:
        return [required(path, "required when strategy is set to Webhook")]
    errors = webhooks.validate_client_config(path, config)
    if config.get("caBundle") and not allow_any_ca:
        errors += ca_bundle.validate(f"{path}.caBundle", config["caBundle"])
    return errors


def _validate_versions(path: str, versions: list[str]) -> list[FieldError]:
    if not versions:
        return [required(path)]
    errors = []
    for index, version in enumerate(versions):
        if version in versions[:index]:
            errors.append(invalid(f"{path}[{index}]", version, "duplicate version"))
        else:
            errors += rules.messages(f"{path}[{index}]", version, dns1035_label(version))
    if not set(versions) & set(REVIEW_VERSIONS):
        errors.append(invalid(path, versions, f"must include at least one of {', '.join(REVIEW_VERSIONS)}"))
    return errors
