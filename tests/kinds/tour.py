"""The way of one object through all verbs of its resource."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import orjson
import yaml

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.codec.protobuf.decode import decode_message
from kube_twisted.codec.protobuf.envelope import encode_object, unwrap
from kube_twisted.codec.protobuf.messages import message_of
from tests.inprocess import Answer, ClusterTestCase, Watching
from tests.kinds.objects import Kind, Obj

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
APPLY = "application/apply-patch+yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"
_AS = "application/json;as={};g=meta.k8s.io;v=v1"
#: Annotations that are not part of metadata that is shown alone.
_HIDDEN = "deprecated.daemonset.template.generation"

#: The original forgets a column for the age of IPAddresses.
_CELLS_WITHOUT_COLUMN = {"ipaddresses": 1}
#: Their generation counts changes of labels as well.
_GENERATION_OF_LABELS = ("endpointslices",)


class Tour:
    """One object, from its creation to its end.

    :param case: the test, which has a server and complains.
    :param sent: the object as a client writes it; its ``status`` is written apart.
    """

    def __init__(self, case: ClusterTestCase, kind: Kind, sent: Obj) -> None:
        self.case = case
        self.kind = kind
        self.status = sent.get("status")
        self.sent = {key: value for key, value in sent.items() if key != "status"}
        self.name: str = sent["metadata"]["name"]
        self.path = kind.path(self.name)
        #: How often the object was really written.
        self.writes = 0
        self.now: Obj = {}

    # -- asking ---------------------------------------------------------------------------------------------------

    def send(self, method: str, path: str, body: Any = None, /, code: int = 200, **headers: str) -> Answer:
        """Ask, and check the code of the answer."""
        raw = body if isinstance(body, bytes) else b"" if body is None else orjson.dumps(body)
        answer = self.case.send(method, path, raw, **headers)
        self.case.assertEqual(answer.code, code, f"{method} {path}: {answer.body.decode(errors='replace')}")
        return answer

    def get(self, path: str = "", /, accept: str = "application/json") -> Answer:
        return self.send("GET", path or self.path, accept=accept)

    def patch(self, type_: str, change: Any, query: str = "") -> Obj:
        found: Obj = self.send("PATCH", self.path + query, change, content_type=type_).json
        return found

    def changed(self, obj: Obj) -> None:
        """The object was written, and is now like this."""
        self.case.assertGreater(_revision(obj), _revision(self.now) if self.now else 0)
        self.case.assertEqual(self.get().json, obj)
        self.writes += 1
        self.now = obj

    def unchanged(self, obj: Obj) -> None:
        """Nothing was written."""
        self.case.assertEqual(obj, self.now)
        self.case.assertEqual(self.get().json, self.now)

    # -- the way --------------------------------------------------------------------------------------------------

    def go(self) -> None:
        """All of it."""
        watching = self.watch()
        self.create()
        self.read()
        self.read_as_table()
        self.read_metadata()
        self.read_other_formats()
        self.update()
        self.change_by_patches()
        self.apply()
        if self.kind.has_status:
            self.write_status()
        self.dry_run()
        for version in self.kind.others:
            self.use_other(version)
        self.delete()
        self.check_events(watching)

    def watch(self) -> Watching:
        return self.case.watch(f"{self.kind.path()}?fieldSelector=metadata.name%3D{self.name}&resourceVersion="
                               f"{self.case.revision()}")

    def create(self) -> None:
        """A dry run makes nothing; then all that is sent is there."""
        query = "?fieldManager=tour"
        dry = self.send("POST", self.kind.path() + query + "&dryRun=All", self.sent, code=201)
        self.send("GET", self.path, code=404)
        made = self.send("POST", self.kind.path() + query + "&fieldValidation=Strict", self.sent, code=201)
        self.case.assertEqual(missing(self.sent, made.json), [])
        self.case.assertEqual(dry.json.keys() - made.json.keys(), set())
        meta = made.json["metadata"]
        self.case.assertTrue(meta["uid"] and meta["creationTimestamp"])
        self.changed(made.json)

    def read(self) -> None:
        """In a list it stands without kind and version."""
        found = self.get(self.kind.path()).json
        self.case.assertEqual((found["kind"], found["apiVersion"]),
                              (self.kind.facts.kind + "List", str(self.kind.version)))
        bare = {key: value for key, value in self.now.items() if key not in ("kind", "apiVersion")}
        self.case.assertIn(bare, found["items"])

    def read_as_table(self) -> None:
        """Every column has a cell, and its row has the object's metadata, or the object."""
        for path, more in ((self.path, ""), (self.kind.path(), f"?fieldSelector=metadata.name%3D{self.name}")):
            table = self.get(path + more, accept=_AS.format("Table")).json
            (row,) = table["rows"]
            columns = len(table["columnDefinitions"]) + _CELLS_WITHOUT_COLUMN.get(self.kind.resource, 0)
            self.case.assertEqual((table["kind"], len(row["cells"])), ("Table", columns))
            self.case.assertEqual(row["object"]["metadata"], shown_alone(self.now["metadata"]))
            whole = self.get(path + (more or "?") + "&includeObject=Object", accept=_AS.format("Table")).json
            self.case.assertEqual(whole["rows"][0]["object"], self.now)

    def read_metadata(self) -> None:
        """Metadata alone, of the object and in a list."""
        one = self.get(accept=_AS.format("PartialObjectMetadata")).json
        self.case.assertEqual((one["kind"], one["metadata"]),
                              ("PartialObjectMetadata", shown_alone(self.now["metadata"])))
        many = self.get(self.kind.path(), accept=_AS.format("PartialObjectMetadataList")).json
        self.case.assertIn(one, many["items"])

    def read_other_formats(self) -> None:
        """The same in YAML and in protobuf, which can be written as well."""
        self.case.assertEqual(yaml.safe_load(self.get(accept="application/yaml").body), self.now)
        message = message_of(self.kind.version.kind(self.kind.facts.kind))
        assert message is not None
        envelope = unwrap(self.get(accept=PROTOBUF).body)
        self.case.assertEqual((envelope.api_version, envelope.kind), (self.now["apiVersion"], self.now["kind"]))
        decoded = {"kind": envelope.kind, "apiVersion": envelope.api_version, **decode_message(message, envelope.raw)}
        sent_back = self.send("PUT", self.path, encode_object(decoded), content_type=PROTOBUF)
        self.unchanged(sent_back.json)

    def apart(self, obj: Obj) -> Obj:
        """All but what a write of metadata changes; the generation is among what it does not."""
        generation = obj["metadata"].get("generation") if self.kind.resource not in _GENERATION_OF_LABELS else 0
        return {**_without(obj, "metadata"), "generation": generation}

    def update(self) -> None:
        """What was read and is sent back changes nothing; a label does."""
        self.unchanged(self.send("PUT", self.path, self.now).json)
        new = deepcopy(self.now)
        new["metadata"].setdefault("labels", {})["tour"] = "put"
        answer = self.send("PUT", self.path, new).json
        self.case.assertEqual(answer["metadata"]["labels"]["tour"], "put")
        self.case.assertEqual(self.apart(answer), self.apart(self.now))
        self.changed(answer)
        stale = {**new, "metadata": {**new["metadata"], "labels": {"tour": "stale"}}}
        self.send("PUT", self.path, stale, code=409)

    def change_by_patches(self) -> None:
        """Patches of three types; one that says what is already so changes nothing."""
        pointer = "/metadata/labels/tour"
        for type_, change in ((MERGE_PATCH, {"metadata": {"labels": {"tour": "merge"}}}),
                              (JSON_PATCH, [{"op": "replace", "path": pointer, "value": "json"}]),
                              (STRATEGIC, {"metadata": {"labels": {"tour": "strategic"}}})):
            answer = self.patch(type_, change)
            self.case.assertEqual(self.apart(answer), self.apart(self.now))
            self.changed(answer)
            self.unchanged(self.patch(type_, change))
        self.case.assertEqual(self.now["metadata"]["labels"]["tour"], "strategic")

    def apply(self) -> None:
        """A manager applies the whole object, which only makes it an owner; the second time nothing happens."""
        query = "?fieldManager=applier&force=true"
        labels = {**self.sent["metadata"].get("labels", {}), "tour": "strategic"}
        wanted = {**self.sent, "metadata": {**self.sent["metadata"], "labels": labels}}
        answer = self.patch(APPLY, wanted, query)
        self.case.assertEqual(self.apart(answer), self.apart(self.now))
        owners = {one["manager"]: one["operation"] for one in answer["metadata"]["managedFields"]}
        self.case.assertEqual(owners["applier"], "Apply")
        self.changed(answer)
        self.unchanged(self.patch(APPLY, wanted, query))

    def write_status(self) -> None:
        """Only the status changes, by patch and by PUT; at the main endpoint it does not."""
        path = f"{self.path}/status"
        self.case.assertEqual(self.get(path).json, self.now)
        self.unchanged(self.send("PUT", path, self.now).json)
        if self.status is not None:
            change = {"status": self.status, "spec": None}
            answer = self.send("PATCH", path, change, content_type=MERGE_PATCH).json
            self.case.assertEqual(missing(self.status, answer["status"]), [])
            self.check_only_status(answer)
            self.changed(answer)
            self.unchanged(self.send("PUT", path, self.now).json)
            self.unchanged(self.send("PUT", self.path, {**self.now, "status": {}}).json)

    def check_only_status(self, answer: Obj) -> None:
        """All but status and metadata is as it was, and the generation too."""
        self.case.assertEqual(_without(answer, "metadata", "status"), _without(self.now, "metadata", "status"))
        self.case.assertEqual(answer["metadata"].get("generation"), self.now["metadata"].get("generation"))

    def dry_run(self) -> None:
        """Nothing happens."""
        new = deepcopy(self.now)
        new["metadata"]["labels"]["tour"] = "dry"
        answer = self.send("PUT", f"{self.path}?dryRun=All", new).json
        self.case.assertEqual(answer["metadata"]["labels"]["tour"], "dry")
        self.send("DELETE", f"{self.path}?dryRun=All")
        self.unchanged(self.get().json)

    def use_other(self, version: GroupVersion) -> None:
        """Another version shows the same object, and nothing is lost on the way back."""
        path = self.kind.path(self.name, version)
        there = self.get(path).json
        self.case.assertEqual(there["apiVersion"], str(version))
        for key in ("uid", "resourceVersion", "labels"):
            self.case.assertEqual(there["metadata"][key], self.now["metadata"][key])
        names = [one["metadata"]["name"] for one in self.get(self.kind.path(version=version)).json["items"]]
        self.case.assertIn(self.name, names)
        self.case.assertEqual(self.send("PUT", path, there).json, there)
        self.unchanged(self.get().json)

    def delete(self) -> None:
        """It is gone, at once or when what holds it back is done."""
        options = {"gracePeriodSeconds": 0, "preconditions": {"uid": self.now["metadata"]["uid"]}}
        self.send("DELETE", self.path, options)
        left = self.case.send("GET", self.path)
        if left.code == 200:
            self.case.assertTrue(left.json["metadata"]["deletionTimestamp"])
            self.writes += 1
            self.finalize(left.json)
        elif self.now["kind"] == "Pod":
            self.writes += 1  # it is marked before it goes
        self.send("GET", self.path, code=404)

    def finalize(self, obj: Obj) -> None:
        """Do what its finalizers wait for."""
        if obj["kind"] == "Namespace":
            self.send("PUT", f"{self.path}/finalize", {**obj, "spec": {}})
        else:
            self.patch(MERGE_PATCH, {"metadata": {"finalizers": None}})

    def check_events(self, watching: Watching) -> None:
        """A watcher has seen each write once."""
        events = watching.take()
        watching.leave()
        types = [one["type"] for one in events]
        self.case.assertEqual(types, ["ADDED", *["MODIFIED"] * (self.writes - 1), "DELETED"])
        revisions = [_revision(one["object"]) for one in events]
        self.case.assertEqual(revisions, sorted(set(revisions)))


def missing(wanted: Any, found: Any, path: str = "") -> list[str]:
    """Where ``found`` lacks something of ``wanted``."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return [text for key, value in wanted.items() for text in missing(value, found.get(key), f"{path}.{key}")]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return [text for index, value in enumerate(wanted)
                for text in missing(value, found[index], f"{path}[{index}]")]
    return [] if wanted == found else [f"{path}: {wanted!r}, not {found!r}"]


def shown_alone(meta: Obj) -> Obj:
    """Metadata as it is shown without the object."""
    annotations = {key: value for key, value in meta.get("annotations", {}).items() if key != _HIDDEN}
    shown = {key: value for key, value in meta.items() if key != "annotations"}
    return {**shown, "annotations": annotations} if annotations else shown


def _without(obj: Obj, *names: str) -> Obj:
    return {key: value for key, value in obj.items() if key not in names}


def _revision(obj: Obj) -> int:
    return int(obj["metadata"]["resourceVersion"])
