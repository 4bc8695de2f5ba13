"""Settings as they are shown."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config import ConfigError, load_config
from kube_twisted.config.shown import shown_settings


class ShownTests(SynchronousTestCase):
    def test_every_kind(self) -> None:
        """Every setting is one line of text under its dotted key."""
        shown = shown_settings(load_config(None, {
            "server.corsAllowedOrigins": ["^https://a$"],
            "admission.eventLimits": [{"type": "Server", "qps": 1, "burst": 2}], "runtimeConfig": {"api/all": True}}))
        for key, text in (
                ("dataDirectory", '"data"'), ("server.bindAddress", "0.0.0.0"), ("server.securePort", "6443"),
                ("server.corsAllowedOrigins", '["^https://a$"]'), ("authentication.anonymous", "true"),
                ("admission.eventLimits", '[{"type": "Server", "qps": 1, "burst": 2, "cache_size": 4096}]'),
                ("runtimeConfig", '{"api/all": true}'), ("audit.policyFile", "null")):
            self.assertEqual(shown[key], text)


class TogetherTests(SynchronousTestCase):
    def test_audit_without_policy(self) -> None:
        """Events have a place only with a policy."""
        error = self.assertRaises(ConfigError, load_config, None, {"audit.log.path": "audit.log"})
        self.assertEqual(str(error), "command line: audit.policyFile: is needed: it says what is recorded")

    def test_no_seats(self) -> None:
        """Priority and fairness have something to share out."""
        limits = {"flowControl.maxRequestsInFlight": 0, "flowControl.maxMutatingRequestsInFlight": 0}
        self.assertRaises(ConfigError, load_config, None, limits)
        load_config(None, {**limits, "flowControl.priorityAndFairness": False})
