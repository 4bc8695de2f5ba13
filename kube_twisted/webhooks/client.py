"""Sends reviews to webhooks, as kube-apiserver's webhook clients do."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.util.clock import Clock
from kube_twisted.util.https import DEADLINE, Answer, BodyError, HTTPSClient, HTTPSError
from kube_twisted.util.tls import BadAuthorities
from kube_twisted.webhooks.answers import failure, retry_after
from kube_twisted.webhooks.service_resolver import ServiceReader
from kube_twisted.webhooks.target import Target, target_of

_HEADERS = {"User-Agent": "kube-apiserver-admission", "Accept": "application/json, */*",
            "Content-Type": "application/json"}
#: How often a webhook may ask to be called again later.
_RETRIES = 10
_TOO_MANY, _SERVER_ERROR = 429, 500


class CallFailed(Exception):
    """A webhook did not give an answer that can be read; the text says why, as the original words it.

    :ivar status: what the webhook said, when it answered with an error.
    """

    def __init__(self, why: str, status: StatusError | None = None) -> None:
        super().__init__(why)
        self.status = status


class WebhookClient:
    """Calls webhooks.

    :param services: finds those that are behind Services.
    """

    def __init__(self, https: HTTPSClient, services: ServiceReader, clock: Clock) -> None:
        self._https = https
        self._services = services
        self._clock = clock

    def target(self, config: Mapping[str, Any]) -> Target:
        """The webhook of a ``clientConfig``.

        :raises BadClientConfig: when it has neither service nor URL.
        """
        return target_of(config, self._services)

    async def post(self, target: Target, body: bytes, timeout: float = 30) -> bytes:
        """The body of a successful answer, never empty.

        A webhook that is too busy, and says until when, is asked again.

        :param timeout: seconds for everything; webhooks are told, in whole ones.
        :raises CallFailed: when there is none.
        """
        end = self._clock.seconds() + timeout
        url = f"{target.url}?timeout={ceil(timeout)}s"
        answer = await self._ask(target, url, body, end)
        for _ in range(_RETRIES):
            wait = _wait(answer)
            if wait is None:
                break
            if self._clock.seconds() + wait >= end:
                raise CallFailed(DEADLINE)
            await self._clock.sleep(wait)
            answer = await self._ask(target, url, body, end)
        status = failure(answer)
        if status is not None:
            raise CallFailed(status.message, status)
        if not answer.body:
            media_type = answer.header("Content-Type") or _HEADERS["Content-Type"]
            raise CallFailed(f"0-length response with status code: {answer.code} and content type: {media_type}")
        return answer.body

    async def _ask(self, target: Target, url: str, body: bytes, end: float) -> Answer:
        try:
            return await self._https.request(target.server, "POST", url, _HEADERS, body,
                                             timeout=max(end - self._clock.seconds(), 0))
        except BodyError as error:
            raise CallFailed("unexpected error when reading response body. Please retry. "
                             f"Original error: {error}") from error
        except (HTTPSError, BadAuthorities) as error:
            raise CallFailed(str(error)) from error


def _wait(answer: Answer) -> int | None:
    """After how many seconds to ask again."""
    if answer.code == _TOO_MANY or answer.code >= _SERVER_ERROR:
        return retry_after(answer)
    return None
