"""kubectl and resources that another server serves."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from typing import Any

from tests.sockets.support.aggregated import GROUP, NAME, ROOT, VERSION, api_service, service
from tests.sockets.support.kubectl import KubectlTestCase
from tests.sockets.support.process import environment

_SERVE = """
import sys
from twisted.internet import reactor
from twisted.internet.task import LoopingCall
from tests.sockets.support.aggregated import AUTHORITY, Backend
backend = Backend(reactor)
LoopingCall(backend.send, "two").start(0.2)
print(backend.port, AUTHORITY.certificate_pem().hex(), flush=True)
reactor.run()
"""


class _Remote:
    """A backend in a process of its own, for kubectl keeps this one waiting."""

    def __init__(self) -> None:
        self._child = subprocess.Popen([sys.executable, "-c", _SERVE], env=environment(), text=True,
                                       stdout=subprocess.PIPE)
        assert self._child.stdout is not None
        port, authority = self._child.stdout.readline().split()
        self.port, self.authority_pem = int(port), bytes.fromhex(authority)
        atexit.register(self.stop)

    def stop(self) -> None:
        self._child.kill()
        self._child.wait()


class AggregationTests(KubectlTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.backend = _Remote()
        self.addCleanup(self.backend.stop)
        self.create("/api/v1/namespaces/default/services", service(self.backend.port))
        self.addCleanup(self.client.request, "DELETE", "/api/v1/namespaces/default/services/backend")
        self.create("/apis/apiregistration.k8s.io/v1/apiservices",
                    api_service(self.backend.port, self.backend.authority_pem))
        self.addCleanup(self.client.request, "DELETE", f"/apis/apiregistration.k8s.io/v1/apiservices/{NAME}")
        self.server.wait_for(lambda: self.freshness() == "Current", "the other server is there")

    def freshness(self) -> str:
        answer = self.client.request("GET", "/apis", headers={
            "Accept": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"})
        found: list[dict[str, Any]] = [one for one in answer.json()["items"] if one["metadata"]["name"] == GROUP]
        return str(found[0]["versions"][0]["freshness"]) if found else ""

    def test_get(self) -> None:
        """Resources are found by their short name, and got."""
        self.assertIn("flunders fl wardle.example.com/v1alpha1 true Flunder", self.lines("api-resources"))
        self.assertEqual(self.lines("get", "fl", "--namespace=default", "--output=name"),
                         ["flunder.wardle.example.com/one"])

    def test_raw(self) -> None:
        """The answer is the other server's."""
        raw = json.loads(self.kubectl("get", "--raw", f"{ROOT}/namespaces/default/flunders"))
        self.assertEqual((raw["kind"], raw["apiVersion"]), ("FlunderList", VERSION))
        self.assertEqual(self.error("get", "--raw", f"{ROOT}/nothing"),
                         "Error from server (NotFound): the server could not find the requested resource")

    def test_watch(self) -> None:
        """Events come through as they happen."""
        watched = self.watch("get", "fl", "--namespace=default", "--watch", "--output=name")
        self.assertEqual([watched.next(), watched.next()],
                         ["flunder.wardle.example.com/one", "flunder.wardle.example.com/two"])
        events = self.client.watch(f"{ROOT}/namespaces/default/flunders?watch=1")
        self.assertEqual(next(events)["object"]["metadata"]["name"], "two")
        self.client.close()

    def test_apiservices(self) -> None:
        """The table shows who serves what, and whether it is there."""
        lines = self.lines("get", "apiservices")
        self.assertTrue(any(line.startswith(f"{NAME} default/backend True ") for line in lines), lines)
        self.assertTrue(any(line.startswith("v1.apps Local True ") for line in lines), lines)

    def test_unavailable(self) -> None:
        """Without its Service the other server is not there: kubectl says so, and goes on with the rest."""
        self.kubectl("delete", "service", "backend", "--namespace=default")
        self.server.wait_for(lambda: self.freshness() == "Stale", "the other server is gone")
        self.assertEqual(self.error("get", "--raw", ROOT), "Error from server (ServiceUnavailable): the server is "
                         "currently unable to handle the request")
        resources = self.kubectl("api-resources")
        self.assertIn("deployments", resources)
        self.assertNotIn("flunders", resources)
