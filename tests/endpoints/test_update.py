"""PUT of one object."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError
from tests.inprocess import CONFIG_MAPS, ClusterTestCase

LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"


class UpdateTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.made = self.config_map("a", {"app": "web"})
        self.path = f"{CONFIG_MAPS}/a"

    def put(self, metadata: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
        """Replace the object by what was made with other fields."""
        metadata = {**self.made["metadata"], **(metadata or {})}
        return self.ask("PUT", self.path, {**self.made, **fields, "metadata": metadata})

    def put_error(self, metadata: dict[str, Any] | None = None, **fields: Any) -> StatusError:
        return self.assertRaises(StatusError, self.put, metadata, **fields)

    def test_replace(self) -> None:
        """The object is replaced, its version rises, its uid and birth stay."""
        changed = self.put(data={"x": "y"})
        self.assertEqual(changed["data"], {"x": "y"})
        self.assertEqual(changed["metadata"]["resourceVersion"], str(self.revision()))
        for key in ("uid", "creationTimestamp", "labels"):
            self.assertEqual(changed["metadata"][key], self.made["metadata"][key])

    def test_conflict(self) -> None:
        """An old version is 409: somebody else was faster."""
        self.put(data={"x": "1"})
        error = self.put_error(data={"x": "2"})
        self.assertEqual((error.code, error.reason), (409, "Conflict"))
        self.assertTrue(error.message.endswith("the object has been modified; please apply your changes to the latest "
                                               "version and try again"))

    def test_unconditional(self) -> None:
        """Without a version the newest one is meant; some kinds want one."""
        self.put(data={"x": "1"})
        self.assertEqual(self.put({"resourceVersion": ""}, data={"x": "2"})["data"], {"x": "2"})
        self.ask("POST", LEASES, {"metadata": {"name": "l"}})
        error = self.refused("PUT", f"{LEASES}/l", {"metadata": {"name": "l"}})
        self.assertEqual((error.code, error.details["causes"][0]["field"]), (422, "metadata.resourceVersion"))

    def test_version_that_is_none(self) -> None:
        """A version that is no number is an error of its own."""
        self.assertIn("invalid syntax", self.put_error({"resourceVersion": "x"}).message)

    def test_uid(self) -> None:
        """Another uid means another object: 409."""
        error = self.put_error({"uid": "other"}, data={"x": "1"})
        self.assertEqual(error.code, 409)
        self.assertIn(f"UID in precondition: other, UID in object meta: {self.made['metadata']['uid']}", error.message)

    def test_names(self) -> None:
        """The name in the object is that of the path."""
        for name, text in (("b", "does not match the name on the URL (a)"), ("", "name must be provided")):
            error = self.put_error({"name": name})
            self.assertEqual(error.code, 400)
            self.assertIn(text, error.message)

    def test_missing(self) -> None:
        """What isn't there is 404; a few kinds are created."""
        body = {"metadata": {"name": "z"}}
        self.assertEqual(self.refused("PUT", f"{CONFIG_MAPS}/z", body).code, 404)
        answer = self.send("PUT", f"{LEASES}/z", b'{"metadata":{"name":"z"}}')
        self.assertEqual((answer.code, answer.json["metadata"]["resourceVersion"]), (201, str(self.revision())))

    def test_missing_with_a_uid(self) -> None:
        """An object that is gone is not created again by who means the one that was."""
        error = self.refused("PUT", f"{LEASES}/z", {"metadata": {"name": "z", "uid": "u"}})
        self.assertEqual(error.code, 409)

    def test_nothing_changed(self) -> None:
        """An update that changes nothing writes nothing."""
        before = self.revision()
        self.assertEqual(self.put(), self.made)
        self.assertEqual(self.revision(), before)

    def test_immutable(self) -> None:
        """What may not change is told by field."""
        self.put(immutable=True, data={"x": "1"})
        self.made = self.ask("GET", self.path)
        error = self.put_error(data={"x": "2"})
        self.assertEqual((error.code, error.details["causes"][0]["field"]), (422, "data"))

    def test_dry_run(self) -> None:
        """A dry run answers as if, and writes nothing."""
        before = self.revision()
        answer = self.ask("PUT", f"{self.path}?dryRun=All", {**self.made, "data": {"x": "y"}})
        self.assertEqual(answer["data"], {"x": "y"})
        self.assertEqual((self.revision(), self.ask("GET", self.path)), (before, self.made))

    def test_two_writers(self) -> None:
        """Of two writers that have read the same version one gets through, and loses nothing."""
        self.put({"labels": {"one": "1"}})
        self.assertEqual(self.put_error({"labels": {"two": "2"}}).code, 409)
        self.assertEqual(self.ask("GET", self.path)["metadata"]["labels"], {"one": "1"})

    def test_generation(self) -> None:
        """A change of the spec raises the generation, one of the metadata does not."""
        path = "/apis/apps/v1/namespaces/default/deployments"
        labels = {"app": "web"}
        made = self.ask("POST", path, {"metadata": {"name": "d"}, "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})
        generations = [made["metadata"]["generation"]]
        for change in ({"metadata": {"labels": labels}}, {"spec": {"replicas": 3}}, {"spec": {"replicas": 3}}):
            generations.append(self.merge(f"{path}/d", change)["metadata"]["generation"])
        self.assertEqual(generations, [1, 1, 2, 2])
