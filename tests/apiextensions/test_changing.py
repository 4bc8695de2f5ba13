"""Definitions that change while they are at work: watches, writes that are under way, names, scopes."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from kube_twisted.endpoints.request import StreamingResponse
from tests.apiextensions.widgets import (
    API,
    DEFINITIONS,
    SCHEMA,
    WIDGET_CRD,
    WIDGETS,
    CustomCase,
    definition,
    obj,
    text,
    version,
    widget,
)
from tests.inprocess import Watching


class WatchTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        self.define()

    def test_schema(self) -> None:
        """A changed schema ends the watches, as their objects look otherwise now; they can be resumed."""
        made = self.widget(spec={"color": "red"})
        watching = self.watch(WIDGETS)
        self.redefine(version(schema=obj(spec=obj(color=text(), shape=text(default="round")))))
        self.assertEqual((watching.names(), watching.ended), ([("ADDED", "a")], True))
        again = self.watch(f"{WIDGETS}?resourceVersion={made['metadata']['resourceVersion']}")
        self.merge(f"{WIDGETS}/a", {"spec": {"color": "blue"}})
        self.assertEqual([one["object"]["spec"] for one in again.take()], [{"color": "blue", "shape": "round"}])

    def test_metadata(self) -> None:
        """Labels of a definition, and a patch that changes nothing, leave them alone."""
        watching = self.watch(WIDGETS)
        self.merge(WIDGET_CRD, {"metadata": {"labels": {"a": "b"}}, "spec": {"scope": "Namespaced"}})
        self.cluster.run(0.1)
        self.widget()
        self.assertEqual((watching.names(), watching.ended), ([("ADDED", "a")], False))

    def test_names(self) -> None:
        """Short names and categories may change; discovery tells the new ones, and objects stay."""
        self.widget()
        self.merge(WIDGET_CRD, {"spec": {"names": {"shortNames": ["wd"], "categories": ["all"]}}})
        self.cluster.run(0.1)
        (listed,) = self.ask("GET", f"{API}/v1")["resources"]
        self.assertEqual((listed["shortNames"], listed["categories"]), (["wd"], ["all"]))
        self.assertFalse(self.missing(f"{WIDGETS}/a"))
        self.merge(WIDGET_CRD, {"spec": {"names": {"shortNames": None}}})
        self.cluster.run(0.1)
        self.assertNotIn("shortNames", self.ask("GET", f"{API}/v1")["resources"][0])

    def test_list_kind(self) -> None:
        """The kind of lists may change, that of objects not."""
        self.merge(WIDGET_CRD, {"spec": {"names": {"listKind": "Widgetry"}}})
        self.cluster.run(0.1)
        self.assertEqual(self.ask("GET", WIDGETS)["kind"], "Widgetry")
        error = self.refused("PATCH", WIDGET_CRD, {"spec": {"names": {"kind": "Other"}}},
                             "application/merge-patch+json")
        self.assertIn("spec.names.kind: Invalid value: \"Other\": field is immutable", error.message)

    def test_not_begun(self) -> None:
        """A watch whose stream begins only after its definition has changed ends at once."""
        answer = self.send("GET", f"{WIDGETS}?watch=1")
        assert isinstance(answer.response, StreamingResponse)
        self.redefine(version(schema=obj()))
        watching = Watching(self.clock.advance)
        answer.response.begin(watching)
        self.assertTrue(watching.ended)

    def test_subresource(self) -> None:
        """A status endpoint comes and goes; the status stays."""
        self.widget(status={"phase": "x"})
        self.redefine(version(subresources={"status": {}}))
        self.assertEqual(self.merge(f"{WIDGETS}/a", {"status": {"phase": "y"}})["status"], {"phase": "x"})
        self.assertEqual(self.merge(f"{WIDGETS}/a/status", {"status": {"phase": "z"}})["status"], {"phase": "z"})
        self.redefine(version())
        self.assertTrue(self.missing(f"{WIDGETS}/a/status"))
        self.assertEqual(self.merge(f"{WIDGETS}/a", {"status": {"phase": "y"}})["status"], {"phase": "y"})

    def test_settings_of_one_of_many(self) -> None:
        """What happens to one definition does not touch the watches of others."""
        self.define(plural="gadgets", kind="Gadget")
        watching = self.watch(f"{API}/v1/gadgets")
        self.redefine(version(schema=obj()))
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertFalse(watching.ended)


class SlowStoreTests(CustomCase):
    """A store whose lists take their time: the first request for a definition's objects waits for one."""

    def setUp(self) -> None:
        super().setUp()
        self.define()
        self.widget()
        self.redefine(version(schema=obj(spec=obj(color=text()))))
        self.held: list[Deferred[None]] = []
        store = self.cluster.server.backend.store
        list_entries = store.list_entries

        async def slowly(prefix: str, *rest: object, **more: object) -> object:
            if prefix == "/registry/example.com/widgets/":
                wait: Deferred[None] = Deferred()
                self.held.append(wait)
                await wait
            return await list_entries(prefix, *rest, **more)

        self.patch(store, "list_entries", slowly)

    def begin(self, path: str) -> list[object]:
        """Send a request; its answer appears in the list."""
        answers: list[object] = []
        Deferred.fromCoroutine(self.cluster.client.call("GET", path)).addBoth(answers.append)
        self.cluster.run(0.1)
        return answers

    def test_together(self) -> None:
        """Requests that come together wait for the same reading."""
        answers = [self.begin(f"{WIDGETS}/a"), self.begin(WIDGETS)]
        self.assertEqual((answers, len(self.held)), ([[], []], 1))
        self.held[0].callback(None)
        self.cluster.run(0.1)
        self.assertEqual([one[0]["kind"] for one in answers], ["Widget", "WidgetList"])  # type: ignore[index]

    def test_changed_meanwhile(self) -> None:
        """When the definition changes meanwhile, they wait for what is served then."""
        answers = self.begin(f"{WIDGETS}/a")
        self.redefine(version(schema=obj(spec=obj(shape=text(default="round")), status=obj())))
        self.held[0].callback(None)
        self.cluster.run(0.1)
        self.assertEqual((answers, len(self.held)), ([], 2))
        self.held[1].callback(None)
        self.cluster.run(0.1)
        (found,) = answers
        self.assertEqual(found["kind"], "Widget")  # type: ignore[index]
        self.assertEqual(len(list(self.cluster.server.stores)), len({*self.cluster.server.stores}))

    def test_gone_meanwhile(self) -> None:
        """When it is gone meanwhile, so are the objects."""
        answers = self.begin(f"{WIDGETS}/a")
        self.cluster.server.custom_resources.remove("widgets.example.com")
        self.held[0].callback(None)
        self.cluster.run(0.1)
        (failure,) = answers
        self.assertEqual(failure.value.code, 404)  # type: ignore[attr-defined]


class NameConflictTests(CustomCase):
    """Two definitions of a group want the same names."""

    def setUp(self) -> None:
        super().setUp()
        self.define(names={"shortNames": ["wd"]})
        self.other = self.define(plural="gizmos", kind="Widget", names={"shortNames": ["gz"]})

    def test_refused(self) -> None:
        """The second one is told, is not served, and is not in discovery."""
        self.assertEqual(self.conditions(self.other), {
            "NamesAccepted": ("False", "ListKindConflict", '"WidgetList" is already in use'),
            "Established": ("False", "NotAccepted", "not all names are accepted")})
        self.assertTrue(self.missing(f"{API}/v1/gizmos"))
        self.assertEqual([one["name"] for one in self.ask("GET", f"{API}/v1")["resources"]], ["widgets"])
        self.assertEqual(self.ask("GET", self.other)["status"]["acceptedNames"], {
            "plural": "gizmos", "shortNames": ["gz"], "kind": ""})

    def test_released(self) -> None:
        """When the first one goes, its names are free for the second."""
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertEqual({name: one[0] for name, one in self.conditions(self.other).items()},
                         {"NamesAccepted": "True", "Established": "True"})
        self.assertEqual(self.ask("GET", f"{API}/v1/gizmos")["kind"], "WidgetList")

    def test_renamed(self) -> None:
        """So it is when the second one asks for other names: kinds may change until a definition is established."""
        names = {"kind": "Gizmo", "listKind": "GizmoList", "singular": "gizmo"}
        self.merge(self.other, {"spec": {"names": names}})
        self.cluster.run(0.1)
        self.assertEqual(self.ask("GET", f"{API}/v1/gizmos")["kind"], "GizmoList")

    def test_conflict_of_the_established(self) -> None:
        """An established definition that asks for a taken short name is served on under its old names."""
        self.ask("DELETE", self.other)
        other = self.define(plural="gadgets", kind="Gadget")
        self.merge(other, {"spec": {"names": {"shortNames": ["wd"]}}})
        self.cluster.run(0.1)
        found = self.conditions(other)
        self.assertEqual((found["NamesAccepted"], found["Established"][0]), (
            ("False", "ShortNamesConflict", '"wd" is already in use'), "True"))
        self.assertFalse(self.missing(f"{API}/v1/gadgets"))
        self.merge(WIDGET_CRD, {"spec": {"names": {"shortNames": None}}})
        self.cluster.run(0.1)
        self.assertEqual(self.conditions(other)["NamesAccepted"][0], "True")
        listed = {one["name"]: one.get("shortNames") for one in self.ask("GET", f"{API}/v1")["resources"]}
        self.assertEqual(listed, {"gadgets": ["wd"], "widgets": None})

    def test_other_group(self) -> None:
        """Groups do not know one another's names."""
        path = self.define(group="other.example.com", names={"shortNames": ["wd"]})
        self.assertEqual(self.conditions(path)["Established"][0], "True")

    def test_builtin_group(self) -> None:
        """A definition in a built-in group may add resources and versions; what is built in stays what it is."""
        for plural, kind, name in ("ingresses", "Ingress", "v1"), ("routes", "Route", "v1"), ("walls", "Wall", "v9"):
            made = definition(version(name, schema=SCHEMA), plural=plural, kind=kind, group="networking.k8s.io")
            made["metadata"]["annotations"] = {"api-approved.kubernetes.io": "unapproved, a test"}
            self.ask("POST", DEFINITIONS, made)
        self.cluster.run(0.1)
        path = "/apis/networking.k8s.io"
        self.assertEqual(self.ask("GET", f"{path}/v1/ingresses")["kind"], "IngressList")
        self.assertEqual(self.ask("GET", f"{path}/v9/walls")["kind"], "WallList")
        listed = [one["name"] for one in self.ask("GET", f"{path}/v1")["resources"]]
        self.assertEqual(listed.count("ingresses"), 1)
        self.assertEqual([one["name"] for one in self.ask("GET", "/apis")["groups"]].count("networking.k8s.io"), 1)
        self.assertEqual({one["version"] for one in self.ask("GET", path)["versions"]}, {"v1", "v9"})


class DeletedDefinitionTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        self.define()

    def test_objects(self) -> None:
        """Its objects are deleted with it, in all namespaces."""
        self.ask("POST", "/api/v1/namespaces", {"metadata": {"name": "x"}})
        self.widget()
        self.ask("POST", f"{API}/v1/namespaces/x/widgets", widget())
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertTrue(self.missing(WIDGET_CRD))
        page = self.cluster.result(self.cluster.server.backend.store.list_entries("/registry/example.com/"))
        self.assertEqual(page.entries, [])

    def test_finalizers(self) -> None:
        """An object's finalizer holds the definition, which tells so; no new objects are made, old ones are read."""
        self.widget("a", metadata={"finalizers": ["example.com/hold"]})
        self.widget("b")
        watching = self.watch(WIDGETS)
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertEqual(self.conditions()["Terminating"], (
            "True", "InstanceDeletionInProgress", "CustomResource deletion is in progress"))
        error = self.refused("POST", WIDGETS, widget("c"))
        self.assertEqual((error.code, error.message), (
            403, 'widgets.example.com "c" is forbidden: create not allowed while custom resource definition is '
                 'terminating'))
        (left,) = self.ask("GET", WIDGETS)["items"]
        self.assertIn("deletionTimestamp", left["metadata"])
        self.assertEqual(watching.names(), [("ADDED", "a"), ("ADDED", "b"), ("MODIFIED", "a"), ("DELETED", "b")])
        self.assertFalse(watching.ended)
        self.merge(f"{WIDGETS}/a", {"metadata": {"finalizers": None}})
        self.assertEqual(watching.names(), [("DELETED", "a")])
        self.cluster.run(6)
        self.assertTrue(self.missing(WIDGET_CRD))
        self.assertTrue(watching.ended)

    def test_verbs(self) -> None:
        """While it is deleted, discovery no longer offers what would make objects."""
        self.widget("a", metadata={"finalizers": ["example.com/hold"]})
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(0.1)
        self.assertEqual(self.ask("GET", f"{API}/v1")["resources"][0]["verbs"],
                         ["delete", "deletecollection", "get", "list", "watch"])

    def test_foreign_finalizer(self) -> None:
        """A finalizer of somebody else's holds the definition itself; it is served until then, empty."""
        self.merge(WIDGET_CRD, {"metadata": {"finalizers": ["example.com/mine",
                                                            "customresourcecleanup.apiextensions.k8s.io"]}})
        self.widget()
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        found = self.ask("GET", WIDGET_CRD)
        self.assertEqual(found["metadata"]["finalizers"], ["example.com/mine"])
        self.assertEqual(self.conditions()["Terminating"], (
            "False", "InstanceDeletionCompleted", "removed all instances"))
        self.assertEqual(self.ask("GET", WIDGETS)["items"], [])
        self.merge(WIDGET_CRD, {"metadata": {"finalizers": None}})
        self.assertTrue(self.missing(WIDGET_CRD))
        self.assertTrue(self.missing(WIDGETS))

    def test_never_established(self) -> None:
        """One that was never established just goes."""
        other = self.define(plural="gizmos", kind="Widget")
        self.ask("DELETE", other)
        self.cluster.run(1)
        self.assertTrue(self.missing(other))

    def test_many_objects(self) -> None:
        """500 objects are deleted with it."""
        for index in range(500):
            self.widget(f"w{index}")
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(3)
        self.assertTrue(self.missing(WIDGET_CRD))
