"""Which converter a definition gets."""

from __future__ import annotations

from typing import Any

from twisted.internet.task import Clock as FakeTime
from twisted.internet.testing import MemoryReactorClock
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.apiextensions.conversion.choosing import Converters
from kube_twisted.apiextensions.conversion.converter import NoneConverter
from kube_twisted.apiextensions.conversion.metrics import ConversionMetrics
from kube_twisted.apiextensions.conversion.webhook import WebhookConverter
from kube_twisted.util.clock import Clock
from kube_twisted.util.https import HTTPSClient
from kube_twisted.webhooks.client import WebhookClient
from kube_twisted.webhooks.target import BadClientConfig
from tests.webhooks.test_service_resolver import Services


class ConvertersTests(SynchronousTestCase):
    def converter(self, conversion: Any) -> Any:
        clock = Clock(FakeTime())
        webhooks = WebhookClient(HTTPSClient(MemoryReactorClock(), clock), Services(), clock)
        spec = {"group": "example.com", "versions": [{"name": "v1"}]}
        if conversion is not None:
            spec["conversion"] = conversion
        return Converters(webhooks, clock, ConversionMetrics()).converter({"metadata": {"name": "x"}, "spec": spec})

    def test_none(self) -> None:
        """Without a word, versions differ in nothing."""
        for conversion in (None, {}, {"strategy": "None"}):
            self.assertIsInstance(self.converter(conversion), NoneConverter)

    def test_webhook(self) -> None:
        """A webhook has an address."""
        webhook: dict[str, Any] = {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://h/"}}
        self.assertIsInstance(self.converter({"strategy": "Webhook", "webhook": webhook}), WebhookConverter)
        webhook["clientConfig"] = {}
        self.assertRaises(BadClientConfig, self.converter, {"strategy": "Webhook", "webhook": webhook})
