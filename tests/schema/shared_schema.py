"""One built-in schema for all tests that only read it."""

from __future__ import annotations

from functools import cache

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.types import Struct


@cache
def shared_schema() -> BuiltinSchema:
    return BuiltinSchema.load()


def struct(api_version: str, kind: str) -> Struct:
    """The struct of a kind, such as ``struct("apps/v1", "Deployment")``."""
    return shared_schema().kind(GroupVersion.parse(api_version).kind(kind))
