"""The strategy ``None``, and which versions there are."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.apiextensions.conversion.converter import NoneConverter, Versions, with_version
from kube_twisted.util.deferreds import to_deferred

V1, V2 = GroupVersion("example.com", "v1"), GroupVersion("example.com", "v2")


class NoneConverterTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.converter = NoneConverter(Versions("example.com", ["v1", "v2"]))

    def test_converts(self) -> None:
        """Only the version changes, at its place, and not in what was given."""
        given = [{"kind": "Foo", "apiVersion": "example.com/v1", "spec": {"a": 1}}, {"apiVersion": "example.com/v2"}]
        converted = self.converter.convert_now(given, V2)
        self.assertEqual(converted, [{"kind": "Foo", "apiVersion": "example.com/v2", "spec": {"a": 1}},
                                     {"apiVersion": "example.com/v2"}])
        self.assertEqual(list(converted[0]), ["kind", "apiVersion", "spec"])
        self.assertEqual(given[0]["apiVersion"], "example.com/v1")
        self.assertEqual(self.successResultOf(to_deferred(self.converter.convert(given, V2))), converted)

    def test_unknown_versions(self) -> None:
        """Versions that the definition does not have are refused, on either side."""
        for given, to, said in (
            ("example.com/v1", GroupVersion("example.com", "v3"), "to an invalid group/version: example.com/v3"),
            ("example.com/v3", V1, "from an invalid group/version: example.com/v3"),
        ):
            error = self.assertRaises(StatusError, self.converter.convert_now, [{"apiVersion": given}], to)
            self.assertEqual((error.code, error.reason, error.message), (500, "", f"request to convert CR {said}"))

    def test_same_version(self) -> None:
        """Nothing is copied when there is nothing to do."""
        obj = {"apiVersion": "example.com/v1"}
        self.assertIs(with_version(obj, V1), obj)
