"""/statusz, /flagz, /debug/pprof and /debug/flags."""

from __future__ import annotations

from tests.inprocess import ClusterTestCase

STATUSZ = "application/json;v=v1beta1;g=config.k8s.io;as=Statusz"


class StatusTests(ClusterTestCase):
    def test_text(self) -> None:
        """Who does not say what is wanted gets text, with the versions and the pages that there are."""
        self.clock.advance(3725)
        for headers in ({}, {"accept": "text/plain"}, {"accept": "*/*"}):
            answer = self.send("GET", "/statusz", **headers)
            self.assertEqual((answer.code, answer.content_type), (200, "text/plain; charset=utf-8"))
            text = answer.body.decode()
            self.assertTrue(text.startswith("\napiserver statusz\nWarning: "), text)
            self.assertIn("Up: 1 hr 02 min", text)
            self.assertIn("Emulation version: 1.36\n", text)
            self.assertIn(" /livez /metrics ", text)

    def test_kind(self) -> None:
        """Who asks for the kind gets an object; its old version is deprecated."""
        answer = self.send("GET", "/statusz", accept=STATUSZ)
        self.assertEqual((answer.json["kind"], answer.json["apiVersion"]), ("Statusz", "config.k8s.io/v1beta1"))
        self.assertEqual((answer.json["startTime"], answer.json["uptimeSeconds"]), ("2026-01-01T00:00:00Z", 0))
        self.assertEqual(answer.warnings, [])
        old = self.send("GET", "/statusz", accept=STATUSZ.replace("v1beta1", "v1alpha1"))
        self.assertEqual(old.warnings, [
            "This version of the statusz endpoint is deprecated. Please use a newer version."])

    def test_not_acceptable(self) -> None:
        """JSON without the kind, or with another one, is not to be had."""
        for accept in ("application/json", STATUSZ.replace("Statusz", "Flagz"), STATUSZ.replace("v1beta1", "v2")):
            answer = self.send("GET", "/statusz", accept=accept)
            self.assertEqual((answer.code, answer.json["reason"]), (406, "NotAcceptable"))

    def test_flags(self) -> None:
        """The settings in force, by name, as text or as an object."""
        self.assertIn("\nstorage.backend=memory\n", self.send("GET", "/flagz").body.decode())
        flags = self.send("GET", "/flagz", accept=STATUSZ.replace("Statusz", "Flagz")).json["flags"]
        self.assertEqual((flags["controllers"], flags["server.requestTimeout"]), ("[]", "60.0"))


class DebuggingTests(ClusterTestCase):
    def test_profiles(self) -> None:
        """The stacks of all threads are the one profile that there is."""
        self.assertEqual(self.send("GET", "/debug/pprof").code, 302)
        self.assertEqual(self.send("GET", "/debug/pprof/").content_type, "text/html; charset=utf-8")
        self.assertIn("MainThread:\n  File", self.send("GET", "/debug/pprof/goroutine?debug=1").body.decode())
        self.assertEqual(self.send("GET", "/debug/pprof/heap").code, 404)

    def test_flags(self) -> None:
        """No verbosity can be set."""
        self.assertEqual(self.send("GET", "/debug/flags").code, 200)
        self.assertEqual(self.send("PUT", "/debug/flags/v", b"4").code, 406)

    def test_authorization(self) -> None:
        """These pages are not for everybody."""
        for path in ("/debug/pprof/", "/debug/flags/v", "/statusz", "/flagz", "/metrics/slis"):
            self.assertEqual(self.send("GET", path, authorization="").code, 403, path)

    def test_check_results(self) -> None:
        """The results of health checks are metrics of their own."""
        self.send("GET", "/readyz")
        self.assertIn('kubernetes_healthcheck{name="etcd",type="readyz"} 1.0',
                      self.send("GET", "/metrics/slis").body.decode())
