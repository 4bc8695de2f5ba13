"""What Services and EndpointSlices tell of an aggregated server, and where they say it is."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.aggregator.addresses import NO_ADDRESS, ClusterAddresses, EndpointAddresses, OwnAddress
from kube_twisted.aggregator.apiservice import ServiceReference
from kube_twisted.aggregator.checks import check_service
from kube_twisted.aggregator.conditions import LOCAL, PASSED, changed_status, unavailable
from tests.aggregator.objects import Obj, Objects, endpoint, slice_

WEB = ServiceReference("ns", "web", 443)
_PORTS = [{"name": "https", "port": 443}]
_SPEC = {"type": "ClusterIP", "clusterIP": "10.0.0.9", "ports": _PORTS, "ipFamilies": ["IPv4"]}


class CheckTests(SynchronousTestCase):
    def said(self, *slices: Obj, spec: Obj | None = _SPEC) -> tuple[str, str]:
        found = check_service(Objects(spec, *slices), WEB)
        assert found is not None and found.status == "False"
        return found.reason, found.message

    def test_no_service(self) -> None:
        """Without the Service, or the port, nobody needs to be asked."""
        self.assertEqual(self.said(spec=None), ("ServiceNotFound", 'service/web in "ns" is not present'))
        self.assertEqual(self.said(spec={**_SPEC, "ports": [{"port": 80}]}),
                         ("ServicePortError", 'service/web in "ns" is not listening on port 443'))

    def test_no_endpoints(self) -> None:
        """Nor without a ready endpoint with the port; slices of other Services don't count."""
        self.assertEqual(self.said(slice_("other", endpoint("10.1.0.1"))),
                         ("EndpointsNotFound", 'cannot find endpointslices for service/web in "ns"'))
        missing = ("MissingEndpoints",
                   'endpointslices for service/web in "ns" have no addresses with port name "https"')
        self.assertEqual(self.said(slice_("web")), missing)
        self.assertEqual(self.said(slice_("web", endpoint("10.1.0.1", False))), missing)
        self.assertEqual(self.said(slice_("web", endpoint("10.1.0.1"), ports=[{"name": "x", "port": 1}])), missing)

    def test_worth_asking(self) -> None:
        """A ready endpoint is worth it, one of which nobody says so too; of other types nothing is known."""
        for ready in (True, None):
            self.assertIsNone(check_service(Objects(_SPEC, slice_("web", endpoint("10.1.0.1", ready))), WEB))
        for kind in ("ExternalName", "LoadBalancer"):
            self.assertIsNone(check_service(Objects({"type": kind}), WEB))


class AddressTests(SynchronousTestCase):
    def wrong(self, spec: Obj | None, *slices: Obj) -> str:
        return str(self.assertRaises(NO_ADDRESS, EndpointAddresses(Objects(spec, *slices)), WEB))

    def test_cluster(self) -> None:
        """The cluster IP, with the port of the Service."""
        self.assertEqual(ClusterAddresses(Objects(_SPEC))(WEB), ("10.0.0.9", 443))

    def test_endpoints(self) -> None:
        """Any ready endpoint, with the port that it has there."""
        slices = (slice_("web", endpoint("10.1.0.1", False), endpoint("10.1.0.2", True)), slice_("other"))
        self.assertEqual(EndpointAddresses(Objects(_SPEC, *slices))(WEB), ("10.1.0.2", 8443))

    def test_families(self) -> None:
        """Those of the Service's first IP family, while there are any."""
        six = slice_("web", endpoint("fd00::1"), addressType="IPv6")
        four = slice_("web", endpoint("10.1.0.1"))
        self.assertEqual(EndpointAddresses(Objects(_SPEC, six, four))(WEB)[0], "10.1.0.1")
        self.assertEqual(EndpointAddresses(Objects(_SPEC, six, slice_("web")))(WEB)[0], "fd00::1")

    def test_no_endpoint(self) -> None:
        """Why there is no address."""
        self.assertEqual(self.wrong(None), 'service "web" not found')
        self.assertEqual(self.wrong({"type": "ExternalName"}), 'unsupported service type "ExternalName"')
        self.assertEqual(self.wrong({**_SPEC, "ports": []}), 'no service port 443 found for service "web"')
        self.assertEqual(self.wrong(_SPEC, slice_("web", endpoint("10.1.0.1", False))),
                         'no endpoints available for service "web"')

    def test_own(self) -> None:
        """The Service ``kubernetes`` is this server, wherever it listens."""
        resolve = OwnAddress(lambda: ("127.0.0.1", 6443), ClusterAddresses(Objects(_SPEC)))
        self.assertEqual(resolve(ServiceReference("default", "kubernetes", 443)), ("127.0.0.1", 6443))
        self.assertEqual(resolve(WEB), ("10.0.0.9", 443))


class ConditionTests(SynchronousTestCase):
    def test_first(self) -> None:
        """A condition that was not there before; others stay."""
        status = changed_status({"status": {"conditions": [{"type": "Other", "status": "True"}]}}, LOCAL, "now")
        self.assertEqual(status, {"conditions": [{"type": "Other", "status": "True"}, {
            "type": "Available", "status": "True", "lastTransitionTime": "now", "reason": "Local",
            "message": "Local APIServices are always available"}]})

    def test_unchanged(self) -> None:
        """What is so already needs no write."""
        status = changed_status({}, PASSED, "then")
        self.assertIsNone(changed_status({"status": status}, PASSED, "now"))

    def test_transition(self) -> None:
        """The time is that of the last change between available and not, whatever the reason."""
        bad = {"status": changed_status({}, unavailable("ServiceNotFound", "gone"), "first")}
        worse = changed_status(bad, unavailable("EndpointsNotFound", "none"), "second")
        assert worse is not None
        self.assertEqual(worse["conditions"][0]["lastTransitionTime"], "first")
        good = changed_status({"status": worse}, PASSED, "third")
        assert good is not None
        self.assertEqual(good["conditions"][0]["lastTransitionTime"], "third")
        self.assertEqual(worse["conditions"][0]["reason"], "EndpointsNotFound")
