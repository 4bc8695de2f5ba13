"""How much of a request is recorded, and when."""

from __future__ import annotations

from enum import IntEnum


class Level(IntEnum):
    """How much: each has all of those before it."""

    NONE = 0
    METADATA = 1
    REQUEST = 2
    REQUEST_RESPONSE = 3


#: As policies and events name them.
LEVELS = {"None": Level.NONE, "Metadata": Level.METADATA, "Request": Level.REQUEST,
          "RequestResponse": Level.REQUEST_RESPONSE}
LEVEL_NAMES = {level: name for name, level in LEVELS.items()}

REQUEST_RECEIVED = "RequestReceived"
RESPONSE_STARTED = "ResponseStarted"
RESPONSE_COMPLETE = "ResponseComplete"
PANIC = "Panic"
#: When: at the beginning, when a long answer begins, at the end, and when the server fails.
STAGES = (REQUEST_RECEIVED, RESPONSE_STARTED, RESPONSE_COMPLETE, PANIC)
