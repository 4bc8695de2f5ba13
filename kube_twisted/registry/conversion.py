"""How a version of a resource that differs from the stored one becomes the stored one, and back."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.registry.strategy import Obj


class ConversionError(StatusError):
    """An object that is of its kind but can't become what is stored; 400, when it was sent as it is.

    :ivar why: what is wrong. A patch that makes such an object is refused in other words.
    """

    def __init__(self, kind: GroupVersionKind, why: str) -> None:
        super().__init__(400, "BadRequest",
                         f'{kind.kind} in version "{kind.version}" cannot be handled as a {kind.kind}: {why}')
        self.why = why


@frozen
class Conversion:
    """Both directions between one served version and the storage version ("hub").

    Each makes a new dict with ``apiVersion`` and ``kind`` set; what is below may be shared with the argument.

    :ivar to_hub: from the served version, after defaulting, to the stored one.
    :ivar from_hub: from the stored version to the served one.
    """

    to_hub: Callable[[Obj], Obj]
    from_hub: Callable[[Obj], Obj]
