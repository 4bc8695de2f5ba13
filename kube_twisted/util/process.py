"""How the interpreter runs a server that is alone in its process."""

from __future__ import annotations

import gc
import linecache
import sys
from pathlib import Path

#: How many more containers are made than freed before the youngest are searched for cycles; Python's default is 700.
_YOUNG = 50_000
_MIDDLE = 20
_OLD = 50


def keep_bytecode(directory: Path) -> None:
    """Where Python is told not to write bytecode (``PYTHONDONTWRITEBYTECODE``), keep it in ``directory``.

    Otherwise each start would compile the whole server again, which takes as long as all the rest of it.
    """
    if sys.dont_write_bytecode and sys.pycache_prefix is None:
        sys.pycache_prefix = str(directory)
        sys.dont_write_bytecode = False


def load() -> None:
    """While everything is loaded, nothing is garbage: don't search for cycles, which takes a fifth of the time."""
    gc.disable()


def settle() -> None:
    """Once everything is loaded: leave what is there out of the search for cycles, and search less often.

    Objects here are trees of plain data, freed by counting; looking through all of them for cycles again and again
    costs a tenth of the time and finds next to nothing. Nor is the source kept of the methods that attrs writes.
    """
    linecache.clearcache()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
    gc.enable()
