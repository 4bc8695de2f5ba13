"""Objects as the watch cache holds them: encoded once, with their revision, and parsed only when somebody must look.

A stored value is ``{"kind":"Pod","apiVersion":"v1","metadata":{...},...}``: the same head for all objects of a
resource, and no resourceVersion. A cached object keeps what follows the head with the revision written in, its
*tail*: ``"metadata":{"resourceVersion":"7",...},...}``. An answer is the head and the tail; a list of built-in
objects is tails joined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

_METADATA = b'"metadata":{'
_REVISION = b'"metadata":{"resourceVersion":"%d",'


class Encoding:
    """How the objects of one resource are laid out in bytes.

    :param kind: and ``api_version``: of the storage version.
    :param upgrade: makes a stored object of another version into one of the storage version; without it such an
        object is refused with ValueError.
    """

    def __init__(self, kind: str, api_version: str,
                 upgrade: Callable[[dict[str, Any]], dict[str, Any]] | None = None) -> None:
        self.kind = kind
        self.api_version = api_version
        self.head = orjson.dumps({"kind": kind, "apiVersion": api_version})[:-1] + b","
        self._start = self.head + _METADATA
        self._upgrade = upgrade

    def encode(self, obj: dict[str, Any]) -> bytes:
        """The value to store: metadata first after the head, and without its resourceVersion."""
        metadata = obj["metadata"]
        if "resourceVersion" in metadata:
            metadata = {key: value for key, value in metadata.items() if key != "resourceVersion"}
        ordered = {"kind": self.kind, "apiVersion": self.api_version, "metadata": metadata}
        for key, value in obj.items():
            if key not in ordered:
                ordered[key] = value
        return orjson.dumps(ordered)

    def tail(self, value: bytes, revision: int) -> bytes:
        """What follows the head, with the revision written in."""
        if not value.startswith(self._start):
            value = self._reencode(value)
        return _REVISION % revision + value[len(self._start):]

    def _reencode(self, value: bytes) -> bytes:
        obj = orjson.loads(value)
        if (obj.get("kind"), obj.get("apiVersion")) != (self.kind, self.api_version):
            if self._upgrade is None:
                raise ValueError(f"stored object is a {obj.get('apiVersion')} {obj.get('kind')}, "
                                 f"not a {self.api_version} {self.kind}")
            obj = self._upgrade(obj)
        return self.encode(obj)

    def body(self, value: bytes, revision: int) -> bytes:
        """The whole object with its revision."""
        return self.head + self.tail(value, revision)


class CachedObject:
    """One object at one revision.

    :ivar namespace: empty for cluster-scoped resources.
    :ivar tail: see the module.
    :ivar outdated: whether it is stored otherwise than it would be now: the next write stores it anew, even one that
        changes nothing.
    """

    __slots__ = ("_labels", "_parsed", "encoding", "fields", "key", "name", "namespace", "outdated", "revision", "tail")

    def __init__(self, encoding: Encoding, key: str, namespace: str, name: str, tail: bytes, revision: int) -> None:
        self.encoding = encoding
        self.key = key
        self.namespace = namespace
        self.name = name
        self.tail = tail
        self.revision = revision
        self.outdated = False
        self._labels: dict[str, str] | None = None
        self._parsed: dict[str, Any] | None = None
        #: the selectable fields that were asked for last, and what computed them
        self.fields: tuple[object, dict[str, str]] | None = None

    @property
    def body(self) -> bytes:
        """The object's JSON."""
        return self.encoding.head + self.tail

    @property
    def value(self) -> bytes:
        """The bytes in the store: the body without the revision."""
        return self.encoding.head + _METADATA + self.tail[self.tail.index(b",") + 1:]

    def parse(self) -> dict[str, Any]:
        """The object as fresh data that the caller may change."""
        obj: dict[str, Any] = orjson.loads(self.encoding.head + self.tail)
        return obj

    def peek(self) -> dict[str, Any]:
        """The object as shared data that nobody may change, parsed once and kept."""
        if self._parsed is None:
            self._parsed = self.parse()
        return self._parsed

    @property
    def labels(self) -> dict[str, str]:
        if self._labels is None:
            self._labels = self.parse()["metadata"].get("labels") or {}
        return self._labels

    def at(self, revision: int) -> CachedObject:
        """The same content under another revision: what a DELETED event shows."""
        tail = _REVISION % revision + self.tail[self.tail.index(b",") + 1:]
        moved = CachedObject(self.encoding, self.key, self.namespace, self.name, tail, revision)
        moved._labels = self._labels
        moved.fields = self.fields
        return moved
