"""What a definition says about its resource."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.apiextensions.definition import Definition
from tests.apiextensions.widgets import definition, version

NAMES = {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"}


def made(*versions: dict[str, Any], conditions: dict[str, str] | None = None, accepted: dict[str, Any] | None = None,
         **more: Any) -> Definition:
    crd = definition(*versions, **more)
    crd["metadata"]["uid"] = "u"
    crd["status"] = {"acceptedNames": NAMES if accepted is None else accepted, "conditions": [
        {"type": type_, "status": status} for type_, status in (conditions or {}).items()]}
    return Definition(crd)


class NamesTests(SynchronousTestCase):
    def test_accepted(self) -> None:
        """It goes by its accepted names, whatever it asks for."""
        one = made(kind="Other")
        self.assertEqual((one.name, one.plural, one.kind, one.list_kind), (
            "widgets.example.com", "widgets", "Widget", "WidgetList"))
        self.assertEqual((str(one.gvk("v1").group_version), one.gvk("v1").kind), ("example.com/v1", "Widget"))
        self.assertEqual((one.group_resource.group, one.group_resource.resource), ("example.com", "widgets"))

    def test_new(self) -> None:
        """One that is new has none, and is not answered."""
        one = Definition(definition())
        self.assertEqual((one.plural, one.kind, one.list_kind), ("", "", ""))
        self.assertFalse(one.is_answered or one.is_discovered or one.is_terminating)

    def test_states(self) -> None:
        """Accepted names are enough to be answered; discovery waits until it is established."""
        for conditions, expected in (
            ({}, (False, False, False)), ({"NamesAccepted": "True"}, (True, False, False)),
            ({"NamesAccepted": "False", "Established": "True"}, (True, True, False)),
            ({"NamesAccepted": "False", "Established": "False"}, (False, False, False)),
            ({"Established": "True", "Terminating": "True"}, (True, True, True)),
            ({"Established": "True", "Terminating": "False"}, (True, True, False)),
        ):
            one = made(conditions=conditions)
            self.assertEqual((one.is_answered, one.is_discovered, one.is_terminating), expected, conditions)

    def test_scope(self) -> None:
        """Objects live in namespaces, or in the cluster."""
        self.assertEqual([made(scope=scope).namespaced for scope in ("Namespaced", "Cluster")], [True, False])


class VersionsTests(SynchronousTestCase):
    def test_versions(self) -> None:
        """Some are served, one is stored."""
        one = made(version("v1", served=False), version("v2", storage=False), version("v3", storage=False))
        self.assertEqual([*one.versions], ["v1", "v2", "v3"])
        self.assertEqual([version.name for version in one.served], ["v2", "v3"])
        self.assertEqual(one.storage_version.name, "v1")

    def test_parts(self) -> None:
        """A version has a schema, subresources, columns and selectable fields, or hasn't."""
        full = made(version("v1", {"type": "object"}, subresources={"status": {}, "scale": {"specReplicasPath": ".a"}},
                            additionalPrinterColumns=[{"name": "A"}],
                            selectableFields=[{"jsonPath": ".spec.a"}])).versions["v1"]
        bare = made({"name": "v1", "served": True, "storage": True}).versions["v1"]
        self.assertEqual((full.schema, full.status, full.scale, full.columns, full.selectable), (
            {"type": "object"}, True, {"specReplicasPath": ".a"}, [{"name": "A"}], [".spec.a"]))
        self.assertEqual((bare.schema, bare.status, bare.scale, bare.columns, bare.selectable), (
            {}, False, None, [], []))

    def test_hash(self) -> None:
        """The hash in discovery changes with the storage version, and with nothing else."""
        one = made(version("v1"), version("v2", storage=False))
        same = made(version("v1", {"type": "object"}))
        other = made(version("v1", storage=False), version("v2"))
        self.assertEqual(one.storage_version_hash, same.storage_version_hash)
        self.assertNotEqual(one.storage_version_hash, other.storage_version_hash)


class DeprecationTests(SynchronousTestCase):
    def warning(self, *others: dict[str, Any], name: str = "v1beta1", **facts: Any) -> str:
        """Of the first version."""
        one = made(version(name, deprecated=True, **facts), *others)
        return one.deprecation(one.versions[name])

    def test_none(self) -> None:
        """A version that is not deprecated has no warning."""
        one = made()
        self.assertEqual(one.deprecation(one.versions["v1"]), "")

    def test_newer(self) -> None:
        """The warning names the newest version that is served and not deprecated itself."""
        text = "example.com/v1beta1 Widget is deprecated"
        self.assertEqual(self.warning(), text)
        for others, expected in (
            ([version("v1")], f"{text}; use example.com/v1 Widget"),
            ([version("v1"), version("v2")], f"{text}; use example.com/v2 Widget"),
            ([version("v1"), version("v2", served=False)], f"{text}; use example.com/v1 Widget"),
            ([version("v1", deprecated=True)], text), ([version("v1alpha1")], text),
            ([version("v1beta2"), version("v1")], f"{text}; use example.com/v1 Widget"),
        ):
            self.assertEqual(self.warning(*others), expected)

    def test_own_words(self) -> None:
        """A definition may have words of its own."""
        self.assertEqual(self.warning(version("v1"), deprecationWarning="go away"), "go away")


class SameTests(SynchronousTestCase):
    def test_conditions(self) -> None:
        """Conditions and labels do not change what is served; spec, names and identity do."""
        one, labelled = made(), made(conditions={"Established": "True"})
        labelled.crd["metadata"]["labels"] = {"a": "b"}
        self.assertTrue(one.serves_like(labelled))
        again = made()
        again.crd["metadata"]["uid"] = "other"
        for other in (made(scope="Cluster"), made(accepted={**NAMES, "shortNames": ["w"]}), again):
            self.assertFalse(one.serves_like(other))
