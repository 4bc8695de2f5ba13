"""ValidatingWebhookConfigurations."""

from __future__ import annotations

from kube_twisted.registry.admissionregistration.webhooks import WebhookConfigurationStrategy

STRATEGY = WebhookConfigurationStrategy()
