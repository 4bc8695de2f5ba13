"""kcp#172, kubernetes#86253: clients that prefer protobuf failed with custom kinds instead of falling back to JSON."""

from __future__ import annotations

from kube_twisted.codec.protobuf.envelope import encode_object
from tests.apiextensions.widgets import WIDGETS, CustomCase, widget
from tests.inprocess import JSON, Answer

PROTOBUF = "application/vnd.kubernetes.protobuf"


class CustomProtobufTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        self.define()
        self.widget("a")

    def accepting(self, accept: str) -> list[Answer]:
        """What a client gets that accepts these types: an object, a list."""
        return [self.send("GET", path, accept=accept) for path in (f"{WIDGETS}/a", WIDGETS)]

    def test_fall_back(self) -> None:
        """Who takes JSON too gets JSON, in whatever order they are listed."""
        for accept in (f"{PROTOBUF},{JSON}", f"{PROTOBUF}, */*", f"{JSON},{PROTOBUF}", f"{PROTOBUF};q=1, {JSON};q=0.1"):
            for answer in self.accepting(accept):
                self.assertEqual((answer.code, answer.content_type), (200, JSON), accept)
        watching = self.watch(WIDGETS, accept=f"{PROTOBUF};type=watch,{JSON}")
        self.assertEqual(watching.names(), [("ADDED", "a")])

    def test_protobuf_only(self) -> None:
        """Who takes nothing else is told what there is, in what it takes."""
        answers = [*self.accepting(PROTOBUF), self.send("GET", f"{WIDGETS}?watch=1", accept=PROTOBUF)]
        for answer in answers:
            self.assertEqual((answer.code, answer.content_type), (406, PROTOBUF))
            self.assertIn(b"NotAcceptable", answer.body)
            self.assertIn(b"application/json, application/yaml", answer.body)

    def test_body(self) -> None:
        """A protobuf body is refused by its type: there is no message that it could be."""
        for method, path in ("POST", WIDGETS), ("PUT", f"{WIDGETS}/a"):
            body = encode_object({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}})
            answer = self.send(method, path, body, content_type=PROTOBUF)
            self.assertEqual((answer.code, answer.json["reason"]), (415, "UnsupportedMediaType"))
        self.assertEqual(self.ask("POST", WIDGETS, widget("b"))["metadata"]["name"], "b")
