"""Names of API things: groups, versions, kinds and resources."""

from __future__ import annotations

from attrs import frozen


@frozen(order=True)
class GroupVersion:
    """An API group and one of its versions; the core group is the empty string."""

    group: str
    version: str

    @classmethod
    def parse(cls, text: str) -> GroupVersion:
        """Read ``apps/v1`` or ``v1``.

        :raises ValueError: for more than one slash, worded as apimachinery's ``ParseGroupVersion``.
        """
        if text in ("", "/"):
            return cls("", "")
        head, slash, tail = text.partition("/")
        if "/" in tail:
            raise ValueError(f"unexpected GroupVersion string: {text}")
        return cls(head, tail) if slash else cls("", head)

    def __str__(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    def kind(self, kind: str) -> GroupVersionKind:
        return GroupVersionKind(self.group, self.version, kind)

    def resource(self, resource: str) -> GroupVersionResource:
        return GroupVersionResource(self.group, self.version, resource)


@frozen(order=True)
class GroupVersionKind:
    """A kind in one version of its group."""

    group: str
    version: str
    kind: str

    @property
    def group_version(self) -> GroupVersion:
        return GroupVersion(self.group, self.version)

    @property
    def api_version(self) -> str:
        """The ``apiVersion`` of objects of this kind."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def group_kind(self) -> GroupKind:
        return GroupKind(self.group, self.kind)


@frozen(order=True)
class GroupKind:
    """A kind regardless of version, as error messages name it: ``Deployment.apps``."""

    group: str
    kind: str

    def __str__(self) -> str:
        return f"{self.kind}.{self.group}" if self.group else self.kind


@frozen(order=True)
class GroupResource:
    """A resource regardless of version, as error messages name it: ``deployments.apps``."""

    group: str
    resource: str

    def __str__(self) -> str:
        return f"{self.resource}.{self.group}" if self.group else self.resource


@frozen(order=True)
class GroupVersionResource:
    """A resource in one version of its group."""

    group: str
    version: str
    resource: str

    @property
    def group_version(self) -> GroupVersion:
        return GroupVersion(self.group, self.version)

    @property
    def group_resource(self) -> GroupResource:
        return GroupResource(self.group, self.resource)
