"""Finding the published definitions."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.definitions import definitions_file, read_definitions
from tests.schema.shared_schema import shared_schema


class DefinitionsTests(SynchronousTestCase):
    """Files by version of Kubernetes."""

    def test_version(self) -> None:
        """The folder is one of the version's patch releases."""
        self.assertTrue(definitions_file("1.36").parent.name.startswith("v1.36."))

    def test_unknown_version(self) -> None:
        """A version that the package does not cover is said by name; 1.3 is not 1.36."""
        for version in ("0.9", "1.3"):
            error = self.assertRaises(LookupError, definitions_file, version)
            self.assertIn(version, str(error))

    def test_content(self) -> None:
        """Definitions are found under their names."""
        self.assertIn("io.k8s.api.core.v1.Pod", read_definitions("1.36"))

    def test_rows(self) -> None:
        """The compiled fields of a definition are at hand as plain data; a leaf has none."""
        rows = {row[0]: row for row in shared_schema().rows("io.k8s.api.core.v1.ContainerPort")}
        self.assertEqual((rows["protocol"][-1], rows["containerPort"][-1]), ("TCP", 0))
        self.assertEqual(shared_schema().rows("io.k8s.apimachinery.pkg.apis.meta.v1.Time"), [])
