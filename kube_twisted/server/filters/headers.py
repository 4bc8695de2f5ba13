"""Headers that every answer carries: the audit ID, cache control, warnings, HSTS."""

from __future__ import annotations

from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.registry.objectmeta import new_uid

#: All warnings together may not be longer.
_LONGEST_WARNINGS = 4096
_LONGEST_WARNING = 256


def with_audit_id(handler: Handler) -> Handler:
    """Give the request an ID, the client's own where it sends one, and tell it."""

    async def audit_id(request: Request) -> Response:
        request.audit_id = (request.transport.header("audit-id") or new_uid())[:64]
        return await handler(request)

    return audit_id


def answer_headers(request: Request, response: Response, hsts: str = "") -> list[tuple[str, str]]:
    """Headers of an answer besides its type and length."""
    headers = [("Audit-Id", request.audit_id)]
    if not any(name == "Cache-Control" for name, _ in response.headers or ()):
        headers.append(("Cache-Control", "no-cache, private"))
    if hsts:
        headers.append(("Strict-Transport-Security", hsts))
    if request.warnings:
        headers += warning_headers(request.warnings)
    if response.headers:
        headers += response.headers
    return headers


def warning_headers(texts: list[str]) -> list[tuple[str, str]]:
    """``Warning: 299 - "text"`` each; all are cut short when together they are too long."""
    if sum(map(len, texts)) > _LONGEST_WARNINGS:
        texts = [text[:_LONGEST_WARNING] for text in texts]
    headers, total = [], 0
    for text in texts:
        value = f'299 - "{_quoted(text)}"'
        total += len(value)
        if total > _LONGEST_WARNINGS:
            break
        headers.append(("Warning", value))
    return headers


def _quoted(text: str) -> str:
    """A quoted-string of HTTP: no control characters, quotes and backslashes escaped."""
    clean = "".join(one if one.isprintable() else " " for one in text)
    return clean.replace("\\", "\\\\").replace('"', '\\"')
