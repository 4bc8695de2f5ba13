"""Addresses and ranges: what is accepted, in what form, and what warns."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry import addresses


class AddressTests(SynchronousTestCase):
    def test_parsing(self) -> None:
        """Reading is lenient: leading zeros are decimal; a mapped address is the one it maps."""
        self.assertEqual(str(addresses.parse_ip("010.0.0.1")), "10.0.0.1")
        self.assertEqual(str(addresses.parse_ip("::ffff:10.0.0.1")), "10.0.0.1")
        for text in ("", "10.0.0", "10.0.0.256", "fe80::1%eth0", "x"):
            self.assertIsNone(addresses.parse_ip(text), text)

    def test_old_fields(self) -> None:
        """Older fields take any spelling but zeros and mapped ones, and what was stored before."""
        self.assertEqual(addresses.legacy_ip("p", "FD00::1"), [])
        self.assertEqual(len(addresses.legacy_ip("p", "010.0.0.1")), 1)
        self.assertEqual(addresses.legacy_ip("p", "010.0.0.1", existing=("010.0.0.1",)), [])

    def test_new_fields(self) -> None:
        """Newer fields take the canonical spelling alone."""
        self.assertEqual(addresses.canonical_ip("p", "fd00::1"), [])
        self.assertEqual([str(one) for one in addresses.canonical_ip("p", "FD00::1")],
                         ['p: Invalid value: "FD00::1": must be in canonical form ("fd00::1")'])
        self.assertEqual(addresses.canonical_cidr("p", "10.0.0.0/8"), [])
        self.assertEqual(len(addresses.canonical_cidr("p", "10.0.0.1/8")), 1)

    def test_interfaces(self) -> None:
        """The address of an interface has the length of its network's prefix, and is canonical."""
        self.assertEqual(addresses.interface_address("p", "10.0.0.1/8"), [])
        self.assertEqual(addresses.interface_address("p", "fd00::1/64"), [])
        self.assertEqual([str(one) for one in addresses.interface_address("p", "::ffff:10.0.0.1/120")],
                         ['p: Invalid value: "::ffff:10.0.0.1/120": must be in canonical form ("10.0.0.1/24")'])
        self.assertEqual(len(addresses.interface_address("p", "10.0.0.1")), 1)

    def test_endpoints(self) -> None:
        """Traffic is sent to no special address."""
        self.assertEqual(addresses.endpoint_ip("p", "10.0.0.1"), [])
        for text in ("0.0.0.0", "127.0.0.1", "169.254.0.1", "224.0.0.1", "::", "::1", "fe80::1", "ff02::1"):
            self.assertEqual(len(addresses.endpoint_ip("p", text)), 1, text)

    def test_warnings(self) -> None:
        """Unusual spellings that were accepted warn."""
        self.assertEqual(addresses.ip_warnings("p", "10.0.0.1"), [])
        self.assertEqual(addresses.ip_warnings("p", "010.0.0.1"),
                         ['p: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"'])
        self.assertEqual(addresses.cidr_warnings("p", "10.0.0.0/8"), [])
        self.assertEqual(len(addresses.cidr_warnings("p", "10.0.0.1/8")), 1)

    def test_families(self) -> None:
        """Both families together are dual stack."""
        self.assertTrue(addresses.is_dual_stack(["10.0.0.1", "fd00::/64"]))
        self.assertFalse(addresses.is_dual_stack(["10.0.0.1", "10.0.0.2"]))
