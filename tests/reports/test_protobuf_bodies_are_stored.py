"""kcp#172, kubernetes#86253: controller-runtime writes built-in kinds as protobuf, and takes JSON where it must."""

from __future__ import annotations

from kube_twisted.codec.protobuf.envelope import encode_object
from tests.inprocess import ClusterTestCase

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
PROTOBUF = "application/vnd.kubernetes.protobuf"


class ProtobufTests(ClusterTestCase):
    def test_deployment(self) -> None:
        """A Deployment that comes as protobuf is stored, and is the one that would have come as JSON."""
        labels = {"app": "web"}
        obj = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {
            "replicas": 2, "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
        answer = self.send("POST", DEPLOYMENTS, encode_object(obj), content_type=PROTOBUF, accept="application/json")
        self.assertEqual((answer.code, answer.content_type), (201, "application/json"))
        spec = self.ask("GET", f"{DEPLOYMENTS}/web")["spec"]
        self.ask("DELETE", f"{DEPLOYMENTS}/web")
        self.assertEqual(spec, self.ask("POST", DEPLOYMENTS, obj)["spec"])

    def test_next_type(self) -> None:
        """A client that takes either gets what can be had: a Table comes as JSON."""
        either = ",".join(f"{one};as=Table;g=meta.k8s.io;v=v1" for one in (PROTOBUF, "application/json"))
        answer = self.send("GET", DEPLOYMENTS, accept=either)
        self.assertEqual((answer.content_type, answer.json["kind"]), ("application/json", "Table"))

    def test_no_type(self) -> None:
        """A client that takes nothing that can be had is told so."""
        self.assertEqual(self.send("GET", DEPLOYMENTS, accept=f"{PROTOBUF};as=Table;g=meta.k8s.io;v=v1").code, 406)

    def test_no_protobuf(self) -> None:
        """A body that says it is protobuf, and is not, is the client's mistake."""
        for body in (b"", b"k8s\0", b"k8s\0\xff\xff", b"{}", b"k8s\0\x0a\x02\x0a\x05"):
            self.assertEqual(self.send("POST", DEPLOYMENTS, body, content_type=PROTOBUF).code, 400, body)
