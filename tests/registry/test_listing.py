"""Continue tokens and versions of lists."""

from __future__ import annotations

import base64
from typing import Any

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.listing import ListResult, parse_revision
from tests.inprocess import CONFIG_MAPS, ClusterTestCase


def token(document: Any) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(document)).rstrip(b"=").decode()


class RevisionTests(SynchronousTestCase):
    def test_numbers(self) -> None:
        """64 bits without a sign; nothing is 0."""
        for text, expected in (("", 0), ("0", 0), ("7", 7), ("007", 7), (str(2**64 - 1), 2**64 - 1)):
            self.assertEqual(parse_revision(text), expected)

    def test_no_numbers(self) -> None:
        """What is none names the parameter, as the original does."""
        for text, why in (("x", "invalid syntax"), ("-1", "invalid syntax"), ("٣", "invalid syntax"),
                          (str(2**64), "value out of range"), ("9" * 5000, "value out of range")):
            error = self.assertRaises(ValueError, parse_revision, text)
            self.assertTrue(str(error).startswith("resourceVersion: Invalid value: "), error)
            self.assertTrue(str(error).endswith(why), str(error)[-40:])


class ResultTests(SynchronousTestCase):
    def test_metadata(self) -> None:
        """A list's metadata has what there is to say."""
        self.assertEqual(ListResult([], 5).metadata(), {"resourceVersion": "5"})
        self.assertEqual(ListResult([], 5, "t", 0).metadata(),
                         {"resourceVersion": "5", "continue": "t", "remainingItemCount": 0})


class ForgedTokenTests(ClusterTestCase):
    """Tokens that no server gave out."""

    def test_revisions(self) -> None:
        """A negative revision means the newest state, one that is not there yet is 504."""
        for name in "abc":
            self.config_map(name)
        for revision in (-1, -2, -(2**62)):
            made = token({"v": "meta.k8s.io/v1", "rv": revision, "start": "b"})
            items = self.ask("GET", f"{CONFIG_MAPS}?continue={made}")["items"]
            self.assertEqual([one["metadata"]["name"] for one in items], ["b", "c"], revision)
        for revision in (self.revision() + 1, 2**62):
            made = token({"v": "meta.k8s.io/v1", "rv": revision, "start": "b"})
            self.assertEqual(self.refused("GET", f"{CONFIG_MAPS}?continue={made}").code, 504)

    def test_other_prefix(self) -> None:
        """A token says where to go on below the path of its list; the list of all namespaces has other paths."""
        for name in "abc":
            self.config_map(name)
        made = token({"v": "meta.k8s.io/v1", "rv": self.revision(), "start": "/default/a\0"})
        everywhere = self.ask("GET", f"/api/v1/configmaps?continue={made}")["items"]
        self.assertEqual([one["metadata"]["name"] for one in everywhere
                          if one["metadata"]["namespace"] == "default"], ["b", "c"])
        self.assertEqual(self.ask("GET", f"{CONFIG_MAPS}?continue={made}")["items"], [])

    def test_other_namespaces(self) -> None:
        """A key of another namespace does not show that namespace's objects."""
        self.config_map("a")
        self.ask("POST", "/api/v1/namespaces/kube-public/configmaps", {"metadata": {"name": "z"}})
        made = token({"v": "meta.k8s.io/v1", "rv": self.revision(), "start": "kube-public/z"})
        self.assertEqual(self.ask("GET", f"{CONFIG_MAPS}?continue={made}")["items"], [])
