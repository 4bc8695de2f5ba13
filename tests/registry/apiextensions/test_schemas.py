"""Schemas of custom resources: structure, keywords, list types and the form of rules."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.apiextensions.strictness import Strictness
from kube_twisted.registry.apiextensions.validation import validate_schema
from tests.schema.structural.kinds import meta

Schema = dict[str, Any]


def wrong(schema: Schema, has_status: bool = False, strictness: Strictness | None = None) -> list[str]:
    """What is wrong with a schema, as a root."""
    return [str(one) for one in validate_schema(
        "s", {"openAPIV3Schema": schema}, has_status, strictness or Strictness(), meta())]


def wrong_field(schema: Schema) -> list[str]:
    """What is wrong with a schema as that of a field, told by the path below the field."""
    start = "s.openAPIV3Schema.properties[f]"
    return [text.removeprefix(start) for text in wrong({"type": "object", "properties": {"f": schema}})]


class StructureTests(SynchronousTestCase):
    def test_types(self) -> None:
        """Every place has its type."""
        self.assertEqual(wrong({}), ["s.openAPIV3Schema.type: Required value: must not be empty at the root"])
        self.assertEqual(wrong_field({}), [".type: Required value: must not be empty for specified object fields"])
        self.assertEqual(wrong_field({"type": "array", "items": {}}),
                         [".items.type: Required value: must not be empty for specified array items"])
        self.assertEqual(wrong_field({"type": "array"}), [".items: Required value: must be specified"])
        self.assertEqual(wrong_field({"x-kubernetes-int-or-string": True}), [])
        self.assertEqual(wrong_field({"x-kubernetes-preserve-unknown-fields": True}), [])

    def test_junctors(self) -> None:
        """Below a junctor values are judged, and nothing is specified."""
        schema = {"type": "object", "properties": {"a": {"type": "string"}},
                  "anyOf": [{"properties": {"a": {"pattern": "x"}}}]}
        self.assertEqual(wrong_field(schema), [])
        schema["anyOf"] = [{"properties": {"a": {"type": "string"}}}]
        self.assertEqual(wrong_field(schema),
                         [".anyOf[0].properties[a].type: Forbidden: must be empty to be structural"])
        for key in ("x-kubernetes-list-type", "x-kubernetes-map-type"):
            self.assertIn(f".not.{key}: Forbidden: must be undefined to be structural",
                          wrong_field({"type": "object", "not": {key: ""}}))

    def test_completeness(self) -> None:
        """What the root's junctors judge is also specified."""
        self.assertEqual(wrong({"type": "object", "anyOf": [{"properties": {"b": {"pattern": "x"}}}]}), [
            "s.openAPIV3Schema.properties[b]: Required value: because it is defined in "
            "s.openAPIV3Schema.anyOf[0].properties[b]"])

    def test_int_or_string(self) -> None:
        """The one form of types below a junctor that is allowed: integer or string."""
        form = [{"type": "integer"}, {"type": "string"}]
        self.assertEqual(wrong_field({"x-kubernetes-int-or-string": True, "anyOf": form}), [])
        self.assertEqual(wrong_field({"x-kubernetes-int-or-string": True, "allOf": [{"anyOf": form}]}), [])
        self.assertEqual(len(wrong_field({"x-kubernetes-int-or-string": True, "anyOf": form[:1]})), 1)

    def test_metadata(self) -> None:
        """Only names are restricted by a schema of metadata."""
        names: Schema = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}}}
        self.assertEqual(wrong({"type": "object", "properties": {"metadata": names}}), [])
        names["properties"]["labels"] = {"type": "object"}
        self.assertEqual(wrong({"type": "object", "properties": {"metadata": names}}), [
            "s.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and "
            "generateName, but metadata is implicitly specified"])

    def test_embedded(self) -> None:
        """A whole object inside is an object, and says what is in it."""
        self.assertEqual(wrong_field({"x-kubernetes-embedded-resource": True, "type": "string"}), [
            ".properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without "
            "x-kubernetes-preserve-unknown-fields",
            '.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true'])

    def test_patterns(self) -> None:
        """Patterns are regular expressions of Go's, below junctors too."""
        self.assertEqual(wrong_field({"type": "string", "pattern": r"^\pL+\z", "not": {"pattern": ""}}), [])
        self.assertEqual(wrong_field({"type": "string", "pattern": "("}), [
            '.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: '
            "missing closing ): `(`"])
        self.assertEqual(wrong_field({"type": "string", "not": {"pattern": "a(?!b)"}}), [
            '.not.pattern: Invalid value: "a(?!b)": must be a valid regular expression, but isn\'t: error parsing '
            "regexp: invalid or unsupported Perl syntax: `(?!`"])


class DefaultTests(SynchronousTestCase):
    def test_where(self) -> None:
        """Defaults are looked at in schemas that are structural; errors are told before those of keywords."""
        bad = {"type": "integer", "default": "x"}
        found = wrong_field({"type": "object", "uniqueItems": True, "properties": {"a": bad}})
        self.assertEqual(found, [
            '.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
            ".uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes "
            "quadratic"])
        self.assertEqual(wrong({"properties": {"a": bad}}), [
            "s.openAPIV3Schema.type: Required value: must not be empty at the root"])

    def test_rules_wait(self) -> None:
        """Rules are looked into when the defaults are valid."""
        rule = {"x-kubernetes-validations": [{"rule": "nonsense"}]}
        self.assertEqual(len(wrong_field({"type": "integer"} | rule)), 1)
        self.assertEqual(wrong_field({"type": "integer", "default": "x"} | rule), [
            '.default: Invalid value: "string":  in body must be of type integer: "string"'])


class KeywordTests(SynchronousTestCase):
    def test_unsupported(self) -> None:
        """Some of JSON Schema is not supported."""
        for key, value in (("id", "x"), ("$ref", "#/x"), ("definitions", {"a": {"type": "string"}}),
                           ("dependencies", {"a": ["b"]}), ("patternProperties", {"a": {"type": "string"}}),
                           ("additionalItems", True)):
            self.assertEqual(wrong_field({"type": "object", key: value}),
                             [f".{key}: Forbidden: {key} is not supported"])
        self.assertEqual(wrong_field({"type": "object", "$schema": "x"}),
                         ['s.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported'])

    def test_types(self) -> None:
        """Types are those of JSON, but null."""
        supported = '"array", "boolean", "integer", "number", "object", "string"'
        self.assertEqual(wrong_field({"type": "weird"}),
                         [f'.type: Unsupported value: "weird": supported values: {supported}'])
        self.assertIn(".type: Forbidden: type cannot be set to null, use nullable as an alternative",
                      wrong_field({"type": "null"}))

    def test_properties_or_values(self) -> None:
        """An object has named fields or values under any name."""
        self.assertEqual(wrong_field({"type": "object", "additionalProperties": {"type": "string"},
                                      "properties": {"a": {"type": "string"}}}),
                         [".additionalProperties: Forbidden: additionalProperties and properties are mutual "
                          "exclusive"])

    def test_unique_items(self) -> None:
        """Items are not compared with each other."""
        self.assertEqual(wrong_field({"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
                         [".uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity "
                          "becomes quadratic"])

    def test_defaults_in_metadata(self) -> None:
        """Metadata of the object itself have no defaults."""
        name = {"type": "string", "default": "x"}
        self.assertEqual(wrong({"type": "object", "properties": {"metadata": {
            "type": "object", "properties": {"name": name}}}}), [
            "s.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in "
            "top-level metadata"])

    def test_root(self) -> None:
        """The root is never null; with a status endpoint it says little besides its properties."""
        self.assertEqual(wrong({"type": "object", "nullable": True}),
                         ["s.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root"])
        errors = wrong({"type": "object", "minProperties": 1}, has_status=True)
        self.assertEqual(len(errors), 1)
        self.assertTrue(errors[0].endswith(
            "fields are allowed at the root of the schema if the status subresource is enabled"))
        self.assertEqual(wrong({"type": "object", "description": "d", "required": ["spec"]}, has_status=True), [])


class ListTypeTests(SynchronousTestCase):
    def list_of(self, items: Schema, **more: Any) -> list[str]:
        extensions = {f"x-kubernetes-list-{key.replace('_', '-')}": value for key, value in more.items()}
        return wrong_field({"type": "array", "items": items, **extensions})

    def test_maps(self) -> None:
        """Lists that are maps name keys, which are scalars that are always there."""
        items: Schema = {"type": "object", "properties": {"a": {"type": "string"}, "o": {"type": "object"}}}
        self.assertEqual(self.list_of(items | {"required": ["a"]}, type="map", map_keys=["a"]), [])
        self.assertEqual(self.list_of(items, type="map", map_keys=["a"]), [
            ".items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it "
            "must have a default or be a required property"])
        self.assertEqual(self.list_of(items, type="map"), [
            ".x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map"])
        self.assertEqual(self.list_of(items, type="map", map_keys=["b"]), [
            '.x-kubernetes-list-map-keys: Invalid value: ["b"]: entries must all be names of item properties'])

    def test_sets(self) -> None:
        """Items of a set are written as a whole and never null."""
        self.assertEqual(self.list_of({"type": "string"}, type="set"), [])
        self.assertEqual(self.list_of({"type": "object"}, type="set"), [
            ".items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with "
            "x-kubernetes-list-type=set"])
        self.assertEqual(self.list_of({"type": "string", "nullable": True}, type="set"), [
            ".items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set"])

    def test_kinds(self) -> None:
        """Kinds of lists are an enumeration, and of arrays."""
        self.assertEqual(self.list_of({"type": "string"}, type="odd"), [
            '.x-kubernetes-list-type: Unsupported value: "odd": supported values: "atomic", "set", "map"'])
        self.assertEqual(wrong_field({"type": "string", "x-kubernetes-list-type": "set"}), [
            '.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified'])


class RuleTests(SynchronousTestCase):
    def rule(self, **fields: Any) -> list[str]:
        schema = {"type": "object", "properties": {"a": {"type": "integer"}},
                  "x-kubernetes-validations": [{"rule": "self.a > 0"} | fields]}
        return [text.removeprefix(".x-kubernetes-validations[0]") for text in wrong_field(schema)]

    def test_text(self) -> None:
        """A rule is there; of several lines it needs a message, which is of one."""
        self.assertEqual(self.rule(), [])
        self.assertEqual(self.rule(rule=" "), [".rule: Required value: rule is not specified"])
        self.assertEqual(self.rule(rule="self.a\n> 0"),
                         [".message: Required value: message must be specified if rule contains line breaks"])
        self.assertEqual(self.rule(message="a\nb"),
                         ['.message: Invalid value: "a\\nb": must not contain line breaks'])
        self.assertEqual(self.rule(message=" "), ['.message: Invalid value: " ": must be non-empty if specified'])

    def test_reason(self) -> None:
        """The reason is one that clients know."""
        self.assertEqual(self.rule(reason="Whatever"), [
            '.reason: Unsupported value: "Whatever": supported values: "FieldValueDuplicate", '
            '"FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"'])

    def test_field(self) -> None:
        """The field that is at fault is one of the schema."""
        for path in (".a", "['a']"):
            self.assertEqual(self.rule(fieldPath=path), [])
        for path in ("a", ".b", ".a.b", "[a]", ".a["):
            self.assertEqual(self.rule(fieldPath=path),
                             [f'.fieldPath: Invalid value: "{path}": must be a valid path'])
