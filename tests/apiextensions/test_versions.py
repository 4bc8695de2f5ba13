"""Custom resources in several versions that have the same fields: conversion ``None``."""

from __future__ import annotations

from typing import Any

from tests.apiextensions.widgets import API, APPLY, WIDGET_CRD, WIDGETS, CustomCase, obj, text, version, widget

V1, V2 = WIDGETS, WIDGETS.replace("/v1/", "/v2/")
COLOR = obj(spec=obj(color=text(), shape=text()))
SHAPE = obj(spec=obj(color=text(), shape=text(default="round")))


def versions(storage: str = "v1", **served: bool) -> list[dict[str, Any]]:
    return [version(name, schema, storage=name == storage, served=served.get(name, True))
            for name, schema in (("v1", COLOR), ("v2", SHAPE))]


class VersionsTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        self.define(*versions())

    def switch(self, storage: str) -> None:
        self.redefine(*versions(storage))

    def stored_in(self, name: str = "a") -> str:
        """The version in which an object is stored."""
        store = self.cluster.server.backend.store
        entry = self.cluster.result(store.get(f"/registry/example.com/widgets/default/{name}"))
        return entry.value.partition(b'"apiVersion":"')[2].partition(b'"')[0].decode()

    def test_read(self) -> None:
        """Each version shows all objects as its own, whichever they are stored in; conversion sets no defaults."""
        made = self.widget(spec={"color": "red"})
        self.ask("POST", V2, widget("b", api_version="example.com/v2"))
        for path, group_version in ((V1, "example.com/v1"), (V2, "example.com/v2")):
            listed = self.ask("GET", path)
            self.assertEqual(listed["apiVersion"], group_version)
            self.assertEqual([one["apiVersion"] for one in listed["items"]], [group_version] * 2)
            self.assertEqual(self.ask("GET", f"{path}/a"), {**made, "apiVersion": group_version})

    def test_watch(self) -> None:
        """So do watches."""
        watches = [self.watch(path) for path in (V1, V2)]
        self.widget(spec={"color": "red"})
        self.merge(f"{V2}/a", {"spec": {"color": "blue"}})
        self.ask("DELETE", f"{V1}/a")
        for watching, group_version in zip(watches, ("example.com/v1", "example.com/v2"), strict=True):
            self.assertEqual([(one["type"], one["object"]["apiVersion"], one["object"]["spec"].get("color"))
                              for one in watching.take()], [
                ("ADDED", group_version, "red"), ("MODIFIED", group_version, "blue"),
                ("DELETED", group_version, "blue")])

    def test_write(self) -> None:
        """What is sent in any version is defaulted there, and stored in the storage version."""
        made = self.ask("POST", V2, widget(api_version="example.com/v2", spec={"color": "red"}))
        self.assertEqual((made["apiVersion"], made["spec"]), ("example.com/v2", {"color": "red", "shape": "round"}))
        self.assertEqual(self.stored_in(), "example.com/v1")
        changed = self.ask("PUT", f"{V2}/a", {**made, "spec": {"color": "blue", "shape": "flat"}})
        self.assertEqual((changed["apiVersion"], self.stored_in()), ("example.com/v2", "example.com/v1"))
        self.assertEqual(changed["metadata"]["generation"], 2)
        self.assertEqual(self.ask("DELETE", f"{V2}/a")["status"], "Success")

    def test_no_change(self) -> None:
        """Writing what was read changes nothing, in any version."""
        self.widget(spec={"color": "red", "shape": "flat"})
        for path in (V1, V2):
            found = self.ask("GET", f"{path}/a")
            self.assertEqual(self.ask("PUT", f"{path}/a", found), found)

    def test_switch(self) -> None:
        """Objects stay stored in the old version until they are written; all are shown in both."""
        self.widget("a", spec={"color": "red"})
        self.switch("v2")
        self.assertEqual(self.ask("GET", WIDGET_CRD)["status"]["storedVersions"], ["v1", "v2"])
        self.widget("b", spec={"color": "blue"})
        self.assertEqual([self.stored_in(name) for name in "ab"], ["example.com/v1", "example.com/v2"])
        for path in (V1, V2):
            self.assertEqual([one["spec"]["color"] for one in self.ask("GET", path)["items"]], ["red", "blue"])
            self.assertEqual([one["object"]["apiVersion"] for one in self.watch(path).take()],
                             [self.ask("GET", path)["apiVersion"]] * 2)

    def test_migration(self) -> None:
        """Writing an object unchanged stores it in the new version; then the old one can go."""
        self.widget("a", spec={"color": "red"})
        self.switch("v2")
        before = self.ask("GET", f"{V1}/a")
        after = self.ask("PUT", f"{V1}/a", before)
        self.assertEqual(self.stored_in(), "example.com/v2")
        self.assertNotEqual(after["metadata"]["resourceVersion"], before["metadata"]["resourceVersion"])
        self.assertEqual(after["metadata"]["generation"], before["metadata"]["generation"])
        self.assertEqual(self.ask("PUT", f"{V1}/a", after), after)
        error = self.refused("PATCH", WIDGET_CRD, {"spec": {"versions": versions("v2")[1:]}},
                             "application/merge-patch+json")
        self.assertIn("status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions", error.message)
        self.merge(f"{WIDGET_CRD}/status", {"status": {"storedVersions": ["v2"]}})
        self.redefine(*versions("v2")[1:])
        self.assertEqual(self.ask("GET", f"{V2}/a")["spec"], {"color": "red", "shape": "round"})
        self.assertTrue(self.missing(f"{V1}/a"))

    def test_unserved(self) -> None:
        """A version that is not served any more is 404, and not in discovery; others go on."""
        self.widget()
        watches = [self.watch(path) for path in (V1, V2)]
        self.redefine(*versions(v1=False))
        self.assertEqual([one.ended for one in watches], [True, True])
        self.assertTrue(self.missing(V1))
        self.assertTrue(self.missing(f"{API}/v1"))
        self.assertEqual(self.ask("GET", API)["versions"], [{"groupVersion": "example.com/v2", "version": "v2"}])
        self.assertEqual(self.ask("GET", f"{V2}/a")["apiVersion"], "example.com/v2")
        self.ask("POST", V2, widget("b", api_version="example.com/v2"))
        self.assertEqual(self.stored_in("b"), "example.com/v1")

    def test_owners(self) -> None:
        """Managers own fields in the version that they wrote; forcing takes them in another one."""
        self.ask("PATCH", f"{V1}/a?fieldManager=one", widget(spec={"color": "red"}), APPLY)
        sent = widget(api_version="example.com/v2", spec={"color": "blue"})
        error = self.refused("PATCH", f"{V2}/a?fieldManager=two", sent, APPLY)
        self.assertIn('conflict with "one": .spec.color', error.message)
        self.ask("PATCH", f"{V2}/a?fieldManager=two&force=true", sent, APPLY)
        owners = self.ask("GET", f"{V1}/a")["metadata"]["managedFields"]
        self.assertEqual([(one["manager"], one["apiVersion"], one["fieldsV1"]) for one in owners], [
            ("two", "example.com/v2", {"f:spec": {"f:color": {}}})])

    def test_deprecated(self) -> None:
        """Answers of a deprecated version carry a warning."""
        first, second = versions()
        self.redefine({**first, "deprecated": True}, second)
        self.assertEqual(self.send("GET", V1).warnings,
                         ["example.com/v1 Widget is deprecated; use example.com/v2 Widget"])
        self.assertEqual(self.send("GET", V2).warnings, [])
        self.redefine({**first, "deprecated": True, "deprecationWarning": "go away"}, second)
        self.assertEqual(self.send("GET", f"{V1}/a").warnings, ["go away"])

    def test_apply_over_versions(self) -> None:
        """A manager that goes over to another version keeps what it owns, and removes what it drops."""
        self.ask("PATCH", f"{V1}/a?fieldManager=one", widget(spec={"color": "red", "shape": "flat"}), APPLY)
        sent = widget(api_version="example.com/v2", spec={"color": "red"})
        after = self.ask("PATCH", f"{V2}/a?fieldManager=one", sent, APPLY)
        self.assertEqual(after["spec"], {"color": "red", "shape": "round"})
