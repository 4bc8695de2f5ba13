"""Continue tokens: where the next part of a list begins, and in which snapshot."""

from __future__ import annotations

import base64
import posixpath
import re
from typing import Any

import orjson

from kube_twisted.api import errors
from kube_twisted.api.jsonvalue import json_kind
from kube_twisted.codec import json

_VERSION = "meta.k8s.io/v1"
_STRANGE = re.compile("[^A-Za-z0-9_-]")
#: Members of a token, with Go's name of their type.
_MEMBERS: dict[str, tuple[type, str]] = {"v": (str, "string"), "rv": (int, "int64"), "start": (str, "string")}


def encode_token(revision: int, start: str, prefix: str) -> str:
    """A token: the snapshot's revision, and the key to go on from.

    :param prefix: of the keys of the list, which ends with a slash; the token has what comes after it.
    """
    document = {"v": _VERSION, "rv": revision, "start": "/" + start[len(prefix):]}
    return base64.urlsafe_b64encode(orjson.dumps(document)).rstrip(b"=").decode()


def decode_token(token: str, prefix: str) -> tuple[int, str]:
    """(revision, key to go on from).

    :raises StatusError: 400 when it is no token.
    """
    try:
        document = _document(_decoded(token))
        _check_types(document)
    except ValueError as error:
        raise _bad_token(str(error)) from None
    given = document or {}
    version, revision, start = given.get("v") or "", given.get("rv"), given.get("start")
    if version != _VERSION:
        raise _bad_token(f"server does not recognize this encoded version {version}")
    if not revision:
        raise _bad_token(f"incorrect encoded start resourceVersion (version {_VERSION})")
    if not start:
        raise _bad_token(f"encoded start key empty (version {_VERSION})")
    key = "/" + start.removeprefix("/")
    if key.startswith("//") or posixpath.normpath(key) != key:
        raise _bad_token(start)
    return revision, prefix + key[1:]


def _decoded(token: str) -> bytes:
    """:raises ValueError: naming the first byte that is no base64; padding is none."""
    strange = _STRANGE.search(token)
    wrong = len(token[:strange.start()].encode()) if strange else len(token) - 1 if len(token) % 4 == 1 else None
    if wrong is not None:
        raise ValueError(f"illegal base64 data at input byte {wrong}")
    return base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))


def _document(raw: bytes) -> Any:
    """:raises ValueError: as the decoder words it; a first byte beyond ASCII is shown as a byte."""
    if raw and raw[0] > 127:
        raise ValueError(f"invalid character '\\x{raw[0]:02x}' looking for beginning of value")
    return json.parse(raw)


def _check_types(document: Any) -> None:
    """:raises ValueError: worded as Go's decoder does."""
    if document is None:
        return
    if not isinstance(document, dict):
        raise ValueError(f"json: cannot unmarshal {json_kind(document)} into Go value of type storage.continueToken")
    for name, value in document.items():
        if name in _MEMBERS and value is not None and type(value) is not _MEMBERS[name][0]:
            shown = f"number {value}" if isinstance(value, float) and name == "rv" else json_kind(value)
            raise ValueError(f"json: cannot unmarshal {shown} into Go struct field continueToken.{name} of type "
                             f"{_MEMBERS[name][1]}")


def _bad_token(why: str) -> errors.StatusError:
    return errors.bad_request(f"invalid continue token: continue key is not valid: {why}")
