"""Ranges of cluster IPs and their two parts (KEP-3070)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_network

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.services.address_range import AddressRange, static_part


def number(text: str) -> int:
    return int(IPv6Address(text) if ":" in text else IPv4Address(text))


class StaticPartTests(SynchronousTestCase):
    def test_of_addresses(self) -> None:
        """A sixteenth, at least 16 and at most 256; nothing of up to 16."""
        for size, kept in ((8, 0), (16, 0), (32, 16), (256, 16), (512, 32), (4096, 256), (65536, 256)):
            self.assertEqual(static_part(size, 16, 256, 16), kept, size)

    def test_of_ports(self) -> None:
        """A 32nd of the usual range."""
        self.assertEqual(static_part(2768, 16, 128, 32), 86)


class AddressRangeTests(SynchronousTestCase):
    def range(self, network: str, *taken: str) -> AddressRange:
        return AddressRange(ip_network(network), [number(one) for one in taken])

    def drain(self, range_: AddressRange) -> list[str]:
        """All that it gives, each taken at once."""
        given = []
        while (picked := range_.pick()) is not None:
            range_.take(picked)
            given.append(str(IPv4Address(picked)))
        return given

    def test_usable(self) -> None:
        """Neither the network's own address nor the broadcast address, which IPv6 doesn't have."""
        four, six = self.range("10.0.0.0/24"), self.range("fd00::/120")
        for text, usable in (("10.0.0.0", False), ("10.0.0.1", True), ("10.0.0.254", True), ("10.0.0.255", False)):
            self.assertEqual(number(text) in four, usable, text)
        for text, usable in (("fd00::", False), ("fd00::1", True), ("fd00::ff", True), ("fd00::100", False)):
            self.assertEqual(number(text) in six, usable, text)

    def test_upper_part_first(self) -> None:
        """Addresses are given from the upper part; from the lower one only when that is full."""
        given = self.drain(self.range("10.0.0.0/27"))
        self.assertEqual(sorted(given[:14], key=number), [f"10.0.0.{last}" for last in range(17, 31)])
        self.assertEqual(sorted(given[14:], key=number), [f"10.0.0.{last}" for last in range(1, 17)])

    def test_small_range(self) -> None:
        """A small range has no lower part."""
        self.assertEqual(len(self.drain(self.range("10.0.0.0/29"))), 6)
        self.assertEqual(self.drain(self.range("10.0.0.4/32")), [])

    def test_taken_before(self) -> None:
        """What is in use is not given until it is released; addresses of elsewhere are ignored."""
        range_ = self.range("10.0.0.0/30", "10.0.0.1", "10.9.9.9")
        self.assertEqual(self.drain(range_), ["10.0.0.2"])
        range_.release(number("10.0.0.1"))
        self.assertEqual(self.drain(range_), ["10.0.0.1"])

    def test_huge_range(self) -> None:
        """A range of 2**64 addresses costs no more than a small one."""
        range_ = self.range("fd00::/64")
        self.assertEqual(len({range_.pick() for _ in range(100)}), 100)
