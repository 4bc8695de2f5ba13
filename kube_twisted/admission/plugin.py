"""What most plugins have in common: they look at creations and updates of a few resources."""

from __future__ import annotations

from kube_twisted.api.gvk import GroupResource


class Plugin:
    """Base of the plugins; a subclass says what it looks at, and provides IMutation, IValidation or both."""

    name: str
    #: which operations it looks at
    operations: tuple[str, ...] = ("CREATE", "UPDATE")
    #: which resources; None for all
    resources: frozenset[GroupResource] | None = None
    #: which subresources, "" for the resource itself; None for all
    subresources: tuple[str, ...] | None = ("",)
