"""Parse an expression: tokens to nodes, with macros expanded."""

from __future__ import annotations

from collections import Counter
from typing import NoReturn

from kube_twisted.cel import macros, syntax
from kube_twisted.cel.ast import (
    Call,
    Entry,
    FieldInit,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Node,
    Select,
    StructLiteral,
)
from kube_twisted.cel.errors import CompilationFailed, Issue
from kube_twisted.cel.literals import BadLiteral, literal_value
from kube_twisted.cel.source import Source
from kube_twisted.cel.tokens import EOF, Token, tokenize

MAX_DEPTH = 250
MAX_SIZE = 100_000
RESERVED = frozenset((
    "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop",
    "package", "namespace", "null", "return", "true", "var", "void", "while"))
_RELATIONS = frozenset(("<", "<=", ">=", ">", "==", "!=", "in"))
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
_LITERALS = frozenset(("NUM_INT", "NUM_UINT", "NUM_FLOAT", "STRING", "BYTES", "true", "false", "null"))
_NUMBERS = frozenset(("NUM_INT", "NUM_FLOAT"))
_FUNCTIONS = {"in": "@in"}


class _Fault(Exception):
    """The tokens are not an expression."""


class _TooDeep(Exception):
    """The expression nests too deeply."""


def parse(source: Source, *, binds: bool = False) -> Node:
    """The tree of an expression.

    :param binds: whether there is the macro ``cel.bind``.
    :raises CompilationFailed: it is not well formed, or too long, or nests too deeply.
    """
    size = len(source.text)
    if size > MAX_SIZE:
        raise CompilationFailed(source, [Issue(-1, f"expression code point size exceeds limit: size: {size}, "
                                                   f"limit {MAX_SIZE}")])
    tokens, issues = tokenize(source.text)
    parser = _Parser(tokens, binds)
    try:
        node = parser.parse()
    except _Fault:
        raise CompilationFailed(source, issues + syntax.explain(tokens, source.text)) from None
    except (_TooDeep, RecursionError):
        raise CompilationFailed(source, [Issue(-1, f"expression recursion limit exceeded: {MAX_DEPTH}")]) from None
    issues += parser.issues
    if issues:
        raise CompilationFailed(source, issues)
    return node


class _Parser:
    """Recursive descent; what is wrong without hindering the rest is collected in ``issues``."""

    def __init__(self, tokens: list[Token], binds: bool) -> None:
        self.issues: list[Issue] = []
        self._tokens = tokens
        self._index = 0
        self._depths: Counter[str] = Counter()
        self._maker = macros.Maker(binds)

    def parse(self) -> Node:
        node = self._expr()
        if self._kind() != EOF:
            self._fail()
        return node

    # Tokens

    def _kind(self, ahead: int = 0) -> str:
        index = self._index + ahead
        return self._tokens[index].kind if index < len(self._tokens) else EOF

    def _next(self) -> Token:
        token = self._tokens[self._index]
        self._index += 1
        return token

    def _take(self, kind: str) -> Token | None:
        return self._next() if self._kind() == kind else None

    def _expect(self, kind: str) -> Token:
        if self._kind() != kind:
            self._fail()
        return self._next()

    def _fail(self) -> NoReturn:
        raise _Fault

    def _deeper(self, rule: str) -> None:
        self._depths[rule] += 1
        if self._depths[rule] > MAX_DEPTH:
            raise _TooDeep

    def _error(self, at: int, message: str) -> Node:
        self.issues.append(Issue(at, message))
        return Literal(self._maker.number(), at, None)

    # Operators

    def _expr(self) -> Node:
        self._deeper("expr")
        condition = self._logical("||")
        if (question := self._take("?")) is not None:
            number = self._maker.number()
            first = self._logical("||")
            self._expect(":")
            condition = Call(number, question.at, "_?_:_", [condition, first, self._expr()])
        self._depths["expr"] -= 1
        return condition

    def _logical(self, operator: str) -> Node:
        """A chain of ``&&`` or ``||``, as a balanced tree."""
        terms = [self._logical("&&") if operator == "||" else self._relation()]
        operators: list[tuple[int, int]] = []
        while (token := self._take(operator)) is not None:
            terms.append(self._logical("&&") if operator == "||" else self._relation())
            operators.append((self._maker.number(), token.at))
        return _balanced(f"_{operator}_", terms, operators, 0, len(operators) - 1) if operators else terms[0]

    def _relation(self) -> Node:
        self._deeper("relation")
        left = self._calc(1)
        steps = 1
        while self._kind() in _RELATIONS:
            self._deeper("relation")
            steps += 1
            token = self._next()
            number = self._maker.number()
            name = _FUNCTIONS.get(token.kind, f"_{token.kind}_")
            left = Call(number, token.at, name, [left, self._calc(1)])
        self._depths["relation"] -= steps
        return left

    def _calc(self, binding: int) -> Node:
        """Sums and products of operators that bind at least so tightly."""
        self._deeper("calc")
        left = self._unary()
        steps = 1
        while _BINDING.get(self._kind(), 0) >= binding:
            self._deeper("calc")
            steps += 1
            token = self._next()
            number = self._maker.number()
            left = Call(number, token.at, f"_{token.kind}_", [left, self._calc(_BINDING[token.kind] + 1)])
        self._depths["calc"] -= steps
        return left

    def _unary(self) -> Node:
        kind = self._kind()
        if kind not in ("!", "-") or (kind == "-" and self._kind(1) in _NUMBERS):
            return self._member()
        first = self._next()
        count = 1
        while self._take(kind) is not None:
            count += 1
        if count % 2 == 0:
            return self._member()
        number = self._maker.number()
        return Call(number, first.at, f"{kind}_", [self._member()])

    # Members

    def _member(self) -> Node:
        self._deeper("member")
        node = self._primary()
        steps = 1
        while self._kind() in (".", "["):
            self._deeper("member")
            steps += 1
            operator = self._next()
            node = self._index_of(operator, node) if operator.kind == "[" else self._select(operator, node)
        self._depths["member"] -= steps
        return node

    def _index_of(self, operator: Token, node: Node) -> Node:
        optional = self._take("?") is not None
        number = self._maker.number()
        index = self._expr()
        self._expect("]")
        return Call(number, operator.at, "_[?_]" if optional else "_[_]", [node, index])

    def _select(self, operator: Token, node: Node) -> Node:
        if self._take("?") is not None:
            name = self._field_name()
            number = self._maker.number()
            literal = Literal(self._maker.number(), self._tokens[self._index - 1].at, name)
            return Call(number, operator.at, "_?._", [node, literal])
        if self._kind() == "IDENTIFIER" and self._kind(1) == "(":
            name = self._next().text
            opening = self._next()
            number = self._maker.number()
            return self._call(number, opening.at, name, node, self._arguments())
        name = self._field_name()
        return Select(self._maker.number(), operator.at, node, name)

    def _field_name(self) -> str:
        if self._kind() == "ESC_IDENTIFIER":
            token = self._next()
            self._error(token.at, "unsupported syntax: '`'")
            return token.text[1:-1]
        return self._expect("IDENTIFIER").text

    def _arguments(self) -> list[Node]:
        found: list[Node] = []
        if self._take(")") is not None:
            return found
        found.append(self._expr())
        while self._take(",") is not None:
            found.append(self._expr())
        self._expect(")")
        return found

    def _call(self, number: int, at: int, name: str, target: Node | None, args: list[Node]) -> Node:
        try:
            expanded = macros.expand(self._maker, at, name, target, args)
        except macros.BadMacro as error:
            return self._error(error.at, str(error))
        return Call(number, at, name, args, target) if expanded is None else expanded

    # Primaries

    def _primary(self) -> Node:
        kind = self._kind()
        if kind in _LITERALS or kind == "-":
            return self._literal()
        if kind == "(":
            self._next()
            node = self._expr()
            self._expect(")")
            return node
        if kind == "[":
            return self._list(self._next())
        if kind == "{":
            return self._map(self._next())
        if kind == "." and self._kind(1) == "IDENTIFIER":
            return self._named(self._next().at, ".")
        if kind == "IDENTIFIER":
            return self._named(self._tokens[self._index].at, "")
        raise _Fault

    def _literal(self) -> Node:
        sign = self._take("-")
        if sign is not None and self._kind() not in _NUMBERS:
            self._fail()
        token = self._next()
        at = token.at if sign is None else sign.at
        try:
            value = literal_value(token, "-" if sign else "")
        except BadLiteral as error:
            return self._error(at, str(error))
        return Literal(self._maker.number(), at, value)

    def _named(self, start: int, dot: str) -> Node:
        token = self._next()
        if self._is_struct():
            return self._struct(dot + token.text)
        opening = self._take("(")
        number = self._maker.number()
        args = [] if opening is None else self._arguments()
        if token.text in RESERVED:
            return self._error(start, f"reserved identifier: {token.text}")
        if opening is not None:
            return self._call(number, opening.at, dot + token.text, None, args)
        return Ident(number, token.at, dot + token.text)

    def _is_struct(self) -> bool:
        ahead = 0
        while self._kind(ahead) == "." and self._kind(ahead + 1) == "IDENTIFIER":
            ahead += 2
        return self._kind(ahead) == "{"

    def _struct(self, name: str) -> Node:
        while self._take(".") is not None:
            name += f".{self._next().text}"
        opening = self._next()
        number = self._maker.number()
        fields: list[FieldInit] = []
        while self._kind() in ("?", "IDENTIFIER", "ESC_IDENTIFIER"):
            optional = self._take("?") is not None
            field = self._field_name()
            colon = self._expect(":")
            fields.append(FieldInit(self._maker.number(), colon.at, field, self._expr(), optional))
            if self._take(",") is None:
                break
        if not fields:
            self._take(",")
        self._expect("}")
        return StructLiteral(number, opening.at, name, fields)

    def _list(self, opening: Token) -> Node:
        number = self._maker.number()
        elements: list[Node] = []
        optional: set[int] = set()
        while self._kind() not in ("]", ","):
            if self._take("?") is not None:
                optional.add(len(elements))
            elements.append(self._expr())
            if self._take(",") is None:
                break
        if not elements:
            self._take(",")
        self._expect("]")
        return ListLiteral(number, opening.at, elements, frozenset(optional))

    def _map(self, opening: Token) -> Node:
        number = self._maker.number()
        entries: list[Entry] = []
        while self._kind() not in ("}", ","):
            optional = self._take("?") is not None
            key = self._expr()
            colon = self._expect(":")
            entries.append(Entry(self._maker.number(), colon.at, key, self._expr(), optional))
            if self._take(",") is None:
                break
        if not entries:
            self._take(",")
        self._expect("}")
        return MapLiteral(number, opening.at, entries)


def _balanced(function: str, terms: list[Node], operators: list[tuple[int, int]], low: int, high: int) -> Node:
    middle = (low + high + 1) // 2
    left = terms[middle] if middle == low else _balanced(function, terms, operators, low, middle - 1)
    right = terms[middle + 1] if middle == high else _balanced(function, terms, operators, middle + 1, high)
    number, at = operators[middle]
    return Call(number, at, function, [left, right])
