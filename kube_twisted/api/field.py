"""Field errors: what is wrong with one field of an object, worded as apimachinery's ``field`` package words it.

A path is plain text, built with f-strings: ``f"{path}.containers[{index}].name"``, ``f"{path}[{key}]"``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from attrs import frozen

#: ErrorType -> (CauseType in Status.details.causes, the text that starts the message)
TYPES = {
    "NotFound": ("FieldValueNotFound", "Not found"),
    "Required": ("FieldValueRequired", "Required value"),
    "Duplicate": ("FieldValueDuplicate", "Duplicate value"),
    "Invalid": ("FieldValueInvalid", "Invalid value"),
    "NotSupported": ("FieldValueNotSupported", "Unsupported value"),
    "Forbidden": ("FieldValueForbidden", "Forbidden"),
    "TooLong": ("FieldValueTooLong", "Too long"),
    "TooMany": ("FieldValueTooMany", "Too many"),
    "InternalError": ("InternalError", "Internal error"),
    "TypeInvalid": ("FieldValueTypeInvalid", "Invalid value"),
}
_WITHOUT_VALUE = ("Required", "Forbidden", "TooLong", "InternalError")

#: A value that the message leaves out.
OMITTED: Any = object()


_ESCAPES = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v",
            '"': '\\"', "\\": "\\\\"}
_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def go_value(value: Any) -> str:
    """Format a value as a Go field error does: strings quoted, objects as JSON, nil as ``null``."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return go_quote(value)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).translate(_HTML)


def go_quote(text: str) -> str:
    """Quote as Go's ``%q`` does."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(map(_go_escape, text)) + '"'


def _go_escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@frozen
class FieldError:
    """One thing wrong with one field."""

    type: str
    field: str
    value: Any = None
    detail: str = ""

    @property
    def reason(self) -> str:
        """The machine-readable cause, such as ``FieldValueRequired``."""
        return TYPES[self.type][0]

    def body(self) -> str:
        """The message without the field's name."""
        text = TYPES[self.type][1]
        if self.type not in _WITHOUT_VALUE and self.value is not OMITTED:
            text = f"{text}: {go_value(self.value)}"
        return f"{text}: {self.detail}" if self.detail else text

    def __str__(self) -> str:
        return f"{self.field}: {self.body()}"

    def cause(self) -> dict[str, Any]:
        return {"reason": self.reason, "message": self.body(), "field": self.field}


def required(path: str, detail: str = "") -> FieldError:
    return FieldError("Required", path, "", detail)


def invalid(path: str, value: Any, detail: str) -> FieldError:
    return FieldError("Invalid", path, value, detail)


def duplicate(path: str, value: Any) -> FieldError:
    return FieldError("Duplicate", path, value)


def forbidden(path: str, detail: str) -> FieldError:
    return FieldError("Forbidden", path, "", detail)


def not_found(path: str, value: Any) -> FieldError:
    return FieldError("NotFound", path, value)


def not_supported(path: str, value: Any, supported: Iterable[str]) -> FieldError:
    """An unknown enumeration value; the supported ones are listed in the order given."""
    listed = ", ".join(go_quote(one) for one in supported)
    return FieldError("NotSupported", path, value, f"supported values: {listed}" if listed else "")


def too_long(path: str, maximum: int) -> FieldError:
    """``maximum`` is in bytes; a negative one is left out of the message."""
    unit = "byte" if maximum == 1 else "bytes"
    detail = f"may not be more than {maximum} {unit}" if maximum >= 0 else "value is too long"
    return FieldError("TooLong", path, "", detail)


def too_many(path: str, actual: int, maximum: int) -> FieldError:
    """A negative ``maximum`` is left out of the message."""
    detail = f"must have at most {maximum} item{'' if maximum == 1 else 's'}" if maximum >= 0 else "has too many items"
    return FieldError("TooMany", path, actual, detail)


def internal_error(path: str, detail: str) -> FieldError:
    return FieldError("InternalError", path, None, detail)


def to_aggregate(errors: list[FieldError]) -> str:
    """The texts of all errors as one: alone when single, in brackets without repeats otherwise."""
    texts = list(dict.fromkeys(str(one) for one in errors))
    return texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"
