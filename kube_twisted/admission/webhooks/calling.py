"""Asks one webhook about one write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from twisted.logger import Logger

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.webhooks.configurations import Candidate
from kube_twisted.admission.webhooks.failures import CallingFailed, Rejected, denial, no_dry_run
from kube_twisted.admission.webhooks.request import write_review
from kube_twisted.admission.webhooks.response import InvalidResponse, Verdict, read_response, verified
from kube_twisted.admission.webhooks.webhook import Webhook
from kube_twisted.api.names import qualified_name
from kube_twisted.util.clock import Clock
from kube_twisted.util.tls import BadAuthorities
from kube_twisted.webhooks.client import CallFailed, WebhookClient
from kube_twisted.webhooks.target import BadClientConfig

Obj = dict[str, Any]
_BAD_REQUEST, _INTERNAL, _UNAVAILABLE = 400, 500, 503


class Asking:
    """Asks webhooks.

    :param client: calls them.
    """

    _log = Logger()

    def __init__(self, client: WebhookClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock

    async def ask(self, candidate: Candidate, attributes: Attributes, obj: Obj | None, old: Obj | None, *,
                  mutating: bool) -> Verdict:
        """What an allowing webhook says; its warnings and annotations are passed on.

        :param obj: the object in the webhook's version; ``old`` likewise.
        :param mutating: whether it may change the object.
        :raises CallingFailed: when it can't be asked. :raises Rejected: when it says no.
        :raises StatusError: 400 when it can't be asked about a dry run.
        """
        webhook = candidate.webhook
        if attributes.dry_run and not webhook.dry_runs:
            raise no_dry_run(webhook.name)
        if not webhook.review_version:
            raise CallingFailed(
                webhook.name, "could not create admission objects: webhook does not accept known AdmissionReview "
                "versions (v1, v1beta1)", _BAD_REQUEST)
        uid = str(uuid4())
        body = write_review(webhook.review_version, uid, candidate.kind, candidate.resource, attributes, obj, old)
        review = await self._called(webhook, attributes, body)
        try:
            verdict = verified(review, webhook.review_version, uid, mutating=mutating)
        except InvalidResponse as error:
            raise CallingFailed(webhook.name, f"received invalid webhook response: {error}", _UNAVAILABLE) from None
        self._annotate(webhook.name, attributes, verdict.annotations)
        for text in verdict.warnings:
            attributes.add_warning(text)
        if not verdict.allowed:
            raise Rejected(denial(webhook.name, verdict.status))
        return verdict

    async def _called(self, webhook: Webhook, attributes: Attributes, body: bytes) -> Obj:
        """The webhook's review.

        :raises CallingFailed: when there is none.
        """
        target = webhook.target
        if isinstance(target, BadClientConfig):
            raise CallingFailed(
                webhook.name, f'could not get REST client: failed calling webhook "{webhook.name}": {target}',
                _INTERNAL)
        timeout = max(min(webhook.timeout, attributes.deadline - self._clock.seconds()), 0)
        try:
            return read_response(await self._client.post(target, body, timeout), webhook.review_version)
        except CallFailed as error:
            if isinstance(error.__cause__, BadAuthorities):
                raise CallingFailed(webhook.name, f"could not get REST client: {error}", _INTERNAL) from error
            code = error.status.code if error.status is not None else _UNAVAILABLE
            raise CallingFailed(webhook.name, f"failed to call webhook: {error}", code) from error
        except ValueError as error:
            raise CallingFailed(webhook.name, f"failed to call webhook: {error}", _UNAVAILABLE) from error

    def _annotate(self, webhook: str, attributes: Attributes, annotations: Mapping[str, str]) -> None:
        for name, text in annotations.items():
            key = f"{webhook}/{name}"
            if qualified_name(key):
                self._log.warn("webhook {webhook}: {key!r} can't be the key of an audit annotation",
                               webhook=webhook, key=key)
            else:
                attributes.annotate(key, text)
