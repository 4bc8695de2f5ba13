"""Keys as etcd has them: bytes below a prefix of one's own."""

from __future__ import annotations

#: What the store's keys begin with.
ROOT = "/registry"
#: From the first key on, and to the last one.
FIRST, END = b"\0", b"\0"


class Keys:
    """Puts the prefix in the place of ``/registry``, as the original's ``--etcd-prefix``.

    :param prefix: without a slash at its end.
    """

    def __init__(self, prefix: str = ROOT) -> None:
        self._prefix = prefix
        self._plain = prefix == ROOT
        self._stored_root = prefix.encode() + b"/"

    def stored(self, key: str) -> bytes:
        """A key of the store, or a prefix of keys, as etcd has it."""
        return key.encode() if self._plain else (self._prefix + key.removeprefix(ROOT)).encode()

    def shown(self, stored: bytes) -> str | None:
        """A key of etcd's as the store has it; None for one that is somebody else's."""
        if not self._plain and not stored.startswith(self._stored_root):
            return None
        try:
            key = stored.decode()
        except UnicodeDecodeError:
            return None
        return key if self._plain else ROOT + key.removeprefix(self._prefix)

    def range(self, prefix: str, start: str = "") -> tuple[bytes, bytes]:
        """First key, and the one after the last, below a prefix and not before ``start``."""
        if not prefix:
            return self.stored(start) if start else FIRST, END
        low = self.stored(prefix)
        high = low[:-1] + bytes([low[-1] + 1])
        return max(low, self.stored(start)) if start else low, high

    def everything(self) -> tuple[bytes, bytes]:
        """The range of all keys that are the store's."""
        return (FIRST, END) if self._plain else self.range(ROOT + "/")
