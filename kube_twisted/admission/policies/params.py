"""Finds the parameters of policies: objects of any kind, by name or by selector.

Source of the rules: the Kubernetes documentation, "Validating Admission Policy: Parameter resources".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from kube_twisted.admission.interfaces import ObjectReader, ResourcesOfKind
from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.api.labels import Selector, from_label_selector

Obj = dict[str, Any]
#: Reads a path of the API: an object, or a list.
ReadPath = Callable[[str], Awaitable[Obj]]
_NOT_FOUND = 404
#: How many answers are remembered.
_MOST_SEEN = 1000


class ParamsMissing(Exception):
    """The parameters can't be had; the text says why."""


@frozen
class ParamKind:
    """The kind of a policy's parameters.

    :ivar resource: empty when there is no such kind.
    """

    kind: GroupVersionKind
    resource: str
    namespaced: bool

    @classmethod
    def find(cls, param_kind: Mapping[str, Any], resources_of_kind: ResourcesOfKind) -> ParamKind:
        """As a policy names it."""
        kind = GroupVersion.parse(param_kind["apiVersion"]).kind(param_kind["kind"])
        found = resources_of_kind(kind)
        return cls(kind, *found[0]) if found else cls(kind, "", False)

    @property
    def problem(self) -> str:
        """Why there can't be any; empty when nothing is wrong."""
        if self.resource:
            return ""
        kind = self.kind
        return ("failed to find resource referenced by paramKind: "
                f"'{kind.group}/{kind.version}, Kind={kind.kind}'")


@frozen(eq=False)
class ParamRef:
    """Which parameters a binding wants: those of a name, or all that are selected.

    :ivar required: whether writes are refused when there are none.
    """

    name: str
    namespace: str
    selector: Selector | None
    required: bool

    @classmethod
    def compile(cls, ref: Mapping[str, Any]) -> ParamRef:
        """As it stands in a binding."""
        selector = ref.get("selector")
        return cls(ref.get("name") or "", ref.get("namespace") or "",
                   None if selector is None else from_label_selector(selector),
                   ref.get("parameterNotFoundAction") == "Deny")


@define
class ParamReader:
    """Reads parameters: from the watch cache in the version in which they are stored, or else as a client would.

    :ivar read: as the server itself.
    """

    reader: ObjectReader
    read: ReadPath
    _seen: dict[str, tuple[int, Sequence[Obj]]] = field(factory=dict)

    async def collect(self, kind: ParamKind, ref: ParamRef, namespace: str) -> Sequence[Obj]:
        """The parameters for a write in a namespace, which may be empty.

        :raises ParamsMissing: when they are needed but not there.
        """
        place = _namespace(kind, ref, namespace)
        if ref.name:
            found = await self._named(kind, place, ref.name)
        else:
            assert ref.selector is not None
            found = [one for one in await self._all(kind, place)
                     if ref.selector.matches(one["metadata"].get("labels") or {})]
        if not found and ref.required:
            raise ParamsMissing("no params found for policy binding with `Deny` parameterNotFoundAction")
        return found

    async def _named(self, kind: ParamKind, namespace: str, name: str) -> Sequence[Obj]:
        if self.reader.changed(kind.kind.group, kind.resource):
            found = self.reader.peek(kind.kind.group, kind.resource, namespace, name)
            if found is None:
                return []
            if found["apiVersion"] == kind.kind.api_version:
                return [found]
        return await self._asked(kind, f"{_path(kind, namespace)}/{name}", self._read_one)

    async def _all(self, kind: ParamKind, namespace: str) -> Sequence[Obj]:
        if self.reader.changed(kind.kind.group, kind.resource):
            found = self.reader.peek_all(kind.kind.group, kind.resource, namespace)
            if all(one["apiVersion"] == kind.kind.api_version for one in found):
                return found
        return await self._asked(kind, _path(kind, namespace), self._read_list)

    async def _asked(self, kind: ParamKind, path: str,
                     read: Callable[[ParamKind, str], Awaitable[Sequence[Obj]]]) -> Sequence[Obj]:
        """What is there in another version than the stored one, asked for again only when something has changed."""
        changed = self.reader.changed(kind.kind.group, kind.resource)
        seen = self._seen.get(path)
        if seen is not None and changed and seen[0] == changed:
            return seen[1]
        try:
            found = await read(kind, path)
        except StatusError as error:
            if error.code != _NOT_FOUND:
                raise ParamsMissing(str(error)) from error
            found = []
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[path] = changed, found
        return found

    async def _read_one(self, kind: ParamKind, path: str) -> Sequence[Obj]:
        return [await self.read(path)]

    async def _read_list(self, kind: ParamKind, path: str) -> Sequence[Obj]:
        head = {"kind": kind.kind.kind, "apiVersion": kind.kind.api_version}
        return [{**head, **one} for one in (await self.read(path))["items"] or ()]


def _namespace(kind: ParamKind, ref: ParamRef, namespace: str) -> str:
    """Where the parameters are."""
    if not kind.namespaced:
        if ref.namespace:
            raise ParamsMissing("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
        return ""
    if not ref.namespace and not namespace:
        raise ParamsMissing("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")
    return ref.namespace or namespace


def _path(kind: ParamKind, namespace: str) -> str:
    root = f"/apis/{kind.kind.api_version}" if kind.kind.group else f"/api/{kind.kind.version}"
    return f"{root}/namespaces/{namespace}/{kind.resource}" if namespace else f"{root}/{kind.resource}"
