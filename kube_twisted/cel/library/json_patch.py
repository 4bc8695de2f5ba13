"""``jsonpatch.escapeKey``: a key as a part of a JSON pointer."""

from __future__ import annotations

from kube_twisted.cel.functions import Library, library

JSON_PATCH: Library = library(
    "jsonpatch.escapeKey string_jsonpatch_escapeKey_string: (string) -> string",
    {"string_jsonpatch_escapeKey_string": lambda key: key.replace("~", "~0").replace("/", "~1")})
