"""Settings as they are in force, for those who ask the running server."""

from __future__ import annotations

import json
import re
from typing import Any

import attrs

from kube_twisted.config.reading import KEY, SECTION


def shown_settings(settings: Any, prefix: str = "") -> dict[str, str]:
    """Every setting by dotted key, as YAML has it on one line."""
    shown: dict[str, str] = {}
    for field in attrs.fields(type(settings)):
        key, value = prefix + field.metadata[KEY], getattr(settings, field.name)
        if SECTION in field.metadata:
            shown.update(shown_settings(value, f"{key}."))
        else:
            shown[key] = value if isinstance(value, str) else json.dumps(value, default=_plain)
    return shown


def _plain(value: Any) -> Any:
    if isinstance(value, re.Pattern):
        return value.pattern
    return attrs.asdict(value) if attrs.has(type(value)) else str(value)
