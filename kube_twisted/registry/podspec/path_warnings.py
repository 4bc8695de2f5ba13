"""Warnings about volumes that write several files to one path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from kube_twisted.api.field import go_quote
from kube_twisted.registry.podspec.faultless import remembering_faultless

Obj = dict[str, Any]

#: Sources of files: field, title, and the field of the object's name.
_SOURCES = (("configMap", "ConfigMap", "name"), ("secret", "Secret", "secretName"),
            ("downwardAPI", "DownwardAPI", ""))


@frozen
class _File:
    """A path in a volume and where its content comes from."""

    path: str
    source: str = ""

    def __str__(self) -> str:
        return f"{go_quote(self.path)} ({self.source})" if self.source else go_quote(self.path)

    def overlaps(self, other: _File) -> bool:
        if not self.path or not other.path:
            return False
        return f"{self.path}/".startswith(f"{other.path}/") or f"{other.path}/".startswith(f"{self.path}/")


def path_warnings(volumes: Iterable[Obj]) -> list[str]:
    """Paths that are, or lie inside, another path of the same volume."""
    warnings = []
    for volume in volumes:
        name = volume.get("name", "")
        for kind, titled, named in _SOURCES:
            if kind in volume and volume[kind].get("items"):
                title = f"{titled} {go_quote(volume[kind].get(named, ''))}" if named else titled
                warnings += _overlaps(name, title, _items(volume[kind]))
        if "projected" in volume:
            warnings += _projected(name, volume["projected"].get("sources") or ())
    return warnings


def _items(source: Obj, title: str = "") -> list[_File]:
    return [_File(item.get("path", "").rstrip("/"), title) for item in source.get("items") or ()]


def _overlaps(volume: str, title: str, files: list[_File]) -> list[str]:
    return [f"volume {go_quote(volume)} ({title}): overlapping paths: {file} with {other}"
            for index, file in enumerate(files) for other in files[:index] if file.overlaps(other)]


@remembering_faultless
def _projected(volume: str, sources: Iterable[Obj]) -> list[str]:
    files: list[_File] = []
    warnings = []
    for source in sources:
        if not source:
            warnings.append(f"volume {go_quote(volume)} (Projected) has no sources provided")
        files += _files(source)
    return warnings + _overlaps(volume, "Projected", files)


def _files(source: Obj) -> list[_File]:
    for kind, title in (("configMap", "ConfigMap"), ("secret", "Secret")):
        if (source.get(kind) or {}).get("items"):
            return _items(source[kind], f"{title} {go_quote(source[kind].get('name', ''))}")
    if (source.get("downwardAPI") or {}).get("items"):
        return _items(source["downwardAPI"], "DownwardAPI")
    if "serviceAccountToken" in source:
        return [_File(source["serviceAccountToken"].get("path", "").rstrip("/"), "ServiceAccountToken")]
    return []
