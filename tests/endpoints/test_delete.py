"""DELETE of one object and of collections."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import errors
from kube_twisted.registry.write import DeleteValidation, Write
from tests.inprocess import CONFIG_MAPS, NAMESPACE, ClusterTestCase


class DeleteTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.path = f"{CONFIG_MAPS}/a"

    def test_missing(self) -> None:
        """What isn't there is 404."""
        self.assertEqual(self.refused("DELETE", self.path).code, 404)

    def test_preconditions(self) -> None:
        """uid and version of the options must be those of the object, in the body or in the query."""
        metadata = self.config_map("a")["metadata"]
        for body, text in (({"uid": "x"}, "the UID in the precondition (x) does not match"),
                           ({"resourceVersion": "1"}, "the ResourceVersion in the precondition (1) does not match")):
            error = self.refused("DELETE", self.path, {"preconditions": body})
            self.assertEqual(error.code, 409)
            self.assertIn(text, error.message)
        self.assertEqual(self.refused("DELETE", f"{self.path}?resourceVersion=1").code, 409)
        exact = {key: metadata[key] for key in ("uid", "resourceVersion")}
        self.assertEqual(self.ask("DELETE", self.path, {"preconditions": exact})["status"], "Success")

    def test_options(self) -> None:
        """Options in YAML, of any group; what is none of them is 400, a bad value 422."""
        self.config_map("a")
        for body, code in ((b'{"kind":"Pod","apiVersion":"v1"}', 400), (b"{", 400),
                           (b'{"gracePeriodSeconds":"x"}', 400), (b'{"propagationPolicy":"x"}', 422),
                           (b'{"propagationPolicy":"Orphan","orphanDependents":true}', 422)):
            self.assertEqual(self.send("DELETE", self.path, body).code, code, body)
        answer = self.send("DELETE", self.path, b"kind: DeleteOptions\napiVersion: v1\ngracePeriodSeconds: 0\n",
                           content_type="application/yaml")
        self.assertEqual(answer.code, 200)

    def test_propagation(self) -> None:
        """Foreground and Orphan leave their finalizer for the garbage collector; Background deletes at once."""
        for policy, finalizers in (("Foreground", ["foregroundDeletion"]), ("Orphan", ["orphan"]),
                                   ("Background", None)):
            name = policy.lower()
            self.config_map(name)
            answer = self.ask("DELETE", f"{CONFIG_MAPS}/{name}", {"propagationPolicy": policy})
            self.assertEqual(answer.get("metadata", {}).get("finalizers"), finalizers, policy)

    def test_propagation_changes(self) -> None:
        """A second DELETE may choose another way."""
        self.config_map("a")
        self.ask("DELETE", f"{self.path}?propagationPolicy=Foreground")
        answer = self.ask("DELETE", f"{self.path}?propagationPolicy=Orphan")
        self.assertEqual(answer["metadata"]["finalizers"], ["orphan"])
        self.assertEqual(self.ask("DELETE", f"{self.path}?propagationPolicy=Background")["status"], "Success")

    def test_accepted(self) -> None:
        """``orphanDependents=false`` with finalizers left is 202."""
        self.config_map("a", finalizers=["example.com/x"])
        self.assertEqual(self.send("DELETE", f"{self.path}?orphanDependents=false").code, 202)

    def test_finalizers(self) -> None:
        """With finalizers the object is marked, once, and stays."""
        self.config_map("a", finalizers=["example.com/x"])
        first = self.ask("DELETE", self.path)
        self.clock.advance(60)
        self.assertEqual(self.ask("DELETE", self.path), first)
        self.assertEqual(first["metadata"]["deletionGracePeriodSeconds"], 0)

    def test_dry_run(self) -> None:
        """A dry run answers as if; the object stays."""
        made = self.config_map("a")
        self.assertEqual(self.ask("DELETE", f"{self.path}?dryRun=All")["status"], "Success")
        self.assertEqual(self.ask("GET", self.path), made)


class GraceTests(ClusterTestCase):
    """Pods are given time to end."""

    def setUp(self) -> None:
        super().setUp()
        self.ask("POST", f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})
        self.path = f"{NAMESPACE}/pods/p"

    def pod(self, node: str = "n") -> None:
        self.ask("POST", f"{NAMESPACE}/pods", {"metadata": {"name": "p"}, "spec": {
            "nodeName": node, "terminationGracePeriodSeconds": 20, "containers": [{"name": "c", "image": "i"}]}})

    def grace(self, seconds: int | None = None) -> tuple[int, str]:
        body = None if seconds is None else {"gracePeriodSeconds": seconds}
        metadata = self.ask("DELETE", self.path, body)["metadata"]
        return metadata["deletionGracePeriodSeconds"], metadata["deletionTimestamp"]

    def test_end_only_comes_nearer(self) -> None:
        """The Pod's own grace by default; a second DELETE may shorten it, not make it longer."""
        self.pod()
        default = self.grace()
        self.assertEqual(default[0], 20)
        self.assertEqual((self.grace(), self.grace(500)), (default, default))
        shorter = self.grace(5)
        self.assertEqual(shorter[0], 5)
        self.assertLess(shorter[1], default[1])

    def test_no_grace(self) -> None:
        """Grace 0 ends it at once; DELETE answers the Pod as it was."""
        self.pod()
        self.assertEqual(self.ask("DELETE", self.path, {"gracePeriodSeconds": 0})["kind"], "Pod")
        self.assertEqual(self.refused("GET", self.path).code, 404)

    def test_not_running(self) -> None:
        """A Pod on no node needs no time."""
        self.pod("")
        self.ask("DELETE", self.path)
        self.assertEqual(self.refused("GET", self.path).code, 404)

    def test_negative(self) -> None:
        """Less than none is one second."""
        self.pod()
        self.assertEqual(self.grace(-5)[0], 1)


class CollectionTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        for name, app in (("a", "web"), ("b", "db"), ("c", "web")):
            self.config_map(name, {"app": app})

    def left(self) -> list[str]:
        return [one["metadata"]["name"] for one in self.ask("GET", CONFIG_MAPS)["items"]]

    def test_selected(self) -> None:
        """What the selectors choose goes, and the answer lists it."""
        answer = self.ask("DELETE", f"{CONFIG_MAPS}?labelSelector=app%3Dweb")
        self.assertEqual((answer["kind"], [one["metadata"]["name"] for one in answer["items"]]),
                         ("ConfigMapList", ["a", "c"]))
        self.assertEqual(self.left(), ["b"])

    def test_options_in_the_body(self) -> None:
        """DeleteOptions go for each object."""
        self.ask("DELETE", CONFIG_MAPS, {"propagationPolicy": "Foreground"})
        states: list[Any] = [one["metadata"]["finalizers"] for one in self.ask("GET", CONFIG_MAPS)["items"]]
        self.assertEqual(states, [["foregroundDeletion"]] * 3)

    def test_dry_run(self) -> None:
        """A dry run lists what would go."""
        self.assertEqual(len(self.ask("DELETE", f"{CONFIG_MAPS}?dryRun=All")["items"]), 3)
        self.assertEqual(self.left(), ["a", "b", "c"])

    def test_gone_meanwhile(self) -> None:
        """What somebody else deletes meanwhile is in the list all the same; another error ends the work."""
        store = self.cluster.server.stores.store("", "configmaps")
        original, failures = store.delete, {"a": errors.not_found(store.resource, "a")}

        async def delete(write: Write, name: str, validate: DeleteValidation) -> Any:
            if name in failures:
                raise failures[name]
            return await original(write, name, validate)

        self.patch(store, "delete", delete)
        answer = self.ask("DELETE", CONFIG_MAPS)
        self.assertEqual([one["metadata"]["name"] for one in answer["items"]], ["a", "b", "c"])
        self.assertEqual(self.left(), ["a"])
        failures["a"] = errors.conflict(store.resource, "a", "no")
        self.assertEqual(self.refused("DELETE", CONFIG_MAPS).code, 409)

    def test_bad_selector(self) -> None:
        """A selector that does not parse deletes nothing."""
        self.assertEqual(self.refused("DELETE", f"{CONFIG_MAPS}?labelSelector=%3D").code, 400)
        self.assertEqual(self.left(), ["a", "b", "c"])

    def test_all_namespaces(self) -> None:
        """Not in all namespaces at once."""
        self.assertEqual(self.refused("DELETE", "/api/v1/configmaps").code, 405)
