"""The grammar as a network of states, for saying what is wrong with an expression.

Rules are written with ``|`` for a choice, ``( )`` for groups, and ``? * +`` behind what may be left out or repeated.
"""

from __future__ import annotations

import re

from attrs import define, field

from kube_twisted.cel.tokens import EOF

_RULES = {
    "start": f"expr {EOF}",
    "expr": "or ('?' or ':' expr)?",
    "or": "and ('||' and)*",
    "and": "relation ('&&' relation)*",
    "relation": "sum (RELATION sum)*",
    "sum": "product (SUM product)*",
    "product": "unary (PRODUCT unary)*",
    "unary": "member | '!'+ member | '-'+ member",
    "member": "primary ('.' '?'? name | '.' IDENTIFIER '(' args? ')' | '[' '?'? expr ']')*",
    "primary": "'.'? IDENTIFIER | '.'? IDENTIFIER '(' args? ')' | '(' expr ')' | '[' elements? ','? ']' | "
               "'{' entries? ','? '}' | '.'? IDENTIFIER ('.' IDENTIFIER)* '{' fields? ','? '}' | literal",
    "args": "expr (',' expr)*",
    "elements": "optional (',' optional)*",
    "fields": "field ':' expr (',' field ':' expr)*",
    "field": "'?'? name",
    "entries": "optional ':' expr (',' optional ':' expr)*",
    "name": "IDENTIFIER | ESC_IDENTIFIER",
    "optional": "'?'? expr",
    "literal": "'-'? NUM_INT | NUM_UINT | '-'? NUM_FLOAT | STRING | BYTES | 'true' | 'false' | 'null'",
}
_SETS = {"RELATION": frozenset(("<", "<=", ">=", ">", "==", "!=", "in")), "SUM": frozenset(("+", "-")),
         "PRODUCT": frozenset(("*", "/", "%"))}
_WORD = re.compile(r"'[^']+'|<EOF>|[A-Za-z_]+|[()?*+|]")


@define(eq=False)
class State:
    """A place in a rule.

    :ivar token: the tokens that lead on; None when nothing is read here.
    :ivar rule: the rule that is entered here.
    :ivar targets: where to go; several of a choice, in their order.
    :ivar is_loop_back: a choice at the end of a round of ``+``.
    """

    rule_of: str
    token: frozenset[str] | None = None
    rule: str | None = None
    targets: list[State] = field(factory=list)
    is_choice: bool = False
    is_loop_back: bool = False

    @property
    def is_end(self) -> bool:
        """The end of the rule."""
        return not self.targets


class Network:
    """All rules. Each starts at ``starts[name]``; ``follows[name]`` are the places behind its uses."""

    def __init__(self) -> None:
        self.starts: dict[str, State] = {}
        self.follows: dict[str, list[State]] = {name: [] for name in _RULES}
        for name, text in _RULES.items():
            _Builder(self, name, text).build()


class _Builder:
    """Builds the states of one rule."""

    def __init__(self, network: Network, name: str, text: str) -> None:
        self._network = network
        self._name = name
        self._words = _WORD.findall(text)

    def build(self) -> None:
        first, last = self._choice()
        self._network.starts[self._name] = first
        last.targets.append(self._state())

    def _state(self) -> State:
        return State(self._name)

    def _choice(self) -> tuple[State, State]:
        branches = [self._sequence()]
        while self._words and self._words[0] == "|":
            self._words.pop(0)
            branches.append(self._sequence())
        if len(branches) == 1:
            return branches[0]
        return self._choose([first for first, _ in branches], [last for _, last in branches])

    def _choose(self, firsts: list[State], lasts: list[State]) -> tuple[State, State]:
        start, end = self._state(), self._state()
        start.is_choice = True
        start.targets = firsts
        for last in lasts:
            last.targets.append(end)
        return start, end

    def _sequence(self) -> tuple[State, State]:
        start = last = self._state()
        while self._words and self._words[0] not in ("|", ")"):
            first, end = self._repeated()
            last.targets.append(first)
            last = end
        return start, last

    def _repeated(self) -> tuple[State, State]:
        first, last = self._item()
        mark = self._words[0] if self._words and self._words[0] in ("?", "*", "+") else ""
        if not mark:
            return first, last
        self._words.pop(0)
        if mark == "?":
            skipped = self._state()
            return self._choose([first, skipped], [last, skipped])
        again, end = self._state(), self._state()
        again.is_choice, again.is_loop_back = True, mark == "+"
        again.targets = [first, end]
        last.targets.append(again)
        return (first if mark == "+" else again), end

    def _item(self) -> tuple[State, State]:
        word = self._words.pop(0)
        if word == "(":
            inner = self._choice()
            self._words.pop(0)
            return inner
        start, end = self._state(), self._state()
        start.targets.append(end)
        if word in _RULES:
            start.rule = word
            self._network.follows[word].append(end)
        else:
            name = word.strip("'")
            start.token = _SETS.get(name, frozenset((name,)))
        return start, end


NETWORK = Network()

