"""Where one TLS record ends and the next begins, in what a client sends; what is in them is OpenSSL's.

Source: RFC 8446, 5.1. A record is its type, two bytes of version, two of length, and so many bytes.
"""

from __future__ import annotations

_HEAD = 5
_APPLICATION_DATA = 23


class RecordBoundary:
    """Follows a stream of records, in the pieces that it comes in, from its beginning."""

    def __init__(self) -> None:
        #: bytes that the record lacks which has begun; None once that is lost
        self._lacking: int | None = 0

    def is_one_record(self, piece: bytes) -> bool:
        """Whether the next piece is one record and nothing else, for the application as far as can be seen.

        False where that isn't known: after a piece that ended within the head of a record.
        """
        length = len(piece)
        if self._lacking == 0 and length > _HEAD and length == _HEAD + (piece[3] << 8 | piece[4]):
            return piece[0] == _APPLICATION_DATA
        if self._lacking is not None:
            self._lacking = self._after(piece, self._lacking)
        return False

    @staticmethod
    def _after(piece: bytes, begin: int) -> int | None:
        """:param begin: where the first record begins that begins here."""
        length = len(piece)
        while begin + _HEAD <= length:
            begin += _HEAD + (piece[begin + 3] << 8 | piece[begin + 4])
        return begin - length if begin >= length else None
