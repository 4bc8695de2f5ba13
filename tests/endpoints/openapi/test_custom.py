"""OpenAPI documents of custom resources."""

from __future__ import annotations

import json
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.openapi.custom import CustomResource, render_custom
from kube_twisted.endpoints.openapi.documents import OpenAPIDocuments
from tests.endpoints.openapi.shared import DEFINITIONS
from tests.schema.shared_schema import shared_schema

SCHEMA: dict[str, Any] = {"type": "object", "properties": {
    "spec": {"type": "object", "properties": {
        "scale": {"type": "integer", "minimum": 1},
        "port": {"x-kubernetes-int-or-string": True},
        "template": {"type": "object", "x-kubernetes-embedded-resource": True}}}}}
ROOT = "/apis/maps.example.com/v1"
ITEM = ROOT + "/namespaces/{namespace}/maps/{name}"


def atlas(**changes: Any) -> CustomResource:
    facts: dict[str, Any] = {
        "group": "maps.example.com", "version": "v1", "plural": "maps", "kind": "Atlas",
        "list_kind": "AtlasList", "namespaced": True, "schema": SCHEMA, **changes}
    return CustomResource(**facts)


def document(*resources: CustomResource) -> Any:
    return json.loads(render_custom(resources, DEFINITIONS))


class OperationTests(SynchronousTestCase):
    """What can be done with custom resources."""

    def test_paths(self) -> None:
        """A namespaced resource has its collection, its objects, and a list over all namespaces."""
        paths = document(atlas())["paths"]
        self.assertEqual({path: sorted(set(item) - {"parameters"}) for path, item in paths.items()}, {
            ROOT + "/maps": ["get"],
            ROOT + "/namespaces/{namespace}/maps": ["delete", "get", "post"],
            ITEM: ["delete", "get", "patch", "put"]})

    def test_cluster_scope(self) -> None:
        """A resource of the cluster has no namespaces in its paths."""
        paths = document(atlas(namespaced=False))["paths"]
        self.assertEqual(list(paths), [ROOT + "/maps", ROOT + "/maps/{name}"])

    def test_subresources(self) -> None:
        """Subresources are there when they are switched on; scale has the kind of its own."""
        paths = document(atlas(status=True, scale=True))["paths"]
        self.assertEqual(paths[ITEM + "/status"]["get"]["operationId"],
                         "readMapsExampleComV1NamespacedAtlasStatus")
        content = paths[ITEM + "/scale"]["put"]["requestBody"]["content"]
        self.assertEqual(content["application/json"]["schema"],
                         {"$ref": "#/components/schemas/io.k8s.api.autoscaling.v1.Scale"})

    def test_media_types(self) -> None:
        """Bodies are JSON or YAML; there is no strategic merge patch."""
        item = document(atlas())["paths"][ITEM]
        self.assertEqual(list(item["put"]["requestBody"]["content"]),
                         ["application/json", "application/yaml"])
        self.assertEqual(list(item["patch"]["requestBody"]["content"]), [
            "application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"])

    def test_descriptions(self) -> None:
        """Sentences are the original's: a kind that ends in s counts as a plural."""
        paths = document(atlas(status=True))["paths"]
        collection = paths[ROOT + "/namespaces/{namespace}/maps"]
        self.assertEqual([collection[method]["description"] for method in ("get", "post", "delete")],
                         ["list objects of kind Atlas", "create Atlas", "delete collection of Atlas"])
        self.assertEqual(paths[ITEM + "/status"]["patch"]["description"],
                         "partially update status of the specified Atlas")

    def test_field_validation(self) -> None:
        """Writes take the parameter that kubectl looks for."""
        patch = document(atlas())["paths"][ITEM]["patch"]
        self.assertIn("fieldValidation", [one["name"] for one in patch["parameters"]])
        self.assertEqual(patch["x-kubernetes-group-version-kind"],
                         {"group": "maps.example.com", "version": "v1", "kind": "Atlas"})


class SchemaTests(SynchronousTestCase):
    """How the schema of a definition is published."""

    def schema(self, **changes: Any) -> Any:
        return document(atlas(**changes))["components"]["schemas"]["com.example.maps.v1.Atlas"]

    def test_own_properties(self) -> None:
        """apiVersion, kind and metadata are added to what the definition says."""
        properties = self.schema()["properties"]
        self.assertEqual(list(properties), ["apiVersion", "kind", "metadata", "spec"])
        self.assertEqual(properties["spec"]["properties"]["scale"], {"type": "integer", "minimum": 1})

    def test_kind(self) -> None:
        """The schema names the kind that it is of."""
        self.assertEqual(self.schema()["x-kubernetes-group-version-kind"],
                         [{"group": "maps.example.com", "kind": "Atlas", "version": "v1"}])

    def test_without_a_schema(self) -> None:
        """Nothing is claimed about a kind without a schema."""
        self.assertEqual(set(self.schema(schema=None)), {"type", "x-kubernetes-group-version-kind"})

    def test_int_or_string(self) -> None:
        """An int-or-string says which types it takes, and once is enough."""
        both = [{"type": "integer"}, {"type": "string"}]
        port = {"x-kubernetes-int-or-string": True}
        limited = {**port, "anyOf": [{"minimum": 1}]}
        for given, expected in (
            (port, {**port, "anyOf": both}),
            ({**port, "anyOf": both}, {**port, "anyOf": both}),
            ({**port, "allOf": [{"anyOf": both}]}, {**port, "allOf": [{"anyOf": both}]}),
            (limited, {**limited, "allOf": [{"anyOf": both}]}),
        ):
            schema = self.schema(schema={"type": "object", "properties": {"port": given}})
            self.assertEqual(schema["properties"]["port"], expected)

    def test_embedded_resource(self) -> None:
        """An embedded resource has type and metadata, of which the type is required."""
        template = self.schema()["properties"]["spec"]["properties"]["template"]
        self.assertEqual(list(template["properties"]), ["apiVersion", "kind", "metadata"])
        self.assertEqual(template["required"], ["kind", "apiVersion"])

    def test_given_schema_is_left_alone(self) -> None:
        """Publishing does not write into the definition's own schema."""
        before = json.dumps(SCHEMA)
        self.schema()
        self.assertEqual(json.dumps(SCHEMA), before)

    def test_selectable_fields(self) -> None:
        """Fields that can be selected by are named in both schemas."""
        schemas = document(atlas(selectable=(".spec.scale",)))["components"]["schemas"]
        for name in ("Atlas", "AtlasList"):
            self.assertEqual(schemas[f"com.example.maps.v1.{name}"]["x-kubernetes-selectable-fields"],
                             [{"fieldPath": "spec.scale"}])

    def test_several_resources(self) -> None:
        """All resources of a group-version share a document."""
        road = atlas(plural="roads", kind="Road", list_kind="RoadList")
        names = [name.rpartition(".")[2] for name in document(atlas(), road)["components"]["schemas"]
                 if name.startswith("com.example.maps.v1.")]
        self.assertEqual(names, ["Atlas", "AtlasList", "Road", "RoadList"])

    def test_options_kinds(self) -> None:
        """DeleteOptions comes without the groups that clients of custom resources don't know."""
        schemas = document(atlas())["components"]["schemas"]
        options = schemas["io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"]
        groups = {one["group"] for one in options["x-kubernetes-group-version-kind"]}
        self.assertEqual((len(groups & {"apps", "batch"}), "apiextensions.k8s.io" in groups), (2, False))


class PublishTests(SynchronousTestCase):
    """Custom group-versions among the other documents."""

    def test_publish(self) -> None:
        """A group-version is served while it has resources, under a hash that follows their schemas."""
        documents = OpenAPIDocuments(list, shared_schema(), list, "1.36")
        version = GroupVersion("maps.example.com", "v1")
        name = "apis/maps.example.com/v1"
        hashes = []
        for schema in (SCHEMA, None, SCHEMA):
            documents.publish_custom(version, [atlas(schema=schema)])
            hashes.append(documents.v3()[name].hash)
        self.assertEqual((hashes[0] == hashes[2], hashes[0] == hashes[1]), (True, False))
        documents.publish_custom(version, [])
        self.assertNotIn(name, documents.v3())
