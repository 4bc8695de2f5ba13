"""MutatingWebhookConfigurations, whose webhooks can be called again."""

from __future__ import annotations

from kube_twisted.registry.admissionregistration.webhooks import WebhookConfigurationStrategy
from kube_twisted.registry.strategy import Obj


class MutatingWebhookConfigurationStrategy(WebhookConfigurationStrategy):
    """Rules of ``mutatingwebhookconfigurations``."""

    def default(self, obj: Obj) -> None:
        super().default(obj)
        for hook in obj.get("webhooks", []):
            hook.setdefault("reinvocationPolicy", "Never")


STRATEGY = MutatingWebhookConfigurationStrategy()
