"""Where Services are reached."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.webhooks.service_resolver import ServiceAddress, Unroutable


class Services:
    """Holds one Service, ``ns/hook``."""

    def __init__(self, **spec: Any) -> None:
        self.spec = spec

    def peek(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        known = (group, resource, namespace, name) == ("", "services", "ns", "hook")
        return {"spec": self.spec} if known else None


class ServiceAddressTests(SynchronousTestCase):
    def wrong(self, address: ServiceAddress) -> str:
        return str(self.assertRaises((StatusError, Unroutable), address))

    def test_cluster_ip(self) -> None:
        """Types with a ClusterIP are reached there, at one of their ports."""
        for kind in ("ClusterIP", "NodePort", "LoadBalancer"):
            services = Services(type=kind, clusterIP="10.0.0.9", ports=[{"port": 80}, {"port": 443}])
            self.assertEqual(ServiceAddress(services, "ns", "hook", 443)(), ("10.0.0.9", 443))
            self.assertEqual(self.wrong(ServiceAddress(services, "ns", "hook", 8443)),
                             'no service port 8443 found for service "hook"')

    def test_external_name(self) -> None:
        """An external name is reached at any port."""
        services = Services(type="ExternalName", externalName="hook.example.com")
        self.assertEqual(ServiceAddress(services, "ns", "hook", 8443)(), ("hook.example.com", 8443))

    def test_no_address(self) -> None:
        """Headless Services and unknown types have no address."""
        for spec, said in (({"type": "ClusterIP", "clusterIP": "None"},
                            'cannot route to service with ClusterIP "None"'),
                           ({"type": "Odd"}, 'unsupported service type "Odd"')):
            self.assertEqual(self.wrong(ServiceAddress(Services(**spec), "ns", "hook", 443)), said)

    def test_missing(self) -> None:
        """A Service that isn't there is said to be missing, by its name alone."""
        self.assertEqual(self.wrong(ServiceAddress(Services(), "ns", "nosvc", 443)), 'service "nosvc" not found')

    def test_hostname(self) -> None:
        """Certificates name the Service within the cluster."""
        self.assertEqual(ServiceAddress(Services(), "ns", "hook", 443).hostname, "hook.ns.svc")
