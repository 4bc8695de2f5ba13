"""Tests for kube_twisted.authentication.service_account and token_review."""

from __future__ import annotations

from typing import Any

from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.user import SYSTEM_MASTERS, UserInfo
from kube_twisted.authentication.interfaces import InvalidCredentials
from kube_twisted.authentication.service_account import ServiceAccountTokens
from kube_twisted.authentication.token_review import Review, TokenReviewer
from kube_twisted.authentication.tokens import StaticTokens
from kube_twisted.util.clock import Clock
from tests.authentication.test_jwt import signer

ISSUER = "https://issuer.example"
NOW = 1767225600
ADMIN = UserInfo("admin", "1", (SYSTEM_MASTERS,))


class Objects:
    """What is there, by resource, namespace and name."""

    def __init__(self) -> None:
        self.there: dict[tuple[str, str, str], dict[str, Any]] = {}
        self.put("serviceaccounts", "bot", "sa-uid")

    def put(self, resource: str, name: str, uid: str, **meta: Any) -> None:
        namespace = "" if resource == "nodes" else "ns"
        self.there[resource, namespace, name] = {"metadata": {"name": name, "uid": uid, **meta}}

    def drop(self, resource: str, name: str) -> None:
        del self.there[resource, "" if resource == "nodes" else "ns", name]

    def peek(self, _group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        return self.there.get((resource, namespace, name))


def claims(**more: Any) -> dict[str, Any]:
    private = {"namespace": "ns", "serviceaccount": {"name": "bot", "uid": "sa-uid"}, **more.pop("bound", {})}
    return {"iss": ISSUER, "aud": [ISSUER], "iat": NOW, "nbf": NOW, "exp": NOW + 600, "jti": "id",
            "kubernetes.io": private, **more}


class ServiceAccountTestCase(SynchronousTestCase):
    """An authenticator over a few objects."""

    def setUp(self) -> None:
        self.reactor = FakeReactor()
        self.reactor.advance(NOW)
        self.objects = Objects()
        self.tokens = ServiceAccountTokens(signer(), ISSUER, (ISSUER,), self.objects, Clock(self.reactor))

    def authenticate(self, token: str) -> UserInfo | None:
        user: UserInfo | None = self.run_now(self.tokens.authenticate_token(token))
        return user

    @staticmethod
    def run_now(work: Any) -> Any:
        try:
            work.send(None)
        except StopIteration as stop:
            return stop.value
        raise AssertionError("still waiting")

    def refusal(self, **more: Any) -> str:
        failure = self.assertRaises(InvalidCredentials, self.authenticate, signer().sign(claims(**more)))
        return str(failure)


class TokenTests(ServiceAccountTestCase):
    """Whom tokens stand for."""

    def test_user(self) -> None:
        """The account's name, uid and groups, and the token's id."""
        user = self.authenticate(signer().sign(claims()))
        assert user is not None
        self.assertEqual((user.name, user.uid), ("system:serviceaccount:ns:bot", "sa-uid"))
        self.assertEqual(user.groups, (
            "system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"))
        self.assertEqual(user.extra, {"authentication.kubernetes.io/credential-id": ("JTI=id",)})

    def test_bound_to_pod(self) -> None:
        """Pod and node are told as extra; the node need not be there."""
        self.objects.put("pods", "p", "pod-uid")
        bound = {"pod": {"name": "p", "uid": "pod-uid"}, "node": {"name": "n"}}
        user = self.authenticate(signer().sign(claims(bound=bound)))
        assert user is not None
        self.assertEqual(user.extra["authentication.kubernetes.io/pod-uid"], ("pod-uid",))
        self.assertEqual(user.extra["authentication.kubernetes.io/node-name"], ("n",))
        self.assertNotIn("authentication.kubernetes.io/node-uid", user.extra)

    def test_dies_with_what_it_is_bound_to(self) -> None:
        """A token is refused as soon as its pod, secret or node is gone or another one."""
        for resource, what in (("pods", "pod"), ("secrets", "secret"), ("nodes", "node")):
            self.objects.put(resource, "x", "uid")
            token = signer().sign(claims(bound={what: {"name": "x", "uid": "uid"}}))
            self.assertIsNotNone(self.authenticate(token))
            self.objects.put(resource, "x", "other")
            self.assertRaises(InvalidCredentials, self.authenticate, token)
            self.objects.drop(resource, "x")
            self.assertRaises(InvalidCredentials, self.authenticate, token)

    def test_account_gone(self) -> None:
        """Without the account, or with another one of its name, a token is no good."""
        self.objects.put("serviceaccounts", "bot", "another")
        self.assertIn("does not match", self.refusal())
        self.objects.drop("serviceaccounts", "bot")
        self.assertIn("not found", self.refusal())

    def test_deletion_has_a_minute(self) -> None:
        """An account in deletion is good for one more minute."""
        self.objects.put("serviceaccounts", "bot", "sa-uid", deletionTimestamp="2026-01-01T00:00:00Z")
        token = signer().sign(claims())
        self.reactor.advance(60)
        self.assertIsNotNone(self.authenticate(token))
        self.reactor.advance(1)
        self.assertRaises(InvalidCredentials, self.authenticate, token)

    def test_times(self) -> None:
        """A token is good from its start to its end, give or take a minute; verified before or not."""
        token = signer().sign(claims())
        self.reactor.advance(660)
        self.assertIsNotNone(self.authenticate(token))
        self.reactor.advance(1)
        self.assertRaises(InvalidCredentials, self.authenticate, token)
        self.assertIn("not valid yet", self.refusal(nbf=NOW + 2000, exp=NOW + 9000))
        self.assertIn("in the future", self.refusal(iat=NOW + 2000, exp=NOW + 9000))

    def test_audience(self) -> None:
        """A token for somebody else is refused; one for nobody in particular is for the server."""
        self.assertIn("is invalid for the target audiences", self.refusal(aud=["vault"]))
        self.assertIsNotNone(self.authenticate(signer().sign(claims(aud=[]))))

    def test_not_ours(self) -> None:
        """Tokens of other issuers, and other texts, are left to other authenticators."""
        self.assertIsNone(self.authenticate(signer().sign(claims(iss="https://other"))))
        self.assertIsNone(self.authenticate("no token"))

    def test_forged(self) -> None:
        """Our issuer's name with another key's signature is refused."""
        self.assertRaises(InvalidCredentials, self.authenticate, signer(1).sign(claims()))



class ReviewTests(ServiceAccountTestCase):
    """What is said about a token on request."""

    def review(self, token: str, *audiences: str) -> Review:
        reviewer = TokenReviewer((StaticTokens({"secret": ADMIN}), self.tokens), (ISSUER,))
        review: Review = self.run_now(reviewer.review(token, audiences))
        return review

    def test_static_token(self) -> None:
        """A token without audiences is for the server's own."""
        review = self.review("secret")
        assert review.user is not None
        self.assertEqual(review.user.groups, (SYSTEM_MASTERS, "system:authenticated"))
        self.assertEqual(review.audiences, (ISSUER,))
        self.assertEqual(self.review("secret", "vault"), Review(error="invalid bearer token"))

    def test_common_audiences(self) -> None:
        """Of the audiences asked about, those of the token are told."""
        token = signer().sign(claims(aud=["vault", "db"]))
        self.assertEqual(self.review(token, "db", "cache").audiences, ("db",))

    def test_wrong_audience(self) -> None:
        """The error names both sides."""
        review = self.review(signer().sign(claims(aud=["vault", "db"])))
        self.assertEqual(review.error, '[invalid bearer token, token audiences ["vault" "db"] is invalid '
                         f'for the target audiences ["{ISSUER}"]]')

    def test_unknown(self) -> None:
        """A token that nobody knows, and a text that is none."""
        self.assertEqual(self.review("what").error, "invalid bearer token")
        self.assertEqual(self.review(" "), Review())
