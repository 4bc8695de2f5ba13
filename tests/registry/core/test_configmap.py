"""ConfigMaps and secrets: keys, sizes, types, and what immutability forbids."""

from __future__ import annotations

import base64

from kube_twisted.registry.core import configmap, secret
from tests.registry.resources import CONTEXT, StrategyTestCase

BAD_KEY = ('data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, \'-\', '
           "'_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
           "'[-._a-zA-Z0-9]+')")


class ConfigMapTests(StrategyTestCase):
    api = "v1/ConfigMap"
    strategy = configmap.STRATEGY

    def test_keys(self) -> None:
        """Keys are file names, and none is in both maps."""
        self.assertEqual(self.errors(data={"a.b_c-D": "1"}), [])
        self.assertEqual(self.errors(data={"a b": "1"}), [BAD_KEY])
        self.assertEqual(self.errors(data={"a": "1"}, binaryData={"a": "eA=="}),
                         ['data[a]: Invalid value: "a": duplicate of key present in binaryData'])

    def test_size(self) -> None:
        """All values together fit in a mebibyte."""
        self.assertEqual(self.errors(data={"a": "x" * (1 << 20)}), [])
        self.assertEqual(self.errors(data={"a": "x" * (1 << 20), "b": "x"}),
                         ["[]: Too long: may not be more than 1048576 bytes"])

    def test_immutable(self) -> None:
        """Once immutable, neither the data nor the mark changes; labels do."""
        old = self.created(data={"a": "1"}, immutable=True)
        self.assertEqual(self.update_errors(old, data={"a": "1"}, immutable=True), [])
        self.assertEqual(self.update_errors(old, data={"a": "2"}, immutable=True),
                         ["data: Forbidden: field is immutable when `immutable` is set"])
        self.assertEqual(self.update_errors(old, data={"a": "1"}),
                         ["immutable: Forbidden: field is immutable when `immutable` is set"])


class SecretTests(StrategyTestCase):
    api = "v1/Secret"
    strategy = secret.STRATEGY

    def test_defaults(self) -> None:
        """A secret is opaque when nothing else is said."""
        self.assertEqual(self.defaulted()["type"], "Opaque")

    def test_string_data(self) -> None:
        """Text moves into the data, encoded, over what is there."""
        made = self.created(data={"a": "eA==", "b": "eQ=="}, stringData={"a": "new"})
        self.assertEqual(made["data"], {"a": base64.b64encode(b"new").decode(), "b": "eQ=="})
        self.assertNotIn("stringData", made)

    def test_types(self) -> None:
        """Known types need their keys."""
        self.assertEqual(self.errors(type="kubernetes.io/basic-auth"),
                         ["data[username]: Required value", "data[password]: Required value"])
        self.assertEqual(self.errors(type="kubernetes.io/ssh-auth"), ["data[ssh-privatekey]: Required value"])
        self.assertEqual(self.errors(type="kubernetes.io/dockerconfigjson"),
                         ["data[.dockerconfigjson]: Required value"])
        self.assertEqual(self.errors(type="kubernetes.io/tls"),
                         ["data[tls.crt]: Required value", "data[tls.key]: Required value"])

    def test_service_account_token(self) -> None:
        """A token secret names its account."""
        self.assertEqual(
            self.errors(type="kubernetes.io/service-account-token"),
            ["metadata.annotations[kubernetes.io/service-account.name]: Required value"])

    def test_type_is_fixed(self) -> None:
        """The type never changes; a write that leaves it out keeps it."""
        old = self.created(type="example.com/a")
        self.assertEqual(self.update_errors(old, type="example.com/b"),
                         ['type: Invalid value: "example.com/b": field is immutable'])
        without = self.created(type="example.com/a")
        without["type"] = ""
        self.strategy.prepare_for_update(CONTEXT, without, old)
        self.assertEqual(without["type"], "example.com/a")

    def test_field_labels(self) -> None:
        """Secrets are selected by type."""
        self.assertEqual(self.strategy.selectable_fields(self.created()), {"type": "Opaque"})
