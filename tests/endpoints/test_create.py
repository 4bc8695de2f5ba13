"""POST to a collection."""

from __future__ import annotations

from typing import Any

import orjson

from tests.inprocess import CONFIG_MAPS, NAMESPACE, ClusterTestCase


class CreateTests(ClusterTestCase):
    def create(self, **metadata: Any) -> dict[str, Any]:
        return self.ask("POST", CONFIG_MAPS, {"metadata": metadata})

    def test_answer(self) -> None:
        """201 with the object: what the system sets is there, and it is what a GET shows."""
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata":{"name":"a"},"data":{"x":"y"}}')
        metadata = answer.json["metadata"]
        self.assertEqual((answer.code, answer.json["kind"], answer.json["data"]), (201, "ConfigMap", {"x": "y"}))
        self.assertRegex(metadata["uid"], "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        self.assertRegex(metadata["creationTimestamp"], "^2026-01-01T00:00:0[0-9]Z$")
        self.assertEqual((metadata["namespace"], metadata["resourceVersion"]), ("default", str(self.revision())))
        self.assertEqual(self.ask("GET", f"{CONFIG_MAPS}/a"), answer.json)

    def test_system_fields(self) -> None:
        """What only the system sets is taken out of what a client sends."""
        made = self.create(name="a", uid="mine", creationTimestamp="2020-01-01T00:00:00Z", selfLink="/x", generation=7)
        self.assertNotEqual(made["metadata"]["uid"], "mine")
        self.assertRegex(made["metadata"]["creationTimestamp"], "^2026-")
        self.assertNotIn("selfLink", made["metadata"])

    def test_version(self) -> None:
        """A resourceVersion does not belong on a new object."""
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "a", "resourceVersion": "5"}})
        self.assertEqual(error.message, "resourceVersion should not be set on objects to be created")

    def test_exists(self) -> None:
        """A name that is taken is 409, and the object stays as it is."""
        made = self.create(name="a")
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "a"}, "data": {"x": "y"}})
        self.assertEqual((error.code, error.reason, error.message),
                         (409, "AlreadyExists", 'configmaps "a" already exists'))
        self.assertEqual(self.ask("GET", f"{CONFIG_MAPS}/a"), made)

    def test_exists_for_a_while(self) -> None:
        """A name whose object waits for its end is taken, and the message says that it will not be for long."""
        self.create(name="a", finalizers=["example.com/wait"])
        self.ask("DELETE", f"{CONFIG_MAPS}/a")
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "a"}})
        self.assertEqual((error.code, error.message),
                         (409, 'object is being deleted: configmaps "a" already exists'))

    def test_generated_name(self) -> None:
        """generateName makes a name of five more characters; a name of its own comes first."""
        self.assertRegex(self.create(generateName="web-")["metadata"]["name"], "^web-[bcdfghjklmnpqrstvwxz2456789]{5}$")
        self.assertEqual(self.create(name="a", generateName="web-")["metadata"]["name"], "a")

    def test_generated_names_collide(self) -> None:
        """A generated name that is taken is tried again; when none is free the client is told to retry."""
        names = iter(["x-1", "x-1", "x-2", *["x-1"] * 20])
        for module in ("store", "objectmeta"):
            self.patch(__import__(f"kube_twisted.registry.{module}", fromlist=["x"]), "generate_name",
                       lambda _: next(names))
        self.assertEqual([self.create(generateName="x-")["metadata"]["name"] for _ in range(2)], ["x-1", "x-2"])
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata":{"generateName":"x-"}}')
        self.assertEqual((answer.code, answer.json["reason"], answer.headers["Retry-After"]),
                         (409, "AlreadyExists", "1"))

    def test_namespace(self) -> None:
        """The namespace of the path is filled in; another one in the object is 400; it must exist."""
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "a", "namespace": "other"}})
        self.assertEqual((error.code, error.message), (400, "the namespace of the provided object does not match the "
                                                            "namespace sent on the request"))
        error = self.refused("POST", "/api/v1/namespaces/none/configmaps", {"metadata": {"name": "a"}})
        self.assertEqual((error.code, error.message), (404, 'namespaces "none" not found'))

    def test_invalid(self) -> None:
        """All that is wrong is told at once."""
        error = self.refused("POST", CONFIG_MAPS, {
            "metadata": {"name": "A", "labels": {"-": "b"}}, "data": {"x y": ""}})
        self.assertEqual((error.code, error.details["name"]), (422, "A"))
        self.assertEqual(sorted({cause["field"] for cause in error.details["causes"]}),
                         ["data[x y]", "metadata.labels", "metadata.name"])

    def test_bodies(self) -> None:
        """What is no object of this kind is 400."""
        for body in (b"", b"{", b"[]", b"1", b'{"kind":"Pod","apiVersion":"v1"}', b'{"data":{"x":1}}', b"\xff"):
            self.assertEqual(self.send("POST", CONFIG_MAPS, body).code, 400, body)

    def test_media_types(self) -> None:
        """YAML is read as well; what the server can't read is 415, what it can't write 406."""
        made = self.send("POST", CONFIG_MAPS, b"metadata: {name: a}\ndata: {x: 'y'}", content_type="application/yaml")
        self.assertEqual(made.json["data"], {"x": "y"})
        self.assertEqual(self.send("POST", CONFIG_MAPS, b"x", content_type="text/plain").code, 415)
        self.assertEqual(self.send("POST", CONFIG_MAPS, b"{}", accept="text/plain").code, 406)
        self.assertEqual(self.send("POST", CONFIG_MAPS, b'{"metadata":{"name":"b"}}',
                                   content_type="application/json; charset=utf-8").code, 201)

    def test_unknown_fields(self) -> None:
        """Unknown and duplicate fields: a warning, an error or nothing, as fieldValidation says (KEP-2885)."""
        body = b'{"metadata":{"name":"a"},"nope":1,"data":{"x":"1","x":"2"}}'
        for directive, code, warnings in (("Strict", 400, 0), ("Warn", 201, 2), ("Ignore", 201, 0), ("", 201, 2)):
            answer = self.send("POST", f"{CONFIG_MAPS}?dryRun=All&fieldValidation={directive}", body)
            self.assertEqual((answer.code, len(answer.warnings)), (code, warnings), directive)
        self.assertEqual(self.send("POST", f"{CONFIG_MAPS}?fieldValidation=x", body).code, 422)

    def test_dry_run(self) -> None:
        """A dry run answers as if, checks what is checked, and writes nothing."""
        before = self.revision()
        made = self.ask("POST", f"{CONFIG_MAPS}?dryRun=All", {"metadata": {"name": "a"}})
        self.assertEqual((made["metadata"]["name"], "resourceVersion" in made["metadata"]), ("a", False))
        self.assertIn("uid", made["metadata"])
        self.assertEqual(self.revision(), before)
        self.create(name="a")
        self.assertEqual(self.refused("POST", f"{CONFIG_MAPS}?dryRun=All", {"metadata": {"name": "a"}}).code, 409)
        self.assertEqual(self.refused("POST", f"{CONFIG_MAPS}?dryRun=x", {"metadata": {"name": "b"}}).code, 422)

    def test_managers(self) -> None:
        """Who creates an object owns its fields."""
        made = self.ask("POST", f"{CONFIG_MAPS}?fieldManager=me", {"metadata": {"name": "a"}, "data": {"x": "y"}})
        entry, = made["metadata"]["managedFields"]
        self.assertEqual((entry["manager"], entry["operation"], entry["fieldsV1"]),
                         ("me", "Update", {"f:data": {".": {}, "f:x": {}}}))

    def test_repeated_owners(self) -> None:
        """Owner references that stand twice are taken out, with a warning."""
        owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u1"}
        body = orjson.dumps({"metadata": {"name": "a", "ownerReferences": [owner, owner]}})
        answer = self.send("POST", CONFIG_MAPS, body)
        self.assertEqual(answer.json["metadata"]["ownerReferences"], [owner])
        self.assertIn("contains duplicate entries", answer.warnings[0])

    def test_status_is_the_systems(self) -> None:
        """The status of a new object is not the client's."""
        made = self.ask("POST", f"{NAMESPACE}/services", {"metadata": {"name": "s"}, "spec": {
            "ports": [{"port": 80}]}, "status": {"loadBalancer": {"ingress": [{"ip": "1.2.3.4"}]}}})
        self.assertEqual(made["status"], {"loadBalancer": {}})
