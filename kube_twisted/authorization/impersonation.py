"""Acting as somebody else: in which ways, and who one is then.

Source: the Kubernetes documentation, "User impersonation", and KEP-5284 for the constrained modes. A mode that fits
the wanted user is allowed in two steps: the request itself while impersonating in the mode
(``impersonate-on:<mode>:<verb>``), and each part of the wanted user (``impersonate:<mode>``). The modes are tried in
order; the verb ``impersonate`` alone, which allows everything as that user, comes last.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator

from attrs import evolve, frozen

from kube_twisted.api.errors import StatusError
from kube_twisted.api.user import UserInfo, split_service_account_name
from kube_twisted.authorization.impersonation_check import UserCheck, node_name, require
from kube_twisted.authorization.interfaces import Attributes, IAuthorizer

_NODE_NAME = "authentication.kubernetes.io/node-name"
_NODE_KEYS = "authentication.kubernetes.io/associated-node-keys"
#: Of how many users the mode that worked last is remembered.
_REMEMBERED = 10_000


@frozen
class _Mode:
    """A way to impersonate.

    :ivar name: empty for the one without constraints.
    :ivar fits: whether it is meant for this wanted user and this requestor.
    """

    name: str
    fits: Callable[[UserInfo, UserInfo], bool]


def _alone(wanted: UserInfo) -> bool:
    """Whether nothing but a name is wanted."""
    return not (wanted.uid or wanted.groups or wanted.extra)


def _is_account(user: UserInfo) -> bool:
    return split_service_account_name(user.name) is not None


def _is_own_node(wanted: UserInfo, requestor: UserInfo) -> bool:
    """Whether a service account wants to be the node that its pod runs on."""
    node = node_name(wanted.name)
    return _alone(wanted) and bool(node) and _is_account(requestor) and requestor.extra.get(_NODE_NAME) == (node,)


_OWN_NODE = _Mode("associated-node", _is_own_node)
_UNCONSTRAINED = _Mode("", lambda wanted, requestor: True)
_MODES = (
    _OWN_NODE,
    _Mode("arbitrary-node", lambda wanted, _: _alone(wanted) and bool(node_name(wanted.name))),
    _Mode("serviceaccount", lambda wanted, _: _alone(wanted) and _is_account(wanted)),
    _Mode("user-info", lambda wanted, _: not node_name(wanted.name) and not _is_account(wanted)),
    _UNCONSTRAINED,
)


class Impersonation:
    """Finds out whether a requestor may act as somebody.

    The mode that worked last for a requestor is tried first.
    """

    def __init__(self, authorizer: IAuthorizer) -> None:
        self._authorizer = authorizer
        self._worked: OrderedDict[str, _Mode] = OrderedDict()

    async def act_as(self, wanted: UserInfo, asked: Attributes) -> UserInfo:
        """Who the requestor acts as.

        :param wanted: as asked for, without what belongs to such a user anyway.
        :param asked: the request, with the requestor as its user.
        :raises StatusError: 403 of the first mode that fits, when none allows it.
        """
        refusals: list[StatusError] = []
        for mode in self._in_order(asked.user.name):
            if not mode.fits(wanted, asked.user):
                continue
            try:
                user = await self._try(mode, wanted, asked)
            except StatusError as error:
                refusals.append(error)
                continue
            self._remember(asked.user.name, mode)
            return user
        raise refusals[0]

    def _in_order(self, requestor: str) -> Iterator[_Mode]:
        last = self._worked.get(requestor)
        if last is not None:
            yield last
        yield from (mode for mode in _MODES if mode is not last)

    def _remember(self, requestor: str, mode: _Mode) -> None:
        self._worked[requestor] = mode
        self._worked.move_to_end(requestor)
        if len(self._worked) > _REMEMBERED:
            self._worked.popitem(last=False)

    async def _try(self, mode: _Mode, wanted: UserInfo, asked: Attributes) -> UserInfo:
        """:raises StatusError: 403."""
        authorizer, requestor = self._authorizer, asked.user
        if mode is _UNCONSTRAINED:
            return await UserCheck(authorizer, requestor, "impersonate").act_as(wanted)
        if mode is _OWN_NODE:  # which node it is decides nothing, and neither may the requestor's other extra values
            requestor = evolve(requestor, extra={_NODE_KEYS: tuple(sorted(requestor.extra))})
        await require(authorizer, evolve(asked, user=requestor, verb=f"impersonate-on:{mode.name}:{asked.verb}"))
        check = UserCheck(authorizer, requestor, f"impersonate:{mode.name}", True, mode is _OWN_NODE)
        return await check.act_as(wanted)
