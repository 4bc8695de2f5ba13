"""What an OpenAPI document is, before and without being rendered."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha512

import orjson
from attrs import frozen

from kube_twisted.endpoints.request import Handler


@frozen
class Document:
    """What makes a document.

    :ivar hash: changes whenever the document does; known before anything is rendered.
    :ivar render: the document as JSON.
    """

    hash: str
    render: Callable[[], bytes]


@frozen
class RemoteDocument:
    """A v3 document that another server has.

    :ivar address: where clients find it on this server, with its hash.
    :ivar handler: answers requests for it.
    """

    address: str
    handler: Handler


def digest_of(basis: list[object] | list[str]) -> str:
    """A hash of all that a document depends on."""
    return sha512(orjson.dumps(basis)).hexdigest().upper()
