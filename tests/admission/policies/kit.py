"""Admission policies in a server of this process."""

from __future__ import annotations

from typing import Any

from tests.inprocess import CONFIG_MAPS, ClusterTestCase

Obj = dict[str, Any]
GROUP = "/apis/admissionregistration.k8s.io/v1"
API = "admissionregistration.k8s.io/v1"
APPLY = "application/apply-patch+yaml"


def rule(*resources: str, group: str = "", operations: tuple[str, ...] = ("*",), versions: tuple[str, ...] = ("*",),
         **more: Any) -> Obj:
    """A rule about resources of one group."""
    return {"apiGroups": [group], "apiVersions": list(versions), "operations": list(operations),
            "resources": list(resources), **more}


class PolicyTestCase(ClusterTestCase):
    """A server with policies."""

    def validating(self, name: str, *validations: str | Obj, rules: list[Obj] | None = None,
                   match: Obj | None = None, bind: Obj | bool = True, **spec: Any) -> None:
        """A validating policy about ConfigMaps, and a binding of the same name.

        :param validations: expressions, or whole validations.
        :param match: more of ``matchConstraints``.
        :param bind: more of the binding's spec; False for none.
        """
        self._create("Validating", name, {
            "matchConstraints": {"resourceRules": rules or [rule("configmaps")], **(match or {})},
            "validations": [{"expression": one} if isinstance(one, str) else one for one in validations], **spec})
        if bind is not False:
            self.bind("Validating", name, name, **({} if bind is True else bind))

    def mutating(self, name: str, *mutations: str | Obj, rules: list[Obj] | None = None, match: Obj | None = None,
                 bind: Obj | bool = True, **spec: Any) -> None:
        """A mutating policy, likewise; ``mutations`` are expressions that give objects to apply, or whole ones."""
        self._create("Mutating", name, {
            "matchConstraints": {"resourceRules": rules or [rule("configmaps", operations=("CREATE", "UPDATE"))],
                                 **(match or {})},
            "reinvocationPolicy": "Never",
            "mutations": [applying(one) if isinstance(one, str) else one for one in mutations], **spec})
        if bind is not False:
            self.bind("Mutating", name, name, **({} if bind is True else bind))

    def _create(self, kind: str, name: str, spec: Obj) -> None:
        self.ask("POST", f"{GROUP}/{kind.lower()}admissionpolicies", {
            "apiVersion": API, "kind": f"{kind}AdmissionPolicy", "metadata": {"name": name}, "spec": spec})

    def bind(self, kind: str, name: str, policy: str, **spec: Any) -> None:
        """A binding."""
        if kind == "Validating":
            spec.setdefault("validationActions", ["Deny"])
        self.ask("POST", f"{GROUP}/{kind.lower()}admissionpolicybindings", {
            "apiVersion": API, "kind": f"{kind}AdmissionPolicyBinding", "metadata": {"name": name},
            "spec": {"policyName": policy, **spec}})

    def create(self, name: str = "x", data: dict[str, str] | None = None, **metadata: Any) -> Obj:
        """Create a ConfigMap."""
        return self.ask("POST", CONFIG_MAPS, {"metadata": {"name": name, **metadata}, "data": data or {}})

    def denied(self, name: str = "x", data: dict[str, str] | None = None, **metadata: Any) -> str:
        """Why a ConfigMap can't be created."""
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": name, **metadata}, "data": data or {}})
        return error.message.removeprefix(f'configmaps "{name}" is forbidden: ')


def applying(expression: str) -> Obj:
    """A mutation that applies a configuration."""
    return {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}}


def patching(expression: str) -> Obj:
    """A mutation that applies JSON patches."""
    return {"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}


def because(policy: str, why: str) -> str:
    """What is said when the binding of a validating policy refuses; it has the policy's name."""
    return f"ValidatingAdmissionPolicy '{policy}' with binding '{policy}' denied request: {why}"
