"""The life of a definition and of its objects, against a whole server."""

from __future__ import annotations

from tests.apiextensions.widgets import (
    API,
    APPLY,
    DEFINITIONS,
    JSON_PATCH,
    WIDGET_CRD,
    WIDGETS,
    CustomCase,
    definition,
    version,
    widget,
)


class DefinitionTests(CustomCase):
    def test_established(self) -> None:
        """A new definition has its names and is served within a moment, without any controller of the manager's."""
        self.define()
        found = self.ask("GET", WIDGET_CRD)
        self.assertEqual([(one["type"], one["status"], one["reason"]) for one in found["status"]["conditions"]], [
            ("NamesAccepted", "True", "NoConflicts"), ("Established", "True", "InitialNamesAccepted")])
        self.assertEqual(found["status"]["acceptedNames"], {
            "plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"})
        self.assertEqual(found["status"]["storedVersions"], ["v1"])
        self.assertEqual(found["metadata"]["generation"], 1)

    def test_watched(self) -> None:
        """Who watches definitions sees them made, settled once, and removed."""
        watching = self.watch(DEFINITIONS)
        self.define()
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        types = [kind for kind, _ in watching.names()]
        self.assertEqual((types[:2], types[-1]), (["ADDED", "MODIFIED"], "DELETED"))
        self.assertLessEqual(len(types), 6)

    def test_discovery(self) -> None:
        """Discovery lists group, versions and resource as long as there is a definition; both forms do."""
        aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
        self.assertTrue(self.missing(API))
        self.define(names={"shortNames": ["wd"], "categories": ["all"]})
        self.assertEqual(self.ask("GET", API)["preferredVersion"], {"groupVersion": "example.com/v1", "version": "v1"})
        (listed,) = self.ask("GET", f"{API}/v1")["resources"]
        self.assertEqual((listed["shortNames"], listed["categories"], listed["namespaced"]), (["wd"], ["all"], True))
        found = {one["metadata"]["name"]: one for one in self.send("GET", "/apis", accept=aggregated).json["items"]}
        self.assertEqual(found["example.com"]["versions"][0]["resources"][0]["responseKind"]["kind"], "Widget")
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertNotIn("example.com", [one["name"] for one in self.ask("GET", "/apis")["groups"]])
        self.assertNotIn(b"Widget", self.send("GET", "/apis", accept=aggregated).body)

    def test_openapi(self) -> None:
        """So does OpenAPI."""
        self.assertNotIn("apis/example.com/v1", self.ask("GET", "/openapi/v3")["paths"])
        self.define()
        self.assertIn("apis/example.com/v1", self.ask("GET", "/openapi/v3")["paths"])
        kinds = self.ask("GET", "/openapi/v3/apis/example.com/v1")["components"]["schemas"]
        self.assertIn("com.example.v1.Widget", kinds)
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertNotIn("apis/example.com/v1", self.ask("GET", "/openapi/v3")["paths"])

    def test_invalid(self) -> None:
        """What is not valid is refused, and nothing is served."""
        error = self.refused("POST", DEFINITIONS, definition(version("v1", {"type": "string"})))
        self.assertEqual(error.code, 422)
        self.assertIn("must be object at the root", error.message)
        self.assertTrue(self.missing(WIDGET_CRD))

    def test_dry_run(self) -> None:
        """A dry run of a definition serves nothing."""
        self.ask("POST", f"{DEFINITIONS}?dryRun=All", definition())
        self.cluster.run(0.1)
        self.assertTrue(self.missing(WIDGETS))

    def test_many(self) -> None:
        """200 definitions that come at once are all served."""
        for index in range(200):
            self.ask("POST", DEFINITIONS, definition(plural=f"things{index}", kind=f"Thing{index}"))
        self.cluster.run(1)
        self.assertEqual(len(self.ask("GET", f"{API}/v1")["resources"]), 200)
        for index in 0, 199:
            made = self.ask("POST", f"{API}/v1/namespaces/default/things{index}", {
                "apiVersion": "example.com/v1", "kind": f"Thing{index}", "metadata": {"name": "a"}})
            self.assertEqual(made["kind"], f"Thing{index}")


class ObjectTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        self.define()
        self.path = f"{WIDGETS}/a"

    def test_life(self) -> None:
        """An object is made, read, replaced, patched in all ways, and deleted; watchers see it all."""
        watching = self.watch(WIDGETS)
        made = self.widget(spec={"size": 1})
        self.assertEqual(self.ask("GET", self.path), made)
        self.ask("PUT", self.path, {**made, "spec": {"size": 2}})
        self.merge(self.path, {"spec": {"color": "red"}})
        self.ask("PATCH", self.path, [{"op": "remove", "path": "/spec/size"}], JSON_PATCH)
        found = self.ask("PATCH", f"{self.path}?fieldManager=m", widget(spec={"size": 3}), APPLY)
        self.assertEqual((found["spec"], found["metadata"]["generation"]), ({"color": "red", "size": 3}, 5))
        gone = self.ask("DELETE", self.path)
        self.assertEqual((gone["status"], gone["details"]["kind"], gone["details"]["uid"]),
                         ("Success", "widgets", made["metadata"]["uid"]))
        events = watching.take()
        self.assertEqual([one["type"] for one in events], ["ADDED", *["MODIFIED"] * 4, "DELETED"])
        self.assertTrue(all((one["object"]["kind"], one["object"]["apiVersion"]) == ("Widget", "example.com/v1")
                            for one in events))

    def test_list(self) -> None:
        """Lists have the list kind; items say their kind; chunks and selectors do as elsewhere."""
        for name in "abc":
            self.widget(name, metadata={"labels": {"name": name}})
        whole = self.ask("GET", WIDGETS)
        self.assertEqual((whole["kind"], [one["kind"] for one in whole["items"]]), ("WidgetList", ["Widget"] * 3))
        part = self.ask("GET", f"{WIDGETS}?limit=2")
        rest = self.ask("GET", f"{WIDGETS}?limit=2&continue={part['metadata']['continue']}")
        self.assertEqual(part["items"] + rest["items"], whole["items"])
        for query in "labelSelector=name%3Db", "fieldSelector=metadata.name%3Db":
            (only,) = self.ask("GET", f"{WIDGETS}?{query}")["items"]
            self.assertEqual(only["metadata"]["name"], "b")
        everywhere = self.ask("GET", f"{API}/v1/widgets")
        self.assertEqual(everywhere["items"], whole["items"])

    def test_generation(self) -> None:
        """Any change but of metadata counts, where there is no status endpoint; a client's number does not."""
        made = self.widget(metadata={"generation": 7}, spec={"size": 1})
        self.assertEqual(made["metadata"]["generation"], 1)
        for change, expected in (({"metadata": {"labels": {"a": "b"}}}, 1), ({"metadata": {"generation": 9}}, 1),
                                 ({"spec": {"size": 2}}, 2), ({"status": {"phase": "x"}}, 3), ({"spec": None}, 4)):
            self.assertEqual(self.merge(self.path, change)["metadata"]["generation"], expected, change)

    def test_unconditional_update(self) -> None:
        """An update must say which version of the object it is about, unlike those of many built-in kinds."""
        self.widget()
        error = self.refused("PUT", self.path, widget(spec={"size": 2}))
        self.assertEqual((error.code, error.message), (
            422, 'widgets.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: '
                 'must be specified for an update'))

    def test_no_change(self) -> None:
        """A write that changes nothing leaves the version alone."""
        made = self.widget(spec={"size": 1})
        for same in (self.ask("PUT", self.path, made), self.merge(self.path, {"spec": {"size": 1}}),
                     self.ask("PATCH", self.path, [], JSON_PATCH)):
            self.assertEqual(same["metadata"]["resourceVersion"], made["metadata"]["resourceVersion"])

    def test_conflict(self) -> None:
        """A stale version, a wrong uid and a taken name are conflicts."""
        made = self.widget(spec={"size": 1})
        self.merge(self.path, {"spec": {"size": 2}})
        self.assertEqual(self.refused("PUT", self.path, made).reason, "Conflict")
        self.assertEqual(self.refused("POST", WIDGETS, widget()).reason, "AlreadyExists")
        error = self.refused("DELETE", self.path, {"preconditions": {"uid": "other"}})
        self.assertEqual(error.reason, "Conflict")

    def test_apply(self) -> None:
        """Apply makes objects, removes what its manager no longer wants, and conflicts with other managers."""
        first = f"{self.path}?fieldManager=first"
        made = self.ask("PATCH", first, widget(spec={"size": 1, "color": "red"}), APPLY)
        self.assertEqual(made["metadata"]["managedFields"][0]["fieldsV1"], {
            "f:spec": {"f:color": {}, "f:size": {}}})
        self.assertEqual(self.ask("PATCH", first, widget(spec={"size": 1}), APPLY)["spec"], {"size": 1})
        error = self.refused("PATCH", f"{self.path}?fieldManager=second", widget(spec={"size": 2}), APPLY)
        self.assertEqual((error.code, error.message), (
            409, 'Apply failed with 1 conflict: conflict with "first": .spec.size'))
        forced = self.ask("PATCH", f"{self.path}?fieldManager=second&force=true", widget(spec={"size": 2}), APPLY)
        self.assertEqual(forced["spec"], {"size": 2})

    def test_finalizer(self) -> None:
        """A finalizer holds a deleted object until it is taken off."""
        self.widget(metadata={"finalizers": ["example.com/hold"]})
        self.assertIn("deletionTimestamp", self.ask("DELETE", self.path)["metadata"])
        error = self.refused("POST", WIDGETS, widget())
        self.assertIn("object is being deleted", error.message)
        self.merge(self.path, {"metadata": {"finalizers": None}})
        self.assertTrue(self.missing(self.path))

    def test_collection(self) -> None:
        """A collection is deleted by a selector."""
        for name in "abc":
            self.widget(name, metadata={"labels": {"name": name}})
        deleted = self.ask("DELETE", f"{WIDGETS}?labelSelector=name!%3Db")
        self.assertEqual((deleted["kind"], len(deleted["items"])), ("WidgetList", 2))
        self.assertEqual([one["metadata"]["name"] for one in self.ask("GET", WIDGETS)["items"]], ["b"])

    def test_generated_name(self) -> None:
        """Names are generated."""
        made = self.ask("POST", WIDGETS, {"apiVersion": "example.com/v1", "kind": "Widget",
                                          "metadata": {"generateName": "w-"}})
        self.assertRegex(made["metadata"]["name"], "^w-.{5}$")

    def test_dry_run(self) -> None:
        """Dry runs answer as if, and store nothing."""
        self.assertNotIn("resourceVersion", self.ask("POST", f"{WIDGETS}?dryRun=All", widget())["metadata"])
        self.assertTrue(self.missing(self.path))
        made = self.widget(spec={"size": 1})
        dry = self.ask("PUT", f"{self.path}?dryRun=All", {**made, "spec": {"size": 2}})
        self.assertEqual((dry["spec"], dry["metadata"]["generation"]), ({"size": 2}, 2))
        self.ask("DELETE", f"{self.path}?dryRun=All")
        self.assertEqual(self.ask("GET", self.path), made)

    def test_wrong_kind(self) -> None:
        """An object of another kind or version is refused, and one without a kind."""
        self.define(plural="gadgets", kind="Gadget")
        for sent, code, message in (
            ({**widget(), "kind": "Gadget"}, 422, "kind: Invalid value: \"Gadget\": must be Widget"),
            ({**widget(), "apiVersion": "example.com/v9"}, 400, "does not match the expected API version"),
            ({"metadata": {"name": "a"}}, 400, "Object 'Kind' is missing"),
        ):
            error = self.refused("POST", WIDGETS, sent)
            self.assertEqual(error.code, code, error.message)
            self.assertIn(message, error.message)

    def test_namespace(self) -> None:
        """Namespaced objects live in namespaces that are there."""
        error = self.refused("POST", f"{API}/v1/namespaces/missing/widgets", widget())
        self.assertEqual((error.code, error.message), (404, 'namespaces "missing" not found'))
        self.assertEqual(self.send("POST", f"{API}/v1/widgets", b"{}").code, 404)

    def test_cluster_scope(self) -> None:
        """Those of cluster scope live in none."""
        self.define(plural="planets", kind="Planet", scope="Cluster")
        made = self.ask("POST", f"{API}/v1/planets", {"apiVersion": "example.com/v1", "kind": "Planet",
                                                      "metadata": {"name": "a"}})
        self.assertNotIn("namespace", made["metadata"])
        self.assertTrue(self.missing(f"{API}/v1/namespaces/default/planets"))
        self.assertTrue(self.missing(f"{API}/v1/namespaces/default/planets/a"))
        self.assertEqual(self.ask("GET", f"{API}/v1/planets/a"), made)
