"""OpenAPI v2 documents of other servers as parts of this server's."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.openapi.merging import merged, part_below


def refers(name: str) -> dict[str, Any]:
    return {"get": {"responses": {"200": {"schema": {"$ref": f"#/definitions/{name}"}}}}}


class PartTests(SynchronousTestCase):
    def test_part(self) -> None:
        """The paths below a prefix, and what they need, however far."""
        document = {"paths": {"/apis/g/v1/a": refers("A"), "/apis/g/v10/b": refers("D")}, "definitions": {
            "A": {"properties": {"b": {"$ref": "#/definitions/B"}}}, "B": {"properties": {
                "a": {"$ref": "#/definitions/A"}}}, "D": {}}, "parameters": {"p": {}}}
        self.assertEqual(part_below(document, "/apis/g/v1/"), {
            "paths": {"/apis/g/v1/a": refers("A")}, "parameters": {},
            "definitions": {"A": document["definitions"]["A"], "B": document["definitions"]["B"]}})

    def test_no_document(self) -> None:
        """Anything else is refused."""
        self.assertRaises(ValueError, part_below, {"paths": [1]}, "/")


class MergingTests(SynchronousTestCase):
    def test_merged(self) -> None:
        """Equal definitions are shared, others of the same name renamed with what refers to them; of two paths the
        first one counts.
        """
        own = {"swagger": "2.0", "paths": {"/x": refers("A")}, "definitions": {"A": {"type": "object"}, "S": {}},
               "parameters": {}}
        part = {"paths": {"/x": refers("S"), "/y": refers("A")}, "parameters": {}, "definitions": {
            "A": {"type": "string"}, "S": {}}}
        whole = merged(own, [part, part])
        self.assertEqual(whole["paths"], {"/x": refers("A"), "/y": refers("A_v2")})
        self.assertEqual(whole["definitions"], {"A": {"type": "object"}, "A_v2": {"type": "string"}, "S": {}})
        self.assertEqual(own["definitions"], {"A": {"type": "object"}, "S": {}})
