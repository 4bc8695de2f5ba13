"""Types that a schema leaves open (``x-kubernetes-preserve-unknown-fields``), for custom resources."""

from __future__ import annotations

from attrs import define, field

from kube_twisted.schema.types import Struct, Type, Untyped


@define(eq=False)
class Deduced(Untyped):
    """Any JSON value: objects are owned key by key, lists and scalars as a whole."""


@define(eq=False)
class OpenStruct(Struct):
    """A struct with known fields that keeps unknown ones too.

    :ivar rest: the type of the unknown fields.
    """

    rest: Type = field(factory=Deduced)
