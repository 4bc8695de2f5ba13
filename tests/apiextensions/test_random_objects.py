"""Whatever schema a definition has, and whatever object comes: no failure of the server, and what is kept stays."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.apiextensions.random_values import RandomSchemas, RandomValues, Schema
from tests.apiextensions.widgets import DEFINITIONS, GROUP, WIDGETS, CustomCase, definition, version
from tests.inprocess import JSON, Answer

_SETTINGS = settings(max_examples=40, database=None, derandomize=True,
                     suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors])
#: How many objects of one definition one example sends.
_OBJECTS = 8
#: The original's answer of 500 to an apply patch, or of an object, that does not fit the schema.
_UNTYPED = b"failed to create typed "
_TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"


class RandomObjectsTests(CustomCase):
    served = 0
    stored = 0

    @given(seed=st.integers(0, 2**32), often=st.sampled_from((0.2, 0.5, 0.9)), wrong=st.sampled_from((0.0, 0.02, 0.1)))
    @_SETTINGS
    def check(self, seed: int, often: float, wrong: float) -> None:
        self.send_odd("DELETE", WIDGETS)
        random = Random(seed)
        schemas = RandomSchemas(random)
        one, other = schemas.root(), schemas.root()
        if not self.serve(one):
            return
        make = RandomValues(random, often, wrong)
        for number in range(_OBJECTS):
            self.round(random, make, one, f"x{number}")
        if self.serve(other):
            for number in range(_OBJECTS):
                self.same(f"{WIDGETS}/x{number}", (200, 400, 422))

    def test_no_failure(self) -> None:
        """Creates, updates, patches and applies of odd objects never fail inside; what was read can be written back."""
        self.check()
        self.assertGreater(self.served, 40)
        self.assertGreater(self.stored, 100)

    def serve(self, schema: Schema) -> bool:
        """Make or change the definition; tells whether it is as it should be."""
        body = definition(version("v1", schema, subresources={"status": {}}))
        self.send_odd("POST", DEFINITIONS, body)
        answer = self.send_odd("PATCH", f"{DEFINITIONS}/widgets.{GROUP}", {"spec": body["spec"]},
                               "application/merge-patch+json")
        self.cluster.run(0.05)
        self.served += answer.code == 200
        return answer.code == 200

    def round(self, random: Random, make: RandomValues, schema: Schema, name: str) -> None:
        """Write an object in all the ways, and read it after each."""
        path = f"{WIDGETS}/{name}"
        if self.send_odd("POST", WIDGETS, self.odd(make, schema, name)).code == 201:
            self.stored += 1
            self.same(path)
            self.send_odd("PUT", path, {**self.odd(make, schema, name), "metadata": self.metadata(path)})
            self.send_odd("PUT", f"{path}/status", {**self.odd(make, schema, name), "metadata": self.metadata(path)})
            self.same(path)
            self.send_odd("PATCH", path, make.value(schema), "application/merge-patch+json")
        self.send_odd("PATCH", f"{path}?fieldManager=m&force={random.choice(('true', 'false'))}",
                      self.odd(make, schema, name), "application/apply-patch+yaml")
        self.same(path)
        self.send_odd("GET", path, accept=_TABLE)

    def metadata(self, path: str) -> Any:
        return self.ask("GET", path)["metadata"]

    def same(self, path: str, expected: tuple[int, ...] = (200,)) -> None:
        """What is read can be written back, and is the same then; at most the first such write stores it anew."""
        answer = self.send("GET", path)
        if answer.code == 404:
            return
        written = self.send_odd("PUT", path, answer.json)
        self.assertIn(written.code, expected, f"{answer.body.decode()}\n{written.body.decode()}")
        first = self.send("GET", path)
        again = self.send_odd("PUT", path, first.json)
        if again.code == 200:
            self.assertEqual(again.json, first.json)
        self.assertEqual(self.send("GET", path).body, first.body)
        (listed,) = (one for one in self.send("GET", WIDGETS).json["items"]
                     if path.endswith(f"/{one['metadata']['name']}"))
        self.assertEqual(listed, first.json)

    def odd(self, make: RandomValues, schema: Schema, name: str) -> Any:
        made = make.value(schema)
        fields = made if isinstance(made, dict) else {"spec": made}
        return {**fields, "apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": {"name": name}}

    def send_odd(self, method: str, path: str, body: Any = None, content_type: str = JSON,
                 accept: str = JSON) -> Answer:
        raw = b"" if body is None else json.dumps(body).encode()
        answer = self.send(method, path, raw, content_type=content_type, accept=accept)
        if answer.code >= 500 and _UNTYPED not in answer.body:
            self.fail(f"{method} {path} {raw.decode()}\n{answer.body.decode()}")
        return answer
