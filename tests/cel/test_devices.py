"""Selectors of devices."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.devices import validate_selector


def errors(expression: str) -> list[str]:
    return [str(one) for one in validate_selector("p", expression)]


class SelectorTests(SynchronousTestCase):
    """Expressions about a device."""

    def test_good_selectors(self) -> None:
        """Drivers, attributes, capacities, and names for parts of them."""
        for expression in (
                "device.driver == 'gpu.example.com'", "device.attributes['gpu.example.com'].memory == 5",
                "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('1Gi'))",
                "device.attributes['gpu.example.com'].version.isGreaterThan(semver('1.0.0'))",
                "cel.bind(a, device.attributes['x.example.com'], a.b == 1 && a.c == 'd')",
                "device.attributes['x.example.com'].flag", "has(device.attributes['x'].y)"):
            self.assertEqual(errors(expression), [], expression)

    def test_compilation(self) -> None:
        """Other names are unknown, an empty selector has no line to show, and the result is a bool."""
        self.assertEqual(errors("device.nosuch"), [
            'p: Invalid value: "device.nosuch": compilation failed: ERROR: <input>:1:7: undefined field \'nosuch\'\n'
            " | device.nosuch\n | ......^"])
        self.assertTrue(errors("")[0].startswith(
            'p: Invalid value: "": compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input'))
        self.assertNotIn("\n", errors("")[0])
        self.assertEqual(errors("device.driver"), [
            'p: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string'])

    def test_cost(self) -> None:
        """A selector that might take long is refused."""
        turns = "device.attributes.all(a, " * 5
        self.assertEqual(errors(f"{turns}true{')' * 5}"), ["p: Forbidden: too complex, exceeds cost limit"])
