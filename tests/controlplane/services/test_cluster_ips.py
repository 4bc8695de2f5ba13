"""Cluster IPs of Services: given, asked for, kept, released."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.registry.strategy import Obj
from tests.controlplane.services.case import ADDRESSES, CIDRS, PORT, SERVICES, ServiceCase


class ClusterIPTests(ServiceCase):
    """A cluster of one family, with 254 addresses."""

    def test_given(self) -> None:
        """A Service gets an address of the upper part of the range, and an IPAddress says whose it is."""
        spec = self.service("a")
        address = spec["clusterIP"]
        self.assertEqual((spec["clusterIPs"], spec["ipFamilies"], spec["ipFamilyPolicy"]),
                         ([address], ["IPv4"], "SingleStack"))
        self.assertGreater(int(address.rpartition(".")[2]), 16)
        found = self.ask("GET", f"{ADDRESSES}/{address}")
        self.assertEqual(found["spec"], {"parentRef": {"resource": "services", "namespace": "default", "name": "a"}})
        self.assertEqual(found["metadata"]["labels"], {
            "ipaddress.kubernetes.io/ip-family": "IPv4", "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io"})

    def test_written_together(self) -> None:
        """Service and IPAddress have the same revision: there is no moment with one of them alone."""
        answer = self.ask("POST", SERVICES, {"metadata": {"name": "a"}, "spec": {"ports": [PORT]}})
        found = self.ask("GET", f"{ADDRESSES}/{answer['spec']['clusterIP']}")
        self.assertEqual(found["metadata"]["resourceVersion"], answer["metadata"]["resourceVersion"])

    def test_asked_for(self) -> None:
        """An address of the range is given to who asks first."""
        self.assertEqual(self.service("a", clusterIP="10.0.0.11")["clusterIP"], "10.0.0.11")
        self.assertIn("provided IP is already allocated", self.no_service("b", clusterIP="10.0.0.11").message)
        for outside in ("10.0.0.0", "10.0.0.255", "10.0.1.1", "192.168.1.1"):
            self.assertIn("does not match the current range", self.no_service("b", clusterIP=outside).message)
        self.assertEqual(self.addresses(), {"10.0.0.11": "a"})

    def test_not_given(self) -> None:
        """Neither headless Services nor ExternalNames have an address."""
        self.assertEqual(self.service("a", clusterIP="None")["clusterIPs"], ["None"])
        self.assertNotIn("clusterIP", self.service("b", type="ExternalName", externalName="x.example"))
        self.assertEqual(self.addresses(), {})

    def test_kept(self) -> None:
        """A replacement without it keeps the address; it can't be changed."""
        address = self.service("a")["clusterIP"]
        body = {"metadata": {"name": "a"}, "spec": {"ports": [{"port": 81}]}}
        self.assertEqual(self.ask("PUT", f"{SERVICES}/a", body)["spec"]["clusterIP"], address)
        self.assertEqual(self.no_change("a", clusterIP="10.0.0.3", clusterIPs=["10.0.0.3"]).code, 422)
        self.assertEqual(self.addresses(), {address: "a"})

    def test_released_by_type(self) -> None:
        """A Service that becomes an ExternalName gives its address back, and may get another one later."""
        self.service("a", clusterIP="10.0.0.11")
        self.assertNotIn("clusterIPs", self.change("a", type="ExternalName", externalName="x.example"))
        self.assertEqual(self.addresses(), {})
        address = self.change("a", type="ClusterIP", externalName=None)["clusterIP"]
        self.assertEqual(self.addresses(), {address: "a"})

    def test_released_by_deletion(self) -> None:
        """At once without finalizers; with some, when the last is gone."""
        self.service("a", clusterIP="10.0.0.11")
        self.service("b", clusterIP="10.0.0.12")
        self.delete("a")
        self.merge(f"{SERVICES}/b", {"metadata": {"finalizers": ["example.com/wait"]}})
        self.delete("b")
        self.assertEqual(self.addresses(), {"10.0.0.12": "b"})
        self.merge(f"{SERVICES}/b", {"metadata": {"finalizers": None}})
        self.assertEqual(self.addresses(), {})
        self.service("c", clusterIP="10.0.0.11")

    def test_released_by_deletion_of_a_collection(self) -> None:
        """All of them."""
        for name in "abc":
            self.service(name)
        self.ask("DELETE", f"{SERVICES}?fieldSelector=metadata.name!%3Dkubernetes")
        self.assertEqual(self.addresses(), {})

    def test_foreign_address_is_not_released(self) -> None:
        """Only IPAddresses that refer to the Service go with it."""
        self.service("a", clusterIP="10.0.0.11")
        found = self.ask("GET", f"{ADDRESSES}/10.0.0.11")
        self.ask("DELETE", f"{ADDRESSES}/10.0.0.11")
        other = {"resource": "services", "namespace": "default", "name": "other"}
        self.ask("POST", ADDRESSES, {**found, "metadata": {"name": "10.0.0.11"}, "spec": {"parentRef": other}})
        self.delete("a")
        self.assertEqual(self.addresses(), {"10.0.0.11": "other"})

    def test_address_of_something_else(self) -> None:
        """An IPAddress that somebody has made reserves its address."""
        self.ask("POST", ADDRESSES, {"metadata": {"name": "10.0.0.11"}, "spec": {
            "parentRef": {"group": "example.com", "resource": "gateways", "name": "g"}}})
        self.assertIn("already allocated", self.no_service("a", clusterIP="10.0.0.11").message)

    def test_dry_run(self) -> None:
        """Shows an address, and takes none."""
        before = self.revision()
        self.assertIn("clusterIP", self.service("a", query="?dryRun=All"))
        self.service("a", clusterIP="10.0.0.11", query="?dryRun=All")
        self.assertEqual((self.revision(), self.addresses()), (before, {}))

    def test_dry_run_outside(self) -> None:
        """A dry run names the network in which an address asked for is not."""
        error = self.assertRaises(StatusError, self.service, "a", query="?dryRun=All", clusterIP="1.2.3.4")
        self.assertIn("the provided IP (1.2.3.4) is not in the valid range. The range of valid IPs is 10.0.0.0/24",
                      error.message)

    def test_refused_service_takes_nothing(self) -> None:
        """What validation refuses has no address, nor has a name that is taken."""
        self.no_service("a", {"port": 0}, clusterIP="10.0.0.11")
        self.service("b")
        self.no_service("b", clusterIP="10.0.0.12")
        self.assertEqual(list(self.addresses().values()), ["b"])

    def test_endpoints_go_too(self) -> None:
        """The Endpoints of a deleted Service are deleted with it; those with finalizers stay."""
        for name, finalizers in (("a", []), ("b", ["example.com/wait"])):
            self.service(name)
            self.ask("POST", SERVICES.replace("services", "endpoints"),
                     {"metadata": {"name": name, "finalizers": finalizers}})
            self.delete(name)
        left = self.ask("GET", SERVICES.replace("services", "endpoints"))["items"]
        self.assertEqual([one["metadata"]["name"] for one in left], ["b"])


class FullRangeTests(ServiceCase):
    """A range of six addresses, one of which is that of ``kubernetes``."""

    overrides = {"services.clusterIPRange": "10.1.0.0/29"}

    def test_exhausted(self) -> None:
        """The next Service is 500; a released address is given again; other Services are still made."""
        for name in "abcde":
            self.service(name)
        error = self.no_service("f")
        self.assertEqual((error.code, error.message), (
            500, 'Internal error occurred: failed to allocate a serviceIP for Service "f": range is full'))
        self.service("headless", clusterIP="None")
        self.delete("c")
        self.service("f")
        self.assertEqual(sorted(self.addresses().values()), ["a", "b", "d", "e", "f"])

    def test_reserved(self) -> None:
        """The first address is for ``kubernetes``, even while that Service is missing."""
        self.ask("DELETE", f"{SERVICES}/kubernetes")
        for name in "abcde":
            self.assertNotEqual(self.service(name)["clusterIP"], "10.1.0.1")
        self.assertEqual(self.no_service("f").code, 500)
        self.clock.advance(10)
        self.assertEqual(self.ask("GET", f"{SERVICES}/kubernetes")["spec"]["clusterIP"], "10.1.0.1")

    def test_another_range(self) -> None:
        """A further ServiceCIDR serves once it is ready, and no longer when it is being deleted."""
        cidr = f"{CIDRS}/more"
        self.ask("POST", CIDRS, {"metadata": {"name": "more", "finalizers": ["example.com/wait"]},
                                 "spec": {"cidrs": ["10.2.0.0/29"]}})
        self.assertIn("does not match", self.no_service("a", clusterIP="10.2.0.3").message)
        ready = {"type": "Ready", "status": "True", "reason": "r", "message": "m",
                 "lastTransitionTime": "2026-01-01T00:00:00Z"}
        self.merge(f"{cidr}/status", {"status": {"conditions": [ready]}})
        self.service("a", clusterIP="10.2.0.3")
        for number in range(5):
            self.assertTrue(self.service(f"n{number}")["clusterIP"].startswith("10.1."))
        self.assertTrue(self.service("next")["clusterIP"].startswith("10.2."))
        self.ask("DELETE", cidr)
        self.assertEqual(self.no_service("late").code, 500)


class DualStackTests(ServiceCase):
    """A cluster of two families."""

    overrides = {"services.secondaryClusterIPRange": "fd00:10::/112"}

    def families_of(self, spec: Obj) -> list[str]:
        """Of the addresses that a Service has and of those that are its own by IPAddresses, which must agree."""
        self.assertEqual(sorted(self.addresses()), sorted(spec["clusterIPs"]))
        return ["IPv6" if ":" in one else "IPv4" for one in spec["clusterIPs"]]

    def test_default(self) -> None:
        """A Service has one address unless it says otherwise; so has ``kubernetes``."""
        self.assertEqual(self.families_of(self.service("a")), ["IPv4"])
        self.assertEqual(self.ask("GET", f"{SERVICES}/kubernetes")["spec"]["clusterIPs"], ["10.0.0.1"])

    def test_both(self) -> None:
        """Two addresses, in the order of the families."""
        for families in (["IPv4", "IPv6"], ["IPv6", "IPv4"]):
            spec = self.service("a", ipFamilyPolicy="RequireDualStack", ipFamilies=families)
            self.assertEqual(self.families_of(spec), families)
            self.assertEqual(spec["clusterIP"], spec["clusterIPs"][0])
            self.delete("a")

    def test_asked_for(self) -> None:
        """One of the two may be asked for; addresses are compared in canonical form."""
        spec = self.service("a", ipFamilyPolicy="PreferDualStack", clusterIP="fd00:10:0::9")
        self.assertEqual(spec["ipFamilies"], ["IPv6", "IPv4"])
        self.assertIn("fd00:10::9", self.addresses())
        error = self.no_service("b", clusterIP="fd00:10::9")
        self.assertIn("already allocated", error.message)

    def test_one_of_two_taken(self) -> None:
        """Nothing is given when only one of two can be had."""
        self.service("a", clusterIP="10.0.0.11")
        self.no_service("b", ipFamilyPolicy="RequireDualStack", clusterIP="fd00:10::9",
                        clusterIPs=["fd00:10::9", "10.0.0.11"])
        self.assertEqual(self.addresses(), {"10.0.0.11": "a"})

    def test_second_added_and_released(self) -> None:
        """The policy adds the second address, and lets it go; the first one stays."""
        first = self.service("a")["clusterIP"]
        spec = self.change("a", ipFamilyPolicy="RequireDualStack")
        self.assertEqual((self.families_of(spec), spec["clusterIP"]), (["IPv4", "IPv6"], first))
        spec = self.change("a", ipFamilyPolicy="SingleStack")
        self.assertEqual((spec["clusterIPs"], spec["ipFamilies"]), ([first], ["IPv4"]))
        self.assertEqual(self.addresses(), {first: "a"})
        spec = self.change("a", ipFamilyPolicy="PreferDualStack", clusterIPs=[first, "fd00:10::7"])
        self.assertEqual(spec["clusterIPs"], [first, "fd00:10::7"])

    def test_released_by_deletion(self) -> None:
        """Both."""
        self.service("a", ipFamilyPolicy="RequireDualStack")
        self.delete("a")
        self.assertEqual(self.addresses(), {})


class SixFirstTests(ServiceCase):
    """A cluster whose default family is IPv6."""

    overrides: Any = {"services.clusterIPRange": "fd00:10::/112", "services.secondaryClusterIPRange": "10.0.0.0/24",
                      "server.bindAddress": "::1"}

    def test_default(self) -> None:
        """Services have IPv6 addresses, ``kubernetes`` the first of them."""
        self.assertEqual(self.ask("GET", f"{SERVICES}/kubernetes")["spec"]["clusterIP"], "fd00:10::1")
        self.assertEqual(self.service("a")["ipFamilies"], ["IPv6"])
