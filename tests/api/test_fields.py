"""Field selectors."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api import fields
from kube_twisted.api.errors import StatusError

_POD = {"metadata.name": "a", "status.phase": "Running"}


class FieldSelectorTests(SynchronousTestCase):
    """Reading and matching."""

    def test_matches(self) -> None:
        """All terms must hold; a field that is not there is empty."""
        for text, expected in (("metadata.name=a", True), ("metadata.name==a", True),
                               ("metadata.name!=a", False),
                               ("status.phase=Running,metadata.name=a", True), ("spec.nodeName=", True),
                               ("status.phase!=Running", False), ("metadata.name=a,metadata.name=b", False),
                               ("", True)):
            self.assertEqual(fields.parse(text).matches(_POD), expected, text)

    def test_exact(self) -> None:
        """A selector tells the one value that it asks for."""
        selector = fields.parse("metadata.name=a,status.phase!=b")
        self.assertEqual(selector.requires_exact("metadata.name"), "a")
        self.assertIsNone(selector.requires_exact("status.phase"))
        self.assertEqual(fields.name_is("a").requires_exact("metadata.name"), "a")
        self.assertTrue(fields.everything().empty)

    def test_errors(self) -> None:
        """A term without an operator, a bad escape and a bare sign are bad requests."""
        for text, message in (
                ("metadata.name", "invalid selector: 'metadata.name'; can't understand 'metadata.name'"),
                ("a=b,c in (d)", "invalid selector: 'a=b,c in (d)'; can't understand 'c in (d)'"),
                ("a=b\\x", "invalid field selector: invalid escape sequence: \\x"),
                ("a=b\\", "invalid field selector: invalid escape sequence: \\"),
                ("a=b=c", "invalid field selector: unescaped character in value: 61")):
            error = self.assertRaises(StatusError, fields.parse, text)
            self.assertEqual((error.code, error.message), (400, message))

    def test_nothing(self) -> None:
        """A term about no field and no value asks for nothing; one about no field does."""
        for text in ("=", "==", "!=", "=,!="):
            self.assertTrue(fields.parse(text).empty, text)
        self.assertEqual(str(fields.parse("=,metadata.name=a")), "metadata.name=a")
        self.assertFalse(fields.parse("=a").empty)

    @given(st.text(st.sampled_from("ab\\,=!é"), max_size=6))
    def test_escapes(self, value: str) -> None:
        """Any value can be written into a selector and read back."""
        selector = fields.FieldSelector([fields.FieldRequirement("f", "=", value)])
        self.assertEqual(fields.parse(str(selector)).requirements, selector.requirements)

    def test_renamed(self) -> None:
        """An old name of a field can be replaced."""
        self.assertEqual(str(fields.parse("spec.host!=n").renamed({"spec.host": "spec.nodeName"})),
                         "spec.nodeName!=n")


class KnownFieldTests(SynchronousTestCase):
    """Refusing unknown fields."""

    def check(self, text: str, allowed: frozenset[str] | None, namespaced: bool = True) -> str:
        """The message of the refusal, or nothing."""
        try:
            fields.check_labels(fields.parse(text), allowed, namespaced)
        except StatusError as error:
            self.assertEqual(error.code, 400)
            return error.message
        return ""

    def test_general(self) -> None:
        """A resource without fields of its own knows name and namespace."""
        self.assertEqual(self.check("metadata.name=a,metadata.namespace=b", None), "")
        self.assertEqual(self.check("data.x=1", None), '"data.x" is not a known field selector: only '
                                                       '"metadata.name", "metadata.namespace"')
        self.assertEqual(self.check("=x", None), '"" is not a known field selector: only '
                                                 '"metadata.name", "metadata.namespace"')

    def test_own(self) -> None:
        """A resource with its own fields words the refusal differently; not all have a namespace."""
        own = frozenset(("status.phase",))
        self.assertEqual(self.check("status.phase=x,metadata.namespace=y", own), "")
        self.assertEqual(self.check("spec.containers=x", own), "field label not supported: spec.containers")
        self.assertEqual(self.check("metadata.namespace=y", own, namespaced=False),
                         "field label not supported: metadata.namespace")
        with self.assertRaises(StatusError) as caught:
            fields.check_labels(fields.parse("x=y"), own, unknown='field label "{}" not supported for Job')
        self.assertEqual(caught.exception.message, 'field label "x" not supported for Job')
