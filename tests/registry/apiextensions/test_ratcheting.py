"""Tests for kube_twisted.registry.apiextensions.ratcheting."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.strategy import Obj
from tests.registry.apiextensions.test_customresourcedefinition import SPEC, V1, V2, DefinitionTestCase

UNPRUNED: dict[str, Any] = {"type": "object", "properties": {"b": {"type": "string"}}, "default": {"c": 1}}
SET: dict[str, Any] = {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}
NULLS: dict[str, Any] = {"type": "array", "x-kubernetes-list-type": "set",
                         "items": {"type": "string", "nullable": True}}
COSTLY: dict[str, Any] = {"type": "array", "items": {"type": "array", "items": {"type": "string"}},
                          "x-kubernetes-validations": [{"rule": "self.all(a, a.all(b, self.all(c, c.all(d, b < d))))"}]}
ESTABLISHED: dict[str, Any] = {"conditions": [{"type": "Established", "status": "True"}]}


def having(**fields: Any) -> dict[str, Any]:
    """A version with fields of these schemas."""
    return V1 | {"schema": {"openAPIV3Schema": {"type": "object", "properties": fields}}}


class RatchetingTests(DefinitionTestCase):
    def stored(self, spec: dict[str, Any]) -> Obj:
        """A definition as it is stored, valid or not."""
        return {**self.created(metadata={"name": "things.example.com"}, spec=spec), "status": {}}

    def changes(self, old: dict[str, Any], new: dict[str, Any], status: Obj | None = None) -> list[str]:
        """What is wrong with a change of the spec; told by places and what is there."""
        before = {**self.stored(SPEC | old), "status": {"storedVersions": ["v1"], **(status or {})}}
        return self.update_errors(before, metadata={"name": "things.example.com"}, spec=SPEC | new)

    def assert_ratchets(self, schema: dict[str, Any], start: str) -> None:
        """A schema that is refused at first may stay, and may be used elsewhere as well."""
        clean, dirty = {"versions": [having()]}, {"versions": [having(a=schema)]}
        refused = self.changes(clean, dirty)
        self.assertTrue(refused and refused[0].startswith(start), refused)
        self.assertEqual(self.changes(dirty, dirty), [])
        self.assertEqual(self.changes(dirty, {"versions": [having(b=schema)]}), [])
        self.assertEqual(len(self.changes(dirty, {"versions": [having(b={"type": "x"})]})), 1)

    def test_unknown_fields_of_defaults(self) -> None:
        """Defaults may have unknown fields when they had some."""
        self.assert_ratchets(UNPRUNED, 'spec.validation.openAPIV3Schema.properties[a].default: Invalid value: {"c":1}: '
                                       "must not have unknown fields")

    def test_sets(self) -> None:
        """Sets may have items that are merged when one had, and likewise items that may be null."""
        self.assert_ratchets(SET, "spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-map-type: Invalid")
        self.assert_ratchets(NULLS, "spec.validation.openAPIV3Schema.properties[a].items.nullable: Forbidden")

    def test_types(self) -> None:
        """Types may be unknown when one was."""
        dirty = {"versions": [having(a={"type": "thing"})]}
        self.assertEqual(self.changes(dirty, {"versions": [having(b={"type": "thong"})]}), [])
        self.assertEqual(self.changes({}, dirty), [
            'spec.validation.openAPIV3Schema.properties[a].type: Unsupported value: "thing": supported values: '
            '"array", "boolean", "integer", "number", "object", "string"'])

    def test_costly_rules(self) -> None:
        """A rule may cost too much in a version whose schema does not change; all rules together may not."""
        refused = self.changes({}, {"versions": [having(a=COSTLY)]})
        again = self.changes({"versions": [having(a=COSTLY)]}, {"versions": [having(a=COSTLY)]})
        self.assertIn("estimated rule cost exceeds budget", refused[0])
        self.assertEqual([one for one in again if "estimated rule cost exceeds budget" in one], [])
        self.assertTrue(any("total" in one for one in again))

    def test_selectable_fields(self) -> None:
        """There may be too many selectable fields when there are, and they stay the same."""
        names = [f"f{index}" for index in range(10)]
        version = having(**{name: {"type": "string"} for name in names})
        nine, other = ([{"jsonPath": f".{name}"} for name in held] for held in (names[:9], names[1:]))
        for others, place in (([], "spec"), ([V2], "spec.versions[0]")):
            dirty = {"versions": [version | {"selectableFields": nine}, *others]}
            self.assertEqual(self.changes(dirty, dirty), [])
            self.assertEqual(self.changes(dirty, {"versions": [version | {"selectableFields": other}, *others]}), [
                f"{place}.selectableFields: Too many: 9: must have at most 8 items"])

    def test_reviews(self) -> None:
        """The webhook may speak unknown versions only when none was known before."""
        def converting(*versions: str) -> dict[str, Any]:
            return {"conversion": {"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": "https://a.example.com"}, "conversionReviewVersions": list(versions)}}}

        self.assertEqual(self.changes(converting("v8"), converting("v9")), [])
        self.assertEqual(self.changes(converting("v1"), converting("v9")), [
            'spec.conversion.conversionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, '
            "v1beta1"])

    def test_certificates(self) -> None:
        """Those of a served definition can be read, unless they could not be before."""
        def trusting(bundle: str) -> dict[str, Any]:
            return {"conversion": {"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": "https://a.example.com", "caBundle": bundle},
                "conversionReviewVersions": ["v1"]}}}

        self.assertEqual(self.changes({}, trusting("eA==")), [])
        self.assertEqual(self.changes(trusting("eQ=="), trusting("eA=="), ESTABLISHED), [])
        self.assertEqual(len(self.changes({}, trusting("eA=="), ESTABLISHED)), 1)
