"""Which names a definition gets."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.apiextensions.naming import Taken, accept_names, taken_names
from kube_twisted.registry.apiextensions.conditions import find

NOW = "2026-01-01T00:00:00Z"
NAMES = {"plural": "widgets", "singular": "widget", "shortNames": ["wd", "wi"], "kind": "Widget",
         "listKind": "WidgetList", "categories": ["all"]}


def crd(accepted: dict[str, Any] | None = None, *conditions: dict[str, Any], group: str = "ex.com",
        **names: Any) -> dict[str, Any]:
    """One that asks for :data:`NAMES`, or others, and has got those given."""
    wanted = {key: value for key, value in {**NAMES, **names}.items() if value is not None}
    return {"metadata": {"name": f"widgets.{group}"}, "spec": {"group": group, "names": wanted},
            "status": {"acceptedNames": accepted or {"plural": "", "kind": ""}, "conditions": list(conditions)}}


def told(one: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    return {type_: (found["status"], found["reason"], found["message"]) for type_ in ("NamesAccepted", "Established")
            if (found := find(one, type_)) is not None}


class AcceptTests(SynchronousTestCase):
    def test_free(self) -> None:
        """Free names are accepted all; the definition is about to be established."""
        one = crd()
        self.assertTrue(accept_names(one, Taken(), NOW))
        self.assertEqual(one["status"]["acceptedNames"], NAMES)
        self.assertEqual(told(one), {
            "NamesAccepted": ("True", "NoConflicts", "no conflicts found"),
            "Established": ("False", "Installing", "the initial names have been accepted")})

    def test_settled(self) -> None:
        """Names that are accepted already change nothing."""
        self.assertFalse(accept_names(crd(dict(NAMES)), Taken({"widgets"}, {"Widget"}), NOW))

    def test_conflicts(self) -> None:
        """Every name may be taken; the others are accepted, and the last conflict is told."""
        for taken, key, reason, message in (
            (Taken({"widgets"}), "plural", "PluralConflict", '"widgets" is already in use'),
            (Taken({"widget"}), "singular", "SingularConflict", '"widget" is already in use'),
            (Taken({"wd"}), "shortNames", "ShortNamesConflict", '"wd" is already in use'),
            (Taken({"wd", "wi"}), "shortNames", "ShortNamesConflict",
             '["wd" is already in use, "wi" is already in use]'),
            (Taken(kinds={"Widget"}), "kind", "KindConflict", '"Widget" is already in use'),
            (Taken({"widgets"}, {"WidgetList"}), "listKind", "ListKindConflict", '"WidgetList" is already in use'),
        ):
            one = crd()
            self.assertTrue(accept_names(one, taken, NOW))
            self.assertEqual(told(one), {
                "NamesAccepted": ("False", reason, message),
                "Established": ("False", "NotAccepted", "not all names are accepted")})
            self.assertFalse(one["status"]["acceptedNames"].get(key))

    def test_same_conflict(self) -> None:
        """A conflict that was told already is not told again."""
        one = crd()
        taken = Taken(kinds={"Widget"})
        accept_names(one, taken, NOW)
        self.assertFalse(accept_names(one, taken, "2026-01-02T00:00:00Z"))

    def test_released(self) -> None:
        """When the name is free, it is accepted, and the time of the condition is that of the change."""
        one = crd()
        accept_names(one, Taken(kinds={"Widget"}), NOW)
        self.assertTrue(accept_names(one, Taken(), "2026-01-02T00:00:00Z"))
        self.assertEqual(one["status"]["acceptedNames"], NAMES)
        found = find(one, "NamesAccepted")
        assert found is not None
        self.assertEqual((found["status"], found["lastTransitionTime"]), ("True", "2026-01-02T00:00:00Z"))

    def test_established(self) -> None:
        """A definition at work stays so when it asks for a name that is taken, and keeps the one it had."""
        at_work = {"type": "Established", "status": "True", "lastTransitionTime": NOW,
                   "reason": "InitialNamesAccepted", "message": "the initial names have been accepted"}
        one = crd(dict(NAMES), at_work, singular="thing")
        self.assertTrue(accept_names(one, Taken({"thing"}), NOW))
        self.assertEqual(told(one), {
            "NamesAccepted": ("False", "SingularConflict", '"thing" is already in use'),
            "Established": ("True", "InitialNamesAccepted", "the initial names have been accepted")})
        self.assertEqual(one["status"]["acceptedNames"], NAMES)

    def test_own_names(self) -> None:
        """Its own names are no conflict, though they are taken: by itself."""
        one = crd(dict(NAMES), shortNames=["wd", "wx"])
        self.assertTrue(accept_names(one, Taken({"widgets", "widget", "wd", "wi"}, {"Widget", "WidgetList"}), NOW))
        self.assertEqual(one["status"]["acceptedNames"], {**NAMES, "shortNames": ["wd", "wx"]})
        self.assertEqual(told(one)["NamesAccepted"][0], "True")

    def test_dropped(self) -> None:
        """Short names and categories that are no longer wanted go."""
        one = crd(dict(NAMES), shortNames=None, categories=None)
        self.assertTrue(accept_names(one, Taken(), NOW))
        self.assertEqual(one["status"]["acceptedNames"].keys(), {"plural", "singular", "kind", "listKind"})


class TakenTests(SynchronousTestCase):
    def test_group(self) -> None:
        """What is taken is what the definitions of the group have, not what they ask for."""
        taken = taken_names([crd(dict(NAMES)), crd({"plural": "a", "kind": "A"}), crd(group="other.com"),
                             crd({"plural": "b", "kind": "B"}, group="other.com")], "ex.com")
        self.assertEqual(taken.resources - {""}, {"widgets", "widget", "wd", "wi", "a"})
        self.assertEqual(taken.kinds - {""}, {"Widget", "WidgetList", "A"})

    def test_no_status(self) -> None:
        """One that has no status yet has no names."""
        one = crd()
        del one["status"]
        self.assertEqual((taken_names([one], "ex.com").resources | taken_names([one], "ex.com").kinds) - {""}, set())
