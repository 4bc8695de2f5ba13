"""Test strategies with objects as the server holds them: decoded, with defaults, prepared for the write."""

from __future__ import annotations

import copy
import functools
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import decode
from kube_twisted.schema.types import Struct

CONTEXT = WriteContext(now="2026-01-01T00:00:00Z", namespace="ns", username="jane", groups=("devs",), uid="u1",
                       extra=(("scopes", ("a", "b")),))


@functools.cache
def schema() -> BuiltinSchema:
    return BuiltinSchema.load()


def kind(api: str) -> Struct:
    """The type of ``apiVersion/Kind``."""
    api_version, _, name = api.rpartition("/")
    return schema().kind(GroupVersion.parse(api_version).kind(name))


def decoded(api: str, /, **fields: Any) -> Obj:
    """An object named ``x`` as decoding leaves it.

    :param api: ``apiVersion/Kind``.
    """
    api_version, _, name = api.rpartition("/")
    body = {"apiVersion": api_version, "kind": name, "metadata": {"name": "x"}, **copy.deepcopy(fields)}
    return {**decode(kind(api), body), "apiVersion": api_version, "kind": name}


class StrategyTestCase(SynchronousTestCase):
    """Tests of one resource's rules; a subclass names the resource."""

    #: ``apiVersion/Kind``, and the rules of the resource itself.
    api: str
    strategy: Strategy

    def defaulted(self, **fields: Any) -> Obj:
        """The object after decoding and defaults."""
        obj = decoded(self.api, **fields)
        self.strategy.default(obj)
        return obj

    def created(self, **fields: Any) -> Obj:
        """The object as it is validated on creation."""
        obj = self.defaulted(**fields)
        self.strategy.prepare_for_create(CONTEXT, obj)
        return obj

    def errors(self, **fields: Any) -> list[str]:
        """What is wrong with a new object."""
        return [str(error) for error in self.strategy.validate(CONTEXT, self.created(**fields))]

    def name_errors(self, name: str, prefix: bool = False, **fields: Any) -> list[str]:
        """What is wrong with the name of a new object, or with its generateName."""
        return self.strategy.name_rule(self.defaulted(**fields))(name, prefix)

    def updated(self, old: Obj, strategy: Strategy | None = None, /, **fields: Any) -> Obj:
        """The object as it is validated when a write with ``fields`` meets ``old``."""
        obj = self.defaulted(**fields)
        (strategy or self.strategy).prepare_for_update(CONTEXT, obj, old)
        return obj

    def update_errors(self, old: Obj, strategy: Strategy | None = None, /, **fields: Any) -> list[str]:
        """What is wrong with a change of ``old`` to ``fields``."""
        obj = self.updated(old, strategy, **fields)
        return [str(error) for error in (strategy or self.strategy).validate_update(CONTEXT, obj, old)]
