"""Names that the original keeps for what it reads from files."""

from __future__ import annotations

from kube_twisted.api.field import go_quote
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_STATIC = ".static.k8s.io"


class NamedConfiguration(Strategy):
    """Warns of names that are kept for what is read from files."""

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        if not obj["metadata"].get("name", "").endswith(_STATIC):
            return []
        return [f"metadata.name: names ending with {go_quote(_STATIC)} are reserved for static manifest-based "
                "configurations and cannot be managed via the API"]

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)
