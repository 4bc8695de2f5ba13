"""What a proxy passes on of requests and answers."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase
from twisted.web.http_headers import Headers

from kube_twisted.aggregator.forwarding import answer_headers, request_headers, target, wants_upgrade
from kube_twisted.aggregator.server import prefix
from kube_twisted.aggregator.upstream import user_headers
from kube_twisted.api.user import UserInfo
from kube_twisted.endpoints.request import Request
from tests.inprocess import SentTransport


def request(path: str, query: str = "", **headers: str) -> Request:
    made = Request("GET", path, query, SentTransport({
        name.replace("_", "-"): value for name, value in headers.items()}, b""))
    made.user = UserInfo("jane", "7", ("a", "b"), {"example.com/x": ("1", "2"), "none": ()})
    made.audit_id = "42"
    return made


class TargetTests(SynchronousTestCase):
    def test_path(self) -> None:
        """A path is sent as it was understood: decoded, and encoded anew."""
        self.assertEqual(target(request("/apis/g/v1/things/a%2Fb%20c")), "/apis/g/v1/things/a/b%20c")
        self.assertEqual(target(request("/apis/g/v1/things/a:b@c=d")), "/apis/g/v1/things/a:b@c=d")

    def test_query(self) -> None:
        """Parameters are sorted by name; all values of one are sent, in their order."""
        self.assertEqual(target(request("/x", "b=2&a=%20&b=1&c")), "/x?a=+&b=2&b=1&c=")

    def test_prefix(self) -> None:
        """The group-version that a path belongs to."""
        for path, expected in (("/apis/g/v1/things/x", "/apis/g/v1"), ("/apis/g/v1", "/apis/g/v1"),
                               ("/apis/g%2Ecom/v1/x", "/apis/g.com/v1"), ("/api/v1/pods", "/api"), ("/api", "/api"),
                               ("/apis/g", "/apis/g"), ("/apiserver", ""), ("/version", "")):
            self.assertEqual(prefix(path), expected, path)


class HeaderTests(SynchronousTestCase):
    def test_user(self) -> None:
        """The user with its groups and all that is known besides; what can't stand in a name is escaped."""
        self.assertEqual(user_headers(request("/").user), {
            "X-Remote-User": ["jane"], "X-Remote-Uid": ["7"], "X-Remote-Group": ["a", "b"],
            "X-Remote-Extra-example.com%2Fx": ["1", "2"]})
        self.assertEqual(user_headers(UserInfo("joe")), {"X-Remote-User": ["joe"]})

    def test_request(self) -> None:
        """Nothing goes on that is about the connection, about credentials, or would tell another user."""
        sent = request_headers(request(
            "/x", authorization="Bearer t", connection="keep-alive, X-Own", x_own="1", te="trailers", host="me",
            content_length="3", expect="100-continue", x_remote_group="system:masters", X_Remote_Extra_a="b",
            impersonate_user="joe", accept="a/b", x_forwarded_for="10.0.0.1"), "10.0.0.7:443")
        self.assertEqual(sent, {
            "accept": ["a/b"], "x-forwarded-for": ["10.0.0.1, 192.0.2.1"], "x-forwarded-uri": ["/x"],
            "x-forwarded-host": ["10.0.0.7:443"], "x-forwarded-proto": ["https"], "audit-id": ["42"],
            "te": ["trailers"], **user_headers(request("/").user)})

    def test_forwarded_path(self) -> None:
        """The path is told in its simplest form."""
        for path, told in (("//x///y", "/x/y"), ("/a/../x", "/x"), ("/x/", "/x/"), ("/", "/")):
            self.assertEqual(request_headers(request(path), "h")["x-forwarded-uri"], [told])

    def test_answer(self) -> None:
        """Of an answer likewise, nor what this server says itself."""
        shown = answer_headers(Headers({
            "Connection": ["X-Own"], "X-Own": ["1"], "Date": ["now"], "Content-Type": ["a/b"], "ETag": ['"1"'],
            "Warning": ["299 - a", "299 - b"], "Access-Control-Allow-Origin": ["*"], "Transfer-Encoding": ["chunked"]}))
        self.assertEqual(sorted(shown), [("ETag", '"1"'), ("Warning", "299 - a"), ("Warning", "299 - b")])

    def test_upgrade(self) -> None:
        """A client that wants to speak another protocol says so."""
        self.assertTrue(wants_upgrade(request("/", connection="keep-alive, Upgrade")))
        self.assertFalse(wants_upgrade(request("/", connection="keep-alive", upgrade="h2c")))
