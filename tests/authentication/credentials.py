"""Credentials as tests present them."""

from __future__ import annotations

from attrs import Factory, define


@define
class Presented:
    """What a request brings along, and the warnings that it got."""

    authorization: str = ""
    peer_certificates: tuple[bytes, ...] = ()
    warnings: list[str] = Factory(list)

    def add_warning(self, text: str) -> None:
        self.warnings.append(text)
