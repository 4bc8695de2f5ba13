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
