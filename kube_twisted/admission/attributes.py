"""What an admission plugin is told about a write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from attrs import define

from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.api.user import UserInfo

Operation = Literal["CREATE", "UPDATE", "DELETE", "CONNECT"]


def _not_audited(_key: str, _value: str) -> None:
    """Nobody reads the annotations."""


@define
class Attributes:
    """One write on its way.

    :ivar obj: the new object, which mutating plugins change in place; None for deletions.
    :ivar old: the object as it is; None for creations.
    :ivar kind: of ``obj``, in the version that it is handled in.
    :ivar options: CreateOptions, UpdateOptions, DeleteOptions as data.
    :ivar add_warning: takes texts for ``Warning`` headers.
    :ivar annotate: takes annotations for the audit log.
    """

    operation: Operation
    kind: GroupVersionKind
    resource: GroupVersionResource
    subresource: str
    namespace: str
    name: str
    obj: dict[str, Any] | None
    old: dict[str, Any] | None
    user: UserInfo
    options: dict[str, Any]
    dry_run: bool
    add_warning: Callable[[str], None]
    annotate: Callable[[str, str], None] = _not_audited
