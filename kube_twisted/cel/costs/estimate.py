"""The cost of an expression before it runs, by the sizes that its variables may have."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from kube_twisted.cel.ast import (
    ACCUMULATOR,
    Call,
    Comprehension,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Node,
    Select,
    StructLiteral,
)
from kube_twisted.cel.checker import Checked
from kube_twisted.cel.costs.ranges import EMPTY, UNKNOWN, Range, fixed
from kube_twisted.cel.evaluator import LIST_COST, MAP_COST, STRUCT_COST
from kube_twisted.cel.folds import is_binding
from kube_twisted.cel.types import DYN, Type, is_scalar

Path = tuple[str, ...]
#: From a path (variable, then fields, ``@items``, ``@keys`` or ``@values``) to the size there, if that is known.
Sizes = Callable[[Path], Range | None]


@frozen
class Entries:
    """The sizes of the keys, or indexes, and of the values in a container."""

    is_list: bool
    key: Range
    value: Range

    def union(self, other: Entries | None) -> Entries | None:
        if other is None:
            return None
        return Entries(self.is_list, self.key.union(other.key), self.value.union(other.value))


@frozen
class Variable:
    """What is known of a variable of a comprehension."""

    path: Path
    size: Range | None
    entries: Entries | None = None


@frozen
class Operand:
    """An argument of a call, or an element of one (``node`` is None then)."""

    node: Node | None
    type: Type
    path: Path
    #: As far as it is known from the expression itself and from the declared sizes.
    size: Range | None


@frozen
class CallEstimate:
    cost: Range
    size: Range | None = None


def estimate(checked: Checked, sizes: Sizes) -> Range:
    """What evaluating the expression may cost."""
    return Estimator(checked, sizes).cost(checked.root)


class Estimator:
    """Walks the expression; remembers paths and sizes of what it has seen."""

    def __init__(self, checked: Checked, sizes: Sizes) -> None:
        self.checked = checked
        self.sizes = sizes
        self._paths: dict[int, Path] = {}
        self._sizes: dict[int, Range] = {}
        self._entries: dict[int, Entries] = {}
        self._variables: dict[str, list[Variable]] = {}

    def cost(self, node: Node) -> Range:
        match node:
            case Ident(name=name):
                known = self._variable(name)
                self._paths[node.id] = (name,) if known is None else known.path
                return fixed(1)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral(elements=elements):
                return self._list(node, elements)
            case MapLiteral():
                return self._map(node)
            case StructLiteral(fields=fields):
                return sum((self.cost(one.value) for one in fields), fixed(STRUCT_COST))
            case Comprehension():
                return self._binding(node) if is_binding(node) else self._fold(node)
        return Range()

    def _variable(self, name: str) -> Variable | None:
        known = self._variables.get(name)
        return known[-1] if known else None

    def _select(self, node: Select) -> Range:
        name = self.checked.names.get(node.id)
        if name is not None:
            self._paths[node.id] = (name,)
            return fixed(1)
        total = self.cost(node.operand)
        if node.test_only:
            return total
        if self.type(node.operand).kind in ("map", "struct", "param"):
            total += fixed(1)
        self._paths[node.id] = (*self.path(node.operand), node.field)
        return total

    # What is known of nodes

    def type(self, node: Node) -> Type:
        return self.checked.types.get(node.id, DYN)

    def path(self, node: Node) -> Path:
        if isinstance(node, Ident):
            known = self._variable(node.name)
            if known is not None:
                return known.path
        return self._paths.get(node.id, ())

    def size(self, node: Node) -> Range | None:
        if node.id in self._sizes:
            return self._sizes[node.id]
        own = _own_size(node)
        if own is not None:
            return own
        path = self.path(node)
        declared = self.sizes(path) if path else None
        if declared is not None:
            self._sizes[node.id] = declared
            return declared
        if is_scalar(self.type(node)):
            return fixed(1)
        known = self._variable(node.name) if isinstance(node, Ident) else None
        return known.size if known else None

    def size_or_unknown(self, node: Node) -> Range:
        found = self.size(node)
        return UNKNOWN if found is None else found

    def entries(self, node: Node) -> Entries | None:
        if node.id in self._entries:
            return self._entries[node.id]
        known = self._variable(node.name) if isinstance(node, Ident) else None
        return known.entries if known else None

    def remember(self, node: Node, size: Range | None, entries: Entries | None) -> None:
        if size is not None:
            self._sizes[node.id] = size
        if entries is not None:
            self._entries[node.id] = entries

    def operand(self, node: Node) -> Operand:
        path = self.path(node)
        return Operand(node, self.type(node), () if path[:1] == (ACCUMULATOR,) else path, self.size(node))

    # Calls

    def _call(self, node: Call) -> Range:
        from kube_twisted.cel.costs.estimated_calls import estimate_call
        function = self.checked.functions.get(node.id, node.function)
        if function == "dyn":
            total = fixed(1) + self.cost(node.args[0])
            self.remember(node, self.size(node.args[0]), self.entries(node.args[0]))
            return total
        costs = [self.cost(one) for one in node.args]
        args = [self.operand(one) for one in node.args]
        target = self.checked.target(node)
        total = Range() if target is None else self.cost(target)
        receiver = None if target is None else self.operand(target)
        call, size = EMPTY, None
        for overload in self.checked.overloads.get(node.id, []):
            found = estimate_call(self, node, function, overload, receiver, args, costs)
            call = call.union(found.cost)
            size = found.size if size is None else size if found.size is None else size.union(found.size)
            size = self._indexed(node, overload, size)
        self.remember(node, size, None)
        return total + call

    def _indexed(self, node: Call, overload: str, size: Range | None) -> Range | None:
        """The result's size; for an index that of the container's values."""
        if overload in ("index_list", "index_map"):
            entries = self.entries(node.args[0])
            size = None if entries is None else entries.value
            self._paths[node.id] = (*self.path(node.args[0]), "@items" if overload == "index_list" else "@values")
        return self.size(node) if size is None else size

    # Literals

    def _list(self, node: Node, elements: list[Node]) -> Range:
        total = fixed(LIST_COST)
        item = EMPTY if elements else Range()
        for element in elements:
            total += self.cost(element)
            item = item.union(self.size_or_unknown(element))
        self.remember(node, None, Entries(True, fixed(1), item))
        return total

    def _map(self, node: MapLiteral) -> Range:
        total = fixed(MAP_COST)
        key = value = EMPTY if node.entries else Range()
        for entry in node.entries:
            total += self.cost(entry.key) + self.cost(entry.value)
            key = key.union(self.size_or_unknown(entry.key))
            value = value.union(self.size_or_unknown(entry.value))
        self.remember(node, None, Entries(False, key, value))
        return total

    # Comprehensions

    def _binding(self, node: Comprehension) -> Range:
        total = self.cost(node.range) + self.cost(node.initial)
        self._declare(node.accumulator, Variable(self.path(node.initial), self.size(node.initial),
                                                 self.entries(node.initial)))
        total += self.cost(node.result)
        self._variables[node.accumulator].pop()
        self.remember(node, self.size(node.result), self.entries(node.result))
        return total

    def _fold(self, node: Comprehension) -> Range:
        total = self.cost(node.range) + self.cost(node.initial)
        self._declare(node.accumulator, Variable(self.path(node.initial), self.size(node.initial),
                                                 self.entries(node.initial)))
        names = self._declare_iteration(node)
        loop, step = self.cost(node.condition), self.cost(node.step)
        for name in names:
            self._variables[name].pop()
        total += self.cost(node.result)
        self._variables[node.accumulator].pop()
        count = self.size_or_unknown(node.range)
        if isinstance(node.initial, Literal):
            self.remember(node, self.size(node.initial), None)
        elif isinstance(node.initial, (ListLiteral, MapLiteral)):
            self.remember(node, count, self.entries(node.step))
        return total + count * (step + loop)

    def _declare(self, name: str, variable: Variable) -> None:
        self._variables.setdefault(name, []).append(variable)

    def _declare_iteration(self, node: Comprehension) -> list[str]:
        entries = self.entries(node.range)
        is_list = self.type(node.range).kind == "list" if entries is None else entries.is_list
        path = self.path(node.range)
        key = None if entries is None else entries.key
        value = None if entries is None else entries.value
        keys = Variable((*path, "@indices" if is_list else "@keys"), key)
        values = Variable((*path, "@items" if is_list else "@values"), value)
        if not node.variable2:
            self._declare(node.variable, values if is_list else keys)
            return [node.variable]
        self._declare(node.variable, keys)
        self._declare(node.variable2, values)
        return [node.variable, node.variable2]


def _own_size(node: Node) -> Range | None:
    """The size of a literal."""
    match node:
        case Literal(value=str() | bytes() as value):
            return fixed(len(value))
        case Literal():
            return fixed(1)
        case ListLiteral(elements=elements):
            return fixed(len(elements))
        case MapLiteral(entries=entries):
            return fixed(len(entries))
    return None
