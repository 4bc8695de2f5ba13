"""The published OpenAPI definitions of Kubernetes versions, out of the package ``kubernetes-validate``."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson


def definitions_file(version: str) -> Path:
    """Where the definitions of a version are; the package is never imported, for that is slow.

    :param version: such as ``1.36``; its last patch release that the package knows counts.
    :raises LookupError: if the package is not installed, or does not cover the version.
    """
    spec = find_spec("kubernetes_validate")
    if spec is None or spec.origin is None:
        raise LookupError("the package kubernetes-validate is not installed")
    folder = Path(spec.origin).parent / "kubernetes-json-schema"
    wanted = [name for name in os.listdir(folder)
              if name.startswith(f"v{version}.") and name.endswith("-local")]
    if not wanted:
        raise LookupError(f"kubernetes-validate has no definitions of Kubernetes {version}")
    return folder / max(wanted, key=_numbers) / "_definitions.json"


def _numbers(folder: str) -> list[int]:
    return [int(number) for number in re.findall("[0-9]+", folder)]


def read_definitions(version: str) -> dict[str, Any]:
    """All definitions of a version by name, such as ``io.k8s.api.core.v1.Pod``, as the package writes them.

    :raises LookupError: as :func:`definitions_file`.
    """
    definitions: dict[str, Any] = orjson.loads(definitions_file(version).read_bytes())["$defs"]
    return definitions
