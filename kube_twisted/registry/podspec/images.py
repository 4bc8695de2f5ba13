"""What an image reference's tag says about pulling it."""

from __future__ import annotations

import re
from functools import lru_cache

_DIGEST_LENGTHS = {"sha256": 64, "sha384": 96, "sha512": 128}
_COMPONENT = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_LABEL = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[a-fA-F0-9:]+\])"
_REFERENCE = re.compile(
    rf"(?P<name>(?:{_HOST}(?::[0-9]+)?/)?{_COMPONENT}(?:/{_COMPONENT})*)"
    r"(?::(?P<tag>\w[\w.-]{0,127}))?"
    r"(?:@(?P<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?", re.ASCII)
_IDENTIFIER = re.compile(r"[a-f0-9]{64}")


@lru_cache(maxsize=1024)
def default_pull_policy(image: str) -> str:
    """``Always`` for the tag ``latest``, given or meant; else, and for a bad reference, ``IfNotPresent``.

    Source: https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting
    """
    return "Always" if _is_latest(image) else "IfNotPresent"


def _is_latest(image: str) -> bool:
    if _IDENTIFIER.fullmatch(image):
        return False
    domain, slash, rest = image.partition("/")
    if slash and (any(sign in domain for sign in ".:") or domain == "localhost" or domain != domain.lower()):
        remote = rest
    else:
        domain, remote = "docker.io", image if slash else f"library/{image}"
    if domain == "index.docker.io":
        domain, remote = "docker.io", remote if "/" in remote else f"library/{remote}"
    name = remote.partition(":")[0]
    if name != name.lower():
        return False
    match = _REFERENCE.fullmatch(f"{domain}/{remote}")
    if match is None or len(match["name"]) > 255:
        return False
    if match["digest"]:
        algorithm, _, encoded = match["digest"].partition(":")
        valid = len(encoded) == _DIGEST_LENGTHS.get(algorithm) and encoded == encoded.lower()
        return valid and match["tag"] == "latest"
    return match["tag"] in (None, "latest")
