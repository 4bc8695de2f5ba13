"""``spec.conversion``. Paths are those of the internal form, which has no ``webhook`` level."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.api.names import dns1035_label
from kube_twisted.registry import rules, webhooks
from kube_twisted.registry.apiextensions import ca_bundle
from kube_twisted.registry.apiextensions.strictness import Strictness

#: Versions of ConversionReview that the server speaks.
REVIEW_VERSIONS = ("v1", "v1beta1")
_NOT_WEBHOOK = "should not be set when strategy is not set to Webhook"


def has_known_review(conversion: dict[str, Any]) -> bool:
    """Whether the webhook speaks a version that the server speaks, or none is said."""
    versions = (conversion.get("webhook") or {}).get("conversionReviewVersions")
    return not versions or bool(set(versions) & set(REVIEW_VERSIONS))


def validate(path: str, conversion: dict[str, Any], strictness: Strictness) -> list[FieldError]:
    strategy = conversion.get("strategy", "")
    webhook = conversion.get("webhook") or {}
    config, versions = webhook.get("clientConfig"), webhook.get("conversionReviewVersions") or []
    errors = rules.required_one_of(f"{path}.strategy", strategy, ("None", "Webhook"))
    if strategy == "Webhook":
        errors += _validate_config(f"{path}.webhookClientConfig", config, strictness.valid_ca)
        return errors + _validate_versions(f"{path}.conversionReviewVersions", versions, strictness.known_reviews)
    if config is not None:
        errors.append(forbidden(f"{path}.webhookClientConfig", _NOT_WEBHOOK))
    if versions:
        errors.append(forbidden(f"{path}.conversionReviewVersions", _NOT_WEBHOOK))
    return errors


def _validate_config(path: str, config: dict[str, Any] | None, valid_ca: bool) -> list[FieldError]:
    if config is None:
        return [required(path, "required when strategy is set to Webhook")]
    errors = webhooks.validate_client_config(path, config)
    if config.get("caBundle") and valid_ca:
        errors += ca_bundle.validate(f"{path}.caBundle", config["caBundle"])
    return errors


def _validate_versions(path: str, versions: list[str], known: bool) -> list[FieldError]:
    if not versions:
        return [required(path)]
    errors = []
    for index, version in enumerate(versions):
        if version in versions[:index]:
            errors.append(invalid(f"{path}[{index}]", version, "duplicate version"))
        else:
            errors += rules.messages(f"{path}[{index}]", version, dns1035_label(version))
    if known and not set(versions) & set(REVIEW_VERSIONS):
        errors.append(invalid(path, versions, f"must include at least one of {', '.join(REVIEW_VERSIONS)}"))
    return errors
