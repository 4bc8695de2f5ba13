"""What others need to verify service account tokens: the issuer's OpenID configuration and its key set.

Source: the Kubernetes documentation on service account issuer discovery (KEP-1393).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from kube_twisted.api import errors
from kube_twisted.endpoints.negotiation import JSON, check_named
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.routes import Routes

CONFIGURATION_PATH = "/.well-known/openid-configuration"
KEYS_PATH = "/openid/v1/jwks"
KEYS_TYPE = "application/jwk-set+json"
_CACHE = [("Cache-Control", "public, max-age=3600")]


def install_openid_metadata(tree: Routes, issuer: str, keys: Mapping[str, Any],
                            server_url: Callable[[], str]) -> None:
    """Serve both documents.

    :param keys: the JSON Web Key Set.
    :param server_url: where the server is, once it listens.
    """
    algorithms = sorted({one["alg"] for one in keys["keys"]})

    async def configuration(request: Request) -> Response:
        _check(request, JSON)
        document = {"issuer": issuer, "jwks_uri": server_url() + KEYS_PATH,
                    "response_types_supported": ["id_token"], "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": algorithms}
        return Response(200, orjson.dumps(document), headers=_CACHE)

    async def key_set(request: Request) -> Response:
        _check(request, KEYS_TYPE)
        return Response(200, orjson.dumps(keys), KEYS_TYPE, _CACHE)

    _serve(tree, CONFIGURATION_PATH, configuration)
    _serve(tree, KEYS_PATH, key_set)


def _serve(tree: Routes, path: str, handler: Handler) -> None:
    async def nothing_below(_request: Request, **_parts: str) -> Response:
        raise errors.resource_not_found()

    tree.route(path, handler, slash=True)
    tree.route(path + "/<path:rest>", nothing_below, listed=False)


def _check(request: Request, media_type: str) -> None:
    """:raises StatusError: 405, 406."""
    if request.method != "GET":
        raise errors.method_not_allowed()
    check_named(request.transport.header("accept"), (media_type,))
