"""Repair of cluster IPs, in a store that somebody has spoilt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import orjson

from kube_twisted.registry.strategy import Obj
from kube_twisted.storage.interfaces import Create, Delete, Update
from tests.controlplane.services.case import ADDRESSES, SERVICES, ServiceCase
from tests.inprocess import NAMESPACE

_IP_KEY, _SERVICE_KEY = "/registry/ipaddresses/", "/registry/services/specs/default/"


def _set_parent(parent: Obj, obj: Obj) -> None:
    obj["spec"]["parentRef"] = parent


class SpoiltCase(ServiceCase):
    """Writes to the store past the server."""

    @property
    def store(self) -> Any:
        return self.cluster.server.backend.store

    def write(self, *operations: Any) -> None:
        self.cluster.result(self.store.transact(operations))

    def spoil(self, key: str, change: Callable[[Obj], None]) -> None:
        """Change a stored object."""
        entry = self.cluster.result(self.store.get(key))
        assert entry is not None
        obj = orjson.loads(entry.value)
        change(obj)
        self.write(Update(key, orjson.dumps(obj), entry.revision))

    def remove(self, key: str) -> None:
        entry = self.cluster.result(self.store.get(key))
        assert entry is not None
        self.write(Delete(key, entry.revision))

    def copy(self, key: str, to: str, change: Callable[[Obj], None]) -> None:
        """Put a changed copy of a stored object beside it."""
        entry = self.cluster.result(self.store.get(key))
        assert entry is not None
        obj = orjson.loads(entry.value)
        change(obj)
        self.write(Create(to, orjson.dumps(obj)))

    def round(self) -> None:
        """Let the time come for the next round."""
        self.cluster.run(0.5)
        self.clock.advance(180)
        self.cluster.run(0.5)

    def events(self) -> list[tuple[str, str, str]]:
        """Reason, whom it is about, and text of all Events."""
        return sorted((one["reason"], one["involvedObject"]["name"], one["message"])
                      for one in self.ask("GET", "/api/v1/events")["items"])


class ClusterIPRepairTests(SpoiltCase):
    """Two Services with addresses 10.0.0.11 and 10.0.0.12."""

    def setUp(self) -> None:
        super().setUp()
        self.service("a", clusterIP="10.0.0.11")
        self.service("b", clusterIP="10.0.0.12")
        self.whole = {"10.0.0.11": "a", "10.0.0.12": "b"}

    def test_nothing_to_do(self) -> None:
        """A round over what is right writes nothing."""
        before = self.cluster.result(self.store.list_entries("/registry/"))
        self.round()
        after = self.cluster.result(self.store.list_entries("/registry/"))
        self.assertEqual(before.entries, after.entries)

    def test_missing(self) -> None:
        """An address without IPAddress gets one, by which it is taken again."""
        self.remove(_IP_KEY + "10.0.0.11")
        self.assertEqual(self.addresses(), {"10.0.0.12": "b"})
        self.round()
        self.assertEqual(self.addresses(), self.whole)
        self.assertEqual(self.events(), [
            ("ClusterIPNotAllocated", "a", "Cluster IP [IPv4]: 10.0.0.11 is not allocated; repairing")])
        self.assertEqual(self.no_service("c", clusterIP="10.0.0.11").code, 422)

    def test_wrong_reference(self) -> None:
        """An IPAddress of a Service that refers to something else, or to a Service that isn't there, is put right."""
        for parent in ({"group": "example.com", "resource": "gateways", "name": "g"},
                       {"resource": "services", "namespace": "default", "name": "gone"}):
            self.spoil(_IP_KEY + "10.0.0.11", partial(_set_parent, parent))
            self.round()
            self.assertEqual(self.addresses(), self.whole)
        self.assertEqual({one[:2] for one in self.events()}, {("ClusterIPNotAllocated", "a")})

    def test_wrong_labels(self) -> None:
        """The labels of the allocator are put back, others stay."""
        self.spoil(_IP_KEY + "10.0.0.11", lambda obj: obj["metadata"].update(labels={"mine": "x"}))
        self.round()
        self.assertEqual(self.ask("GET", f"{ADDRESSES}/10.0.0.11")["metadata"]["labels"], {
            "ipaddress.kubernetes.io/ip-family": "IPv4", "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
            "mine": "x"})

    def test_duplicate(self) -> None:
        """Of two Services with one address, the one that the IPAddress doesn't refer to is told."""
        def second(obj: Obj) -> None:
            obj["metadata"].update(name="twin", uid="4a0a4a9e-0000-4000-8000-000000000000")

        self.copy(_SERVICE_KEY + "a", _SERVICE_KEY + "twin", second)
        self.round()
        self.assertEqual(self.addresses(), self.whole)
        self.assertEqual(self.events(), [
            ("ClusterIPAlreadyAllocated", "twin",
             "Cluster IP [IPv4]:10.0.0.11 was assigned to multiple services; please recreate service")])
        self.delete("twin")
        self.assertEqual(self.addresses(), self.whole)

    def test_out_of_range(self) -> None:
        """An address of no range is told."""
        self.spoil(_SERVICE_KEY + "a", lambda obj: obj["spec"].update(clusterIP="10.9.9.9", clusterIPs=["10.9.9.9"]))
        self.round()
        self.assertEqual([one[:2] for one in self.events()], [
            ("ClusterIPOutOfRange", "a"), ("IPAddressWrongReference", "10.0.0.11")])

    def test_no_address(self) -> None:
        """What is no address at all is told."""
        self.spoil(_SERVICE_KEY + "a", lambda obj: obj["spec"].update(clusterIP="ten", clusterIPs=["ten"]))
        self.round()
        self.assertIn(("ClusterIPNotValid", "a", "Cluster IP ten is not a valid IP; please recreate Service"),
                      self.events())

    def test_leaked(self) -> None:
        """An IPAddress whose Service is gone is removed, and its address can be had again."""
        self.remove(_SERVICE_KEY + "a")
        self.round()
        self.assertEqual(self.addresses(), {"10.0.0.12": "b"})
        self.assertEqual(self.events(), [
            ("IPAddressNotAllocated", "10.0.0.11",
             "IPAddress: 10.0.0.11 for Service default/a appears to have leaked: cleaning up")])
        self.service("c", clusterIP="10.0.0.11")

    def test_of_a_service_without_it(self) -> None:
        """An IPAddress that refers to a Service with another address is removed."""
        self.copy(_IP_KEY + "10.0.0.11", _IP_KEY + "10.0.0.13",
                  lambda obj: obj["metadata"].update(name="10.0.0.13"))
        self.round()
        self.assertEqual(self.addresses(), self.whole)

    def test_made_unusable(self) -> None:
        """An IPAddress of the allocator's that refers to no Service is removed."""
        self.copy(_IP_KEY + "10.0.0.11", _IP_KEY + "10.0.0.13", lambda obj: (
            obj["metadata"].update(name="10.0.0.13"), obj.update(spec={}))[0])
        self.round()
        self.assertEqual(self.addresses(), self.whole)

    def test_of_others(self) -> None:
        """IPAddresses that others made are their business."""
        self.ask("POST", ADDRESSES, {"metadata": {"name": "10.0.0.99"}, "spec": {
            "parentRef": {"resource": "services", "namespace": "default", "name": "nobody"}}})
        self.round()
        self.assertIn("10.0.0.99", self.addresses())

    def test_again_and_again(self) -> None:
        """What can't be mended is counted in one Event."""
        self.spoil(_SERVICE_KEY + "a", lambda obj: obj["spec"].update(clusterIP="ten", clusterIPs=["ten"]))
        for _ in range(3):
            self.round()
        [event] = [one for one in self.ask("GET", f"{NAMESPACE}/events")["items"]
                   if one["reason"] == "ClusterIPNotValid"]
        self.assertEqual((event["series"]["count"], event["type"], event["reportingComponent"]),
                         (3, "Warning", "ipallocator-repair-controller"))

    def test_services_without_address(self) -> None:
        """Headless Services and ExternalNames are as they should be."""
        self.service("h", clusterIP="None")
        self.service("e", type="ExternalName", externalName="x.example")
        self.round()
        self.assertEqual((self.addresses(), self.events()), (self.whole, []))

    def test_default_range_is_lost(self) -> None:
        """The ServiceCIDR ``kubernetes`` is made again, so that no address is out of range."""
        self.remove("/registry/servicecidrs/kubernetes")
        self.assertEqual(self.no_service("c").code, 500)
        self.round()
        self.assertEqual(self.events(), [])
        self.service("c")
        self.assertEqual(len(self.ask("GET", SERVICES)["items"]), 4)
