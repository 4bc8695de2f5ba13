"""Creates the default roles and bindings when the server starts, and gives back what they have lost.

An object with the annotation ``rbac.authorization.kubernetes.io/autoupdate: "false"`` is left as it is; from the others
nothing is taken away that was added.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.authorization.rbac.covering import not_covered
from kube_twisted.authorization.rbac.policy import CLUSTER_ROLES, GROUP, ROLES
from kube_twisted.authorization.rbac.rules import read_rules
from kube_twisted.controlplane.bootstrap.ensure import all_at_once, create_unless_there
from kube_twisted.controlplane.bootstrap.rbac_policy import AUTO_UPDATE, DefaultObject, DefaultPolicy, Obj
from kube_twisted.controlplane.stores import Stores
from kube_twisted.server.loopback import LoopbackClient

_ATTEMPTS = 4


class DefaultRoles:
    """Brings the stored objects to what they should be."""

    def __init__(self, client: LoopbackClient, stores: Stores, policy: DefaultPolicy) -> None:
        self._client = client
        self._stores = stores
        self._policy = policy

    async def ensure(self) -> None:
        """:raises StatusError: when one can't be written."""
        await all_at_once(self._ensure(one) for one in self._policy.objects())

    async def _ensure(self, wanted: DefaultObject) -> None:
        path = _collection(wanted)
        for attempt in range(_ATTEMPTS):
            found = self._stores.get(GROUP, wanted.resource, wanted.namespace, wanted.name)
            try:
                if found is None:
                    await create_unless_there(self._client, path, wanted.obj)
                elif found["metadata"].get("annotations", {}).get(AUTO_UPDATE) != "false":
                    await self._reconcile(path, wanted, found)
                return
            except StatusError as error:
                if error.code not in (404, 409) or attempt == _ATTEMPTS - 1:
                    raise

    async def _reconcile(self, path: str, wanted: DefaultObject, found: Obj) -> None:
        """:raises StatusError: 404 and 409 when somebody else has changed it meanwhile."""
        if wanted.resource not in (CLUSTER_ROLES, ROLES) and wanted.obj["roleRef"] != found["roleRef"]:
            await self._client.call("DELETE", f"{path}/{wanted.name}",
                                    {"preconditions": {"uid": found["metadata"]["uid"]}})
            await self._client.call("POST", path, wanted.obj)
        elif reconcile(found, wanted.obj):
            await self._client.call("PUT", f"{path}/{wanted.name}", found)


def _collection(wanted: DefaultObject) -> str:
    where = f"namespaces/{wanted.namespace}/" if wanted.namespace else ""
    return f"/apis/{GROUP}/v1/{where}{wanted.resource}"


def reconcile(found: Obj, wanted: Obj) -> bool:
    """Add to an object what it lacks: whether that changed it."""
    changed = [_complete_map(found["metadata"], wanted["metadata"], key) for key in ("annotations", "labels")]
    if "roleRef" in wanted:
        changed.append(_complete_list(found, "subjects", wanted.get("subjects") or ()))
    else:
        changed += [_complete_rules(found, wanted), _complete_aggregation(found, wanted)]
    return any(changed)


def _complete_map(found: Obj, wanted: Obj, key: str) -> bool:
    missing = {name: value for name, value in wanted[key].items() if name not in found.get(key, {})}
    if missing:
        found[key] = {**found.get(key, {}), **missing}
    return bool(missing)


def _complete_list(found: Obj, key: str, wanted: Any) -> bool:
    missing = [one for one in wanted if one not in (found.get(key) or ())]
    if missing:
        found[key] = [*(found.get(key) or ()), *missing]
    return bool(missing)


def _complete_rules(found: Obj, wanted: Obj) -> bool:
    if found.get("rules") == wanted.get("rules"):
        return False
    held, needed = read_rules(found.get("rules")), read_rules(wanted.get("rules"))
    missing = not_covered(held.rules, needed.rules)
    if missing:
        found["rules"] = [*(found.get("rules") or ()), *(rule.as_data() for rule in missing)]
    return bool(missing)


def _complete_aggregation(found: Obj, wanted: Mapping[str, Any]) -> bool:
    """A role that should gather nothing stops doing so."""
    if "aggregationRule" not in wanted:
        return found.pop("aggregationRule", None) is not None
    rule = found.setdefault("aggregationRule", {})
    return _complete_list(rule, "clusterRoleSelectors", wanted["aggregationRule"]["clusterRoleSelectors"])
