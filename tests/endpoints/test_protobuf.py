"""Clients that speak protobuf: controller-runtime by default, kubectl for what it creates."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.codec.protobuf.decode import decode_message
from kube_twisted.codec.protobuf.envelope import encode_object, unwrap
from kube_twisted.codec.protobuf.messages import message_of
from kube_twisted.codec.protobuf.wire import read_fields
from tests.inprocess import CONFIG_MAPS, JSON, NAMESPACE, ClusterTestCase

PROTOBUF = "application/vnd.kubernetes.protobuf"
#: What client-go sends when protobuf is wanted.
EITHER = f"{PROTOBUF},{JSON}"
METADATA = f"{PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
METADATA_LIST = f"{PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v="
ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"


def read(body: bytes) -> dict[str, Any]:
    """An object out of its envelope."""
    envelope = unwrap(body)
    message = message_of(GroupVersion.parse(envelope.api_version).kind(envelope.kind))
    assert message is not None, envelope
    return {"kind": envelope.kind, "apiVersion": envelope.api_version, **decode_message(message, envelope.raw)}


def frames(raw: bytes) -> list[tuple[str, dict[str, Any]]]:
    """The events of a watch."""
    events = []
    at = 0
    while at < len(raw):
        end = at + 4 + int.from_bytes(raw[at:at + 4], "big")
        members: dict[int, Any] = dict(read_fields(raw, at + 4, end))
        extension: dict[int, Any] = dict(read_fields(members[2], 0, len(members[2])))
        events.append((members[1].decode(), read(extension[1])))
        at = end
    return events


def config_map(name: str, **data: str) -> dict[str, Any]:
    return {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": name}, "data": data}


class WritingTests(ClusterTestCase):
    def create(self, path: str, obj: dict[str, Any]) -> dict[str, Any]:
        answer = self.send("POST", path, encode_object(obj), content_type=PROTOBUF, accept=EITHER)
        self.assertEqual((answer.code, answer.content_type), (201, PROTOBUF), answer.body)
        return read(answer.body)

    def test_create(self) -> None:
        """What is created as protobuf is the same as what is created as JSON."""
        created = self.create(CONFIG_MAPS, config_map("a", k="v"))
        self.assertEqual(created, self.ask("GET", f"{CONFIG_MAPS}/a"))
        self.assertEqual(created["data"], {"k": "v"})

    def test_defaults(self) -> None:
        """Defaults are filled in, and the zeros that Go always writes count as left out."""
        pod = {"metadata": {"labels": {"a": "b"}, "namespace": ""},
               "spec": {"containers": [{"name": "c", "image": "i", "imagePullPolicy": "", "stdin": False}],
                        "restartPolicy": "", "hostNetwork": False}}
        created = self.create(DEPLOYMENTS, {"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": "d"},
                                            "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": pod}})
        stored = self.ask("GET", f"{DEPLOYMENTS}/d")
        self.assertEqual(created["spec"], stored["spec"])
        self.assertEqual(stored["spec"]["replicas"], 1)
        self.assertNotIn("hostNetwork", stored["spec"]["template"]["spec"])

    def test_update(self) -> None:
        """An object that was read as protobuf can be sent back changed."""
        self.config_map("a")
        obj = read(self.send("GET", f"{CONFIG_MAPS}/a", accept=PROTOBUF).body)
        obj["data"] = {"k": "new"}
        answer = self.send("PUT", f"{CONFIG_MAPS}/a", encode_object(obj), content_type=PROTOBUF)
        self.assertEqual((answer.code, answer.content_type), (200, JSON))
        self.assertEqual(answer.json["data"], {"k": "new"})

    def test_delete_options(self) -> None:
        """DeleteOptions may come as protobuf; the answer is a Status."""
        self.config_map("a")
        wrong = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": "other"}}
        refused = self.send("DELETE", f"{CONFIG_MAPS}/a", encode_object(wrong), content_type=PROTOBUF, accept=PROTOBUF)
        self.assertEqual((refused.code, read(refused.body)["reason"]), (409, "Conflict"))
        options = encode_object({"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"})
        answer = self.send("DELETE", f"{CONFIG_MAPS}/a", options, content_type=PROTOBUF, accept=EITHER)
        self.assertEqual((answer.code, read(answer.body)["status"]), (200, "Success"))

    def test_posted_resources(self) -> None:
        """What is acted upon, not stored, is read and answered too."""
        review = {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1",
                  "spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}}
        answer = self.create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)
        self.assertIs(answer["status"]["allowed"], True)

    def test_patches_are_json(self) -> None:
        """There are no patches in protobuf."""
        self.config_map("a")
        self.assertEqual(self.send("PATCH", f"{CONFIG_MAPS}/a", b"", content_type=PROTOBUF).code, 415)

    def test_broken_bodies(self) -> None:
        """JSON that is said to be protobuf is a bad request."""
        answer = self.send("POST", CONFIG_MAPS, b"{}", content_type=PROTOBUF)
        self.assertEqual(answer.code, 400)
        self.assertIn("does not appear to be a protobuf message", answer.json["message"])


class ReadingTests(ClusterTestCase):
    def test_get(self) -> None:
        """The same object as in JSON."""
        self.config_map("a", {"x": "y"})
        answer = self.send("GET", f"{CONFIG_MAPS}/a", accept=EITHER)
        self.assertEqual((answer.code, answer.content_type), (200, PROTOBUF))
        self.assertEqual(read(answer.body), self.ask("GET", f"{CONFIG_MAPS}/a"))

    def test_list(self) -> None:
        """A list is a message of its own; its items do not tell their kind."""
        self.config_map("a")
        self.config_map("b")
        found = read(self.send("GET", CONFIG_MAPS, accept=PROTOBUF).body)
        self.assertEqual(found, self.ask("GET", CONFIG_MAPS))
        self.assertEqual([item["metadata"]["name"] for item in found["items"]], ["a", "b"])

    def test_other_versions_and_scale(self) -> None:
        """What an endpoint shows of a stored object is what is encoded."""
        self.ask("POST", DEPLOYMENTS, {"metadata": {"name": "d"}, "spec": {
            "replicas": 2, "selector": {"matchLabels": {"a": "b"}}, "template": {
                "metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})
        scale = read(self.send("GET", f"{DEPLOYMENTS}/d/scale", accept=PROTOBUF).body)
        self.assertEqual((scale["kind"], scale["spec"], scale["status"]["selector"]),
                         ("Scale", {"replicas": 2}, "a=b"))

    def test_metadata_only(self) -> None:
        """One object's metadata, or a list of it in both versions."""
        self.config_map("a")
        one = read(self.send("GET", f"{CONFIG_MAPS}/a", accept=METADATA).body)
        self.assertEqual((one["kind"], one["metadata"]["name"]), ("PartialObjectMetadata", "a"))
        for version in ("v1", "v1beta1"):
            many = read(self.send("GET", CONFIG_MAPS, accept=METADATA_LIST + version).body)
            self.assertEqual(many["apiVersion"], f"meta.k8s.io/{version}")
            self.assertEqual([item["metadata"]["name"] for item in many["items"]], ["a"])

    def test_tables_are_json(self) -> None:
        """A Table can't be had as protobuf; the next clause counts, or nothing is acceptable."""
        table = f"{PROTOBUF};as=Table;g=meta.k8s.io;v=v1"
        answer = self.send("GET", CONFIG_MAPS, accept=f"{table},application/json;as=Table;g=meta.k8s.io;v=v1")
        self.assertEqual((answer.content_type, answer.json["kind"]), (JSON, "Table"))
        refused = self.send("GET", CONFIG_MAPS, accept=table)
        self.assertEqual((refused.code, refused.content_type), (406, JSON))
        self.assertEqual(refused.json["message"], f"only the following media types are accepted: {ACCEPTED}")

    def test_errors(self) -> None:
        """A Status comes as protobuf to those who ask for it."""
        answer = self.send("GET", f"{CONFIG_MAPS}/none", accept=EITHER)
        self.assertEqual((answer.code, answer.content_type), (404, PROTOBUF))
        status = read(answer.body)
        self.assertEqual((status["reason"], status["code"], status["details"]["name"]), ("NotFound", 404, "none"))

    def test_discovery(self) -> None:
        """Discovery documents can be had as protobuf, plain and aggregated."""
        resources = read(self.send("GET", "/api/v1", accept=PROTOBUF).body)
        pods = next(one for one in resources["resources"] if one["name"] == "pods")
        self.assertIn("list", pods["verbs"])
        for path in ("/api", "/apis", "/apis/apps"):
            plain = read(self.send("GET", path, accept=PROTOBUF).body)
            self.assertEqual(plain["kind"], self.ask("GET", path)["kind"])
        suffix = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
        aggregated = self.send("GET", "/apis", accept=PROTOBUF + suffix)
        self.assertEqual(aggregated.content_type, PROTOBUF + suffix)
        self.assertIn("apps", [group["metadata"]["name"] for group in read(aggregated.body)["items"]])


class WatchTests(ClusterTestCase):
    def test_events(self) -> None:
        """Each event is a frame with the whole object; watchers share it."""
        first = self.config_map("a")
        watching = [self.watch(f"{CONFIG_MAPS}?resourceVersion=1", accept=accept) for accept in (EITHER, PROTOBUF)]
        second = self.config_map("b")
        self.ask("DELETE", f"{CONFIG_MAPS}/a")
        for one in watching:
            events = frames(one.take_bytes())
            self.assertEqual([type_ for type_, _ in events], ["ADDED", "ADDED", "DELETED"])
            self.assertEqual([obj for _, obj in events[:2]], [first, second])

    def test_content_type(self) -> None:
        """The media type says that it is a stream."""
        answer = self.send("GET", f"{CONFIG_MAPS}?watch=1", accept=PROTOBUF)
        self.assertEqual(answer.content_type, f"{PROTOBUF};stream=watch")
        answer = self.send("GET", f"{CONFIG_MAPS}?watch=1", accept=f"{PROTOBUF};stream=watch,{JSON};stream=watch")
        self.assertEqual(answer.content_type, f"{PROTOBUF};stream=watch")

    def test_bookmarks(self) -> None:
        """A bookmark is an object of the kind with a revision alone."""
        self.config_map("a")
        watching = self.watch(f"{CONFIG_MAPS}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                              "&allowWatchBookmarks=true", accept=PROTOBUF)
        (_, added), (type_, mark) = frames(watching.take_bytes())
        self.assertEqual((added["metadata"]["name"], type_, mark["kind"]), ("a", "BOOKMARK", "ConfigMap"))
        self.assertEqual(mark["metadata"]["annotations"], {"k8s.io/initial-events-end": "true"})

    def test_metadata_only(self) -> None:
        """Watches of metadata alone come as protobuf too."""
        self.config_map("a")
        watching = self.watch(CONFIG_MAPS, accept=METADATA)
        [(type_, obj)] = frames(watching.take_bytes())
        self.assertEqual((type_, obj["kind"], obj["metadata"]["name"]), ("ADDED", "PartialObjectMetadata", "a"))

    def test_errors(self) -> None:
        """What goes wrong later is an ERROR event with a Status."""
        version = self.config_map("a")["metadata"]["resourceVersion"]
        self.config_map("b")
        self.cluster.server.stores.store("", "configmaps").cache._window_start = self.revision()
        self.compact()
        watching = self.watch(f"{CONFIG_MAPS}?resourceVersion={version}", accept=PROTOBUF)
        [(type_, status)] = frames(watching.take_bytes())
        self.assertEqual((type_, status["kind"], status["code"]), ("ERROR", "Status", 410))

    def test_yaml_is_no_stream(self) -> None:
        """Watches come as JSON or protobuf."""
        answer = self.send("GET", f"{NAMESPACE}/pods?watch=1", accept="application/yaml")
        self.assertEqual(answer.code, 406)
        self.assertIn(f"application/json;stream=watch,\n  {PROTOBUF};stream=watch", answer.body.decode())
