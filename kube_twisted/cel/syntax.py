"""What is wrong with tokens that are no expression, in the words of the original's parser."""
from __future__ import annotations

from kube_twisted.cel.errors import Issue
from kube_twisted.cel.tokens import Token


def explain(tokens: list[Token], text: str) -> list[Issue]:
    return [Issue(0, "Syntax error")]
