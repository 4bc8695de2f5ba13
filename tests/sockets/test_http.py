"""HTTP as clients notice it: compression, formats, long requests, methods and time limits of a real server."""

from __future__ import annotations

import gzip
import json
import ssl
import time
from typing import Any
from urllib.parse import quote

import httpx

from tests.sockets.support.case import ServerTestCase

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
AGGREGATED = "application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList"
_LONG = 128 * 1024


class HTTPTests(ServerTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.config_maps = f"{self.path}/configmaps"

    def make(self, name: str, size: int = 0) -> None:
        self.create(self.config_maps, {"metadata": {"name": name}, "data": {"text": "x" * size}})

    def ask(self, path: str = "", **headers: str) -> Any:
        """GET an object of the namespace's, or the list."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.request("GET", self.config_maps + path, headers=sent)


class CompressionTests(HTTPTests):
    def test_large(self) -> None:
        """More than 128 KiB are compressed for those who accept it, at the lowest level."""
        self.make("a", _LONG)
        for path in ("", "/a"):
            plain, packed = self.ask(path), self.ask(path, accept_encoding="deflate, gzip")
            self.assertNotIn("content-encoding", plain.headers)
            self.assertEqual((packed.headers["content-encoding"], packed.headers["vary"]), ("gzip", "Accept-Encoding"))
            self.assertEqual(json.loads(gzip.decompress(packed.body)), plain.json())
            self.assertLess(len(packed.body), len(plain.body) // 10)
            self.assertEqual(packed.body[8], 4, "the fastest way was taken")

    def test_small(self) -> None:
        """Less is sent as it is."""
        self.make("a", _LONG - 1000)
        answer = self.ask("/a", accept_encoding="gzip")
        self.assertNotIn("content-encoding", answer.headers)
        self.assertGreater(len(answer.body), _LONG - 1000)

    def test_quality(self) -> None:
        """gzip with a quality is not understood, as in the original."""
        self.make("a", _LONG)
        for accepted in ("gzip;q=1.0", "gzip;q=0", "identity", "br"):
            self.assertNotIn("content-encoding", self.ask("/a", accept_encoding=accepted).headers, accepted)


class FormatTests(HTTPTests):
    def test_people(self) -> None:
        """curl and browsers get it indented."""
        self.make("a")
        self.assertIn(b'\n  "kind": "ConfigMap"', self.ask("/a", user_agent="curl/8.5.0").body)
        self.assertIn(b'\n  "kind": "Status"', self.ask("/none", user_agent="curl/8.5.0").body)
        self.assertNotIn(b"\n  ", self.ask("/a", user_agent="kubectl/v1.36.2").body)
        self.assertNotIn(b"\n  ", self.ask("/a?pretty=false", user_agent="curl/8.5.0").body)

    def test_tables(self) -> None:
        """The order of the client's wishes counts."""
        self.make("a")
        for accept, kind in {f"{TABLE}, application/json": "Table", f"application/json, {TABLE}": "ConfigMapList",
                             f"{TABLE};q=0.5, application/json;q=0.6": "ConfigMapList",
                             f"text/html, {TABLE}, */*;q=0.1": "Table"}.items():
            self.assertEqual(self.ask(accept=accept).json()["kind"], kind, accept)

    def test_discovery(self) -> None:
        """There the aggregated document is taken wherever it stands."""
        for accept in (f"{AGGREGATED}, application/json", f"application/json, {AGGREGATED}"):
            answer = self.client.request("GET", "/apis", headers={"Accept": accept})
            self.assertEqual(answer.json()["kind"], "APIGroupDiscoveryList", accept)
            known = {"Accept": accept, "If-None-Match": answer.headers["etag"]}
            again = self.client.request("GET", "/apis", headers=known)
            self.assertEqual((again.status, again.body), (304, b""))


class RequestTests(HTTPTests):
    def long_selector(self, size: int) -> str:
        return quote(f"a in ({','.join(f'value{number:06}' for number in range(size // 14))})")

    def test_long(self) -> None:
        """A selector may be hundreds of kilobytes long, over HTTP/1.1 and HTTP/2."""
        self.make("a")
        path = f"{self.config_maps}?labelSelector={self.long_selector(300_000)}"
        self.assertEqual(self.client.request("GET", path).json()["items"], [])
        context = ssl.create_default_context(cafile=str(self.server.authority))
        with httpx.Client(http2=True, verify=context, trust_env=False, base_url=self.server.url,
                          headers={"Authorization": f"Bearer {self.server.token}"}) as client:
            answer = client.get(self.config_maps, headers={"X-Long": self.long_selector(300_000)})
        self.assertEqual((answer.status_code, answer.http_version), (200, "HTTP/2"))

    def test_too_long(self) -> None:
        """More than a megabyte is 431."""
        answer = self.client.request("GET", f"{self.config_maps}?labelSelector={self.long_selector(1_100_000)}")
        self.assertEqual((answer.status, answer.body), (431, b"431 Request Header Fields Too Large"))

    def test_methods(self) -> None:
        """HEAD and OPTIONS are no verbs of resources; the connection goes on."""
        self.make("a")
        for method in ("HEAD", "OPTIONS", "TRACE"):
            self.assertEqual(self.client.request(method, f"{self.config_maps}/a").status, 405, method)
        self.assertEqual(self.client.request("HEAD", "/readyz").status, 200)
        self.assertEqual(self.ask("/a").status, 200)

    def test_timeout(self) -> None:
        """``timeout`` limits a request that waits; a watch has no such parameter."""
        start = time.monotonic()
        answer = self.ask("?resourceVersion=999999&timeout=200ms")
        self.assertEqual((answer.status, answer.json()["reason"]), (504, "Timeout"))
        self.assertLess(time.monotonic() - start, 2.5)
        self.assertEqual(self.ask("?timeout=soon").status, 400)
        self.assertEqual(self.ask("?timeout=soon&watch=true&timeoutSeconds=1").status, 200)

    def test_watch_paths(self) -> None:
        """The deprecated paths still watch a collection and a single object."""
        self.make("a")
        self.make("b")
        for path, names in {f"/api/v1/watch/namespaces/{self.namespace}/configmaps": ["a", "b"],
                            f"/api/v1/watch/namespaces/{self.namespace}/configmaps/b": ["b"]}.items():
            events = list(self.server.client().watch(f"{path}?timeoutSeconds=1"))
            self.assertEqual([event["object"]["metadata"]["name"] for event in events], names, path)
