"""Options that verbs take from the query."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.negotiation import Representation
from kube_twisted.endpoints.options import (
    boolean,
    delete_options,
    include_object,
    integer,
    list_options,
    manager_name,
    patch_options,
    write_options,
)
from kube_twisted.endpoints.request import Request
from tests.inprocess import SentTransport


def request(query: str, **headers: str) -> Request:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request("GET", "/x", query, SentTransport(sent, b""))


class ReaderTests(SynchronousTestCase):
    """Texts of the query as values."""

    def test_booleans(self) -> None:
        """Everything but 0 and false is true."""
        for text, expected in (("true", True), ("", True), ("1", True), ("x", True), ("0", False), ("FALSE", False)):
            self.assertEqual(boolean(text), expected, text)

    def test_numbers(self) -> None:
        """64 bit numbers with a sign and leading zeros, as long as a query may be."""
        for text, expected in (("0", 0), ("-5", -5), ("+7", 7), ("007", 7), ("0" * 5000 + "1", 1),
                               (str(2**63 - 1), 2**63 - 1), (str(-2**63), -2**63)):
            self.assertEqual(integer(text), expected)

    def test_no_numbers(self) -> None:
        """What is no number is told apart from one that is too large."""
        for text in ("x", "1.5", "", "-", "١", "1_000", " 1"):
            self.assertIn("invalid syntax", self.refused(text))
        for text in (str(2**63), str(-2**63 - 1), "9" * 20, "9" * 5000):
            self.assertIn("value out of range", self.refused(text))

    def refused(self, text: str) -> str:
        error = self.assertRaises(StatusError, integer, text)
        self.assertEqual(error.code, 400)
        return error.message


class OptionsTests(SynchronousTestCase):
    """The options of the verbs."""

    def test_list(self) -> None:
        """ListOptions; what is not among them is ignored, the first of several values counts."""
        options = list_options(request("limit=5&limit=6&labelSelector=a%3Db&watch=1&fieldManager=x&continue="))
        self.assertEqual(str(options.pop("labelSelector")), "a=b")
        self.assertEqual(options, {"limit": 5, "watch": True, "continue": ""})

    def test_selectors(self) -> None:
        """Numbers are read first, then selectors of labels, then those of fields; an empty one is none."""
        bad = "labelSelector=a+b&fieldSelector=c"
        for query, word in ((f"{bad}&limit=x", "parsing"), (bad, "unable to parse requirement"),
                            ("fieldSelector=c", "can't understand 'c'")):
            self.assertIn(word, self.assertRaises(StatusError, list_options, request(query)).message)
        self.assertEqual(list_options(request("labelSelector=&fieldSelector=")), {})

    def test_empty_number(self) -> None:
        """A number that is empty is none."""
        for query in ("limit=", "timeoutSeconds=&limit=1"):
            error = self.assertRaises(StatusError, list_options, request(query))
            self.assertEqual((error.code, error.message), (400, 'strconv.ParseInt: parsing "": invalid syntax'))

    def test_broken_pieces(self) -> None:
        """What is no proper part of a query is passed over."""
        options = list_options(request("labelSelector=a;b&fieldSelector=%zz&limit=1;2&continue=%4&=x&&limit=3&a%2=b"))
        self.assertEqual(options, {"limit": 3})

    def test_write(self) -> None:
        """All values of dryRun count, so that a bad one is seen."""
        self.assertEqual(write_options(request("dryRun=All&dryRun=x&fieldValidation=Strict&force=1")),
                         {"dryRun": ["All", "x"], "fieldValidation": "Strict"})
        self.assertEqual(patch_options(request("force=false&fieldManager=m")), {"force": False, "fieldManager": "m"})

    def test_delete(self) -> None:
        """uid and resourceVersion are preconditions."""
        self.assertEqual(delete_options(request("gracePeriodSeconds=0&uid=u&resourceVersion=3&propagationPolicy=Orphan")),
                         {"gracePeriodSeconds": 0, "propagationPolicy": "Orphan",
                          "preconditions": {"uid": "u", "resourceVersion": "3"}})

    def test_nothing(self) -> None:
        """Without a query there are none."""
        for read in (list_options, write_options, patch_options, delete_options):
            self.assertEqual(read(request("")), {})


class IncludeObjectTests(SynchronousTestCase):
    """What the rows of a Table carry."""

    def included(self, query: str, transform: str = "Table") -> Any:
        return include_object(request(query), Representation(transform=transform))

    def test_values(self) -> None:
        """Metadata by default; for what is no Table the parameter means nothing."""
        self.assertEqual([self.included("includeObject=Object"), self.included("")], ["Object", "Metadata"])
        self.assertEqual(self.included("includeObject=x", ""), "Metadata")

    def test_unknown(self) -> None:
        """Another value is 400."""
        self.assertEqual(self.assertRaises(StatusError, self.included, "includeObject=All").code, 400)


class ManagerTests(SynchronousTestCase):
    """Who is said to own what is written."""

    def test_user_agent(self) -> None:
        """The user agent up to its version, what can't be shown left out, and no longer than a name may be."""
        for agent, expected in (("kubectl/v1.36 (linux)", "kubectl"), ("my client", "my client"), ("a\x01b/1", "ab"),
                                ("x" * 200, "x" * 128)):
            self.assertEqual(manager_name(request("", user_agent=agent), {}), expected)
        self.assertEqual(manager_name(request(""), {}), "")

    def test_asked_for(self) -> None:
        """``fieldManager`` comes first."""
        self.assertEqual(manager_name(request("", user_agent="kubectl/1"), {"fieldManager": "me"}), "me")
