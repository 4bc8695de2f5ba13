"""Shuffle sharding: each flow has a hand of a level's queues, so that a flood in one flow leaves others a way.

Source of the rules: KEP-1040, "Shuffle Sharding".
"""

from __future__ import annotations

from hashlib import sha256


def flow_hash(schema: str, flow: str) -> int:
    """64 bits that stand for a flow of a schema."""
    return int.from_bytes(sha256(f"{schema}\0{flow}".encode()).digest()[:8], "little")


def deal(value: int, deck: int, hand: int) -> tuple[int, ...]:
    """``hand`` different numbers below ``deck``, chosen by a hash."""
    cards, dealt = list(range(deck)), []
    for _ in range(min(hand, deck)):
        value, index = divmod(value, len(cards))
        dealt.append(cards.pop(index))
    return tuple(dealt)
