"""How the server was started that the scenarios were recorded from, as far as they show it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

_TOKENS = Path(__file__).with_name("tokens.csv")
#: The administrator's token stands in some of the requests.
SETTINGS: Mapping[str, Any] = {"authentication": {"tokenFile": str(_TOKENS)}}
