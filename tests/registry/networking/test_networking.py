"""Ingresses and their classes, network policies, service ranges and addresses."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.networking import ingress, ingressclass, ipaddress, networkpolicy, servicecidr
from tests.registry.resources import CONTEXT, StrategyTestCase

BACKEND = {"service": {"name": "s", "port": {"number": 80}}}


class IngressTests(StrategyTestCase):
    api = "networking.k8s.io/v1/Ingress"
    strategy = ingress.STRATEGY

    def rule(self, **path: Any) -> dict[str, Any]:
        return {"rules": [{"http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": BACKEND} | path]}}]}

    def test_backend(self) -> None:
        """There is a default backend or a rule."""
        self.assertEqual(self.errors(spec={}), [
            "spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"])
        self.assertEqual(self.errors(spec={"defaultBackend": BACKEND}), [])
        self.assertEqual(self.errors(spec=self.rule()), [])

    def test_paths(self) -> None:
        """Paths are absolute and plain, and their type is given."""
        self.assertEqual(self.errors(spec=self.rule(path="a")),
                         ['spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path'])
        self.assertEqual(self.errors(spec=self.rule(path="/a//b")),
                         ['spec.rules[0].http.paths[0].path: Invalid value: "/a//b": must not contain \'//\''])
        self.assertEqual(self.errors(spec=self.rule(pathType="Odd")), [
            'spec.rules[0].http.paths[0].pathType: Unsupported value: "Odd": supported values: "Exact", '
            '"ImplementationSpecific", "Prefix"'])

    def test_hosts(self) -> None:
        """Hosts are names, not addresses."""
        errors = self.errors(spec={"rules": [{"host": "1.2.3.4"}]})
        self.assertIn('spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
                      errors)

    def test_class_in_two_places(self) -> None:
        """The annotation and the field that name the class agree."""
        metadata = {"name": "x", "annotations": {"kubernetes.io/ingress.class": "a"}}
        errors = self.errors(metadata=metadata, spec={"defaultBackend": BACKEND, "ingressClassName": "b"})
        self.assertEqual(errors, ['annotations.kubernetes.io/ingress.class: Invalid value: "a": '
                                  "must match `ingressClassName` when both are specified"])


class IngressClassTests(StrategyTestCase):
    api = "networking.k8s.io/v1/IngressClass"
    strategy = ingressclass.STRATEGY

    def test_parameters(self) -> None:
        """Parameters are of the cluster when nothing else is said."""
        spec = {"controller": "example.com/c", "parameters": {"kind": "K", "name": "n"}}
        self.assertEqual(self.defaulted(spec=spec)["spec"]["parameters"]["scope"], "Cluster")
        self.assertEqual(self.errors(spec=spec), [])

    def test_controller_is_fixed(self) -> None:
        """The controller does not change."""
        old = self.created(spec={"controller": "example.com/c"})
        self.assertEqual(self.update_errors(old, spec={"controller": "example.com/d"}),
                         ['spec.controller: Invalid value: "example.com/d": field is immutable'])


class NetworkPolicyTests(StrategyTestCase):
    api = "networking.k8s.io/v1/NetworkPolicy"
    strategy = networkpolicy.STRATEGY

    def test_types(self) -> None:
        """A policy is about what comes in; also about what goes out if it has such rules."""
        self.assertEqual(self.defaulted(spec={"podSelector": {}})["spec"]["policyTypes"], ["Ingress"])
        self.assertEqual(self.defaulted(spec={"podSelector": {}, "egress": [{}]})["spec"]["policyTypes"],
                         ["Ingress", "Egress"])

    def test_blocks(self) -> None:
        """What a block leaves out lies in it, however it is spelt; odd spellings warn."""
        def policy(cidr: str, *without: str) -> dict[str, Any]:
            block = {"cidr": cidr, "except": list(without)}
            return {"podSelector": {}, "ingress": [{"from": [{"ipBlock": block}]}]}

        path = "spec.ingress[0].from[0].ipBlock"
        self.assertEqual(self.errors(spec=policy("10.0.0.0/8", "10.1.0.0/16")), [])
        self.assertEqual(self.errors(spec=policy("10.0.0.0/8", "11.0.0.0/16")), [
            f'{path}.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`'])
        self.assertEqual(self.errors(spec=policy("10.0.0.0/8", "::ffff:10.0.0.0/104")), [
            f'{path}.except[0]: Invalid value: "::ffff:10.0.0.0/104": must not have an IPv4-mapped IPv6 address'])
        odd = self.created(spec=policy("FD00::/64"))
        self.assertEqual(self.strategy.warnings_on_create(CONTEXT, odd), [
            f'{path}.cidr: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")'])

    def test_ports(self) -> None:
        """Ports are TCP; a range needs its beginning as a number."""
        made = self.defaulted(spec={"podSelector": {}, "ingress": [{"ports": [{"port": 80}]}]})
        self.assertEqual(made["spec"]["ingress"][0]["ports"], [{"protocol": "TCP", "port": 80}])
        self.assertEqual(self.errors(spec={"podSelector": {}, "ingress": [{"ports": [{"endPort": 90}]}]}), [
            "spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is not "
            "specified"])

    def test_peers(self) -> None:
        """A peer is a block of addresses or pods, not both and not nothing."""
        errors = self.errors(spec={"podSelector": {}, "ingress": [{"from": [{}]}]})
        self.assertEqual(errors, ["spec.ingress[0].from[0]: Required value: must specify a peer"])
        peer = {"ipBlock": {"cidr": "10.0.0.0/8", "except": ["11.0.0.0/16"]}}
        errors = self.errors(spec={"podSelector": {}, "ingress": [{"from": [peer]}]})
        self.assertEqual(errors, ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must '
                                  "be a strict subset of `cidr`"])


class ServiceCIDRTests(StrategyTestCase):
    api = "networking.k8s.io/v1/ServiceCIDR"
    strategy = servicecidr.STRATEGY

    def test_ranges(self) -> None:
        """One or two ranges, of different families."""
        self.assertEqual(self.errors(spec={"cidrs": ["10.0.0.0/24", "fd00::/112"]}), [])
        self.assertEqual(self.errors(spec={"cidrs": []}), ["spec.cidrs: Required value: at least one CIDR "
                                                           "required"])

    def test_ranges_are_fixed(self) -> None:
        """Ranges that are there stay."""
        old = self.created(spec={"cidrs": ["10.0.0.0/24"]})
        self.assertEqual(len(self.update_errors(old, spec={"cidrs": ["10.1.0.0/24"]})), 1)


class IPAddressTests(StrategyTestCase):
    api = "networking.k8s.io/v1/IPAddress"
    strategy = ipaddress.STRATEGY

    def test_name(self) -> None:
        """The name is an address in its canonical form."""
        self.assertEqual(self.strategy.validate_name("10.0.0.1", False), [])
        self.assertEqual(self.strategy.validate_name("fd00::1", False), [])
        self.assertTrue(self.strategy.validate_name("FD00::1", False))
        self.assertTrue(self.strategy.validate_name("x", False))

    def test_parent(self) -> None:
        """An address belongs to something."""
        self.assertEqual(self.errors(metadata={"name": "10.0.0.1"}, spec={}),
                         ["spec.parentRef: Required value"])
        made = self.created(spec={"parentRef": {"resource": "services", "name": "s"}})
        self.assertEqual(self.strategy.warnings_on_create(CONTEXT, made), [])
