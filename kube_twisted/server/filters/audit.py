"""Audit: what is recorded of a request, when it comes and when it has been answered."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import CancelledError, Deferred

from kube_twisted.api.errors import StatusError, plain_internal
from kube_twisted.audit.auditor import Auditor
from kube_twisted.audit.levels import PANIC, REQUEST_RECEIVED, RESPONSE_COMPLETE, RESPONSE_STARTED, Level
from kube_twisted.audit.policy import Asked
from kube_twisted.audit.recording import Recording, shortened, source_ips
from kube_twisted.endpoints.request import NO_SNIFFING, Handler, Request, Response, StreamingResponse
from kube_twisted.server.filters.answered_object import answered_object
from kube_twisted.server.filters.audited_stream import AuditedStream
from kube_twisted.server.filters.long_running import is_long_running
from kube_twisted.server.filters.recovery import status_format
from kube_twisted.storage.interfaces import StoreClosed, StoreFailed

_LEFT = {"kind": "Status", "apiVersion": "v1", "status": "Success", "message": "Connection closed early", "code": 200}
_LATE = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Timeout", "code": 504,
         "message": "request did not complete within the allotted timeout"}


def with_audit(handler: Handler, auditor: Auditor) -> Handler:
    """Record requests as the policy says. Answers wait for their events where sinks want that."""

    async def audit(request: Request) -> Response:
        recording = begin_recording(request, auditor)
        if recording is None:
            return await handler(request)
        request.recording = recording
        audited = _Audited(auditor, recording, request)
        if not await audited.received():
            text = f'Internal Server Error: "{recording.uri}": failed to store audit event\n'
            return Response(500, text.encode(), "text/plain; charset=utf-8", [NO_SNIFFING])
        try:
            response = await handler(request)
        except (StatusError, StoreFailed, StoreClosed) as error:
            await audited.failed(error if isinstance(error, StatusError) else plain_internal(str(error)))
            raise
        except CancelledError:
            recording.failed(_LATE if auditor.clock.seconds() >= request.deadline else _LEFT)
            audited.tell(RESPONSE_COMPLETE)
            raise
        except Exception as error:
            recording.failed(_panic(error))
            audited.tell(PANIC)
            raise
        return await audited.answered(response)

    return audit


async def audit_refusal(request: Request, auditor: Auditor, error: StatusError) -> None:
    """Record that a client could not say who it is."""
    recording = begin_recording(request, auditor)
    if recording is not None:
        recording.failed(error.status())
        wait = auditor.tell(recording, RESPONSE_STARTED)
        if wait is not None:
            await wait


def begin_recording(request: Request, auditor: Auditor) -> Recording | None:
    """What the policy wants of a request; None for nothing."""
    info, user = request.info, getattr(request, "user", None)
    name, groups = (user.name, user.groups) if user is not None else ("", ())
    rule = auditor.policy.rule_for(Asked(
        name, groups, info.verb, info.is_resource, info.group, info.resource, info.subresource, info.namespace,
        info.name, info.path))
    auditor.counts.levels[rule.level] += 1
    if rule.level is Level.NONE:
        return None
    header = request.transport.header
    facts = {
        "requestURI": request.path + ("?" + request.query_text if request.query_text else ""), "verb": info.verb,
        "userAgent": shortened(header("user-agent") or ""), "sourceIPs": source_ips(
            header("x-forwarded-for") or "", header("x-real-ip") or "", request.transport.remote_address)}
    reference = {"resource": info.resource, "namespace": info.namespace, "name": info.name, "apiGroup": info.group,
                 "apiVersion": info.version, "subresource": info.subresource} if info.is_resource else {}
    return Recording(rule, request.audit_id, user, facts, {key: value for key, value in reference.items() if value},
                     request.received)


class _Audited:
    """A request that is recorded."""

    def __init__(self, auditor: Auditor, recording: Recording, request: Request) -> None:
        self._auditor = auditor
        self._recording = recording
        self._request = request

    def tell(self, stage: str) -> Deferred[bool] | None:
        """Pass an event on; who has to wait for it gets a Deferred."""
        return self._auditor.tell(self._recording, stage, self._request.user)

    async def received(self) -> bool:
        """False when the first event is lost, and that matters."""
        wait = self.tell(REQUEST_RECEIVED)
        if wait is None or not self._auditor.is_strict or await wait:
            return True
        self._auditor.counts.rejected += 1
        return False

    async def complete(self) -> None:
        """What lasts has begun and ended when its answer is whole."""
        if is_long_running(self._request.info):
            self.tell(RESPONSE_STARTED)
        wait = self.tell(RESPONSE_COMPLETE)
        if wait is not None:
            await wait

    async def failed(self, error: StatusError) -> None:
        """Note a refusal; of one that the client can't read as it wants to there is only the code."""
        if status_format(self._request) is None:
            self._recording.answered(error.code, None)
        else:
            self._recording.failed(error.status())
        await self.complete()

    async def answered(self, response: Response) -> Response:
        """Note the answer; one that is streamed is complete when its stream has ended."""
        recording = self._recording
        if isinstance(response, StreamingResponse):
            recording.answered(response.code, None)
            if is_long_running(self._request.info):
                self.tell(RESPONSE_STARTED)
            return StreamingResponse(
                lambda stream: response.begin(AuditedStream(stream, lambda: self.tell(RESPONSE_COMPLETE))),
                response.content_type, response.code, response.headers)
        wanted = response.code >= 400 or recording.level >= Level.REQUEST_RESPONSE or b'"Status"' in response.body[:64]
        recording.answered(response.code, answered_object(response) if wanted else None)
        await self.complete()
        return response


def _panic(error: Exception) -> dict[str, Any]:
    return {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "InternalError", "code": 500,
            "message": f"APIServer panic'd: {error}"}
