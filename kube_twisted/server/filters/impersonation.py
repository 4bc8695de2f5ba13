"""The headers ``Impersonate-User``, ``-Group``, ``-Uid`` and ``-Extra-*``: the request is made as somebody else.

Source: the Kubernetes documentation, "User impersonation".
"""

from __future__ import annotations

from urllib.parse import unquote

from kube_twisted.api import errors
from kube_twisted.api.errors import StatusError
from kube_twisted.api.field import go_quote
from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.impersonation import Impersonation
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.endpoints.authorizing import attributes_of
from kube_twisted.endpoints.request import Answer, Handler, Request, Response, Transport
from kube_twisted.server.filters.headers import unsniffed

_PREFIX = "impersonate-"
_EXTRA = "impersonate-extra-"


def with_impersonation(handler: Handler, authorizer: IAuthorizer) -> Handler:
    """Set ``request.user`` to whom the requestor acts as; 403 when that is not allowed."""
    rights = Impersonation(authorizer)

    def impersonation(request: Request) -> Answer:
        return as_another(request) if request.transport.any_header(_PREFIX) else handler(request)

    async def as_another(request: Request) -> Response:
        try:
            wanted = wanted_user(request.transport)
            if wanted is not None:
                request.user = await rights.act_as(wanted, attributes_of(request))
        except StatusError as error:
            raise unsniffed(error) from None
        return await handler(request)

    return impersonation


def wanted_user(transport: Transport) -> UserInfo | None:
    """Whom the headers ask for; None for nobody.

    :raises StatusError: 400 without a name.
    """
    name, uid = transport.header("impersonate-user") or "", transport.header("impersonate-uid") or ""
    groups = tuple(transport.headers("impersonate-group"))
    extra: dict[str, tuple[str, ...]] = {}
    for header, values in transport.all_headers().items():
        if header.startswith(_EXTRA):
            key = unquote(header[len(_EXTRA):])
            extra[key] = (*extra.get(key, ()), *values)
    wanted = UserInfo(name, uid, groups, extra)
    if name:
        return wanted
    if uid or groups or extra:
        raise errors.bad_request(f"requested {_go_literal(wanted)} without impersonating a user name")
    return None


def _go_literal(user: UserInfo) -> str:
    """The user as Go writes one in source code, which is how the original shows it."""
    groups = _go_list(user.groups) if user.groups else "[]string(nil)"
    pairs = (f"{go_quote(key)}:{_go_list(user.extra[key])}" for key in sorted(user.extra))
    extra = f"map[string][]string{{{', '.join(pairs)}}}" if user.extra else "map[string][]string(nil)"
    return f'&user.DefaultInfo{{Name:"", UID:{go_quote(user.uid)}, Groups:{groups}, Extra:{extra}}}'


def _go_list(values: tuple[str, ...]) -> str:
    return f"[]string{{{', '.join(map(go_quote, values))}}}"
