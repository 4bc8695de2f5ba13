"""Conversion by a webhook: the strategy ``Webhook`` of a definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import orjson

from kube_twisted.api.errors import plain_internal
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.apiextensions.conversion import review
from kube_twisted.apiextensions.conversion.converted import InvalidObject, checked
from kube_twisted.apiextensions.conversion.converter import Obj, Versions, with_version
from kube_twisted.apiextensions.conversion.metrics import Observer
from kube_twisted.registry.objectmeta import new_uid
from kube_twisted.util.clock import Clock
from kube_twisted.webhooks.client import CallFailed
from kube_twisted.webhooks.target import Target

#: How much is sent in one review.
BATCH_OBJECTS, BATCH_BYTES = 500, 4 * 1024 * 1024
#: Types of failures, as metrics name them.
_CALL, _MALFORMED = "conversion_webhook_call_failure", "conversion_webhook_malformed_response_failure"
_PARTIAL = "conversion_webhook_partial_response_failure"
_INVALID = "conversion_webhook_invalid_converted_object_failure"
_NOTHING_BUT_ITS_KIND = {"apiVersion", "kind"}


class Caller(Protocol):
    """Calls webhooks."""

    async def post(self, target: Target, body: bytes) -> bytes:
        """The body of a successful answer.

        :raises CallFailed: when there is none.
        """


class WebhookConverter:
    """Asks a webhook; objects that have the wanted version already are not sent.

    :param name: the definition's.
    :param review_versions: which reviews the webhook understands, the preferred one first.
    """

    def __init__(self, name: str, versions: Versions, caller: Caller, target: Target, review_versions: Sequence[str],
                 clock: Clock, observer: Observer) -> None:
        self._name = name
        self._versions = versions
        self._caller = caller
        self._target = target
        self._review_versions = tuple(review_versions)
        self._clock = clock
        self._observer = observer

    async def convert(self, objects: Sequence[Obj], to: GroupVersion) -> list[Obj]:
        self._versions.check(objects, to)
        converted = list(objects)
        for indexes, batch in _batches(objects, str(to)):
            answer = await self._timed([objects[index] for index in indexes], batch, to)
            for index, one in zip(indexes, answer, strict=True):
                converted[index] = one
        return [with_version(one, to) for one in converted]

    async def _timed(self, originals: list[Obj], batch: list[bytes], to: GroupVersion) -> list[Obj]:
        """What the webhook made of one batch; the observer is told.

        :raises StatusError: when it made nothing good.
        """
        begin = self._clock.seconds()
        try:
            converted = await self._asked(originals, batch, to)
        except _Failed as error:
            self._observe(originals, to, error.type, begin)
            raise plain_internal(str(error)) from error
        self._observe(originals, to, "", begin)
        return converted

    def _observe(self, originals: list[Obj], to: GroupVersion, failure: str, begin: float) -> None:
        seconds = self._clock.seconds() - begin
        from_version = GroupVersion.parse(originals[0]["apiVersion"]).version
        self._observer.reviewed(failure, seconds)
        self._observer.converted(self._name, from_version, to.version, not failure, seconds)

    async def _asked(self, originals: list[Obj], batch: list[bytes], to: GroupVersion) -> list[Obj]:
        """
        :raises _Failed: when the webhook made nothing good of the objects.
        """
        uid, name = new_uid(), _name(originals[0])
        try:
            version = review.choose_version(self._review_versions)
        except ValueError as error:
            raise _Failed(_CALL, str(error)) from None
        try:
            body = await self._caller.post(self._target, review.write_request(version, uid, str(to), batch))
            answer = review.read_response(body, version)
        except (CallFailed, ValueError) as error:
            raise _Failed(_CALL, f"{name} failed: {error}") from error
        try:
            converted = review.converted_objects(answer, version, uid)
        except review.MalformedResponse as error:
            raise _Failed(_MALFORMED, f"{name} failed: {error}") from None
        if len(converted) != len(originals):
            raise _Failed(_PARTIAL, f"{name} returned {len(converted)} objects, expected {len(originals)}")
        return [_checked(one, converted[index], to, index) for index, one in enumerate(originals)]


def _checked(original: Obj, converted: object, to: GroupVersion, index: int) -> Obj:
    try:
        return checked(original, converted, to, index)
    except InvalidObject as error:
        raise _Failed(_INVALID, f"{_name(original)} {error}") from None
    except ValueError as error:
        raise _Failed(_INVALID, str(error)) from None


def _name(obj: Obj) -> str:
    """What messages call the webhook, by what it was to convert."""
    from_version = GroupVersion.parse(obj["apiVersion"])
    return f"conversion webhook for {from_version.group}/{from_version.version}, Kind={obj.get('kind', '')}"


def _batches(objects: Sequence[Obj], wanted: str) -> Iterator[tuple[list[int], list[bytes]]]:
    """The objects that must be sent, as indexes and JSON, in portions for one review each."""
    indexes: list[int] = []
    portion: list[bytes] = []
    size = 0
    for index, one in enumerate(objects):
        if one["apiVersion"] == wanted or one.keys() <= _NOTHING_BUT_ITS_KIND:
            continue
        encoded = orjson.dumps(one)
        if portion and (len(portion) == BATCH_OBJECTS or size + len(encoded) > BATCH_BYTES):
            yield indexes, portion
            indexes, portion, size = [], [], 0
        indexes.append(index)
        portion.append(encoded)
        size += len(encoded)
    if portion:
        yield indexes, portion


class _Failed(Exception):
    """A conversion did not work.

    :ivar type: as metrics name it.
    """

    def __init__(self, failure_type: str, message: str) -> None:
        super().__init__(message)
        self.type = failure_type
