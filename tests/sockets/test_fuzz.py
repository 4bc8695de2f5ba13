"""Requests that nobody thought of, made from the server's own OpenAPI documents, never break it."""

from __future__ import annotations

import json
import random
import re
import time
from collections import defaultdict
from datetime import date
from http.client import HTTPException
from typing import Any

import yaml

from tests.sockets.fuzzing import Call, Fuzzer
from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.kubectl import MANIFESTS

_SEED = 1
_EXAMPLES = 3
#: Seconds for one document; what is left then is not asked.
_BUDGET = 25.0
#: Seconds that an answer may take; a version of the future is waited for, for three.
_SLOW = 15.0
#: Where the original answers 500 as well.
_RECORDED = re.compile("|".join((
    r"strconv\.ParseUint: parsing", "resourceVersion should not be set on objects to be created",
    "failed to create typed patch object", "failed to convert new object", "does not contain declared merge key",
    "value for key .* is not a map", "unknown patch type", "merging lists cannot yet be specified in the patch",
    "The order in patch list", "list element types are not identical", "expected a (map|\\[)",
    "unable to find api field in struct", "merging an object in json but data type is not struct",
    "invalid (resource name|namespace)",
    "HealthCheck NodePort", "duplicate nodePort", "more than one PodDisruptionBudget", r"\Atarget\.(name|kind): ")))
#: Left in peace: a namespace that is deleted takes nothing more.
_NAMESPACES = ("/api/v1/namespaces", "/api/v1/namespaces/{name}")


class FuzzTests(ServerTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.faults: list[str] = []
        self.asked = 0
        self.seeds: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for file in sorted(MANIFESTS.glob("*.yaml")):
            for document in yaml.safe_load_all(file.read_text()):
                self.seeds[document["kind"]].append(document)

    def ask(self, call: Call) -> None:
        """Send it, and note what should not be."""
        self.asked += 1
        start = time.monotonic()
        try:
            answer = self.client.request(call.method, call.target, call.body, {"Content-Type": call.media_type})
        except (OSError, HTTPException) as error:
            self.faults.append(f"{error!r}: {call}")
            return
        if time.monotonic() - start > _SLOW:
            self.faults.append(f"slow: {call}")
        if answer.status == 500 and not _RECORDED.search(_message(answer.body, answer.headers)):
            self.faults.append(f"{answer.body.decode('utf-8', 'replace')}: {call}")

    def fuzz(self, group_version: str) -> None:
        """Ask all operations of a document, or as many as there is time for."""
        paths = self.client.request("GET", "/openapi/v3").json()["paths"]
        document = self.client.request("GET", paths[group_version]["serverRelativeURL"]).json()
        fuzzer, end = Fuzzer(document, self.namespace, self.seeds), time.monotonic() + _BUDGET
        operations = fuzzer.operations()
        random.Random(_SEED).shuffle(operations)
        for operation in operations:
            if time.monotonic() > end:
                break
            if operation.method.upper() != "DELETE" or operation.path not in _NAMESPACES:
                fuzzer.each(operation, _EXAMPLES, _SEED, self.ask)
        self.assertGreater(self.asked, 20)
        self.assertEqual(self.faults, [])
        self.assertNotIn("Traceback", self.server.output())

    def test_core(self) -> None:
        """The core group."""
        self.fuzz("api/v1")

    def test_apps(self) -> None:
        """Workloads."""
        self.fuzz("apis/apps/v1")

    def test_another(self) -> None:
        """One of the other groups, the next one every day."""
        paths = self.client.request("GET", "/openapi/v3").json()["paths"]
        others = sorted(one for one in paths if one.count("/") == 2 and one != "apis/apps/v1")
        self.fuzz(others[date.today().toordinal() % len(others)])


def _message(body: bytes, headers: dict[str, str]) -> str:
    """What an error says; the whole text when it is no Status."""
    if headers.get("content-type") == "application/json":
        return str(json.loads(body).get("message", ""))
    return body.decode("utf-8", "replace")
