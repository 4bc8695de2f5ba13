"""Which representation a client accepts: JSON, YAML or protobuf; the object itself, a Table, or metadata only."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.endpoints.accept import clauses
from kube_twisted.endpoints.request import Request

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
TRANSFORMS = ("Table", "PartialObjectMetadata", "PartialObjectMetadataList")
#: What can be made of answers of which there are no Tables.
WITHOUT_TABLES = TRANSFORMS[1:]
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
PRETTY = Representation(pretty=True)
#: Values of ``pretty`` that mean yes; others mean no.
_YES = ("1", "t", "T", "true", "TRUE", "True")
#: How the names of browsers and of tools for terminals begin: their users read what is answered.
_HUMAN = ("curl", "Wget", "Mozilla/5.0")


def wants_pretty(request: Request) -> bool:
    """Whether JSON is to be indented: as the query says, else for those who read for themselves."""
    if request.query_text and (said := request.parameter("pretty")):
        return said in _YES
    agent = request.transport.header("user-agent")
    return agent is not None and agent.startswith(_HUMAN)


def negotiate(accept: str | None, pretty: bool, *, transforms: tuple[str, ...] = TRANSFORMS,
              watchable: bool = False, protobuf: bool = True, routed: bool = True) -> Representation:
    """Choose what to answer with.

    :param pretty: whether JSON is to be indented.
    :param transforms: what can be made of the answer.
    :param watchable: whether there are watch events here.
    :param protobuf: whether the objects themselves have a message; their metadata alone always has one.
    :param routed: whether the original's router looks at the header first, see :func:`check_named`.
    :raises StatusError: 406.
    """
    if not accept or accept in (JSON, "*/*"):
        return PRETTY if pretty else PLAIN
    if routed:
        check_named(accept, OFFERED, [*OFFERED, *_STREAMS] if watchable else OFFERED)
    for clause in clauses(accept):
        for media_type in OFFERED:
            if clause.matches(media_type) and _allows(clause.parameters, media_type, transforms, protobuf):
                return _representation(clause.parameters, media_type, pretty)
    raise errors.not_acceptable(list(OFFERED))


def check_streamed(chosen: Representation) -> None:
    """:raises StatusError: 406 for what watch events can't be sent in."""
    if chosen.media_type not in STREAMED:
        raise errors.not_acceptable(_STREAMS)


def check_named(accept: str | None, offered: Sequence[str], listed: Sequence[str] = ()) -> None:
    """What the original's router asks for: a type that is offered, by its name, or all; ``application/*`` is neither.

    :param listed: what the refusal tells, if more than is offered.
    :raises StatusError: 406.
    """
    if not accept:
        return
    named = {one.split(";", 1)[0].strip() for one in accept.split(",")}
    if "*/*" not in named and named.isdisjoint(offered):
        raise errors.StatusError(406, "NotAcceptable", "406: Not Acceptable\n\nAvailable representations: "
                                 + ", ".join(listed or offered), {})


def _allows(parameters: dict[str, str], media_type: str, transforms: tuple[str, ...], protobuf: bool) -> bool:
    """Whether the parameters of a clause can be met."""
    stream = parameters.get("stream", "")
    if stream and (stream != "watch" or media_type not in STREAMED):
        return False
    if parameters.get("sv", "") not in (("", "v1") if transforms else ("",)):
        return False
    if parameters.keys().isdisjoint(("as", "g", "v")):
        return protobuf or media_type != PROTOBUF
    if parameters.get("g") != _META or parameters.get("v") not in _META_VERSIONS:
        return False
    wanted = parameters.get("as")
    return wanted in transforms and (wanted != "Table" or media_type != PROTOBUF)


def _representation(parameters: dict[str, str], media_type: str, pretty: bool) -> Representation:
    return Representation(media_type, parameters.get("as", ""), parameters.get("v", "v1"),
                          pretty or parameters.get("pretty") == "1")
