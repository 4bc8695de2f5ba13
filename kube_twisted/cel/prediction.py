"""Which way to go at a choice: read ahead until one way is left, as the original's parser (ALL(*)) does."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from kube_twisted.cel.grammar import NETWORK, State
from kube_twisted.cel.tokens import EOF, Token


@frozen
class Stack:
    """Where to go on when rules end, innermost first."""

    follow: State
    rest: Stack | None


#: A way that is still possible: its number, where it is, its stack, and whether it has left the rule of the choice.
_Way = tuple[int, State, Stack | None, bool]


class NoWay(Exception):
    """No way leads on; ``token`` is the first that doesn't fit."""

    def __init__(self, token: Token) -> None:
        super().__init__(token.text)
        self.token = token


def predict(state: State, stack: Stack | None, tokens: list[Token], index: int) -> int:
    """The number of the way to take.

    :raises NoWay: none fits the tokens, nor could any end the rule before them.
    """
    found = _predict(state, None, False, tokens, index)
    return found if found is not None else _predict(state, stack, True, tokens, index) or 0


def _predict(state: State, stack: Stack | None, exact: bool, tokens: list[Token], index: int) -> int | None:
    """With an exact stack, or with any that the grammar allows; None when only the exact stack can tell."""
    ways: set[_Way] = set()
    for number, target in enumerate(state.targets):
        ways |= _closure([(number, target, stack, False)], exact)
    while True:
        token = tokens[min(index, len(tokens) - 1)]
        before, ways = ways, _step(ways, token.kind, exact)
        if not ways:
            left = [number for number, place, rest, outside in before if outside or (place.is_end and rest is None)]
            if left:
                return min(left)
            raise NoWay(token)
        numbers = {number for number, _, _, _ in ways}
        if len(numbers) == 1:
            return numbers.pop()
        if _is_ambiguous(ways) or token.kind == EOF:
            return min(numbers) if exact else None
        index += 1


def _is_ambiguous(ways: set[_Way]) -> bool:
    """Whether all ways have come to the same places."""
    places: dict[tuple[State, Stack | None], set[int]] = {}
    for number, state, stack, _ in ways:
        places.setdefault((state, stack), set()).add(number)
    return len({frozenset(numbers) for numbers in places.values()}) == 1


def _step(ways: Iterable[_Way], kind: str, exact: bool) -> set[_Way]:
    return _closure([(number, state.targets[0], stack, outside) for number, state, stack, outside in ways
                     if state.token is not None and kind in state.token], exact)


def _closure(pending: list[_Way], exact: bool) -> set[_Way]:
    """All places that are reached without reading a token."""
    seen: set[_Way] = set()
    pending = list(pending)
    while pending:
        way = pending.pop()
        if way in seen:
            continue
        seen.add(way)
        number, state, stack, outside = way
        if state.is_end:
            if stack is not None:
                pending.append((number, stack.follow, stack.rest, outside))
            elif not exact:
                pending += [(number, follow, None, True) for follow in NETWORK.follows[state.rule_of]]
        elif state.rule is not None:
            pending.append((number, NETWORK.starts[state.rule], Stack(state.targets[0], stack), outside))
        elif state.token is None:
            pending += [(number, target, stack, outside) for target in state.targets]
    return seen
