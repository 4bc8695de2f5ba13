"""Requests made by schemathesis from a server's own OpenAPI documents, most of them steered towards what exists."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

import schemathesis
import yaml
from attrs import frozen
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import APIOperation, Case

#: Paths of what never ends, or is another server's answer.
_SKIPPED = re.compile(r"/watch/|/proxy|/(exec|attach|portforward)\Z")
NAMES = ("a", "b", "kubernetes")
_QUERIES = {"dryRun": "All", "fieldValidation": "Strict", "fieldManager": "fuzz", "force": "true",
            "labelSelector": "a in (b,c),!d", "fieldSelector": "metadata.name!=a", "resourceVersion": "0",
            "resourceVersionMatch": "NotOlderThan", "propagationPolicy": "Foreground", "limit": "1"}
_PATCHES = ("application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml",
            "application/json-patch+json")
_WRITES = ("POST", "PUT", "PATCH")

#: Valid objects by kind, to be varied.
Seeds = Mapping[str, Sequence[dict[str, Any]]]


@frozen
class Call:
    """One request."""

    method: str
    target: str
    body: bytes | None
    media_type: str

    def __str__(self) -> str:
        return f"{self.method} {self.target} {self.media_type} {(self.body or b'').decode()}"


class Fuzzer:
    """Makes requests for the operations of one document.

    :param document: of ``/openapi/v3/...``.
    :param namespace: one that exists.
    """

    def __init__(self, document: Mapping[str, Any], namespace: str, seeds: Seeds) -> None:
        self._schema = schemathesis.openapi.from_dict(dict(document))
        self._namespace = namespace
        self._seeds = seeds

        found = [result.ok() for result in self._schema.get_all_operations()]
        self._operations = [one for one in found if not _SKIPPED.search(one.path)]
        self._posts = {one.path: one for one in self._operations if one.method.upper() == "POST"}

    def operations(self) -> list[APIOperation]:
        """All that are asked, in the document's order."""
        return list(self._operations)

    def each(self, operation: APIOperation, examples: int, number: int, ask: Callable[[Call], None]) -> None:
        """Make requests for one operation.

        :param number: the seed; the same one makes the same requests.
        """
        @seed(number)
        @settings(max_examples=examples, database=None, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy(), self._bodies(operation), st.integers(0, 2**32))
        def one(case: Case, body: Any, choice: int) -> None:
            ask(self._call(operation, case, body, random.Random(choice)))

        for call in self._stock(operation):
            ask(call)
        one()

    def _stock(self, operation: APIOperation) -> Iterator[Call]:
        """Requests that make objects of the operation's names, where there are seeds."""
        collection, _, _ = operation.path.partition("/{name}")
        post = self._posts.get(collection) if collection != operation.path else None
        seeds = self._seeds.get(_kind(post).get("kind", ""), ()) if post else ()
        for name, stock in zip(NAMES, seeds, strict=False):
            body = {**stock, "metadata": {**stock["metadata"], "name": name}}
            yield Call("POST", collection.format(namespace=self._namespace), json.dumps(body).encode(),
                       "application/json")

    def _bodies(self, operation: APIOperation) -> st.SearchStrategy[Any]:
        """Bodies: for a patch, which may be anything, those of the PUT."""
        if operation.method.upper() == "PATCH":
            operation = self._schema[operation.path]["PUT"]
        return operation.as_strategy().map(lambda case: case.body)

    # -- steering ------------------------------------------------------------------------------------------------

    def _call(self, operation: APIOperation, case: Case, body: Any, rng: random.Random) -> Call:
        method = operation.method.upper()
        name = rng.choice(NAMES)
        target = self._target(operation, case, name, rng)
        if method not in _WRITES:
            sent = None if rng.random() < 0.8 or not isinstance(body, dict) else json.dumps(body).encode()
            return Call(method, target, sent, "application/json")
        if isinstance(body, dict) and rng.random() < 0.9:
            body = self._object(operation, body, name, rng)
        media_type = "application/json" if rng.random() < 0.9 else "application/yaml"
        if method == "PATCH":
            media_type = rng.choice(_PATCHES)
            if "json-patch" in media_type and isinstance(body, dict):
                body = list(_operations(body, "", rng))[:5]
        is_yaml = "yaml" in media_type and isinstance(body, dict)
        text = yaml.safe_dump(body) if is_yaml else json.dumps(body, default=str)
        return Call(method, target, text.encode(), media_type)

    def _target(self, operation: APIOperation, case: Case, name: str, rng: random.Random) -> str:
        wanted = {"namespace": self._namespace, "name": name}
        parts = {key: quote(str(wanted[key] if key in wanted and rng.random() < 0.95 else value), safe="")
                 for key, value in case.path_parameters.items()}
        query = {key: _QUERIES.get(key, value) if rng.random() < 0.6 else value
                 for key, value in case.query.items() if rng.random() < 0.4}
        if query.pop("watch", "false") != "false" or "watch" in query:
            query |= {"watch": "true", "timeoutSeconds": "1"}
        return operation.path.format(**parts) + ("?" + urlencode(query, doseq=True) if query else "")

    def _object(self, operation: APIOperation, body: dict[str, Any], name: str, rng: random.Random) -> dict[str, Any]:
        kind = _kind(operation)
        seeds = self._seeds.get(kind.get("kind", ""), ())
        if seeds and rng.random() < 0.8:
            body = grafted(rng.choice(seeds), body, rng)
        metadata = {key: value for key, value in (body.get("metadata") or {}).items()
                    if key in ("labels", "annotations") or rng.random() < 0.1}
        group = kind.get("group", "")
        version = f"{group}/{kind.get('version')}" if group else kind.get("version")
        return {**body, "apiVersion": version, "kind": kind.get("kind"),
                "metadata": {**metadata, "name": name}}


def _kind(operation: APIOperation) -> dict[str, str]:
    """The group, version and kind of what an operation takes."""
    kind: dict[str, str] = operation.definition.raw.get("x-kubernetes-group-version-kind", {})
    return kind


def grafted(stock: dict[str, Any], scion: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """A copy of an object in which some parts are another's."""
    grown = copy.deepcopy(stock)
    for key, value in scion.items():
        here = grown.get(key)
        if isinstance(here, dict) and isinstance(value, dict):
            grown[key] = grafted(here, value, rng)
        elif isinstance(here, list) and isinstance(value, list) and here and value and rng.random() < 0.8:
            grown[key] = [grafted(one, other, rng) if isinstance(one, dict) and isinstance(other, dict) else other
                          for one, other in zip(here, value, strict=False)]
        elif rng.random() < (0.15 if key in grown else 0.3):
            grown[key] = value
    return grown


def _operations(body: Any, pointer: str, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Operations of a JSON patch at the places that an object has."""
    for key, value in body.items() if isinstance(body, dict) else enumerate(body):
        here = f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if isinstance(value, dict | list) and value and rng.random() < 0.8:
            yield from _operations(value, here, rng)
        else:
            verb = rng.choice(("add", "replace", "remove", "test", "copy", "move"))
            yield {"op": verb, "path": here, "from": pointer, "value": value}
