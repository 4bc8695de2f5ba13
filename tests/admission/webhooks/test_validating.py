"""Validating webhooks in a server: refusals, failures, and calls at once."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred

from kube_twisted.api.errors import StatusError
from tests.admission.webhooks.hooks import GROUP, HookTestCase, Raw, allow, deny, patched, setting
from tests.inprocess import CONFIG_MAPS

BODY = {"metadata": {"name": "x"}}


class DenialTests(HookTestCase):
    def denial(self, **status: Any) -> StatusError:
        self.validating("no", lambda _request: {"allowed": False, **({"status": status} if status else {})})
        return self.refused("POST", CONFIG_MAPS, BODY)

    def test_without_explanation(self) -> None:
        """A bare no is a 400."""
        error = self.denial()
        self.assertEqual(error.status(), {
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 400,
            "message": 'admission webhook "no.example.com" denied the request without explanation'})

    def test_status(self) -> None:
        """The webhook's Status is passed on, with the webhook named in its message."""
        details = {"causes": [{"field": "data", "message": "bad"}]}
        error = self.denial(code=403, reason="Forbidden", message="too odd", details=details)
        self.assertEqual((error.code, error.reason, error.details), (403, "Forbidden", details))
        self.assertEqual(error.message, 'admission webhook "no.example.com" denied the request: too odd')

    def test_reason(self) -> None:
        """Without a message its reason is told; codes of successes are none."""
        error = self.denial(code=200, status="Success", reason="NotToday")
        self.assertEqual((error.code, error.reason), (400, "NotToday"))
        self.assertEqual(error.message, 'admission webhook "no.example.com" denied the request: NotToday')

    def test_retry(self) -> None:
        """When to come again is also said in a header."""
        self.validating("no", lambda _request: {"allowed": False, "status": {
            "code": 429, "reason": "TooManyRequests", "details": {"retryAfterSeconds": 7}}})
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata":{"name":"x"}}')
        self.assertEqual((answer.code, answer.headers), (429, {"Retry-After": "7"}))

    def test_nothing_is_written(self) -> None:
        """A refused object is not there, a refused change has not happened."""
        self.config_map("y")
        self.denial()
        self.assertEqual(self.refused("GET", f"{CONFIG_MAPS}/x").code, 404)
        self.assertEqual(self.refused("PATCH", f"{CONFIG_MAPS}/y", {"data": {"a": "b"}},
                                      "application/merge-patch+json").code, 400)
        self.assertNotIn("data", self.ask("GET", f"{CONFIG_MAPS}/y"))

    def test_warnings(self) -> None:
        """Warnings reach the client, whether the write is allowed or not."""
        self.validating("warn", lambda _request: {"allowed": True, "warnings": ["mind the gap"]})
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata":{"name":"x"}}')
        self.assertEqual((answer.code, answer.warnings), (201, ["mind the gap"]))
        self.hooks.hooks["warn"] = lambda _request: {"allowed": False, "warnings": ["mind the gap"]}
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata":{"name":"y"}}')
        self.assertEqual((answer.code, answer.warnings), (400, ["mind the gap"]))


class FailureTests(HookTestCase):
    def test_unreachable(self) -> None:
        """A webhook that must be asked and isn't there refuses everything."""
        self.configure("Validating", self.webhook("gone"))
        error = self.refused("POST", CONFIG_MAPS, BODY)
        why = ('failed calling webhook "gone.example.com": failed to call webhook: '
               'Post "https://hooks.example.com/gone?timeout=10s": connect: connection refused')
        self.assertEqual(error.message, f"Internal error occurred: {why}")
        self.assertEqual(error.details, {"causes": [{"message": why}]})

    def test_ignored(self) -> None:
        """One that need not be asked does no harm."""
        self.configure("Validating", self.webhook("gone", failurePolicy="Ignore"))
        self.config_map("x")
        self.assertEqual(self.hooks.names, ["gone"])

    def test_denials_count(self) -> None:
        """A no is no failure."""
        self.validating("no", deny, failurePolicy="Ignore")
        self.assertEqual(self.refused("POST", CONFIG_MAPS, BODY).code, 400)

    def test_answers(self) -> None:
        """What webhooks answer besides what they should."""
        prefix = 'Internal error occurred: failed calling webhook "x.example.com": '
        invalid = prefix + "received invalid webhook response: "
        self.configure("Validating", self.webhook("x"))
        for said, message in (
            (Raw(b"{"), f"{prefix}failed to call webhook: couldn't get version/kind; json parse error: "
             "unexpected end of JSON input"),
            (Raw(b"oops", 500, "text/plain"), f'{prefix}failed to call webhook: an error on the server ("oops") has '
             "prevented the request from succeeding"),
            ({"uid": "other", "allowed": True}, None),
            (patched({"op": "add", "path": "/data", "value": {}}), invalid + "validating webhook may not return "
             "response.patch"),
            ({"allowed": "yes"}, f"{prefix}failed to call webhook: json: cannot unmarshal string into Go struct field "
             "AdmissionResponse.response.allowed of type bool"),
        ):
            self.hooks.hooks["x"] = lambda _request, said=said: said  # type: ignore[misc]
            error = self.refused("POST", CONFIG_MAPS, BODY)
            uid = self.last("x")["uid"]
            self.assertEqual(error.message, message or f'{invalid}expected response.uid="{uid}", got "other"')

    def test_dry_runs(self) -> None:
        """Who has side effects is asked about dry runs only when it knows of them."""
        self.validating("quiet", allow, sideEffects="NoneOnDryRun")
        self.ask("POST", f"{CONFIG_MAPS}?dryRun=All", BODY)
        self.assertTrue(self.last("quiet")["dryRun"])
        self.config_map("y")
        self.assertFalse(self.last("quiet")["dryRun"])


class CallTests(HookTestCase):
    def test_at_once(self) -> None:
        """All are asked at once; the first no is told when all have answered."""
        waiting: dict[str, Deferred[Any]] = {name: Deferred() for name in "abc"}
        for name, answer in waiting.items():
            self.validating(name, lambda _request, answer=answer: answer)  # type: ignore[misc]
        asked = self.begin("POST", CONFIG_MAPS, BODY)
        self.assertEqual(self.hooks.names, ["a", "b", "c"])
        waiting["c"].callback({"allowed": False, "status": {"message": "first"}})
        waiting["a"].callback({"allowed": False, "status": {"message": "second"}})
        self.assertNoResult(asked)
        waiting["b"].callback({"allowed": True})
        error = self.failureResultOf(asked, StatusError).value
        self.assertEqual(error.message, 'admission webhook "c.example.com" denied the request: first')

    def test_timeouts(self) -> None:
        """Each has its own time, and is told of it; no more than the request has."""
        self.validating("a", allow, timeoutSeconds=3)
        self.config_map("x")
        self.ask("POST", f"{CONFIG_MAPS}?timeout=1500ms", {"metadata": {"name": "y"}})
        self.assertEqual(self.hooks.urls, [("https://hooks.example.com/a?timeout=3s", 3),
                                           ("https://hooks.example.com/a?timeout=2s", 1.5)])

    def test_given_up(self) -> None:
        """When the request's time is over, what is running is given up."""
        waiting: Deferred[Any] = Deferred()
        self.validating("a", lambda _request: waiting)
        asked = self.begin("POST", f"{CONFIG_MAPS}?timeout=1s", BODY)
        self.clock.advance(1)
        self.assertEqual(self.failureResultOf(asked, StatusError).value.code, 504)
        self.assertTrue(waiting.called)

    def test_after_mutation(self) -> None:
        """They see what mutating webhooks made, and what the server added."""
        self.validating("see", allow)
        self.mutating("set", setting("/data", {"a": "b"}))
        self.ask("POST", CONFIG_MAPS, {"metadata": {"generateName": "x-"}})
        seen = self.last("see")
        self.assertEqual(seen["object"]["data"], {"a": "b"})
        self.assertEqual(seen["name"], seen["object"]["metadata"]["name"])
        self.assertIn("uid", seen["object"]["metadata"])
        self.assertNotIn("name", self.last("set"))

    def test_configurations_come_and_go(self) -> None:
        """A configuration counts from the next request on."""
        self.validating("no", deny)
        self.refused("POST", CONFIG_MAPS, BODY)
        path = f"{GROUP}/validatingwebhookconfigurations/no"
        self.ask("PATCH", path, [{"op": "replace", "path": "/webhooks/0/rules/0/operations", "value": ["DELETE"]}],
                 "application/json-patch+json")
        self.config_map("x")
        self.refused("DELETE", f"{CONFIG_MAPS}/x")
        self.ask("DELETE", path)
        self.ask("DELETE", f"{CONFIG_MAPS}/x")
