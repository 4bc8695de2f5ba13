"""The body of a server-side apply: YAML or JSON, with nothing that the server sets."""

from __future__ import annotations

from kube_twisted.api import errors
from kube_twisted.codec import yaml
from kube_twisted.registry.strategy import Obj


def parse_applied(raw: bytes) -> tuple[Obj, list[str]]:
    """(the applied configuration, messages about duplicate keys).

    :raises StatusError: 400 when it is no object.
    """
    try:
        applied, duplicates = yaml.parse(raw)
    except ValueError as error:
        raise errors.bad_request(f"error decoding YAML: {error}") from None
    if not isinstance(applied, dict):
        raise errors.bad_request("error decoding YAML: the applied configuration is not an object")
    return applied, duplicates
