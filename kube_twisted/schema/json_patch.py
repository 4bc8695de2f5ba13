"""JSON patch (RFC 6902), with the leniencies of the original's library.

Beyond the RFC: a missing member reads as null, so that ``replace`` and ``copy`` of one succeed; a negative
index counts from the end; what stands before the first slash of a pointer is ignored. Only ``replace`` and
``test`` know the whole document as a place, and no scalar can take that place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import orjson

from kube_twisted.api.errors import StatusError, bad_request, request_entity_too_large
from kube_twisted.api.jsonvalue import deep_copy, json_kind, same
from kube_twisted.schema.patch_errors import rejected

MAX_OPERATIONS = 10_000
#: What all ``copy`` operations of one patch may add, in bytes of JSON.
MAX_COPIED_BYTES = 3 * 1024 * 1024

_FIELDS = ("op", "path", "from", "value")
_INDEX = re.compile(r"[+-]?[0-9]+")


class _Inapplicable(Exception):
    """An operation that does not fit the document."""


def apply(document: Any, operations: bytes | list[Any] | None, lenient: bool = False) -> Any:
    """The patched document; the arguments stay as they are.

    :param operations: the patch, as JSON text or as the value it parses to.
    :param lenient: see :func:`check`.
    :raises StatusError: 400 for what is no patch, 413 for too many operations, 422 when one does not apply.
    """
    patch = _parse(operations) if isinstance(operations, bytes) else operations
    check(patch, lenient)
    if patch and len(patch) > MAX_OPERATIONS:
        raise request_entity_too_large("The allowed maximum operations in a JSON patch is "
                                       f"{MAX_OPERATIONS}, got {len(patch)}")
    run = _Run(deep_copy(document))
    try:
        for operation in patch or ():
            run.apply(operation)
    except _Inapplicable:
        raise rejected() from None
    return run.document


def check(operations: Any, lenient: bool = False) -> list[str]:
    """Complaints about unknown fields of operations, which field validation reports.

    :param lenient: don't look into the operations.
    :raises StatusError: 400 when the value is no list of operations.
    """
    if operations is None:
        return []
    if lenient:
        _check_leniently(operations)
        return []
    if not isinstance(operations, list):
        raise _wrong(operations, "value of type []handlers.jsonPatchOp")
    complaints = []
    for index, operation in enumerate(operations):
        if operation is None:
            continue
        if not isinstance(operation, dict):
            raise _wrong(operation, "value of type handlers.jsonPatchOp")
        for name in ("op", "path", "from"):
            if not isinstance(operation.get(name), str | None):
                raise _wrong(operation[name], f"struct field jsonPatchOp.{name} of type string")
        complaints += [f'json patch unknown field "[{index}].{name}"'
                       for name in operation if name not in _FIELDS]
    return complaints


def _check_leniently(operations: Any) -> None:
    if not isinstance(operations, list):
        raise _no_patch(operations, "Patch")
    for operation in operations:
        if not isinstance(operation, dict | None):
            raise _no_patch(operation, "Operation")


def _no_patch(value: Any, wanted: str) -> StatusError:
    return bad_request(f"json: cannot unmarshal {json_kind(value)} into Go value of type jsonpatch.{wanted}")


def _wrong(value: Any, wanted: str) -> StatusError:
    return bad_request(f"error decoding patch: json: cannot unmarshal {json_kind(value)} into Go {wanted}")


def _parse(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        rest = error.doc[error.pos:]
        why = f"invalid character '{rest[0]}' looking for beginning of value" if rest.strip() else \
            "unexpected end of JSON input"
        raise bad_request(f"error decoding patch: {why}") from None


class _Run:
    """One patch at work on its own copy of the document."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self._copied = 0
        self._steps: dict[str, Callable[[dict[str, Any]], None]] = {
            "add": self._add, "remove": self._remove, "replace": self._replace, "move": self._move,
            "copy": self._copy, "test": self._test}

    def apply(self, operation: dict[str, Any] | None) -> None:
        """Take one step.

        :raises _Inapplicable: when it does not fit.
        """
        name = operation.get("op") if operation else None
        if not operation or not isinstance(name, str) or name not in self._steps:
            raise _Inapplicable
        self._steps[name](operation)

    def _find(self, operation: dict[str, Any], name: str = "path") -> tuple[Any, str]:
        """The list or dict that holds the place a pointer names, and the last part of the pointer."""
        pointer = operation.get(name)
        if not isinstance(pointer, str):
            raise _Inapplicable
        _, *parts = map(_unescape, pointer.split("/"))
        if not parts:
            raise _Inapplicable
        container = self.document
        for part in parts[:-1]:
            container = _get(container, part)
        if not isinstance(container, (dict, list)):
            raise _Inapplicable
        return container, parts[-1]

    def _add(self, operation: dict[str, Any]) -> None:
        container, key = self._find(operation)
        _insert(container, key, deep_copy(operation.get("value")))

    def _remove(self, operation: dict[str, Any]) -> None:
        container, key = self._find(operation)
        _delete(container, key)

    def _replace(self, operation: dict[str, Any]) -> None:
        value = deep_copy(operation.get("value"))
        if operation.get("path") == "":
            if not isinstance(value, (dict, list)):
                raise _Inapplicable
            self.document = value
            return
        container, key = self._find(operation)
        if isinstance(container, list):
            container[_index(key, len(container))] = value
        else:
            container[key] = value

    def _move(self, operation: dict[str, Any]) -> None:
        container, key = self._find(operation, "from")
        value = _get(container, key)
        _delete(container, key)
        container, key = self._find(operation)
        _insert(container, key, value)

    def _copy(self, operation: dict[str, Any]) -> None:
        value = _get(*self._find(operation, "from"))
        container, key = self._find(operation)
        if value is not None:
            self._copied += len(orjson.dumps(value))
        if self._copied > MAX_COPIED_BYTES:
            raise _Inapplicable
        _insert(container, key, deep_copy(value))

    def _test(self, operation: dict[str, Any]) -> None:
        found = self.document if operation.get("path") == "" else _get(*self._find(operation))
        if not same(found, operation.get("value")):
            raise _Inapplicable


def _unescape(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def _index(key: str, length: int) -> int:
    """The position that a part of a pointer means in a list."""
    if not _INDEX.fullmatch(key):
        raise _Inapplicable
    index = int(key) if len(key) < 20 else length
    if not -length <= index < length:
        raise _Inapplicable
    return index % length


def _get(container: Any, key: str) -> Any:
    if isinstance(container, dict):
        return container.get(key)
    if isinstance(container, list):
        return container[_index(key, len(container))]
    raise _Inapplicable


def _insert(container: Any, key: str, value: Any) -> None:
    if isinstance(container, dict):
        container[key] = value
    elif key == "-":
        container.append(value)
    else:
        container.insert(_index(key, len(container) + 1), value)


def _delete(container: Any, key: str) -> None:
    if isinstance(container, list):
        del container[_index(key, len(container))]
    elif key in container:
        del container[key]
    else:
        raise _Inapplicable
