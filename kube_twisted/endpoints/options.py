"""The options objects that verbs take from the query: ListOptions, CreateOptions, UpdateOptions, PatchOptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from kube_twisted.api import errors, fields, labels
from kube_twisted.api.field import FieldError, go_quote
from kube_twisted.api.gvk import GroupKind
from kube_twisted.endpoints.negotiation import Representation
from kube_twisted.endpoints.request import Request
from kube_twisted.registry.printers.table import IncludeObject

_INCLUDE = ("None", "Metadata", "Object")
_INT64 = 1 << 63
#: More than any 64 bit number has.
_DIGITS = 20
#: How much of a user agent names a field manager.
_LONGEST_MANAGER = 128


def text(value: str) -> str:
    """A string option."""
    return value


def boolean(value: str) -> bool:
    """Query booleans: everything but 0 and false is true."""
    return value.lower() not in ("0", "false")


def integer(value: str) -> int:
    """A 64 bit number.

    :raises StatusError: 400.
    """
    digits = value[1:] if value[:1] in ("-", "+") else value
    if not (digits.isascii() and digits.isdigit()):
        raise errors.bad_request(f"strconv.ParseInt: parsing {go_quote(value)}: invalid syntax")
    significant = digits.lstrip("0") or "0"
    number = int(significant[:_DIGITS]) * (-1 if value[0] == "-" else 1)
    if len(significant) >= _DIGITS or not -_INT64 <= number < _INT64:
        raise errors.bad_request(f"strconv.ParseInt: parsing {go_quote(value)}: value out of range")
    return number


#: Makes an option's value of its text.
Reader = Callable[[str], Any]
_LIST: dict[str, Reader] = {
    "labelSelector": text, "fieldSelector": text, "watch": boolean, "allowWatchBookmarks": boolean,
    "resourceVersion": text, "resourceVersionMatch": text, "timeoutSeconds": integer, "limit": integer,
    "continue": text, "sendInitialEvents": boolean,
}
_SELECTORS: dict[str, Reader] = {"labelSelector": labels.parse, "fieldSelector": fields.parse}
_WRITE: dict[str, Reader] = {"fieldManager": text, "fieldValidation": text}
_PATCH: dict[str, Reader] = {**_WRITE, "force": boolean}
_DELETE: dict[str, Reader] = {"gracePeriodSeconds": integer, "orphanDependents": boolean, "propagationPolicy": text,
                               "ignoreStoreReadErrorWithClusterBreakingPotential": boolean}


def read_options(request: Request, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """The options that the query gives, each read by its reader, in the order of these; others are ignored."""
    options: dict[str, Any] = {}
    if not request.query_text:
        return options
    query = request.query
    for name, reader in readers.items():
        if name in query:
            options[name] = reader(query[name][0])
    return options


def list_options(request: Request) -> dict[str, Any]:
    """ListOptions with parsed selectors, not yet validated.

    :raises StatusError: 400 for numbers that are none, and then for selectors that are none.
    """
    options = read_options(request, _LIST)
    for name, parse in _SELECTORS.items():
        selector = options.pop(name, "")
        if selector:
            options[name] = parse(selector)
    return options


def write_options(request: Request) -> dict[str, Any]:
    """CreateOptions or UpdateOptions, not yet validated."""
    return _with_dry_run(request, read_options(request, _WRITE))


def patch_options(request: Request) -> dict[str, Any]:
    """PatchOptions, not yet validated."""
    return _with_dry_run(request, read_options(request, _PATCH))


def delete_options(request: Request) -> dict[str, Any]:
    """DeleteOptions of the query, not yet validated."""
    options = _with_dry_run(request, read_options(request, _DELETE))
    preconditions = {name: request.parameter(name) for name in ("resourceVersion", "uid") if request.parameter(name)}
    if preconditions:
        options["preconditions"] = preconditions
    return options


def _with_dry_run(request: Request, options: dict[str, Any]) -> dict[str, Any]:
    if request.query_text and "dryRun" in request.query:
        options["dryRun"] = request.query["dryRun"]
    return options


def refuse_invalid(kind: str, failures: list[FieldError]) -> None:
    """:raises StatusError: 422 about an options object."""
    if failures:
        raise errors.invalid(GroupKind("meta.k8s.io", kind), "", failures)


def include_object(request: Request, chosen: Representation) -> IncludeObject:
    """What the rows of a Table carry.

    :raises StatusError: 400.
    """
    if chosen.transform != "Table":
        return "Metadata"
    wanted = request.parameter("includeObject")
    if wanted and wanted not in _INCLUDE:
        raise errors.bad_request(f"Unable to convert to Table as requested: includeObject: Invalid value: "
                                 f"{go_quote(wanted)}: must be 'Metadata', 'Object', 'None', or empty")
    return cast(IncludeObject, wanted or "Metadata")


def manager_name(request: Request, options: dict[str, Any]) -> str:
    """The field manager: as asked for, else the first word of the user agent without its version."""
    asked: str = options.get("fieldManager", "")
    if asked:
        return asked
    agent = (request.transport.header("user-agent") or "").split("/", 1)[0]
    return "".join(one for one in agent if one.isprintable())[:_LONGEST_MANAGER]
