"""GET of a collection."""

from __future__ import annotations

from typing import Any

from tests.inprocess import CONFIG_MAPS, ClusterTestCase, query


class ListTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.made = [self.config_map(name, {"app": app, "name": name})
                     for name, app in (("a", "web"), ("b", "db"), ("c", "web"), ("d", "web"))]

    def names(self, **parameters: str | int) -> list[str]:
        return [one["metadata"]["name"] for one in self.listed(**parameters)["items"]]

    def listed(self, **parameters: str | int) -> Any:
        return self.ask("GET", f"{CONFIG_MAPS}?{query(**parameters)}")

    def test_whole(self) -> None:
        """The objects in order of their names, without kind and apiVersion, and the list's version."""
        items = [{key: value for key, value in one.items() if key not in ("kind", "apiVersion")} for one in self.made]
        self.assertEqual(self.listed(), {"kind": "ConfigMapList", "apiVersion": "v1",
                                         "metadata": {"resourceVersion": str(self.revision())}, "items": items})

    def test_empty(self) -> None:
        """An empty list is an empty list."""
        self.assertEqual(self.ask("GET", "/api/v1/namespaces/default/pods")["items"], [])

    def test_selectors(self) -> None:
        """By labels, by fields, by both."""
        self.assertEqual(self.names(labelSelector="app=web"), ["a", "c", "d"])
        self.assertEqual(self.names(labelSelector="app in (web),name!=c"), ["a", "d"])
        self.assertEqual(self.names(fieldSelector="metadata.name!=a", labelSelector="app=web"), ["c", "d"])
        self.assertEqual(self.names(fieldSelector="metadata.name=b"), ["b"])
        self.assertEqual(self.names(fieldSelector="metadata.namespace=other"), [])

    def test_bad_selectors(self) -> None:
        """A selector that does not parse, and a field that can't be selected, are 400."""
        self.assertEqual(self.refused("GET", f"{CONFIG_MAPS}?labelSelector=%3D").code, 400)
        error = self.refused("GET", f"{CONFIG_MAPS}?fieldSelector=data.x%3D1")
        self.assertIn('"data.x" is not a known field selector', error.message)

    def test_chunks(self) -> None:
        """Chunks show one snapshot, whatever happens in between, and count what is left."""
        first = self.listed(limit=2)
        self.assertEqual(first["metadata"]["remainingItemCount"], 2)
        self.ask("DELETE", f"{CONFIG_MAPS}/c")
        self.config_map("e")
        second = self.listed(limit=2, **{"continue": first["metadata"]["continue"]})
        self.assertEqual([one["metadata"]["name"] for one in second["items"]], ["c", "d"])
        self.assertEqual(second["metadata"], {"resourceVersion": first["metadata"]["resourceVersion"]})

    def test_chunks_of_a_selection(self) -> None:
        """With a selector nobody counts what is left, and the last chunk has no token."""
        first = self.listed(limit=2, labelSelector="app=web")
        self.assertNotIn("remainingItemCount", first["metadata"])
        second = self.listed(limit=2, labelSelector="app=web", **{"continue": first["metadata"]["continue"]})
        self.assertEqual(([one["metadata"]["name"] for one in second["items"]], "continue" in second["metadata"]),
                         (["d"], False))

    def test_exact(self) -> None:
        """An exact version is the state of then."""
        then = int(self.made[1]["metadata"]["resourceVersion"])
        self.assertEqual(self.names(resourceVersion=then, resourceVersionMatch="Exact"), ["a", "b"])
        self.assertEqual(self.names(resourceVersion=then, limit=5), ["a", "b"])
        self.assertEqual(self.names(resourceVersion=then), ["a", "b", "c", "d"])
        self.assertEqual(self.names(resourceVersion=then, resourceVersionMatch="NotOlderThan"), ["a", "b", "c", "d"])

    def test_any(self) -> None:
        """Version 0 takes what there is, all of it, whatever the limit."""
        self.assertEqual(self.names(resourceVersion=0, limit=1), ["a", "b", "c", "d"])

    def test_expired(self) -> None:
        """An exact version that is gone is 410."""
        self.compact()
        error = self.refused("GET", f"{CONFIG_MAPS}?resourceVersionMatch=Exact&resourceVersion="
                                    + self.made[0]["metadata"]["resourceVersion"])
        self.assertEqual((error.code, error.reason), (410, "Expired"))

    def test_future(self) -> None:
        """A version that never comes is 504."""
        for more in ("", "&resourceVersionMatch=Exact", "&limit=1"):
            error = self.refused("GET", f"{CONFIG_MAPS}?resourceVersion={self.revision() + 100}{more}")
            self.assertEqual(error.code, 504, more)

    def test_bad_options(self) -> None:
        """Options that are no numbers are 400, those that exclude each other 422."""
        for parameters, code in (("limit=x", 400), ("limit=" + "9" * 5000, 400), ("resourceVersion=x", 400),
                                 ("resourceVersion=" + "9" * 5000, 400), ("continue=x", 400),
                                 ("resourceVersionMatch=Exact", 422), ("sendInitialEvents=true", 422)):
            self.assertEqual(self.refused("GET", f"{CONFIG_MAPS}?{parameters}").code, code, parameters[:40])

    def test_no_limit(self) -> None:
        """A limit of 0 or less is none."""
        self.assertEqual((len(self.names(limit=0)), len(self.names(limit=-1))), (4, 4))

    def test_table(self) -> None:
        """A Table with a row each, and the list's version."""
        table = self.send("GET", f"{CONFIG_MAPS}?includeObject=None",
                          accept="application/json;as=Table;g=meta.k8s.io;v=v1").json
        self.assertEqual([row["cells"][0] for row in table["rows"]], ["a", "b", "c", "d"])
        self.assertEqual(table["metadata"], {"resourceVersion": str(self.revision())})
        self.assertEqual([row["object"] for row in table["rows"]], [None] * 4)

    def test_metadata(self) -> None:
        """A list of the metadata alone."""
        accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
        answer = self.send("GET", CONFIG_MAPS, accept=accept)
        self.assertEqual(answer.json["kind"], "PartialObjectMetadataList")
        self.assertEqual([one["metadata"] for one in answer.json["items"]], [one["metadata"] for one in self.made])

    def test_yaml(self) -> None:
        """YAML for those who want it."""
        answer = self.send("GET", CONFIG_MAPS, accept="application/yaml")
        self.assertTrue(answer.body.startswith(b"apiVersion: v1\nitems:\n- "), answer.body[:50])
