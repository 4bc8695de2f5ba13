"""What every object travels in: four magic bytes, and a message that tells the kind of the one inside it.

Source: the Kubernetes documentation, "Kubernetes API concepts", protobuf encoding.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.codec.protobuf.encode import message_writer
from kube_twisted.codec.protobuf.leaves import text
from kube_twisted.codec.protobuf.messages import message_of
from kube_twisted.codec.protobuf.wire import WireError, end_of_input, read_fields, sized

MAGIC = b"k8s\0"
#: Behind the object: content encoding and type, both empty.
_REST = b"\x1a\x00\x22\x00"
#: The length in front of a watch event.
_LENGTH_BYTES = 4
_SHOWN_MAGIC = f"[{' '.join(map(str, MAGIC))}]"


@frozen
class Envelope:
    """An object that is not read yet.

    :ivar raw: the message, without kind and version.
    """

    api_version: str
    kind: str
    raw: bytes

    @property
    def gvk(self) -> GroupVersionKind:
        """The kind; no group and version when they make no sense."""
        try:
            group_version = GroupVersion.parse(self.api_version)
        except ValueError:
            return GroupVersionKind("", "", self.kind)
        return group_version.kind(self.kind) if group_version.version else GroupVersionKind("", "", self.kind)


def wrap(api_version: str, kind: str, raw: bytes) -> bytes:
    """A message in its envelope."""
    type_meta = b"\n" + sized(api_version.encode()) + b"\x12" + sized(kind.encode())
    return b"".join((MAGIC, b"\n", sized(type_meta), b"\x12", sized(raw), _REST))


def unwrap(body: bytes) -> Envelope:
    """Open an envelope.

    :raises WireError: for what is none, worded as the original's.
    """
    if not body:
        raise WireError("empty data")
    if not body.startswith(MAGIC):
        raise WireError("provided data does not appear to be a protobuf message, expected prefix "
                        + _SHOWN_MAGIC)
    if len(body) == len(MAGIC):
        raise WireError("empty body")
    type_meta, raw = _two(body, len(MAGIC), ("TypeMeta", "Raw"))
    api_version, kind = _two(type_meta, 0, ("APIVersion", "Kind"))
    return Envelope(text(api_version), text(kind), raw)


def _two(buffer: bytes, at: int, names: tuple[str, str]) -> tuple[bytes, bytes]:
    """The first two fields of a message, which are bytes.

    :param names: of the fields, for errors.
    """
    found = [b"", b""]
    try:
        for number, value in read_fields(buffer, at, len(buffer)):
            if number <= len(found):
                if isinstance(value, int):
                    raise WireError(f"proto: wrong wireType = 0 for field {names[number - 1]}")
                found[number - 1] = value
    except IndexError:
        raise end_of_input() from None
    return found[0], found[1]


def encode_event(type_: str, obj: dict[str, Any]) -> bytes:
    """A frame of a watch stream: its length in four bytes, and an event around the object in its envelope.

    :raises LookupError: for a kind that has no message.
    """
    raw_extension = b"\n" + sized(encode_object(obj))
    event = b"".join((b"\n", sized(type_.encode()), b"\x12", sized(raw_extension)))
    return len(event).to_bytes(_LENGTH_BYTES, "big") + event


def encode_object(obj: dict[str, Any]) -> bytes:
    """An object in its envelope, which tells its kind; APIVersions have no version.

    :raises LookupError: for a kind that has no message.
    """
    api_version, kind = obj.get("apiVersion", ""), obj["kind"]
    message = message_of(GroupVersion.parse(api_version).kind(kind))
    if message is None:
        raise LookupError(f"{api_version} {kind} has no protobuf message")
    return wrap(api_version, kind, message_writer(message)(obj))
