"""Cached objects to test with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from kube_twisted.storage.cached import CachedObject, Encoding

ENCODING = Encoding("ConfigMap", "v1")


def stored(name: str, labels: Mapping[str, str] | None = None, **content: Any) -> bytes:
    """A stored ConfigMap."""
    metadata = {"name": name, **({"labels": dict(labels)} if labels else {})}
    return orjson.dumps({"kind": "ConfigMap", "apiVersion": "v1", "metadata": metadata, **content})


def cached(name: str, labels: Mapping[str, str] | None = None, namespace: str = "ns", revision: int = 1,
           **content: Any) -> CachedObject:
    tail = ENCODING.tail(stored(name, labels, **content), revision)
    return CachedObject(ENCODING, f"/configmaps/{namespace}/{name}", namespace, name, tail, revision)
