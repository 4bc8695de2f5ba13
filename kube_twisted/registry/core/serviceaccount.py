"""ServiceAccounts: references to secrets keep the name alone."""

from __future__ import annotations

from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_MOUNTABLE = "kubernetes.io/enforce-mountable-secrets"


class ServiceAccountStrategy(Strategy):
    """Rules of ``serviceaccounts``."""

    returns_deleted_object = True

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        if obj.get("secrets"):
            obj["secrets"] = [{"name": one["name"]} if one.get("name") else {} for one in obj["secrets"]]

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        self.prepare_for_create(ctx, obj)

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        if not _is_marked(obj):
            return []
        return [f"metadata.annotations[{_MOUNTABLE}]: deprecated in v1.32+; prefer separate namespaces to "
                "isolate access to mounted secrets"]

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return [] if _is_marked(old) else self.warnings_on_create(ctx, obj)


def _is_marked(obj: Obj) -> bool:
    return _MOUNTABLE in obj.get("metadata", {}).get("annotations", {})


STRATEGY = ServiceAccountStrategy()
