"""A client's mistake never costs a traceback: whatever object it sends, the answer is no failure of the server."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.schema.types import Struct
from tests.endpoints.random_objects import RandomObjects
from tests.inprocess import Answer, ClusterTestCase

_SETTINGS = settings(max_examples=60, database=None, derandomize=True,
                     suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors])
#: How many objects of how many kinds one example sends.
_OBJECTS = 15
_TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"
_PATCHES = ("application/merge-patch+json", "application/strategic-merge-patch+json")


@frozen
class Collection:
    """Where objects of a kind are sent."""

    path: str
    kind: GroupVersionKind
    struct: Struct
    subresources: tuple[str, ...]


class RandomObjectsTests(ClusterTestCase):
    overrides = {"runtimeConfig": {"api/all": True}}

    def setUp(self) -> None:
        super().setUp()
        self.collections = list(self._collections())

    def _collections(self) -> Any:
        schema = self.cluster.server.completed.schema
        for group in self.cluster.server.front.all_groups():
            for version in group.versions:
                gv = version.group_version
                root = f"/apis/{gv}" if gv.group else f"/api/{gv.version}"
                for name, resource in version.resources.items():
                    if "/" in name or "create" not in resource.handlers:
                        continue
                    kind = GroupVersionKind(resource.group or gv.group, resource.version or gv.version, resource.kind)
                    below = tuple(one.partition("/")[2] for one, sub in version.resources.items()
                                  if one.startswith(f"{name}/") and "update" in sub.handlers)
                    path = f"{root}/namespaces/default/{name}" if resource.namespaced else f"{root}/{name}"
                    yield Collection(path, kind, schema.kind(kind), below)

    def test_kinds(self) -> None:
        """Nearly all built-in kinds can be created."""
        self.assertGreater(len({one.kind.group_kind for one in self.collections}), 60)

    @given(seed=st.integers(0, 2**32), often=st.sampled_from((0.15, 0.4, 0.7)),
           wrong=st.sampled_from((0.0, 0.01, 0.05)))
    @_SETTINGS
    def test_no_failure(self, seed: int, often: float, wrong: float) -> None:
        """Creates, updates, patches and writes of subresources with odd objects never end in InternalError."""
        random = Random(seed)
        make = RandomObjects(random, often, wrong)
        for number in range(_OBJECTS):
            collection = random.choice(self.collections)
            name = f"x{number}"
            created = self.send_odd("POST", collection.path, self.odd(make, collection, name))
            if created.code == 201:
                self.change(random, make, collection, name)
                self.send_odd("DELETE", f"{collection.path}/{name}?gracePeriodSeconds=0", {})

    def change(self, random: Random, make: RandomObjects, collection: Collection, name: str) -> None:
        """Write an object that is there in all the ways."""
        path = f"{collection.path}/{name}"
        self.send_odd("PUT", path, self.odd(make, collection, name))
        self.send_odd("PATCH", path, self.odd(make, collection, name), random.choice(_PATCHES))
        for subresource in collection.subresources:
            self.send_odd("PUT", f"{path}/{subresource}", self.odd(make, collection, name))
        self.send_odd("GET", path, None)

    def odd(self, make: RandomObjects, collection: Collection, name: str) -> Any:
        obj = make.value(collection.struct)
        metadata = obj["metadata"] if isinstance(obj.get("metadata"), dict) else {}
        for key in ("namespace", "resourceVersion", "uid"):
            metadata.pop(key, None)
        return {**obj, "metadata": {**metadata, "name": name}, "kind": collection.kind.kind,
                "apiVersion": collection.kind.api_version}

    def send_odd(self, method: str, path: str, body: Any, content_type: str = "application/json") -> Answer:
        raw = b"" if body is None else json.dumps(body).encode()
        answer = self.send(method, path, raw, content_type=content_type, accept=_TABLE if method == "GET" else "*/*")
        if b'"reason":"InternalError"' in answer.body:
            self.fail(f"{method} {path} {raw.decode()}\n{answer.body.decode()}")
        return answer
