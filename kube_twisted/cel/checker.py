"""Check the types of an expression: what each name refers to, and which overloads each call may mean."""

from __future__ import annotations

from attrs import define, field

from kube_twisted.cel.ast import (
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
from kube_twisted.cel.environment import Environment
from kube_twisted.cel.errors import CompilationFailed, Issue
from kube_twisted.cel.functions import Function, Overload
from kube_twisted.cel.source import Source
from kube_twisted.cel.typenames import literal_type
from kube_twisted.cel.types import (
    BOOL,
    DYN,
    ERROR,
    INT,
    Type,
    format_signature,
    list_of,
    map_of,
    optional_of,
    unwrap_optional,
)
from kube_twisted.cel.unify import (
    Bindings,
    are_assignable,
    is_assignable,
    is_dyn_or_error,
    most_general,
    substitute,
)

_LOGICAL = ("_&&_", "_||_")


@define
class Checked:
    """An expression whose types are known.

    :ivar types: node number -> type.
    :ivar names: number of an identifier, or of a qualified name -> the variable or type it refers to.
    :ivar overloads: number of a call -> the overloads that fit, in order.
    :ivar functions: number of a call -> the function's full name; its target may be part of the name.
    """

    root: Node
    types: dict[int, Type] = field(factory=dict)
    names: dict[int, str] = field(factory=dict)
    overloads: dict[int, list[str]] = field(factory=dict)
    functions: dict[int, str] = field(factory=dict)

    @property
    def result(self) -> Type:
        return self.types[self.root.id]

    def refers_to(self, name: str) -> bool:
        return name in self.names.values()

    def target(self, call: Call) -> Node | None:
        """The receiver of a call; None also when it turned out to be part of the function's name."""
        return call.target if self.functions.get(call.id, call.function) == call.function else None


def check(root: Node, env: Environment, source: Source) -> Checked:
    """The types of an expression.

    :raises CompilationFailed: some names or types don't fit.
    """
    checker = _Checker(root, env)
    checker.check(root)
    if checker.issues:
        raise CompilationFailed(source, checker.issues)
    checked = checker.checked
    checked.types = {number: substitute(checker.bindings, found, True) for number, found in checked.types.items()}
    return checked


class _Checker:
    def __init__(self, root: Node, env: Environment) -> None:
        self.checked = Checked(root)
        self.issues: list[Issue] = []
        self.bindings: Bindings = {}
        self._env = env
        self._scopes: list[dict[str, Type]] = []
        self._free = 0

    def check(self, node: Node) -> Type:
        """The node's type, also recorded."""
        match node:
            case Literal():
                found = literal_type(node.value)
            case Ident():
                found = self._ident(node)
            case Select():
                found = self._select(node)
            case Call():
                found = self._optional_select(node) if node.function == "_?._" else self._call(node)
            case ListLiteral():
                found = self._list(node)
            case MapLiteral():
                found = self._map(node)
            case StructLiteral():
                found = self._struct(node)
            case Comprehension():
                found = self._comprehension(node)
        self.checked.types[node.id] = found
        return found

    def _complain(self, at: int, message: str) -> Type:
        self.issues.append(Issue(at, message))
        return ERROR

    def _undeclared(self, at: int, name: str) -> Type:
        return self._complain(at, f"undeclared reference to '{name}' (in container '')")

    def _mismatch(self, at: int, expected: Type, found: Type) -> Type:
        return self._complain(at, f"expected type '{expected}' but found '{found}'")

    def _assignable(self, first: Type, second: Type) -> bool:
        bindings = is_assignable(self.bindings, first, second)
        if bindings is not None:
            self.bindings = bindings
        return bindings is not None

    def _free_type(self) -> Type:
        self._free += 1
        return Type("param", f"_var{self._free - 1}")

    # Names

    def _lookup(self, node: Node, name: str) -> Type | None:
        for scope in reversed(self._scopes):
            if name in scope:
                self.checked.names[node.id] = name
                return scope[name]
        found = self._env.find(name)
        if found is None:
            return None
        self.checked.names[node.id] = found.name
        return found.type

    def _ident(self, node: Ident) -> Type:
        return self._lookup(node, node.name) or self._undeclared(node.at, node.name)

    def _select(self, node: Select) -> Type:
        name = qualified_name(node)
        found = None if name is None else self._lookup(node, name)
        if found is not None:
            return found
        found = self._field(node, node.operand, node.field, optional=False)
        return BOOL if node.test_only else substitute(self.bindings, found, False)

    def _optional_select(self, node: Call) -> Type:
        literal = node.args[1]
        assert isinstance(literal, Literal)
        found = self._field(node, node.args[0], literal.value, optional=True)
        self.checked.overloads[node.id] = ["select_optional_field"]
        self.checked.functions[node.id] = node.function
        return substitute(self.bindings, found, False)

    def _field(self, node: Node, operand: Node, name: str, optional: bool) -> Type:
        held, was_optional = unwrap_optional(substitute(self.bindings, self.check(operand), False))
        result = DYN
        if held.kind == "map":
            result = held.params[1]
        elif held.kind == "struct":
            result = self._struct_field(node.at, held.name, name)
        elif held.kind == "param":
            self._assignable(DYN, held)
        elif not is_dyn_or_error(held):
            self._complain(node.at, f"type '{held}' does not support field selection")
        return optional_of(result) if was_optional or optional else result

    def _struct_field(self, at: int, type_name: str, name: str) -> Type:
        if not self._env.has_type(type_name):
            return self._complain(at, f"unexpected failed resolution of '{type_name}'")
        found = self._env.field_type(type_name, name)
        return self._complain(at, f"undefined field '{name}'") if found is None else found

    # Calls

    def _call(self, node: Call) -> Type:
        args = [self.check(one) for one in node.args]
        if node.target is None:
            function = self._env.function(node.function)
            return self._undeclared(node.at, node.function) if function is None else \
                self._resolve(node, function, args, False)
        prefix = qualified_name(node.target)
        function = None if prefix is None else self._env.function(f"{prefix}.{node.function}")
        if function is not None:
            return self._resolve(node, function, args, False)
        args.insert(0, self.check(node.target))
        function = self._env.function(node.function)
        if function is None:
            return self._undeclared(node.at, node.function)
        return self._resolve(node, function, args, True)

    def _resolve(self, node: Call, function: Function, args: list[Type], is_method: bool) -> Type:
        """Find the overloads that fit the arguments."""
        self.checked.functions[node.id] = function.name
        if function.name in _LOGICAL:
            return self._logical(node, function, args)
        result: Type | None = None
        found: list[str] = []
        for overload in function.overloads:
            if overload.is_method != is_method:
                continue
            one = self._try(overload, args)
            if one is None:
                continue
            found.append(overload.id)
            if result is None:
                result = one
            elif result.kind != "dyn" and one != result:
                result = DYN
        if result is None:
            shown = format_signature([substitute(self.bindings, one, True) for one in args], is_method)
            return self._complain(node.at, f"found no matching overload for '{function.name}' applied to '{shown}'")
        self.checked.overloads[node.id] = found
        return result

    def _try(self, overload: Overload, args: list[Type]) -> Type | None:
        """The result's type if the arguments fit."""
        fresh = {one: self._free_type() for one in overload.type_params}
        params = tuple(substitute(fresh, one, False) for one in overload.params)
        bindings = are_assignable(self.bindings, tuple(args), params)
        if bindings is None:
            return None
        self.bindings = bindings
        return substitute(bindings, substitute(fresh, overload.result, False), False)

    def _logical(self, node: Call, function: Function, args: list[Type]) -> Type:
        result = BOOL
        for arg, found in zip(node.args, args, strict=True):
            if not self._assignable(found, BOOL):
                result = self._mismatch(arg.at, BOOL, found)
        self.checked.overloads[node.id] = [function.overloads[0].id]
        return result

    # Literals

    def _join(self, before: Type | None, found: Type) -> Type:
        """One type for all elements. That they must be of the same type is looked at later, where it is wanted."""
        if before is None:
            return found
        return most_general(before, found) if self._assignable(before, found) else DYN

    def _element(self, node: Node, optional: bool) -> Type:
        found = self.check(node)
        if not optional:
            return found
        held, was_optional = unwrap_optional(found)
        if not was_optional and held.kind != "dyn":
            self._mismatch(node.at, optional_of(held), held)
        return held

    def _list(self, node: ListLiteral) -> Type:
        joined: Type | None = None
        for index, element in enumerate(node.elements):
            joined = self._join(joined, self._element(element, index in node.optional))
        return list_of(self._free_type() if joined is None else joined)

    def _map(self, node: MapLiteral) -> Type:
        key: Type | None = None
        value: Type | None = None
        for entry in node.entries:
            key = self._join(key, self.check(entry.key))
            value = self._join(value, self._element(entry.value, entry.optional))
        if key is None or value is None:
            return map_of(self._free_type(), self._free_type())
        return map_of(key, value)

    def _struct(self, node: StructLiteral) -> Type:
        found = self._lookup(node, node.type_name)
        if found is None:
            return self._undeclared(node.at, node.type_name)
        result = ERROR
        if found.kind != "type":
            self._complain(node.at, f"'{found.name}' is not a type")
        elif found.params[0].kind != "struct":
            self._complain(node.at, f"'{found.params[0].name}' is not a message type")
        else:
            result = found.params[0]
        for one in node.fields:
            value = self._element(one.value, one.optional)
            expected = self._struct_field(one.at, result.name, one.name)
            if not self._assignable(expected, value):
                self._complain(one.at, f"expected type of field '{one.name}' is '{expected}' but provided type is "
                                       f"'{value}'")
        return result

    # Comprehensions

    def _comprehension(self, node: Comprehension) -> Type:
        over = self.check(node.range)
        initial = self.check(node.initial)
        over = substitute(self.bindings, over, False)
        self._scopes.append({node.accumulator: initial})
        self._scopes.append(self._iteration(node, over))
        self._expect(node.condition, BOOL)
        self._expect(node.step, initial)
        self._scopes.pop()
        result = self.check(node.result)
        self._scopes.pop()
        return substitute(self.bindings, result, False)

    def _expect(self, node: Node, expected: Type) -> None:
        found = self.check(node)
        if not self._assignable(expected, found):
            self._mismatch(node.at, expected, found)

    def _iteration(self, node: Comprehension, over: Type) -> dict[str, Type]:
        """The variables of each round."""
        first, second = self._iterated(node, over)
        if not node.variable2:
            return {node.variable: second if over.kind == "list" else first}
        return {node.variable: first, node.variable2: second}

    def _iterated(self, node: Comprehension, over: Type) -> tuple[Type, Type]:
        if over.kind == "list":
            return INT, over.params[0]
        if over.kind == "map":
            return over.params[0], over.params[1]
        if over.kind in ("dyn", "error", "param"):
            self._assignable(DYN, over)
            return DYN, DYN
        self._complain(node.range.at, f"expression of type '{over}' cannot be range of a comprehension (must be list, "
                                      "map, or dynamic)")
        return ERROR, ERROR


def qualified_name(node: Node) -> str | None:
    """``a.b.c`` as one name; None when the node is anything else."""
    if isinstance(node, Ident):
        return node.name
    if isinstance(node, Select) and not node.test_only:
        prefix = qualified_name(node.operand)
        return None if prefix is None else f"{prefix}.{node.field}"
    return None
