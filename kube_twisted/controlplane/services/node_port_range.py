"""The allocation of node ports, as one object in storage: a bit for each port of the range."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error

import orjson
from attrs import frozen

#: Where the object is kept; the original keeps its own there.
KEY = "/registry/ranges/servicenodeports"


@frozen
class NodePortRange:
    """The first and the last port that Services may have on every node."""

    first: int
    last: int

    def __contains__(self, port: int) -> bool:
        return self.first <= port <= self.last

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"

    def bit(self, port: int) -> int:
        """The port's bit."""
        return 1 << (port - self.first)

    def ports(self, bits: int) -> list[int]:
        """The ports whose bits are set."""
        return [port for port in range(self.first, self.last + 1) if bits & self.bit(port)]

    def encode(self, bits: int) -> bytes:
        """The object, a RangeAllocation."""
        data = bits.to_bytes((bits.bit_length() + 7) // 8, "big")
        return orjson.dumps({"kind": "RangeAllocation", "apiVersion": "v1", "metadata": {}, "range": str(self),
                             "data": b64encode(data).decode()})

    def decode(self, value: bytes) -> int:
        """The bits of an object.

        :raises ValueError: when it is none, or about another range.
        """
        try:
            stored = orjson.loads(value)
            text, data = stored["range"], b64decode(stored["data"], validate=True)
        except (KeyError, TypeError, Error) as error:
            raise ValueError("not an allocation of node ports") from error
        bits = int.from_bytes(data, "big")
        if text != str(self) or bits >> (self.last - self.first + 1):
            raise ValueError(f"the allocation of node ports is about the range {text}, not {self}")
        return bits
