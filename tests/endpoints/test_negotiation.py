"""Which representation is chosen for an Accept header."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.accept import clauses
from kube_twisted.endpoints.discovery.aggregated import aggregated_type
from kube_twisted.endpoints.negotiation import (
    JSON,
    PROTOBUF,
    WITHOUT_TABLES,
    YAML,
    Representation,
    check_streamed,
    negotiate,
    wants_pretty,
)
from kube_twisted.endpoints.request import Request

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
AGGREGATED = "application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList"


class Sender:
    """The transport of a request that has nothing but a user agent."""

    def __init__(self, agent: str | None) -> None:
        self.agent = agent

    def header(self, name: str) -> str | None:
        return self.agent if name == "user-agent" else None


class ClauseTests(SynchronousTestCase):
    def order(self, accept: str) -> list[str]:
        return [f"{one.type}/{one.subtype}" for one in clauses(accept)]

    def test_quality(self) -> None:
        """The better quality comes first; among equals the first one."""
        self.assertEqual(self.order("a/1;q=0.5, a/2, a/3;q=0.9, a/4"), ["a/2", "a/4", "a/3", "a/1"])

    def test_wildcards(self) -> None:
        """A definite type comes before a wildcard that was written first, whatever their qualities."""
        self.assertEqual(self.order("*/*, a/*, a/1;q=0.1"), ["a/1", "a/*", "*/*"])
        self.assertEqual(self.order("a/1;q=0.1, */*"), ["*/*", "a/1"])
        self.assertEqual(self.order("*"), ["*/*"])

    def test_parameters(self) -> None:
        """Parameters are taken as they are; what is no media type is passed over."""
        only, = clauses(' a/1 ; as=X;g="q" ;flag; v = 1 , nonsense, a/b/c')
        self.assertEqual(only.parameters, {"as": "X", "g": '"q"', "v": "1"})

    def test_bad_quality(self) -> None:
        """A quality that is no number is the least one."""
        self.assertEqual(self.order("a/1;q=x, a/2;q=0.1, a/3;q=0"), ["a/2", "a/1", "a/3"])


class NegotiateTests(SynchronousTestCase):
    def chosen(self, accept: str) -> str:
        found = negotiate(accept, False)
        return f"{found.media_type} {found.transform}".strip()

    def refused(self, accept: str) -> str:
        return str(self.assertRaises(StatusError, negotiate, accept, False).message)

    def test_types(self) -> None:
        """JSON where nothing is said; else the client's first choice that there is."""
        for accept, expected in {
            "": JSON, "*/*": JSON, "text/html, */*;q=0.1": JSON, "application/yaml, application/json": YAML,
            f"{PROTOBUF}, application/json": PROTOBUF, "application/json;q=0.5, application/yaml;q=0.9": YAML,
            "application/*, application/yaml;q=0.1": YAML, "application/yaml;q=0.1, application/*": JSON,
            "application/json;q=0": JSON, "application/json;charset=utf-8": JSON,
        }.items():
            self.assertEqual(self.chosen(accept), expected, accept)

    def test_transforms(self) -> None:
        """A Table and the object itself are of equal rank: the first one counts, or the better quality."""
        self.assertEqual(self.chosen(f"{TABLE}, application/json"), f"{JSON} Table")
        self.assertEqual(self.chosen(f"application/json, {TABLE}"), JSON)
        self.assertEqual(self.chosen(f"{TABLE};q=0.1, application/json;q=0.9"), JSON)
        self.assertEqual(self.chosen("application/json;as=Table;v=v9;g=meta.k8s.io, application/yaml"), YAML)

    def test_impossible_transforms(self) -> None:
        """What can't be made is passed over: unknown kinds, Tables in protobuf, a group without a kind."""
        for parameters in ("as=Nothing;v=v1;g=meta.k8s.io", "as=Table", "g=meta.k8s.io;v=v1", "v=v1", "sv=v2",
                           "stream=other"):
            self.assertIn("only the following media types are accepted", self.refused(f"application/json;{parameters}"))
        self.assertIn("only the following", self.refused(TABLE.replace("application/json", PROTOBUF)))
        self.assertEqual(self.chosen("application/json;stream=watch;sv=v1"), JSON)

    def test_unknown(self) -> None:
        """What is never offered here, and a wildcard of applications alone, are refused with all that is offered."""
        for accept in ("text/plain", "APPLICATION/JSON", "nonsense", "application/*"):
            self.assertIn("Available representations: application/json", self.refused(accept))

    def test_named(self) -> None:
        """The router of the original wants a type by its name; what it doesn't route may be asked for by wildcards."""
        for accept in ("*", "application/*"):
            self.assertRaises(StatusError, negotiate, accept, False)
            self.assertEqual(negotiate(accept, False, routed=False).media_type, JSON)
        error = self.assertRaises(StatusError, negotiate, "text/html", False, routed=False)
        self.assertTrue(error.message.startswith("only the following media types are accepted"))

    def test_server_version(self) -> None:
        """Objects can be asked for in the server's version; documents have none."""
        self.assertEqual(negotiate("application/json;sv=v1", False).media_type, JSON)
        self.assertRaises(StatusError, negotiate, "application/json;sv=v1", False, transforms=())

    def test_without_tables(self) -> None:
        """Where there are no Tables, metadata can still be asked for."""
        accept = "application/json;g=meta.k8s.io;v=v1;as="
        self.assertRaises(StatusError, negotiate, accept + "Table", False, transforms=WITHOUT_TABLES)
        self.assertEqual(negotiate(accept + "PartialObjectMetadata", False, transforms=WITHOUT_TABLES).transform,
                         "PartialObjectMetadata")

    def test_streams(self) -> None:
        """Watches can't be had in YAML, even where JSON is the second choice."""
        check_streamed(negotiate("application/json, application/yaml", False))
        chosen = negotiate("application/yaml, application/json", False)
        self.assertIn("stream=watch", self.assertRaises(StatusError, check_streamed, chosen).message)

    def test_empty(self) -> None:
        """A parameter without a value is none."""
        self.assertEqual(negotiate("application/json;as=;v=", False).transform, "")
        self.assertEqual(negotiate("application/json;as=Table;as=;g=meta.k8s.io;v=v1", False).transform, "Table")

    def test_lists(self) -> None:
        """The metadata of a list has a kind of its own; whether the answer is a list is not known yet."""
        accept = "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io"
        self.assertEqual(negotiate(accept, False),
                         Representation(JSON, "PartialObjectMetadataList", "v1beta1"))

    def test_pretty(self) -> None:
        """Indented for ``pretty=1`` of the media type, and for nothing else there."""
        self.assertTrue(negotiate("application/json;pretty=1", False).pretty)
        self.assertFalse(negotiate("application/json;pretty=true", False).pretty)
        self.assertTrue(negotiate("application/json;pretty=0", True).pretty)


class PrettyTests(SynchronousTestCase):
    def pretty(self, query: str, agent: str | None = None) -> bool:
        return wants_pretty(Request("GET", "/api", query, Sender(agent)))  # type: ignore[arg-type]

    def test_query(self) -> None:
        """The query's word counts; what is neither yes nor no is no."""
        for query, expected in {"pretty=true": True, "pretty=1": True, "pretty=T": True, "pretty=0": False,
                                "pretty=yes": False, "": False, "pretty=": False}.items():
            self.assertEqual(self.pretty(query), expected, query)

    def test_people(self) -> None:
        """Browsers and curl get it for their users, unless they say otherwise."""
        for agent in ("curl/8.1", "Wget/1.21", "Mozilla/5.0 (X11)"):
            self.assertTrue(self.pretty("", agent))
            self.assertFalse(self.pretty("pretty=0", agent))
        self.assertFalse(self.pretty("", "kubectl/v1.36.0"))


class AggregatedTests(SynchronousTestCase):
    def test_asked_for(self) -> None:
        """Whoever accepts the aggregated document gets it, also as the last choice."""
        for accept in (AGGREGATED, f"application/json, {AGGREGATED}", f"application/json, {AGGREGATED};q=0.1",
                       f"{AGGREGATED};profile=nopeer"):
            self.assertEqual(aggregated_type(accept), JSON, accept)
        self.assertEqual(aggregated_type(f"{AGGREGATED.replace('json', 'yaml')}, {AGGREGATED}"), YAML)

    def test_not_asked_for(self) -> None:
        """An old version of it, another kind, or plain documents."""
        for accept in (None, "", "application/json", AGGREGATED.replace("v2", "v2beta1"), TABLE,
                       AGGREGATED.replace("application", "text")):
            self.assertEqual(aggregated_type(accept), "", accept)
