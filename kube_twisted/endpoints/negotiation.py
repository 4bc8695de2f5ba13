"""Which representation a client accepts: JSON, YAML or protobuf; the object itself, a Table, or metadata only."""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from kube_twisted.api import errors

JSON = "application/json"
YAML = "application/yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"
#: What objects can be encoded in, the preferred first.
OFFERED = (JSON, YAML, PROTOBUF)
#: What watch frames can be encoded in.
STREAMED = (JSON, PROTOBUF)
_STREAMS = [f"{one};stream=watch" for one in STREAMED]
_META = "meta.k8s.io"
#: What single objects, and lists, can be transformed to.
OBJECT_TRANSFORMS = ("Table", "PartialObjectMetadata")
LIST_TRANSFORMS = ("Table", "PartialObjectMetadataList")
_META_VERSIONS = ("v1", "v1beta1")


@frozen
class Representation:
    """What was agreed on.

    :ivar transform: "" for the object itself, else ``Table``, ``PartialObjectMetadata`` or
        ``PartialObjectMetadataList``.
    :ivar meta_version: the version of meta.k8s.io asked for.
    """

    media_type: str = JSON
    transform: str = ""
    meta_version: str = "v1"
    pretty: bool = False


PLAIN = Representation()


@frozen
class _Clause:
    media_type: str
    parameters: dict[str, str]
    quality: float
    order: int


def negotiate(accept: str | None, pretty: str, *, transforms: tuple[str, ...] = OBJECT_TRANSFORMS,
              stream: bool = False, watchable: bool = False, protobuf: bool = True) -> Representation:
    """Choose what to answer with.

    :param pretty: the query parameter.
    :param transforms: what can be made of the answer.
    :param stream: whether watch events are to be sent.
    :param watchable: whether they could be had here as well.
    :param protobuf: whether the objects themselves have a message; their metadata alone always has one.
    :raises StatusError: 406.
    """
    if not accept or accept in (JSON, "*/*"):
        return PLAIN if not pretty or pretty in ("0", "false") else Representation(pretty=True)
    known = False
    for clause in _clauses(accept):
        media_type = JSON if clause.media_type == "*/*" else clause.media_type
        if media_type not in OFFERED:
            continue
        known = True
        chosen = _accepts(clause, media_type, pretty, transforms, protobuf)
        if chosen is not None and stream and media_type not in STREAMED:
            raise errors.not_acceptable(_STREAMS)
        if chosen is not None:
            return chosen
    if not known:
        listed = [*OFFERED, *_STREAMS] if stream or watchable else OFFERED
        raise errors.StatusError(406, "NotAcceptable", "406: Not Acceptable\n\nAvailable representations: "
                                 + ", ".join(listed), {})
    raise errors.not_acceptable(list(OFFERED))


def _accepts(clause: _Clause, media_type: str, pretty: str, transforms: tuple[str, ...],
             protobuf: bool) -> Representation | None:
    parameters = clause.parameters
    wants_pretty = parameters.get("pretty", pretty) not in ("", "0", "false")
    wanted = parameters.get("as", "")
    if not wanted:
        if media_type == PROTOBUF and not protobuf:
            return None
        return Representation(media_type, pretty=wants_pretty)
    if wanted not in transforms or parameters.get("g") != _META:
        return None
    version = parameters.get("v", "")
    if version not in _META_VERSIONS or (wanted == "Table" and media_type == PROTOBUF):
        return None
    return Representation(media_type, wanted, version, wants_pretty)


@lru_cache(maxsize=256)
def _clauses(accept: str) -> tuple[_Clause, ...]:
    """The clauses of an Accept header, the best first; clients send the same header all the time."""
    clauses = []
    for order, text in enumerate(accept.split(",")):
        media_type, *rest = (piece.strip() for piece in text.split(";"))
        parameters, quality = {}, 1.0
        for piece in rest:
            name, _, value = piece.partition("=")
            if name == "q":
                try:
                    quality = float(value)
                except ValueError:
                    quality = 1.0
            else:
                parameters[name] = value.strip('"')
        if media_type:
            clauses.append(_Clause(media_type, parameters, quality, order))
    return tuple(sorted(clauses, key=lambda clause: (-clause.quality, clause.order)))
