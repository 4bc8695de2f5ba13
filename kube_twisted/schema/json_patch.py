"""JSON patch (RFC 6902), with the leniencies of the original's library.

Beyond the RFC: a missing member reads as null, so that ``replace`` and ``copy`` of one succeed; a negative
index counts from the end; what stands before the first slash of a pointer is ignored. Only ``replace`` and
``test`` know the whole document as a place, and no scalar can take that place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import orjson

from kube_twisted.api.errors import StatusError, bad_request, request_entity_too_large
from kube_twisted.api.field import go_quote
from kube_twisted.api.jsonvalue import deep_copy, json_kind, same
from kube_twisted.schema.patch_errors import rejected

MAX_OPERATIONS = 10_000
#: What all ``copy`` operations of one patch may add, in bytes of JSON.
MAX_COPIED_BYTES = 3 * 1024 * 1024

_FIELDS = ("op", "path", "from", "value")
_INDEX = re.compile(r"[+-]?[0-9]+")
#: Of an index, beyond which it is too large to be a number.
_DIGITS = 19


class Inapplicable(ValueError):
    """An operation that does not fit the document; the text is the original library's."""


class TestFailed(Inapplicable):
    """A ``test`` found another value."""


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
    try:
        return run(document, patch or ())
    except Inapplicable:
        raise rejected() from None


def run(document: Any, operations: Iterable[dict[str, Any] | None]) -> Any:
    """The document after a list of operations; the arguments stay as they are.

    :raises Inapplicable: when one does not apply.
    """
    work = _Run(deep_copy(document))
    for operation in operations:
        work.apply(operation)
    return work.document


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

        :raises Inapplicable: when it does not fit.
        """
        name = (operation or {}).get("op")
        if not isinstance(name, str):
            name = "unknown"
        if operation is None or name not in self._steps:
            raise Inapplicable(f"Unexpected kind: {name}")
        self._steps[name](operation)

    def _place(self, operation: dict[str, Any], failure: str, name: str = "path") -> tuple[Any, str]:
        """The list or dict that holds the place a pointer names, and the last part of the pointer.

        :param failure: what is said when the document has no such place, with ``{}`` for the pointer.
        """
        pointer = _pointer(operation, name)
        _, *parts = map(_unescape, pointer.split("/"))
        container = self.document if parts else None
        for part in parts[:-1]:
            try:
                container = _get(container, part)
            except Inapplicable:
                container = None
        if not isinstance(container, (dict, list)):
            raise Inapplicable(f"{failure.format(pointer)}: missing value")
        return container, parts[-1]

    def _add(self, operation: dict[str, Any]) -> None:
        container, key = self._place(operation, 'add operation does not apply: doc is missing path: "{}"')
        with _during(f"error in add for path: '{operation['path']}'"):
            _insert(container, key, deep_copy(operation.get("value")))

    def _remove(self, operation: dict[str, Any]) -> None:
        container, key = self._place(operation, 'remove operation does not apply: doc is missing path: "{}"')
        with _during(f"error in remove for path: '{operation['path']}'"):
            _delete(container, key)

    def _replace(self, operation: dict[str, Any]) -> None:
        value = deep_copy(operation.get("value"))
        if operation.get("path") == "":
            if not isinstance(value, (dict, list)):
                raise Inapplicable("replace operation value must be object or array")
            self.document = value
            return
        container, key = self._place(operation, "replace operation does not apply: doc is missing path: {}")
        if isinstance(container, dict):
            container[key] = value
            return
        try:
            index = _index(key, len(container))
        except Inapplicable:
            raise Inapplicable("replace operation does not apply: doc is missing key: "
                               f"{operation['path']}: missing value") from None
        container[index] = value

    def _move(self, operation: dict[str, Any]) -> None:
        container, key = self._place(operation, "move operation does not apply: doc is missing from path: {}", "from")
        with _during(f"error in move for path: '{key}'"):
            value = _get(container, key)
            _delete(container, key)
        container, key = self._place(operation, "move operation does not apply: doc is missing destination path: {}")
        with _during(f"error in move for path: '{operation['path']}'"):
            _insert(container, key, value)

    def _copy(self, operation: dict[str, Any]) -> None:
        container, key = self._place(operation, "copy operation does not apply: doc is missing from path: {}", "from")
        with _during(f"error in copy for from: '{operation['from']}'"):
            value = _get(container, key)
        container, key = self._place(operation, "copy operation does not apply: doc is missing destination path: {}")
        if value is not None:
            self._copied += len(orjson.dumps(value))
        if self._copied > MAX_COPIED_BYTES:
            raise Inapplicable("Unable to complete the copy, the accumulated size increase of copy is "
                               f"{self._copied}, exceeding the limit {MAX_COPIED_BYTES}")
        with _during("error while adding value during copy"):
            _insert(container, key, deep_copy(value))

    def _test(self, operation: dict[str, Any]) -> None:
        if operation.get("path") == "":
            found = self.document
        else:
            container, key = self._place(operation, "test operation does not apply: is missing path: {}")
            with _during(f"error in test for path: '{operation['path']}'"):
                found = _get(container, key)
        if not same(found, operation.get("value")):
            raise TestFailed(f"testing value {operation['path']} failed: test failed")


def _pointer(operation: dict[str, Any], name: str) -> str:
    pointer = operation.get(name)
    if isinstance(pointer, str):
        return pointer
    op = operation["op"]
    if op in ("add", "remove") or (op == "copy" and name == "path"):
        raise Inapplicable(f"{op} operation failed to decode path: missing value")
    missing = "operation missing path field" if name == "path" else "operation, missing from field"
    raise Inapplicable(f"{op} operation failed to decode {name}: {missing}: missing value")


@contextmanager
def _during(what: str) -> Iterator[None]:
    """Say where it was that something did not fit."""
    try:
        yield
    except Inapplicable as error:
        raise Inapplicable(f"{what}: {error}") from None


def _unescape(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def _index(key: str, length: int) -> int:
    """The position that a part of a pointer means in a list."""
    if not _INDEX.fullmatch(key):
        raise Inapplicable(f"strconv.Atoi: parsing {go_quote(key)}: invalid syntax")
    if len(key) > _DIGITS:
        raise Inapplicable(f"strconv.Atoi: parsing {go_quote(key)}: value out of range")
    index = int(key)
    if not -length <= index < length:
        raise Inapplicable(f"Unable to access invalid index: {index}: invalid index referenced")
    return index % length


def _get(container: Any, key: str) -> Any:
    if isinstance(container, dict):
        return container.get(key)
    if isinstance(container, list):
        return container[_index(key, len(container))]
    raise Inapplicable("missing value")


def _insert(container: Any, key: str, value: Any) -> None:
    if isinstance(container, dict):
        container[key] = value
    elif key == "-":
        container.append(value)
    else:
        with _during(f"value was not a proper array index: '{key}'") if not _INDEX.fullmatch(key) else nullcontext():
            index = _index(key, len(container) + 1)
        container.insert(index, value)


def _delete(container: Any, key: str) -> None:
    if isinstance(container, list):
        del container[_index(key, len(container))]
    elif key in container:
        del container[key]
    else:
        raise Inapplicable(f"Unable to remove nonexistent key: {key}: missing value")
