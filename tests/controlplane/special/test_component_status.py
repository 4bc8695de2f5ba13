"""Tests for kube_twisted.controlplane.special.component_status, and for the warnings about old kinds."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from tests.controlplane.special.cluster import Cluster

PATH = "/api/v1/componentstatuses"
WARNING = "v1 ComponentStatus is deprecated in v1.19+"


class ComponentStatusTests(SynchronousTestCase):
    """GET of ``componentstatuses``."""

    def setUp(self) -> None:
        self.cluster = Cluster()

    def test_list(self) -> None:
        """Each component with its health; the list has no revision."""
        answer = self.cluster.get(PATH)
        self.assertEqual((answer.code, answer.body["metadata"]), (200, {}))
        self.assertEqual([(one["metadata"]["name"], one["conditions"][0]["status"]) for one in answer.body["items"]],
                         [("etcd-0", "True"), ("scheduler", "False")])

    def test_selectors(self) -> None:
        """A field selector chooses by name; components have no labels."""
        self.assertEqual(len(self.cluster.get(f"{PATH}?fieldSelector=metadata.name%3Dscheduler").body["items"]), 1)
        self.assertEqual(self.cluster.get(f"{PATH}?labelSelector=a").body["items"], [])

    def test_get(self) -> None:
        """One component, with what it said."""
        body = self.cluster.get(f"{PATH}/scheduler").body
        self.assertEqual(body["conditions"], [
            {"type": "Healthy", "status": "False", "message": "connection refused"}])

    def test_table(self) -> None:
        """As a Table it has the columns of the resource."""
        body = self.cluster.ask("GET", PATH, accept="application/json;as=Table;v=v1;g=meta.k8s.io").body
        self.assertEqual([one["cells"] for one in body["rows"]],
                         [["etcd-0", "Healthy", "ok", ""], ["scheduler", "Unhealthy", "connection refused", ""]])

    def test_missing(self) -> None:
        """404 names the resource in the singular, and warns all the same."""
        answer = self.cluster.get(f"{PATH}/none")
        self.assertEqual((answer.code, answer.message), (404, 'componentstatus "none" not found'))
        self.assertEqual(answer.warnings, (WARNING,))

    def test_read_only(self) -> None:
        """405 for writes, without a warning."""
        answer = self.cluster.post(PATH, {})
        self.assertEqual((answer.code, answer.warnings), (405, ()))


class DeprecationTests(SynchronousTestCase):
    """Warnings about whole kinds."""

    def test_endpoints(self) -> None:
        """Every verb of Endpoints says what to use in their place."""
        cluster = Cluster()
        text = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"
        path = "/api/v1/namespaces/ns/endpoints"
        for answer in (cluster.post(path, {"metadata": {"name": "e"}}), cluster.get(path), cluster.get(f"{path}/e"),
                       cluster.ask("DELETE", f"{path}/e")):
            self.assertEqual((answer.code < 300, answer.warnings), (True, (text,)))
