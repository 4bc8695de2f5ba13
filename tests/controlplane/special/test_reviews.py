"""Tests for the reviews: access, rules, tokens and oneself."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.user import UserInfo
from tests.controlplane.special.cluster import ISSUER, JANE, Answer, Cluster

AUTHORIZATION = "/apis/authorization.k8s.io/v1"
AUTHENTICATION = "/apis/authentication.k8s.io/v1"
PODS = {"verb": "list", "resource": "pods", "namespace": "ns"}


class AccessReviewTests(SynchronousTestCase):
    """May somebody do something?"""

    def setUp(self) -> None:
        self.cluster = Cluster()

    def review(self, **spec: Any) -> Answer:
        return self.cluster.post(f"{AUTHORIZATION}/subjectaccessreviews", {"metadata": {}, "spec": spec})

    def test_about_others(self) -> None:
        """The user and groups of the spec are asked about, not those of the request."""
        masters = self.review(groups=["system:masters"], resourceAttributes=PODS)
        self.assertEqual((masters.code, masters.body["status"]), (201, {"allowed": True}))
        self.assertEqual(self.review(user="x", resourceAttributes=PODS).body["status"], {"allowed": False})

    def test_paths(self) -> None:
        """URLs that are no resources."""
        for path, allowed in (("/apis/apps", True), ("/metrics", False)):
            answer = self.review(user="x", groups=["system:authenticated"],
                                   nonResourceAttributes={"path": path, "verb": "get"})
            self.assertEqual(answer.body["status"]["allowed"], allowed)

    def test_about_oneself(self) -> None:
        """A self review asks about who sends it."""
        path = f"{AUTHORIZATION}/selfsubjectaccessreviews"
        body = {"spec": {"resourceAttributes": PODS}}
        self.assertFalse(self.cluster.post(path, body, JANE).body["status"]["allowed"])
        self.assertTrue(self.cluster.post(path, body).body["status"]["allowed"])

    def test_local(self) -> None:
        """A local review is about its own namespace, and about resources: 422 otherwise."""
        path = f"{AUTHORIZATION}/namespaces/ns/localsubjectaccessreviews"
        self.assertEqual(self.cluster.post(path, {"spec": {"user": "x", "resourceAttributes": PODS}}).code, 201)
        for spec in ({"resourceAttributes": {**PODS, "namespace": "other"}},
                     {"nonResourceAttributes": {"path": "/x", "verb": "get"}}):
            self.assertEqual(self.cluster.post(path, {"spec": {"user": "x", **spec}}).code, 422)

    def test_invalid(self) -> None:
        """Exactly one kind of attributes, a subject, and no metadata: 422 about a kind without a name."""
        both = {"resourceAttributes": PODS, "nonResourceAttributes": {"path": "/x", "verb": "get"}}
        for spec, field in (({"user": "x"}, "spec.resourceAttributes"),
                            ({"resourceAttributes": PODS}, "spec.user"),
                            ({"user": "x", **both}, "spec.nonResourceAttributes")):
            answer = self.review(**spec)
            self.assertEqual((answer.code, answer.body["details"]["causes"][0]["field"]), (422, field))
            self.assertTrue(answer.message.startswith('.authorization.k8s.io "" is invalid'))
        named = self.cluster.post(f"{AUTHORIZATION}/subjectaccessreviews",
                                  {"metadata": {"name": "n"}, "spec": {"user": "x", "resourceAttributes": PODS}})
        self.assertEqual(named.body["details"]["causes"][0]["field"], "metadata")

    def test_selectors(self) -> None:
        """Raw selectors and requirements; what is not understood is ignored and told."""
        ignored = "spec.resourceAttributes.%s ignored due to parse error"
        partly = "spec.resourceAttributes.%s partially ignored due to parse error"
        good, odd = {"key": "k", "operator": "In", "values": ["v"]}, {"key": "k", "operator": "Odd"}
        for selector, error in (({"rawSelector": "a=b"}, None), ({"requirements": [good]}, None),
                                ({"rawSelector": "a in ("}, ignored), ({"requirements": [odd]}, ignored),
                                ({"requirements": [odd, good]}, partly)):
            for key in ("labelSelector", "fieldSelector"):
                status = self.review(user="x", resourceAttributes={**PODS, key: selector}).body["status"]
                self.assertEqual(status.get("evaluationError"), error % key if error else None, (key, selector))

    def test_invalid_selectors(self) -> None:
        """Empty selectors, both forms at once, and requirements without key or values: 422."""
        good = {"key": "k", "operator": "In", "values": ["v"]}
        for selector in ({}, {"rawSelector": "a=b", "requirements": [good]},
                         {"requirements": [{**good, "key": ""}]}, {"requirements": [{**good, "values": []}]},
                         {"requirements": [{**good, "operator": "Exists"}]}):
            for key in ("labelSelector", "fieldSelector"):
                answer = self.review(user="x", resourceAttributes={**PODS, key: selector})
                self.assertEqual(answer.code, 422, (key, selector))


class RulesReviewTests(SynchronousTestCase):
    """All that oneself may do."""

    def setUp(self) -> None:
        self.cluster = Cluster()

    def test_rules(self) -> None:
        """Rules about resources and about paths apart, each without its empty parts; the spec is not told."""
        answer = self.cluster.post(f"{AUTHORIZATION}/selfsubjectrulesreviews", {"spec": {"namespace": "ns"}}, JANE)
        self.assertEqual((answer.code, answer.body["spec"]), (201, {}))
        status = answer.body["status"]
        self.assertEqual(status["resourceRules"][-1], {
            "verbs": ["create"], "apiGroups": ["authentication.k8s.io"], "resources": ["selfsubjectreviews"]})
        self.assertEqual(status["nonResourceRules"][0]["verbs"], ["get"])
        self.assertFalse(status["incomplete"])

    def test_masters(self) -> None:
        """Administrators may do everything."""
        answer = self.cluster.post(f"{AUTHORIZATION}/selfsubjectrulesreviews", {"spec": {"namespace": "ns"}})
        self.assertIn({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}, answer.body["status"]["resourceRules"])

    def test_needs_namespace(self) -> None:
        """400 without one."""
        self.assertEqual(self.cluster.post(f"{AUTHORIZATION}/selfsubjectrulesreviews", {}).code, 400)


class IdentityReviewTests(SynchronousTestCase):
    """Who holds a token, and who am I?"""

    def setUp(self) -> None:
        self.cluster = Cluster()

    def test_token(self) -> None:
        """The holder, and for which audiences."""
        answer = self.cluster.post(f"{AUTHENTICATION}/tokenreviews", {"spec": {"token": "secret"}})
        self.assertEqual((answer.code, answer.body["status"]), (201, {
            "authenticated": True, "audiences": [ISSUER],
            "user": {"username": "admin", "uid": "1", "groups": ["system:masters", "system:authenticated"]}}))

    def test_unknown_token(self) -> None:
        """Nobody: an empty user and an error, but no refusal."""
        answer = self.cluster.post(f"{AUTHENTICATION}/tokenreviews", {"spec": {"token": "x"}})
        self.assertEqual((answer.code, answer.body["status"]), (201, {"user": {}, "error": "invalid bearer token"}))

    def test_no_token(self) -> None:
        """400."""
        self.assertEqual(self.cluster.post(f"{AUTHENTICATION}/tokenreviews", {"spec": {}}).code, 400)

    def test_self(self) -> None:
        """The user as authentication found out, and nothing that was sent."""
        user = UserInfo("u", "7", ("g",), {"b": ("2",), "a": ("1",)})
        answer = self.cluster.post(f"{AUTHENTICATION}/selfsubjectreviews", {"metadata": {"name": "x"}}, user)
        self.assertEqual(answer.code, 201)
        self.assertEqual(answer.body["metadata"], {"creationTimestamp": "2026-01-01T00:00:00Z"})
        self.assertEqual(answer.body["status"]["userInfo"], {
            "username": "u", "uid": "7", "groups": ["g"], "extra": {"a": ["1"], "b": ["2"]}})
