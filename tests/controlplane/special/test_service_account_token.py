"""Tests for kube_twisted.controlplane.special.service_account_token and token_issuer."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.authentication.jwt import parse
from tests.controlplane.special.cluster import ISSUER, START, Answer, Cluster

ACCOUNTS = "/api/v1/namespaces/ns/serviceaccounts"


class TokenRequestTests(SynchronousTestCase):
    """POST to ``serviceaccounts/token``."""

    def setUp(self) -> None:
        self.cluster = Cluster()
        self.account = self.cluster.make(ACCOUNTS, "bot")

    def request(self, name: str = "bot", metadata: dict[str, Any] | None = None, **spec: Any) -> Answer:
        return self.cluster.post(f"{ACCOUNTS}/{name}/token", {"metadata": metadata or {}, "spec": spec})

    def claims(self, **spec: Any) -> dict[str, Any]:
        answer = self.request(**spec)
        self.assertEqual(answer.code, 201, answer.body)
        token = parse(answer.body["status"]["token"])
        self.cluster.accounts.issuer.signer.verify(token)
        return token.claims

    def test_claims(self) -> None:
        """An hour for the server itself, in the account's name."""
        claims = self.claims()
        now = int(START)
        self.assertEqual({key: claims[key] for key in ("iss", "sub", "aud", "iat", "nbf", "exp")}, {
            "iss": ISSUER, "sub": "system:serviceaccount:ns:bot", "aud": [ISSUER], "iat": now, "nbf": now,
            "exp": now + 3600})
        uid = self.account["metadata"]["uid"]
        self.assertEqual(claims["kubernetes.io"], {"namespace": "ns", "serviceaccount": {"name": "bot", "uid": uid}})
        self.assertEqual(len(claims["jti"]), 36)

    def test_answer(self) -> None:
        """The answer has the account's identity, the full spec, and when the token ends."""
        body = self.request(expirationSeconds=1200, audiences=["vault"]).body
        self.assertEqual(body["metadata"]["uid"], self.account["metadata"]["uid"])
        self.assertEqual(body["spec"], {"audiences": ["vault"], "expirationSeconds": 1200, "boundObjectRef": None})
        self.assertEqual(body["status"]["expirationTimestamp"], "2026-01-01T00:20:00Z")
        self.assertEqual(body["metadata"]["managedFields"][0]["subresource"], "token")

    def test_token_is_accepted(self) -> None:
        """The reviewer knows the holder."""
        token = self.request().body["status"]["token"]
        review = self.cluster.post("/apis/authentication.k8s.io/v1/tokenreviews", {"spec": {"token": token}}).body
        self.assertEqual(review["status"]["user"]["username"], "system:serviceaccount:ns:bot")

    def test_expiry_limits(self) -> None:
        """Ten minutes at least, 2^32 seconds at most: 422."""
        for seconds in (599, 0, -1, (1 << 32) + 1):
            self.assertEqual(self.request(expirationSeconds=seconds).code, 422)
        self.assertEqual(self.request(expirationSeconds=600).code, 201)

    def test_bound_to_pod(self) -> None:
        """The pod and its node are in the claims; a node that is not there by its name alone."""
        pod = self.cluster.make_pod("p", nodeName="n", serviceAccountName="bot")
        private = self.claims(boundObjectRef={"kind": "Pod", "apiVersion": "v1", "name": "p"})["kubernetes.io"]
        self.assertEqual(private["pod"], {"name": "p", "uid": pod["metadata"]["uid"]})
        self.assertEqual(private["node"], {"name": "n"})

    def test_projected_token_lives_longer(self) -> None:
        """A kubelet's request of 3607 seconds gives a year, with a warning time; the answer shows what was asked."""
        self.cluster.make_pod("p", serviceAccountName="bot")
        reference = {"kind": "Pod", "apiVersion": "v1", "name": "p"}
        claims = self.claims(boundObjectRef=reference, expirationSeconds=3607)
        self.assertEqual(claims["exp"] - claims["iat"], 365 * 24 * 3600)
        self.assertEqual(claims["kubernetes.io"]["warnafter"], claims["iat"] + 3607)
        other = self.claims(boundObjectRef=reference, expirationSeconds=3607, audiences=["vault"])
        self.assertEqual(other["exp"] - other["iat"], 3607)

    def test_bound_to_secret(self) -> None:
        """A secret's uid is checked when it is given: 409."""
        secret = self.cluster.make("/api/v1/namespaces/ns/secrets", "s")
        reference = {"kind": "Secret", "apiVersion": "v1", "name": "s"}
        self.assertEqual(self.claims(boundObjectRef=reference)["kubernetes.io"]["secret"]["uid"],
                         secret["metadata"]["uid"])
        answer = self.request(boundObjectRef={**reference, "uid": "other"})
        self.assertEqual((answer.code, answer.body["details"]["kind"]), (409, "Secret"))

    def test_bound_to_node(self) -> None:
        """Nodes are found outside of namespaces."""
        self.cluster.make("/api/v1/nodes", "n")
        reference = {"kind": "Node", "apiVersion": "v1", "name": "n"}
        self.assertEqual(self.claims(boundObjectRef=reference)["kubernetes.io"]["node"]["name"], "n")

    def test_refused_bindings(self) -> None:
        """Missing objects are 404; other kinds, pods of other accounts, and references without a name, 400."""
        self.cluster.make_pod("p")
        for kind, api_version, name, code in (("Pod", "v1", "q", 404), ("Node", "v1", "q", 404),
                                              ("ConfigMap", "v1", "c", 400), ("Pod", "apps/v1", "p", 400),
                                              ("Pod", "v1", "p", 400), ("Secret", "v1", "", 400)):
            answer = self.request(boundObjectRef={"kind": kind, "apiVersion": api_version, "name": name})
            self.assertEqual(answer.code, code, kind)

    def test_identity(self) -> None:
        """Another name is 422, another uid 409, another namespace 400, a missing account 404."""
        self.assertEqual(self.request(metadata={"name": "x"}).code, 422)
        self.assertEqual(self.request(metadata={"uid": "x"}).code, 409)
        self.assertEqual(self.request(metadata={"namespace": "x"}).code, 400)
        self.assertEqual(self.request("absent").code, 404)
