"""What an admission plugin is told about a write."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

from attrs import define

from kube_twisted.admission.reinvocation import Reinvocation
from kube_twisted.admission.versions import AS_THEY_ARE, ObjectVersions
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
    :ivar annotate: takes annotations for the audit log, by key.
    :ivar versions: how the objects look in other versions of their kind.
    :ivar deadline: when the request must be answered, in seconds since the epoch.
    :ivar reinvocation: whether mutating plugins are to be called again; None as long as nobody thinks of it.
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
    versions: ObjectVersions = AS_THEY_ARE
    deadline: float = math.inf
    reinvocation: Reinvocation | None = None

    def second_round(self) -> Reinvocation:
        """Where plugins say, and learn, whether they are called again."""
        if self.reinvocation is None:
            self.reinvocation = Reinvocation()
        return self.reinvocation
