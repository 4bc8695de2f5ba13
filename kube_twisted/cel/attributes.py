"""Variables with the fields and indexes that follow them: ``self.spec.ports[0].?name``.

A chain is resolved as a whole. It is optional as soon as one part of it is: what is missing behind that is
``optional.none()`` rather than an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from kube_twisted.cel.ast import Call, Ident, Literal, Node, Select
from kube_twisted.cel.conversions import format_double
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.frame import Frame, Step
from kube_twisted.cel.typenames import type_name
from kube_twisted.cel.values import MISSING, NONE, Lists, Maps, Optional, UInt, find

if TYPE_CHECKING:
    from kube_twisted.cel.evaluator import Compiler


@frozen
class Qualifier:
    """One field or index.

    :ivar key: gives the field's name, the key or the index.
    :ivar optional: nothing is wrong when it isn't there.
    """

    key: Step
    optional: bool


def step(compiler: Compiler, node: Node) -> Step:
    """What evaluates a chain: one for the variable, one for each part of the chain."""
    if isinstance(node, Select) and node.test_only:
        return _presence(compiler, node)
    run = resolver(compiler, node)
    if _is_conditional(compiler, node):
        return run

    def attribute(frame: Frame) -> Any:
        frame.spend(1)
        return run(frame)
    return attribute


def _is_conditional(compiler: Compiler, node: Node) -> bool:
    """Whether the chain starts with ``a ? b : c``, which costs nothing by itself."""
    while (parts := _split(compiler, node)) is not None:
        node = parts[0]
    return isinstance(node, Call) and node.function == "_?_:_"


def _split(compiler: Compiler, node: Node) -> tuple[Node, Qualifier] | None:
    """The last part of a chain and what is in front of it."""
    if isinstance(node, Select) and not node.test_only and node.id not in compiler.checked.names:
        return node.operand, Qualifier(_always(node.field), False)
    if isinstance(node, Call) and node.target is None:
        if node.function in ("_[_]", "_[?_]"):
            return node.args[0], Qualifier(_index(compiler, node.args[1]), node.function == "_[?_]")
        if node.function == "_?._":
            name = node.args[1]
            assert isinstance(name, Literal)
            return node.args[0], Qualifier(_always(name.value), True)
    return None


def _always(value: Any) -> Step:
    return lambda frame: value


def _index(compiler: Compiler, node: Node) -> Step:
    """The value of an index; a variable there costs nothing by itself."""
    constant = compiler.constant(node)
    if constant is not MISSING:
        return _always(constant)
    if _is_attribute(node):
        return resolver(compiler, node)
    return compiler.compile(node)


def _is_attribute(node: Node) -> bool:
    return isinstance(node, (Ident, Select)) or (
        isinstance(node, Call) and node.target is None and node.function in ("_[_]", "_[?_]", "_?._", "_?_:_"))


def resolver(compiler: Compiler, node: Node) -> Step:
    """What resolves a chain without the cost of the variable itself."""
    if isinstance(node, Select) and node.test_only:
        return step(compiler, node)
    qualifiers: list[Qualifier] = []
    while (parts := _split(compiler, node)) is not None:
        node, qualifier = parts
        qualifiers.insert(0, qualifier)
    base = _base(compiler, node)
    return _chain(base, qualifiers) if qualifiers else base


def _base(compiler: Compiler, node: Node) -> Step:
    if isinstance(node, Call) and node.function == "_?_:_":
        return _conditional(compiler, node)
    if node.id in compiler.checked.names and isinstance(node, (Ident, Select)):
        return _variable(compiler, compiler.checked.names[node.id])
    return compiler.compile(node)


def _variable(compiler: Compiler, name: str) -> Step:
    slot = compiler.slot(name)
    if slot is not None:
        return _slot(slot, compiler.lazy.get(slot))

    def run(frame: Frame) -> Any:
        try:
            value = frame.variables[name]
        except KeyError:
            raise CelError(f"no such attribute(s): {name}") from None
        if isinstance(value, CelError):
            raise value
        return value
    return run


def _slot(number: int, initial: Step | None) -> Step:
    """A variable of a comprehension; ``initial`` gives its value when it is first used."""
    def run(frame: Frame) -> Any:
        value = frame.slots[number]
        if isinstance(value, CelError):
            raise value
        if value is MISSING and initial is not None:
            value = frame.slots[number] = initial(frame)
        return value
    return run


def _conditional(compiler: Compiler, node: Call) -> Step:
    condition = compiler.compile(node.args[0])
    branches = [resolver(compiler, one) if _is_attribute(one) else compiler.compile(one) for one in node.args[1:]]
    truthy, falsy = branches

    def run(frame: Frame) -> Any:
        value = condition(frame)
        if value is True:
            return truthy(frame)
        if value is False:
            return falsy(frame)
        raise no_such_overload()
    return run


def _chain(base: Step, qualifiers: list[Qualifier]) -> Step:
    def run(frame: Frame) -> Any:
        value = base(frame)
        optional = isinstance(value, Optional)
        if optional:
            if not value.present:
                return value
            value = value.value
        for qualifier in qualifiers:
            optional = optional or qualifier.optional
            key = qualifier.key(frame)
            if optional:
                value = lookup(value, key)
                if value is MISSING:
                    return NONE
                frame.spend(1)
            else:
                frame.spend(1)
                container, value = value, lookup(value, key)
                if value is MISSING:
                    raise missing(container, key)
        return Optional(value) if optional else value
    return run


def _presence(compiler: Compiler, node: Select) -> Step:
    """``has(a.b)``: the cost of the chain without that of the variable."""
    base = resolver(compiler, node.operand)
    name = node.field

    def run(frame: Frame) -> bool:
        value = base(frame)
        if isinstance(value, Optional):
            if not value.present:
                return False
            value = value.value
        frame.spend(1)
        return lookup(value, name) is not MISSING
    return run


def lookup(container: Any, key: Any) -> Any:
    """A field, an entry or an element; ``MISSING`` when there is none.

    :raises CelError: the key can't be one.
    """
    if isinstance(container, Maps):
        return find(container, key)
    if isinstance(container, Lists):
        index = _position(key)
        return container[index] if 0 <= index < len(container) else MISSING
    return MISSING


def _position(key: Any) -> int:
    if type(key) is int:
        return key
    if isinstance(key, UInt):
        return int(key)
    if isinstance(key, float):
        if not key.is_integer():
            raise CelError(f"unsupported index value {format_double(key)} in list")
        return int(key)
    raise CelError(f"unsupported index type '{type_name(key)}' in list")


def missing(container: Any, key: Any) -> CelError:
    """The complaint about what isn't there."""
    what = "index out of bounds" if isinstance(container, Lists) else "no such key"
    return CelError(f"{what}: {shown(key)}")


def shown(value: Any) -> str:
    """A value in an error message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return format_double(value) if isinstance(value, float) else str(value)
