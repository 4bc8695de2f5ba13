"""The handler chain: ONE ordered list of filters, built once at start.

A request passes from the first to the last, its answer back. A filter is a function from a handler to a handler; a
chain of coroutines run eagerly costs a fraction of a microsecond each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from kube_twisted.authentication.union import UnionAuthenticator
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.endpoints.request import Handler
from kube_twisted.server.filters.access import with_authentication, with_authorization
from kube_twisted.server.filters.cors import with_cors
from kube_twisted.server.filters.headers import with_audit_id
from kube_twisted.server.filters.impersonation import with_impersonation
from kube_twisted.server.filters.inflight import InFlight
from kube_twisted.server.filters.readiness import with_mux_complete, with_retry_after
from kube_twisted.server.filters.recovery import with_panic_recovery
from kube_twisted.server.filters.request_info import with_request_info
from kube_twisted.server.filters.timeout import with_timeout
from kube_twisted.server.lifecycle import LifecycleSignals
from kube_twisted.server.metrics import Metrics
from kube_twisted.util.clock import Clock

if TYPE_CHECKING:
    from kube_twisted.audit.auditor import Auditor

Filter = Callable[[Handler], Handler]


@frozen
class ChainParts:
    """What the filters need.

    :ivar auditor: None where nothing is audited.
    :ivar origins: of web pages that may talk to the server.
    :ivar limit: the filter that keeps requests from being too many.
    """

    clock: Clock
    signals: LifecycleSignals
    authenticator: UnionAuthenticator
    authorizer: IAuthorizer
    in_flight: InFlight
    metrics: Metrics
    request_timeout: float
    limit: Filter
    auditor: Auditor | None = None
    origins: Sequence[re.Pattern[str]] = ()


def filters(parts: ChainParts) -> list[Filter]:
    """The filters, outermost first."""
    auditor = parts.auditor
    return [
        with_audit_id,
        with_request_info,
        parts.metrics.filter,
        *([lambda handler: with_cors(handler, parts.origins)] if parts.origins else []),
        with_panic_recovery,
        lambda handler: with_retry_after(handler, parts.signals.not_accepting_new_request),
        lambda handler: with_mux_complete(handler, parts.signals.mux_and_discovery_complete),
        parts.in_flight.filter,
        lambda handler: with_timeout(handler, parts.clock, parts.request_timeout),
        lambda handler: with_authentication(handler, parts.authenticator, auditor),
        *([_audited(auditor)] if auditor is not None else []),
        lambda handler: with_impersonation(handler, parts.authorizer),
        parts.limit,
        lambda handler: with_authorization(handler, parts.authorizer),
    ]


def _audited(auditor: Auditor) -> Filter:
    from kube_twisted.server.filters.audit import with_audit  # few servers audit

    return lambda handler: with_audit(handler, auditor)


def build_handler_chain(mux: Handler, parts: ChainParts) -> Handler:
    """Put the filters around what answers requests."""
    handler = mux
    for wrap in reversed(filters(parts)):
        handler = wrap(handler)
    return handler
