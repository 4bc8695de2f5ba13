"""Admission policies in the server: the plugins that ask them, and what these need of the rest of the server."""

from __future__ import annotations

from collections.abc import Mapping

from kube_twisted.admission.interfaces import IAdmissionPlugin
from kube_twisted.admission.plugins.mutating_admission_policy import MutatingAdmissionPolicy
from kube_twisted.admission.plugins.validating_admission_policy import ValidatingAdmissionPolicy
from kube_twisted.admission.policies.parts import PolicyParts
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.apiextensions.handler import CustomResourceHandler
from kube_twisted.schema.apply.plan import MapNode, Plans
from kube_twisted.schema.builtin import BuiltinSchema


class KindTypes:
    """The types of the objects of all kinds, for merging.

    :param plans: has the types of built-in ones.
    :ivar custom: has those of custom ones; is set once there are any.
    """

    def __init__(self, schema: BuiltinSchema, plans: Plans) -> None:
        self._schema = schema
        self._plans = plans
        self.custom: CustomResourceHandler | None = None

    def __call__(self, kind: GroupVersionKind) -> MapNode | None:
        """None for a kind that is not known."""
        try:
            return self._plans.root(self._schema.kind(kind))
        except KeyError:
            return self.custom.type_of(kind) if self.custom is not None else None


def policy_plugins(parts: PolicyParts) -> Mapping[str, IAdmissionPlugin]:
    """MutatingAdmissionPolicy and ValidatingAdmissionPolicy, by name."""
    made: tuple[IAdmissionPlugin, ...] = MutatingAdmissionPolicy(parts), ValidatingAdmissionPolicy(parts)
    return {one.name: one for one in made}
