"""Schemas in the forms of v2 and v3."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.endpoints.openapi.definitions import Definitions
from tests.endpoints.openapi.shared import DEFINITIONS
from tests.schema.shared_schema import shared_schema

CORE = "io.k8s.api.core.v1."
META = "io.k8s.apimachinery.pkg.apis.meta.v1."
INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"


def v3(name: str, group_version: GroupVersion | None = None) -> Any:
    return orjson.loads(orjson.dumps(DEFINITIONS.v3([name], group_version)[name]))


def v2(name: str) -> Any:
    return orjson.loads(orjson.dumps(DEFINITIONS.v2([name])[name]))


class V3Tests(SynchronousTestCase):
    """What OpenAPI v3 adds to the published definitions."""

    def test_struct(self) -> None:
        """A struct that is no pointer defaults to an empty object; its reference is wrapped."""
        spec = v3(CORE + "Pod")["properties"]["spec"]
        self.assertEqual(spec["default"], {})
        self.assertEqual(spec["allOf"], [{"$ref": "#/components/schemas/io.k8s.api.core.v1.PodSpec"}])
        self.assertNotIn("$ref", spec)

    def test_pointer(self) -> None:
        """A struct behind a pointer has no default, nor has a time."""
        context = v3(CORE + "PodSpec")["properties"]["securityContext"]
        self.assertNotIn("default", context)
        self.assertNotIn("default", v3(META + "ObjectMeta")["properties"]["creationTimestamp"])

    def test_scalars(self) -> None:
        """A scalar that is always written defaults to zero; one that may be left out has no default."""
        port = v3(CORE + "ContainerPort")["properties"]
        self.assertEqual(port["containerPort"]["default"], 0)
        self.assertNotIn("default", port["hostPort"])

    def test_defaults_of_the_api(self) -> None:
        """Defaults that the API declares are shown."""
        self.assertEqual(v3(CORE + "ContainerPort")["properties"]["protocol"]["default"], "TCP")

    def test_items_have_no_default(self) -> None:
        """What a list holds is a bare reference."""
        containers = v3(CORE + "PodSpec")["properties"]["containers"]
        self.assertEqual(containers["items"], {"$ref": "#/components/schemas/io.k8s.api.core.v1.Container"})
        self.assertEqual(containers["x-kubernetes-list-map-keys"], ["name"])

    def test_int_or_string(self) -> None:
        """Values of two types are described as such."""
        self.assertEqual(v3(INT_OR_STRING)["oneOf"], [{"type": "integer"}, {"type": "string"}])
        self.assertEqual(v3(QUANTITY)["oneOf"], [{"type": "string"}, {"type": "number"}])

    def test_no_traces_of_json_schema(self) -> None:
        """No type is a list, and kind and apiVersion have no enum: validators needed those, clients don't."""
        pod = v3(CORE + "Pod")
        self.assertEqual(pod["type"], "object")
        self.assertEqual((pod["properties"]["kind"]["type"], "enum" in pod["properties"]["kind"]),
                         ("string", False))

    def test_property_with_the_name_of_a_keyword(self) -> None:
        """A property that is called $ref is no reference."""
        name = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"
        self.assertEqual(v3(name)["properties"]["$ref"], {"type": "string"})

    def test_references_are_followed(self) -> None:
        """A definition comes with everything that it refers to, and nothing else."""
        names = set(DEFINITIONS.v3([CORE + "Binding"], None))
        self.assertEqual({CORE + "Binding", CORE + "ObjectReference", META + "ObjectMeta"} - names, set())
        self.assertNotIn(CORE + "PodSpec", names)

    def test_kinds_of_every_group(self) -> None:
        """DeleteOptions names the core group's kind and the document's own, of all those that it has."""
        kinds = v3(META + "DeleteOptions", GroupVersion("apps", "v1"))["x-kubernetes-group-version-kind"]
        self.assertEqual([(one["group"], one["version"]) for one in kinds], [("", "v1"), ("apps", "v1")])


class EnumTests(SynchronousTestCase):
    """Values that the definitions leave out."""

    def test_field(self) -> None:
        """An enum lists its values, and the description says what they mean."""
        policy = v3(CORE + "Container")["properties"]["imagePullPolicy"]
        self.assertEqual(policy["enum"], ["Always", "IfNotPresent", "Never"])
        self.assertIn('\n\nPossible enum values:\n - `"Always"` means that kubelet always attempts',
                      policy["description"])

    def test_meaning_left_out(self) -> None:
        """A value without a meaning stands alone on its line."""
        operator = v3(CORE + "Toleration")["properties"]["operator"]
        self.assertIn('\n - `"Exists"`', operator["description"])
        self.assertNotIn('`"Exists"` ', operator["description"])

    def test_items(self) -> None:
        """What a list or a map holds can be an enum; then the description stays as it is."""
        modes = v3(CORE + "PersistentVolumeSpec")["properties"]["accessModes"]
        self.assertEqual(modes["items"]["enum"][0], "ReadOnlyMany")
        self.assertNotIn("Possible", modes["description"])
        statuses = v3(CORE + "PersistentVolumeClaimStatus")["properties"]["allocatedResourceStatuses"]
        self.assertIn("NodeResizePending", statuses["additionalProperties"]["enum"])


class V2Tests(SynchronousTestCase):
    """The older form."""

    def test_references_have_siblings(self) -> None:
        """A described reference stays one, and there are no defaults."""
        spec = v2(CORE + "Pod")["properties"]["spec"]
        self.assertEqual(spec["$ref"], "#/definitions/io.k8s.api.core.v1.PodSpec")
        self.assertNotIn("default", spec)
        self.assertNotIn("default", v2(CORE + "ContainerPort")["properties"]["protocol"])

    def test_int_or_string(self) -> None:
        """Values of two types are texts with a format."""
        schema = v2(INT_OR_STRING)
        self.assertEqual((schema["type"], schema["format"]), ("string", "int-or-string"))
        self.assertEqual(v2(QUANTITY)["type"], "string")


class NameTests(SynchronousTestCase):
    """From kinds to definitions."""

    def test_known(self) -> None:
        """A kind's definition is named after its Go type."""
        self.assertEqual(DEFINITIONS.name(GroupVersionKind("apps", "v1", "Deployment")),
                         "io.k8s.api.apps.v1.Deployment")

    def test_unknown(self) -> None:
        """A kind that is not built in has none."""
        self.assertIsNone(DEFINITIONS.name(GroupVersionKind("x.example", "v1", "Widget")))

    def test_unknown_version(self) -> None:
        """A version of Kubernetes without definitions is an error, when they are needed."""
        self.assertRaises(LookupError, Definitions(shared_schema(), "0.9").v2, [CORE + "Pod"])
