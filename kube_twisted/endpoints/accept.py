"""Accept headers: their clauses, in the order in which the original tries them."""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen


@frozen
class Clause:
    """A media type, its parameters and how much it is wanted.

    :ivar parameters: without the quality, and without those that are empty: they say nothing.
    """

    type: str
    subtype: str
    parameters: dict[str, str]
    quality: float

    def matches(self, media_type: str) -> bool:
        """Whether the clause stands for a type; parameters are not looked at."""
        type_, _, subtype = media_type.partition("/")
        return self.type in (type_, "*") and (self.subtype == "*" or (self.type, self.subtype) == (type_, subtype))

    def outranks(self, other: Clause) -> bool:
        """Whether it is tried first: for its quality, or for being definite where the other is a wildcard.

        Either is enough, so that two clauses can outrank each other; the later one is tried first then.
        """
        return (self.quality > other.quality or (self.type != "*" and other.type == "*")
                or (self.subtype != "*" and other.subtype == "*"))


@lru_cache(maxsize=256)
def clauses(accept: str) -> tuple[Clause, ...]:
    """The clauses in the order to try them; clients send the same header all the time.

    A quality of 0 is the least one and no refusal, as is one that is no number.
    """
    ordered: list[Clause] = []
    for text in accept.split(","):
        clause = _clause(text)
        if clause is None:
            continue
        place = len(ordered)
        while place and clause.outranks(ordered[place - 1]):
            place -= 1
        ordered.insert(place, clause)
    return tuple(ordered)


def _clause(text: str) -> Clause | None:
    media_type, *rest = text.split(";")
    type_, *subtypes = (piece.strip() for piece in media_type.split("/"))
    if len(subtypes) != 1 and (subtypes or type_ != "*"):
        return None
    parameters, quality = {}, 1.0
    for piece in rest:
        name, is_given, value = piece.partition("=")
        if name.strip() == "q" and is_given:
            quality = _quality(value)
        elif value.strip():
            parameters[name.strip()] = value.strip()
    return Clause(type_, subtypes[0] if subtypes else "*", parameters, quality)


def _quality(text: str) -> float:
    try:
        return float(text) if text == text.strip() else 0.0
    except ValueError:
        return 0.0
