"""Table columns of role bindings."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, reference, value_at
from kube_twisted.registry.printers.column import Cell, Obj, Printer, printer, text


def _subjects(kind: str) -> Cell:
    def cell(obj: Obj, now: float) -> str:
        subjects = value_at(obj, "subjects", [])
        return ", ".join(one.get("name", "") for one in subjects if one.get("kind") == kind)

    return cell


def _service_accounts(obj: Obj, now: float) -> str:
    accounts = (one for one in value_at(obj, "subjects", []) if one.get("kind") == "ServiceAccount")
    return ", ".join(f"{one.get('namespace', '')}/{one.get('name', '')}" for one in accounts)


def _bindings(kind: str, roles: str) -> Printer:
    return printer(
        NAME,
        text("Role",
             f"RoleRef can {roles}. If the RoleRef cannot be resolved, the Authorizer must return an error.",
             reference("roleRef", "kind", "name")),
        AGE,
        text("Users", f"Users in the {kind}", _subjects("User"), wide=True),
        text("Groups", f"Groups in the {kind}", _subjects("Group"), wide=True),
        text("ServiceAccounts", f"ServiceAccounts in the {kind}", _service_accounts, wide=True),
    )


_GROUP = "rbac.authorization.k8s.io"
PRINTERS = {
    (_GROUP, "rolebindings"): _bindings(
        "roleBinding", "reference a Role in the current namespace or a ClusterRole in the global namespace"),
    (_GROUP, "clusterrolebindings"): _bindings(
        "clusterRoleBinding", "only reference a ClusterRole in the global namespace"),
}
