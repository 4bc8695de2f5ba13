"""How a version of a resource that differs from the stored one becomes the stored one, and back."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from kube_twisted.registry.strategy import Obj


@frozen
class Conversion:
    """Both directions between one served version and the storage version ("hub").

    Each makes a new dict with ``apiVersion`` and ``kind`` set; what is below may be shared with the argument.

    :ivar to_hub: from the served version, after defaulting, to the stored one.
    :ivar from_hub: from the stored version to the served one.
    """

    to_hub: Callable[[Obj], Obj]
    from_hub: Callable[[Obj], Obj]
