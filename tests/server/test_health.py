"""/healthz, /livez and /readyz."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server.health import HealthCheck, HealthResults, install_health
from kube_twisted.server.layer import LayerTree
from tests.endpoints.discovery.fakes import ask


class HealthTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.problem: str | None = None
        self.tree = LayerTree("x")
        checks = [HealthCheck("ping", lambda: None), HealthCheck("etcd", lambda: self.problem),
                  HealthCheck("shutdown", lambda: None, ("readyz",))]
        self.results = HealthResults()
        install_health(self.tree, lambda: checks, self.results)

    def text(self, path: str) -> tuple[int, str]:
        response = ask(self.tree, path)
        return response.code, response.body.decode()

    def test_ok(self) -> None:
        """All is well: ``ok``, and with ``verbose`` a line each; each endpoint has its own checks."""
        for path in ("/healthz", "/livez", "/readyz"):
            self.assertEqual(self.text(path), (200, "ok"))
        self.assertEqual(self.text("/livez?verbose"), (200, "[+]ping ok\n[+]etcd ok\nlivez check passed\n"))
        self.assertEqual(self.text("/readyz?verbose")[1].splitlines()[2], "[+]shutdown ok")

    def test_failed(self) -> None:
        """Something is wrong: 500 with a line each, the reason withheld; the check's own path tells it."""
        self.problem = "disk full"
        self.assertEqual(self.text("/livez"), (
            500, "[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n"))
        self.assertEqual(self.text("/livez/etcd"), (500, "internal server error: disk full\n"))
        self.assertEqual(self.text("/livez/ping"), (200, "ok"))

    def test_results(self) -> None:
        """What checks say is counted, and the last of it kept, for those that are asked for together."""
        self.text("/livez")
        self.problem = "disk full"
        self.text("/livez")
        self.text("/livez/ping")
        last, counts = (dict(family.read()) for family in self.results.families())
        self.assertEqual(last, {("ping", "livez"): 1.0, ("etcd", "livez"): 0.0})
        self.assertEqual(counts, {("ping", "success", "livez"): 2, ("etcd", "success", "livez"): 1,
                                  ("etcd", "error", "livez"): 1})

    def test_excluded(self) -> None:
        """Checks can be left out, several of them; those that do not exist are named."""
        self.problem = "disk full"
        self.assertEqual(self.text("/readyz?exclude=etcd"), (200, "ok"))
        self.assertEqual(self.text("/livez?exclude=etcd&exclude=ping&exclude=nope&verbose")[1].splitlines(), [
            "[+]ping excluded: ok", "[+]etcd excluded: ok",
            'warn: some health checks cannot be excluded: no matches for "nope"', "livez check passed"])

    def test_unknown(self) -> None:
        """A check that doesn't exist, or not here, is 404."""
        for path in ("/livez/nope", "/livez/shutdown", "/livez/a/b", "/livez/", "/livez/ping/"):
            self.assertEqual(self.text(path)[0], 404, path)
        self.assertEqual(self.text("/readyz/shutdown")[0], 200)
