"""OpenAPI documents of custom resources."""

from __future__ import annotations

import gzip
import json
from typing import Any

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroup
from kube_twisted.endpoints.openapi.custom import CustomResource, CustomVersion, from_definition, render_custom
from kube_twisted.endpoints.openapi.document import Document
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
            ({**limited, "allOf": [{"anyOf": both}]}, {**limited, "allOf": [{"anyOf": both}]}),
            ({**limited, "allOf": [{"minimum": 2}]}, {**limited, "allOf": [{"anyOf": both}, {"minimum": 2}]}),
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


class V2SchemaTests(SynchronousTestCase):
    """How the schema of a definition is published in v2: clients of that version understand less."""

    def schema(self, schema: Any, **changes: Any) -> Any:
        """The schema of the kind."""
        custom = CustomVersion([atlas(schema=schema, **changes)], DEFINITIONS)
        return json.loads(orjson.dumps(custom.v2_definitions))["com.example.maps.v1.Atlas"]

    def check(self, given: dict[str, Any], expected: dict[str, Any]) -> None:
        """What becomes of a field's schema."""
        found = self.schema({"type": "object", "properties": {"field": given}})
        self.assertEqual(found["properties"]["field"], expected)

    def test_plain(self) -> None:
        """What both versions have stays."""
        for given in ({"type": "integer", "minimum": 1, "description": "how big", "enum": [1, 2]},
                      {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
                      {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 3},
                      {"type": "string", "x-kubernetes-validations": [{"rule": "true"}]}):
            self.check(given, given)

    def test_left_out(self) -> None:
        """Logical junctors and defaults are left out, at any depth."""
        dropped = {"anyOf": [{}], "allOf": [{}], "oneOf": [{}], "not": {}, "default": 1}
        self.check({"type": "integer", **dropped}, {"type": "integer"})
        self.check({"type": "array", "items": {"type": "integer", **dropped}},
                   {"type": "array", "items": {"type": "integer"}})
        self.check({"x-kubernetes-int-or-string": True}, {"x-kubernetes-int-or-string": True})

    def test_nullable(self) -> None:
        """What can be null has no type and says nothing of what is in it; nobody requires it."""
        self.check({"type": "string", "nullable": True, "maxLength": 3}, {"maxLength": 3})
        self.check({"type": "object", "nullable": True, "properties": {"a": {"type": "string"}}}, {})
        empty = {"type": "integer", "nullable": True}
        self.check({"type": "object", "required": ["a", "b"], "properties": {"a": empty, "b": {"type": "string"}}},
                   {"type": "object", "required": ["b"], "properties": {"a": {}, "b": {"type": "string"}}})
        self.check({"type": "object", "required": ["a"], "additionalProperties": empty},
                   {"type": "object", "additionalProperties": {}})

    def test_unknown_fields(self) -> None:
        """So has what can have unknown fields, if it is an object or a list."""
        open_ = {"x-kubernetes-preserve-unknown-fields": True}
        self.check({"type": "object", **open_, "properties": {"a": {"type": "string"}}}, open_)
        self.check({"type": "array", **open_, "items": {"type": "string"}}, open_)
        self.check({"type": "string", **open_}, {"type": "string", **open_})

    def test_embedded_resource(self) -> None:
        """An embedded resource has type and metadata, unless it can have any fields."""
        embedded = {"x-kubernetes-embedded-resource": True}
        field = self.schema({"type": "object", "properties": {"field": {"type": "object", **embedded}}})
        self.assertEqual(set(field["properties"]["field"]["properties"]), {"apiVersion", "kind", "metadata"})
        open_ = {**embedded, "x-kubernetes-preserve-unknown-fields": True}
        self.check({"type": "object", **open_}, open_)

    def test_own_properties(self) -> None:
        """apiVersion, kind and metadata are added; references have a text beside them."""
        found = self.schema(SCHEMA)
        self.assertEqual(list(found["properties"]), ["apiVersion", "kind", "metadata", "spec"])
        self.assertEqual(found["properties"]["metadata"]["$ref"],
                         "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")

    def test_nothing_claimed(self) -> None:
        """A kind that keeps unknown fields, or has no schema, is just an object."""
        kept = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {}}
        for schema, keeps in ((kept, False), (SCHEMA, True), (None, False)):
            found = self.schema(schema, keeps_unknown_fields=keeps)
            self.assertEqual(set(found), {"type", "x-kubernetes-group-version-kind"})


class DefinitionTests(SynchronousTestCase):
    """From a CustomResourceDefinition."""

    CRD: dict[str, Any] = {
        "spec": {"group": "maps.example.com", "scope": "Namespaced",
                 "names": {"plural": "maps", "kind": "Atlas", "listKind": "Taken"},
                 "versions": [{"name": "v0"}, {
                     "name": "v1", "schema": {"openAPIV3Schema": SCHEMA}, "subresources": {"status": {}},
                     "selectableFields": [{"jsonPath": ".spec.scale"}]}]},
        "status": {"acceptedNames": {"plural": "maps", "kind": "Atlas", "listKind": "AtlasList"}}}

    def test_facts(self) -> None:
        """Names are the accepted ones; an empty status subresource is one."""
        self.assertEqual(from_definition(self.CRD, "v1"), atlas(status=True, selectable=(".spec.scale",)))

    def test_bare_version(self) -> None:
        """A version need not have more than a name."""
        self.assertEqual(from_definition(self.CRD, "v0"), atlas(version="v0", schema=None))


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

    def test_nothing_is_rendered_before_it_is_asked_for(self) -> None:
        """Publishing costs no definitions; built-in groups are not looked at again."""
        looked: list[int] = []

        def groups() -> list[APIGroup]:
            looked.append(1)
            return []

        documents = OpenAPIDocuments(groups, shared_schema(), list, "1.36")
        for kind in ("Atlas", "Road"):
            documents.publish_custom(GroupVersion("maps.example.com", "v1"), [atlas(kind=kind)])
            self.assertIn("apis/maps.example.com/v1", documents.v3())
        self.assertEqual((documents._kept, len(looked)), ({}, 1))

    def test_v2(self) -> None:
        """The v2 document has custom resources as well, while they are there."""
        documents = OpenAPIDocuments(list, shared_schema(), list, "1.36")
        version, hashes = GroupVersion("maps.example.com", "v1"), []
        for resources in ([], [atlas()], []):
            documents.publish_custom(version, resources)
            digest, compressed = documents.compressed_v2()
            hashes.append(digest)
            document = json.loads(gzip.decompress(compressed))
            self.assertEqual(ROOT + "/maps" in document["paths"], bool(resources))
            self.assertEqual("com.example.maps.v1.Atlas" in document["definitions"], bool(resources))
        self.assertEqual((hashes[0] == hashes[2], hashes[0] == hashes[1]), (True, False))

    def test_v2_operations(self) -> None:
        """All operations take JSON and YAML, also those without a body; definitions of meta/v1 come along."""
        documents = OpenAPIDocuments(list, shared_schema(), list, "1.36")
        documents.publish_custom(GroupVersion("maps.example.com", "v1"), [atlas()])
        document = json.loads(gzip.decompress(documents.compressed_v2()[1]))
        item = document["paths"][ITEM]
        for method in ("get", "put", "delete"):
            self.assertEqual(item[method]["consumes"], ["application/json", "application/yaml"])
        self.assertEqual(item["get"]["responses"]["200"]["schema"],
                         {"$ref": "#/definitions/com.example.maps.v1.Atlas"})
        self.assertIn("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", document["definitions"])

    def test_other_documents_are_not_in_v2(self) -> None:
        """A document that somebody else renders changes nothing there."""
        documents = OpenAPIDocuments(list, shared_schema(), list, "1.36")
        before = documents.v2().hash
        documents.publish("apis/far.example.com/v1", Document("1", bytes))
        self.assertEqual(documents.v2().hash, before)
