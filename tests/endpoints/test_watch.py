"""Watch streams: where they begin, what they see, and how they end."""

from __future__ import annotations

from typing import Any

from twisted.internet.interfaces import IDelayedCall

from kube_twisted.endpoints.request import Request
from kube_twisted.endpoints.watch import WatchStream
from kube_twisted.storage import watcher as watcher_module
from tests.inprocess import CONFIG_MAPS, ClusterTestCase, SentTransport, Watching

INITIAL_END = {"k8s.io/initial-events-end": "true"}
INITIAL = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"


class BeginTests(ClusterTestCase):
    """What a watch shows first depends on the resourceVersion that it is opened with (API Concepts)."""

    def setUp(self) -> None:
        super().setUp()
        self.a = self.config_map("a")
        self.b = self.config_map("b")

    def test_unset(self) -> None:
        """Without a version the current objects come first, as they are, then the changes."""
        watching = self.watch(CONFIG_MAPS)
        self.assertEqual(watching.take(), [{"type": "ADDED", "object": one} for one in (self.a, self.b)])
        self.ask("DELETE", f"{CONFIG_MAPS}/a")
        self.assertEqual(watching.names(), [("DELETED", "a")])

    def test_zero(self) -> None:
        """Version 0 begins with the current objects as well."""
        self.assertEqual(self.watch(f"{CONFIG_MAPS}?resourceVersion=0").names(), [("ADDED", "a"), ("ADDED", "b")])

    def test_exact(self) -> None:
        """A version shows what happened after it, and nothing else."""
        self.merge(f"{CONFIG_MAPS}/a", {"data": {"x": "1"}})
        self.ask("DELETE", f"{CONFIG_MAPS}/b")
        version = self.a["metadata"]["resourceVersion"]
        self.assertEqual(self.watch(f"{CONFIG_MAPS}?resourceVersion={version}").names(),
                         [("ADDED", "b"), ("MODIFIED", "a"), ("DELETED", "b")])
        self.assertEqual(self.watch(f"{CONFIG_MAPS}?resourceVersion={self.revision()}").take(), [])

    def test_future(self) -> None:
        """A version that is not there yet shows only what comes after it."""
        watching = self.watch(f"{CONFIG_MAPS}?resourceVersion={self.revision() + 1}")
        self.config_map("c")
        self.config_map("d")
        self.assertEqual(watching.names(), [("ADDED", "d")])

    def test_older_than_the_window(self) -> None:
        """What the cache no longer holds is read back from the store's log."""
        begin = self.revision()
        cache = self.cluster.server.stores.store("", "configmaps").cache
        for number in range(cache._events.maxlen + 10):
            self.merge(f"{CONFIG_MAPS}/a", {"data": {"x": str(number)}})
        seen = [event["object"]["data"]["x"] for event in
                self.watch(f"{CONFIG_MAPS}?resourceVersion={begin}").take()]
        self.assertEqual(seen, [str(number) for number in range(cache._events.maxlen + 10)])

    def test_expired(self) -> None:
        """A version that is compacted away is one ERROR event, and the end of the stream."""
        cache = self.cluster.server.stores.store("", "configmaps").cache
        cache._window_start = self.revision()
        self.compact()
        version = self.a["metadata"]["resourceVersion"]
        watching = self.watch(f"{CONFIG_MAPS}?resourceVersion={version}&allowWatchBookmarks=true")
        self.assertEqual(watching.take(), [{"type": "ERROR", "object": {
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": f"too old resource version: {version} ({self.revision()})",
            "reason": "Expired", "code": 410}}])
        self.assertTrue(watching.ended)

    def test_bad_version(self) -> None:
        """A version that is no number is refused before there is a stream; the message names the parameter."""
        answer = self.send("GET", f"{CONFIG_MAPS}?watch=1&resourceVersion=abc")
        self.assertEqual(answer.json["message"], 'resourceVersion: Invalid value: "abc": strconv.ParseUint: '
                         'parsing "abc": invalid syntax')

    def test_bad_combination(self) -> None:
        """Options that exclude each other are refused, each by name."""
        error = self.refused("GET", f"{CONFIG_MAPS}?watch=1&resourceVersionMatch=Exact&resourceVersion=1")
        self.assertEqual((error.code, [cause["field"] for cause in error.details["causes"]]),
                         (422, ["resourceVersionMatch"] * 2))

    def test_nothing_is_left_of_a_refused_watch(self) -> None:
        """A watch that is refused leaves nothing running."""
        self.refused("GET", f"{CONFIG_MAPS}?watch=1&{INITIAL}&resourceVersion={self.revision() + 100}")
        self.assertEqual(self.cluster.server.watches.running, set())


class InitialEventsTests(ClusterTestCase):
    """Streaming lists (KEP-3157)."""

    def test_bookmark_ends_the_state(self) -> None:
        """After the current objects one bookmark with the annotation, and the revision of the list."""
        self.config_map("a")
        watching = self.watch(f"{CONFIG_MAPS}?{INITIAL}&allowWatchBookmarks=true")
        added, bookmark = watching.take()
        self.assertEqual((added["type"], added["object"]["metadata"]["name"]), ("ADDED", "a"))
        self.assertEqual(bookmark, {"type": "BOOKMARK", "object": {
            "kind": "ConfigMap", "apiVersion": "v1", "metadata": {
                "resourceVersion": str(self.revision()), "annotations": INITIAL_END}}})
        self.config_map("b")
        self.assertEqual(watching.names(), [("ADDED", "b")])

    def test_no_bookmarks_wanted(self) -> None:
        """A client that takes no bookmarks gets none."""
        self.config_map("a")
        self.assertEqual(self.watch(f"{CONFIG_MAPS}?{INITIAL}").names(), [("ADDED", "a")])

    def test_without_the_state(self) -> None:
        """``sendInitialEvents=false`` begins with the next change."""
        self.config_map("a")
        watching = self.watch(f"{CONFIG_MAPS}?sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
        self.config_map("b")
        self.assertEqual(watching.names(), [("ADDED", "b")])

    def test_waits_for_the_version(self) -> None:
        """A state not older than a version that is not there yet waits for it."""
        work = self.open(f"watch=1&{INITIAL}&resourceVersion={self.revision() + 1}")
        self.config_map("a")
        watching = Watching(self.clock.advance)
        self.cluster.result(work).begin(watching)
        self.assertEqual(watching.names(), [("ADDED", "a")])

    def open(self, query: str) -> Any:
        """Send a watch whose answer has to wait."""
        completed = self.cluster.server.completed
        transport = SentTransport({"authorization": f"Bearer {completed.loopback_token}"}, b"")
        return self.cluster.server.handler(Request("GET", CONFIG_MAPS, query, transport))

    def test_version_never_comes(self) -> None:
        """A version that does not come in time is 504."""
        error = self.refused("GET", f"{CONFIG_MAPS}?watch=1&{INITIAL}&resourceVersion={self.revision() + 9}")
        self.assertEqual((error.code, error.details["causes"][0]["reason"]), (504, "ResourceVersionTooLarge"))


class SelectorTests(ClusterTestCase):
    """A watch with selectors sees objects come into the selection and go out of it."""

    def test_transitions(self) -> None:
        """Entering is ADDED, a change inside MODIFIED, leaving DELETED, and what is outside is not seen."""
        watching = self.watch(f"{CONFIG_MAPS}?labelSelector=app%3Dweb")
        self.config_map("a", {"app": "db"})
        path = f"{CONFIG_MAPS}/a"
        self.merge(path, {"metadata": {"labels": {"app": "web"}}})
        self.merge(path, {"data": {"x": "1"}})
        left = self.merge(path, {"metadata": {"labels": {"app": "db"}}})
        self.merge(path, {"data": {"x": "2"}})
        self.ask("DELETE", path)
        events = watching.take()
        self.assertEqual([event["type"] for event in events], ["ADDED", "MODIFIED", "DELETED"])
        shown = events[-1]["object"]["metadata"]
        self.assertEqual((shown["labels"], shown["resourceVersion"]),
                         ({"app": "web"}, left["metadata"]["resourceVersion"]))

    def test_name_of_the_path(self) -> None:
        """A field selector below a name's path must select that name."""
        path = "/api/v1/watch/namespaces/default/configmaps/a"
        self.config_map("a")
        watching = self.watch(f"{path}?fieldSelector=metadata.name%3Da")
        self.assertEqual(watching.names(), [("ADDED", "a")])
        for selector in ("metadata.name%3Db", "metadata.name!%3Da", "metadata.namespace%3Ddefault"):
            error = self.refused("GET", f"{path}?fieldSelector={selector}")
            self.assertEqual((error.code, error.message),
                             (400, "fieldSelector metadata.name doesn't match requested name"))

    def test_transitions_of_the_past(self) -> None:
        """The same goes for what a resumed watch is told about the past."""
        begin = self.revision()
        self.config_map("a", {"app": "web"})
        self.merge(f"{CONFIG_MAPS}/a", {"metadata": {"labels": {"app": "db"}}})
        watching = self.watch(f"{CONFIG_MAPS}?labelSelector=app%3Dweb&resourceVersion={begin}")
        self.assertEqual(watching.names(), [("ADDED", "a"), ("DELETED", "a")])

    def test_one_object(self) -> None:
        """``metadata.name`` watches one object; so does the old path with ``/watch/``."""
        watches = [self.watch(f"{CONFIG_MAPS}?fieldSelector=metadata.name%3Da"),
                   self.watch("/api/v1/watch/namespaces/default/configmaps/a")]
        self.config_map("a")
        self.config_map("b")
        for one in watches:
            self.assertEqual(one.names(), [("ADDED", "a")])

    def test_fields(self) -> None:
        """A selectable field changes what is seen like a label."""
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
               "spec": {"containers": [{"name": "c", "image": "i"}], "automountServiceAccountToken": False}}
        self.ask("POST", "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "default"}})
        watching = self.watch("/api/v1/pods?fieldSelector=status.phase%3DRunning")
        path = "/api/v1/namespaces/default/pods"
        self.ask("POST", path, pod)
        self.merge(f"{path}/p/status", {"status": {"phase": "Running"}})
        self.merge(f"{path}/p/status", {"status": {"phase": "Failed"}})
        self.assertEqual(watching.names(), [("ADDED", "p"), ("DELETED", "p")])

    def test_namespaces(self) -> None:
        """A watch of a namespace does not see the others."""
        begin = self.revision()
        here, everywhere = (self.watch(f"{path}?resourceVersion={begin}")
                            for path in (CONFIG_MAPS, "/api/v1/configmaps"))
        self.ask("POST", "/api/v1/namespaces/kube-public/configmaps", {"metadata": {"name": "x"}})
        self.assertEqual((here.names(), everywhere.names()), ([], [("ADDED", "x")]))


class DeletionTests(ClusterTestCase):
    """What a watch says about objects that go."""

    def test_revision(self) -> None:
        """DELETED shows the last state under the revision of the deletion, so that a watch can resume there."""
        created = self.config_map("a")
        watching = self.watch(CONFIG_MAPS)
        watching.take()
        self.ask("DELETE", f"{CONFIG_MAPS}/a")
        event = watching.take()[0]
        self.assertEqual(event["object"]["metadata"]["resourceVersion"], str(self.revision()))
        self.assertGreater(self.revision(), int(created["metadata"]["resourceVersion"]))
        self.assertEqual(self.watch(f"{CONFIG_MAPS}?resourceVersion={self.revision()}").take(), [])

    def test_finalizers(self) -> None:
        """An object that waits for finalizers is MODIFIED, and DELETED when the last one is taken off."""
        self.config_map("a", finalizers=["example.com/x"])
        watching = self.watch(f"{CONFIG_MAPS}?resourceVersion={self.revision()}")
        self.ask("DELETE", f"{CONFIG_MAPS}/a")
        self.merge(f"{CONFIG_MAPS}/a", {"metadata": {"finalizers": None}})
        self.assertEqual(watching.names(), [("MODIFIED", "a"), ("DELETED", "a")])


class EndTests(ClusterTestCase):
    """Streams end in time, and leave nothing behind."""

    def tearDown(self) -> None:
        self.assertEqual(self.cluster.server.watches.running, set())

    def timers(self) -> list[IDelayedCall]:
        """What is still to happen to streams."""
        return [one for one in self.clock.getDelayedCalls()
                if isinstance(getattr(one.func, "__self__", None), WatchStream)]

    def test_time_out(self) -> None:
        """A watch ends after ``timeoutSeconds``."""
        watching = self.watch(f"{CONFIG_MAPS}?timeoutSeconds=5")
        self.clock.advance(4.9)
        self.assertFalse(watching.ended)
        self.clock.advance(0.2)
        self.assertTrue(watching.ended)

    def test_time_out_in_the_past(self) -> None:
        """A negative ``timeoutSeconds`` is over at once."""
        watching = self.watch(f"{CONFIG_MAPS}?timeoutSeconds=-5")
        self.clock.advance(0)
        self.assertTrue(watching.ended)

    def test_time_out_of_the_server(self) -> None:
        """A watch without one ends after between one and two times the server's minimum, half an hour."""
        watching = self.watch(CONFIG_MAPS)
        self.clock.advance(1799)
        self.assertFalse(watching.ended)
        self.clock.pump([60] * 31)
        self.assertTrue(watching.ended)

    def test_client_leaves(self) -> None:
        """Once the client is gone the watch is over, and its timers are cancelled."""
        watching = self.watch(f"{CONFIG_MAPS}?allowWatchBookmarks=true")
        self.assertEqual(len(self.timers()), 2)
        watching.leave()
        self.assertEqual(self.timers(), [])
        self.config_map("a")
        self.assertEqual(watching.take(), [])

    def test_client_left_before_the_beginning(self) -> None:
        """A client that is gone before its stream begins leaves no timers either."""
        completed = self.cluster.server.completed
        transport = SentTransport({"authorization": f"Bearer {completed.loopback_token}"}, b"")
        request = Request("GET", CONFIG_MAPS, "watch=1&allowWatchBookmarks=1", transport)
        response: Any = self.cluster.result(self.cluster.server.handler(request))
        watching = Watching(self.clock.advance)
        watching.on_gone = lambda callback: callback()  # type: ignore[method-assign]
        response.begin(watching)
        self.assertEqual(self.timers(), [])

    def test_server_stops(self) -> None:
        """All streams are ended when the server stops."""
        watches = [self.watch(CONFIG_MAPS), self.watch("/api/v1/secrets")]
        self.cluster.server.watches.end_all()
        self.assertEqual([one.ended for one in watches], [True, True])

    def test_slow_client(self) -> None:
        """A client that does not read gets what waited when it reads on; too much of it ends the watch."""
        self.patch(watcher_module, "MOST_WAITING", 3)
        watching = self.watch(CONFIG_MAPS)
        watching.read_slowly()
        for number in range(3):
            self.config_map(f"a{number}")
        self.assertEqual(watching.take(), [])
        watching.read_on()
        self.assertEqual(len(watching.take()), 3)
        watching.read_slowly()
        for number in range(4):
            self.assertFalse(watching.ended)
            self.config_map(f"b{number}")
        self.assertTrue(watching.ended)


class BookmarkTests(ClusterTestCase):
    """Bookmarks keep the client's version fresh while nothing happens (KEP-956)."""

    def bookmarks(self, watching: Watching) -> list[str]:
        return [event["object"]["metadata"]["resourceVersion"] for event in watching.take()
                if event["type"] == "BOOKMARK"]

    def test_every_minute(self) -> None:
        """About once a minute, with the newest revision of all resources."""
        watching = self.watch(f"{CONFIG_MAPS}?allowWatchBookmarks=true&timeoutSeconds=600")
        self.ask("POST", "/api/v1/namespaces/default/secrets", {"metadata": {"name": "s"}})
        watching.take()
        self.clock.advance(59)
        self.assertEqual(self.bookmarks(watching), [])
        self.clock.advance(1)
        self.assertEqual(self.bookmarks(watching), [str(self.revision())])
        self.clock.advance(60)
        self.assertEqual(self.bookmarks(watching), [str(self.revision())])
        watching.leave()

    def test_before_the_end(self) -> None:
        """A short watch gets one shortly before its end, without the annotation."""
        watching = self.watch(f"{CONFIG_MAPS}?allowWatchBookmarks=true&timeoutSeconds=10")
        watching.take()
        self.clock.advance(8.5)
        self.assertEqual(watching.take(), [{"type": "BOOKMARK", "object": {
            "kind": "ConfigMap", "apiVersion": "v1", "metadata": {"resourceVersion": str(self.revision())}}}])
        self.clock.advance(2)
        self.assertTrue(watching.ended)

    def test_not_asked_for(self) -> None:
        """A client that does not ask for bookmarks gets none."""
        watching = self.watch(CONFIG_MAPS)
        self.clock.advance(200)
        self.assertEqual(watching.take(), [])

    def test_zero_object(self) -> None:
        """A bookmark is the kind with nothing set, with the fields that are never left out."""
        watching = self.watch(f"/apis/apps/v1/deployments?{INITIAL}&allowWatchBookmarks=true")
        self.assertEqual(watching.take()[0]["object"], {
            "kind": "Deployment", "apiVersion": "apps/v1",
            "metadata": {"resourceVersion": str(self.revision()), "annotations": INITIAL_END},
            "spec": {"replicas": 0, "selector": None, "template": {"metadata": {}, "spec": {"containers": None}},
                     "strategy": {}},
            "status": {}})
        watching = self.watch(f"/apis/apps/v1/daemonsets?{INITIAL}&allowWatchBookmarks=true")
        self.assertEqual(watching.take()[0]["object"]["metadata"]["annotations"],
                         INITIAL_END | {"deprecated.daemonset.template.generation": "0"})


class RepresentationTests(ClusterTestCase):
    """Events as the client wants them."""

    def test_metadata(self) -> None:
        """Events and bookmarks of metadata alone."""
        self.config_map("a", {"app": "web"})
        accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
        added, bookmark = self.watch(f"{CONFIG_MAPS}?{INITIAL}&allowWatchBookmarks=1", accept=accept).take()
        self.assertEqual((added["object"]["kind"], added["object"]["metadata"]["labels"], "data" in added["object"]),
                         ("PartialObjectMetadata", {"app": "web"}, False))
        self.assertEqual(bookmark["object"]["metadata"]["annotations"], INITIAL_END)

    def test_table(self) -> None:
        """Every event is a Table of one row; only the first has the columns."""
        self.config_map("a")
        self.config_map("b")
        accept = "application/json;as=Table;g=meta.k8s.io;v=v1"
        tables = [event["object"] for event in self.watch(CONFIG_MAPS, accept=accept).take()]
        self.assertEqual([one["kind"] for one in tables], ["Table", "Table"])
        self.assertEqual([bool(one["columnDefinitions"]) for one in tables], [True, False])
        self.assertEqual([one["rows"][0]["cells"][0] for one in tables], ["a", "b"])

    def test_other_version(self) -> None:
        """Objects of a resource's other version are shown in that version."""
        path = "/apis/autoscaling/{}/namespaces/default/horizontalpodautoscalers"
        watching = self.watch(path.format("v1"))
        self.ask("POST", path.format("v2"), {"metadata": {"name": "h"}, "spec": {
            "maxReplicas": 3, "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"}}})
        shown = watching.take()[0]["object"]
        self.assertEqual((shown["apiVersion"], shown["spec"]["targetCPUUtilizationPercentage"]),
                         ("autoscaling/v1", 80))

    def test_metadata_of_a_list(self) -> None:
        """One object is no list: the first event ends a watch that asks for a list's metadata."""
        self.config_map("a")
        watching = self.watch(CONFIG_MAPS, accept="application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
        self.assertEqual((watching.take(), watching.ended), ([], True))

    def test_text_is_refused(self) -> None:
        """A watch in a format that can't be streamed is 406."""
        self.assertEqual(self.send("GET", f"{CONFIG_MAPS}?watch=1", accept="text/plain").code, 406)


class BatchTests(ClusterTestCase):
    """Frames of a burst of changes go out together."""

    def test_one_write(self) -> None:
        """Changes of one turn are one write, in order."""
        watching = self.watch(CONFIG_MAPS)
        watching.take()
        before = watching.writes
        for name in "abc":
            self.send("POST", CONFIG_MAPS, b'{"metadata":{"name":"%s"}}' % name.encode())
        self.assertEqual(watching.names(), [("ADDED", name) for name in "abc"])
        self.assertEqual(watching.writes - before, 1)


