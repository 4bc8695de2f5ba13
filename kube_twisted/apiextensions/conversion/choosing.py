"""Which conversion a CustomResourceDefinition asks for."""

from __future__ import annotations

from typing import Any

from kube_twisted.apiextensions.conversion.converter import NoneConverter, Versions
from kube_twisted.apiextensions.conversion.metrics import Observer
from kube_twisted.apiextensions.conversion.webhook import WebhookConverter
from kube_twisted.util.clock import Clock
from kube_twisted.webhooks.client import WebhookClient


class Converters:
    """Makes the converters of definitions.

    :param webhooks: calls those that have webhooks.
    :param observer: is told of the calls.
    """

    def __init__(self, webhooks: WebhookClient, clock: Clock, observer: Observer) -> None:
        self._webhooks = webhooks
        self._clock = clock
        self._observer = observer

    def converter(self, definition: dict[str, Any]) -> NoneConverter | WebhookConverter:
        """What ``spec.conversion`` asks for.

        :raises BadClientConfig: when the webhook has no address.
        """
        spec = definition["spec"]
        versions = Versions(spec["group"], (one["name"] for one in spec["versions"]))
        conversion = spec.get("conversion") or {}
        if conversion.get("strategy", "None") != "Webhook":
            return NoneConverter(versions)
        webhook = conversion["webhook"]
        return WebhookConverter(definition["metadata"]["name"], versions, self._webhooks,
                                self._webhooks.target(webhook["clientConfig"]), webhook["conversionReviewVersions"],
                                self._clock, self._observer)
