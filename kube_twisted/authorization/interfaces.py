"""The contract of an authorizer: attributes of a request in, a decision out."""

from __future__ import annotations

from collections.abc import Awaitable

from attrs import frozen
from zope.interface import Interface

from kube_twisted.api.user import UserInfo


@frozen(kw_only=True)
class Attributes:
    """What a request wants to do, as far as authorization cares.

    :ivar verb: the API verb of a resource request (``list``, ``deletecollection``), otherwise the HTTP method
        in lower case.
    :ivar name: the object's name, empty when the request names none.
    :ivar path: the path of the URL; decides only when ``resource_request`` is false.
    :ivar field_selector: as sent, for authorizers that narrow lists down (KEP-4601).
    """

    user: UserInfo
    verb: str
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""
    resource_request: bool = True
    field_selector: str = ""
    label_selector: str = ""


@frozen
class Decision:
    """An authorizer's answer; neither allowed nor denied means that it has no opinion.

    :ivar reason: for people; shown in the 403 and in access reviews.
    :ivar denied: no later authorizer may allow it.
    """

    allowed: bool
    reason: str = ""
    denied: bool = False


NO_OPINION = Decision(False)


class IAuthorizer(Interface):
    """Says whether a request may be done."""

    def authorize(attributes: Attributes) -> Awaitable[Decision]:
        """Decide. An error while deciding is no opinion, with the error's text in the reason."""


@frozen
class ResourceRule:
    """Verbs on resources; ``*`` stands for all.

    :ivar names: of objects; empty for all.
    """

    verbs: tuple[str, ...]
    groups: tuple[str, ...]
    resources: tuple[str, ...]
    names: tuple[str, ...] = ()


@frozen
class URLRule:
    """Verbs on paths that are no resources; a star at the end stands for any rest."""

    verbs: tuple[str, ...]
    urls: tuple[str, ...]


@frozen
class Rules:
    """What a user may do.

    :ivar incomplete: whether there may be more than these.
    :ivar error: what went wrong while looking for them.
    """

    resources: tuple[ResourceRule, ...] = ()
    urls: tuple[URLRule, ...] = ()
    incomplete: bool = False
    error: str = ""


class IRuleResolver(Interface):
    """An authorizer that can tell all that a user may do."""

    def rules_for(user: UserInfo, namespace: str) -> Awaitable[Rules]:
        """The user's rules in a namespace and for the whole cluster."""
