"""Namespaces and objects that webhooks select, in a server."""

from __future__ import annotations

import orjson

from tests.admission.webhooks.hooks import HookTestCase, deny
from tests.inprocess import CONFIG_MAPS

ANY = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}
NODES = "/api/v1/nodes"


class ObjectSelectorTests(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.config_map("marked", {"mark": "yes"})
        self.config_map("plain")
        self.validating("no", deny, objectSelector={"matchLabels": {"mark": "yes"}})

    def asked(self) -> bool:
        asked, self.hooks.requests = bool(self.hooks.requests), []
        return asked

    def test_creation(self) -> None:
        """A new object is looked at."""
        self.config_map("other", {"mark": "no"})
        self.assertFalse(self.asked())
        self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x", "labels": {"mark": "yes"}}})
        self.assertTrue(self.asked())

    def test_change(self) -> None:
        """It is enough that the object was selected before, or is after."""
        for name, labels, expected in (("marked", {"mark": None}, True), ("plain", {"mark": "yes"}, True),
                                       ("plain", {"mark": "no"}, False)):
            answer = self.send("PATCH", f"{CONFIG_MAPS}/{name}", orjson.dumps({"metadata": {"labels": labels}}),
                               content_type="application/merge-patch+json")
            self.assertEqual(answer.code, 400 if expected else 200, (name, labels))
            self.assertIs(self.asked(), expected)

    def test_deletion(self) -> None:
        """An object that goes is looked at as it is."""
        self.ask("DELETE", f"{CONFIG_MAPS}/plain")
        self.refused("DELETE", f"{CONFIG_MAPS}/marked")


class NamespaceSelectorTests(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        for name, labels in (("in", {"mark": "yes"}), ("out", {})):
            self.namespace(name, labels)

    def namespace(self, name: str, labels: dict[str, str]) -> None:
        self.ask("POST", "/api/v1/namespaces", {"metadata": {"name": name, "labels": labels}})

    def selecting(self) -> None:
        self.validating("no", deny, rules=[ANY], namespaceSelector={"matchLabels": {"mark": "yes"}})

    def test_namespaces(self) -> None:
        """What is in a selected namespace is asked about."""
        self.selecting()
        self.ask("POST", "/api/v1/namespaces/out/configmaps", {"metadata": {"name": "x"}})
        self.refused("POST", "/api/v1/namespaces/in/configmaps", {"metadata": {"name": "x"}})

    def test_cluster_scoped(self) -> None:
        """What is in no namespace is always asked about."""
        self.selecting()
        self.refused("POST", NODES, {"metadata": {"name": "n"}})

    def test_namespaces_themselves(self) -> None:
        """A namespace is selected by the labels that it is to have; one that goes by those it has."""
        self.selecting()
        self.namespace("more", {})
        self.refused("POST", "/api/v1/namespaces", {"metadata": {"name": "new", "labels": {"mark": "yes"}}})
        self.refused("PATCH", "/api/v1/namespaces/out", {"metadata": {"labels": {"mark": "yes"}}},
                     "application/merge-patch+json")
        self.merge("/api/v1/namespaces/in", {"metadata": {"labels": {"mark": "no"}}})
        self.ask("DELETE", "/api/v1/namespaces/in")
        self.namespace("later", {})

    def test_missing(self) -> None:
        """A namespace that isn't there has no labels to go by."""
        self.selecting()
        error = self.refused("POST", "/apis/authorization.k8s.io/v1/namespaces/gone/localsubjectaccessreviews", {
            "spec": {"user": "u", "resourceAttributes": {"namespace": "gone", "verb": "get", "resource": "pods"}}})
        self.assertEqual((error.code, error.message), (404, 'namespaces "gone" not found'))
