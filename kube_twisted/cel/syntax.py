"""What is wrong with tokens that are no expression, in the words of the original's parser (ANTLR).

The tokens are parsed again, along the network of the grammar. As ANTLR does, a single token that is too much or missing
is passed over; otherwise tokens are skipped until something that may follow.
"""

from __future__ import annotations

import re
from contextlib import suppress

from kube_twisted.cel.errors import Issue
from kube_twisted.cel.grammar import NETWORK, State
from kube_twisted.cel.prediction import NoWay, Stack, predict
from kube_twisted.cel.tokens import EOF, KINDS, SYMBOLS, Token, text_between

_MAX_RECOVERIES, _MAX_SKIPPED = 30, 256
_RESERVED = re.compile(r"no viable alternative at input '.(true|false|null)'")
_ORDER = {kind: index for index, kind in enumerate(KINDS)}


def explain(tokens: list[Token], text: str) -> list[Issue]:
    """All complaints about the tokens of a text."""
    walk = _Walk(tokens, text)
    with suppress(_Enough):
        walk.run()
    return walk.issues


class _Enough(Exception):
    """There have been too many errors."""


class _Mismatch(Exception):
    """The rule at hand can't go on."""


class _Walk:
    def __init__(self, tokens: list[Token], text: str) -> None:
        self.issues: list[Issue] = []
        self._tokens = tokens
        self._text = text
        self._index = 0
        self._state = NETWORK.starts["start"]
        self._stack: Stack | None = None
        self._recovering = False
        self._recoveries = 0
        self._stuck: tuple[int, set[State]] = (-1, set())

    def run(self) -> None:
        while not (self._state.is_end and self._stack is None):
            try:
                self._advance()
            except _Mismatch:
                if not self._recover():
                    return

    def _advance(self) -> None:
        """One step along the network."""
        state = self._state
        if state.is_end:
            assert self._stack is not None
            self._state, self._stack = self._stack.follow, self._stack.rest
        elif state.is_choice:
            self._synchronise()
            self._state = state.targets[self._predict()]
        elif state.rule is not None:
            self._stack = Stack(state.targets[0], self._stack)
            self._state = NETWORK.starts[state.rule]
        elif state.token is not None:
            self._match(state.token)
            self._state = state.targets[0]
        else:
            self._state = state.targets[0]

    def _token(self, ahead: int = 0) -> Token:
        return self._tokens[min(self._index + ahead, len(self._tokens) - 1)]

    # Errors

    def _complain(self, token: Token, message: str) -> None:
        if not self._recovering:
            self._recovering = True
            self.issues.append(Issue(token.at, f"Syntax error: {_RESERVED.sub(_reserved, message)}"))

    def _mismatch(self) -> _Mismatch:
        token = self._token()
        self._complain(token, f"mismatched input {_shown(token.text)} expecting {_listed(self._expected())}")
        return _Mismatch()

    def _predict(self) -> int:
        try:
            return predict(self._state, self._stack, self._tokens, self._index)
        except NoWay as error:
            until = self._tokens.index(error.token) + 1
            text = text_between(self._text, self._tokens[self._index:until])
            self._complain(error.token, f"no viable alternative at input {_shown(text)}")
            raise _Mismatch from None

    def _match(self, kinds: frozenset[str]) -> None:
        if self._token().kind in kinds:
            self._recovering = False
            self._consume()
            return
        self._count()
        if self._drop_token():
            self._consume()
        elif not self._add_token():
            raise self._mismatch()

    def _consume(self) -> None:
        self._index = min(self._index + 1, len(self._tokens) - 1)

    def _drop_token(self) -> bool:
        """Pass over a token when the next one fits."""
        expected = self._expected()
        if self._token(1).kind not in expected or self._token().kind == EOF:
            return False
        token = self._token()
        self._complain(token, f"extraneous input {_shown(token.text)} expecting {_listed(expected)}")
        self._consume()
        self._recovering = False
        return True

    def _add_token(self) -> bool:
        """Go on as if the missing token were there, when what follows fits."""
        if self._token().kind not in _reachable(self._state.targets[0], self._stack):
            return False
        token = self._token()
        self._complain(token, f"missing {_listed(self._expected())} at {_shown(token.text)}")
        return True

    def _synchronise(self) -> None:
        """At a choice: see whether the next token fits anything here."""
        expected = _first(self._state)
        if self._recovering or self._token().kind in expected or "" in expected:
            return
        if not self._state.is_loop_back:
            if not self._drop_token():
                raise self._mismatch()
            return
        token = self._token()
        self._complain(token, f"extraneous input {_shown(token.text)} expecting {_listed(self._expected())}")
        self._skip(self._expected() | self._recovery_set())

    # Recovery

    def _count(self) -> None:
        if self._recoveries == _MAX_RECOVERIES:
            self.issues.append(Issue(
                self._token().at, f"Syntax error: error recovery attempt limit exceeded: {_MAX_RECOVERIES}"))
            raise _Enough
        self._recoveries += 1

    def _recover(self) -> bool:
        """Skip to something that may follow the rule, and leave it; false at the end of all rules."""
        self._count()
        index, states = self._stuck
        if index == self._index and self._state in states:
            self._consume()
        self._stuck = self._index, (states if index == self._index else set()) | {self._state}
        self._skip(self._recovery_set())
        if self._stack is None:
            return False
        self._state, self._stack = self._stack.follow, self._stack.rest
        return True

    def _skip(self, kinds: set[str]) -> None:
        start = self._index
        while self._token().kind != EOF and self._token().kind not in kinds:
            if self._index - start >= _MAX_SKIPPED:
                self.issues.append(Issue(-1, f"error recovery token lookahead limit exceeded: {_MAX_SKIPPED}"))
                raise _Enough
            self._consume()

    def _recovery_set(self) -> set[str]:
        found: set[str] = set()
        stack = self._stack
        while stack is not None:
            found |= _first(stack.follow)
            stack = stack.rest
        return found - {""}

    def _expected(self) -> set[str]:
        return _reachable(self._state, self._stack)


def _first(state: State) -> set[str]:
    """The kinds of tokens that may come here, with an empty one when the rule may end here."""
    found: set[str] = set()
    seen: set[State] = set()
    pending = [state]
    while pending:
        one = pending.pop()
        if one in seen:
            continue
        seen.add(one)
        if one.is_end:
            found.add("")
        elif one.token is not None:
            found |= one.token
        elif one.rule is not None:
            found |= _first(NETWORK.starts[one.rule])  # no rule is empty
        else:
            pending += one.targets
    return found


def _reachable(state: State, stack: Stack | None) -> set[str]:
    """The kinds of tokens that may come here, in the rules that are being read."""
    found = _first(state)
    while "" in found and stack is not None:
        found = (found - {""}) | _first(stack.follow)
        stack = stack.rest
    return found - {""}


def _listed(kinds: set[str]) -> str:
    shown = [f"'{kind}'" if kind in SYMBOLS else kind for kind in sorted(kinds, key=_ORDER.__getitem__)]
    return shown[0] if len(shown) == 1 else f"{{{', '.join(shown)}}}"


def _shown(text: str) -> str:
    escaped = text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return f"'{escaped}'"


def _reserved(match: re.Match[str]) -> str:
    return f"mismatched input '{match[1]}' expecting IDENTIFIER"
