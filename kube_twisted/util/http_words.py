"""What Go's ``net/http`` says of a request that came to nothing."""

from __future__ import annotations

import json
import re

from OpenSSL import SSL
from twisted.internet.defer import CancelledError
from twisted.internet.error import ConnectingCancelledError, ConnectionDone, ConnectionLost
from twisted.web._newclient import ParseError
from twisted.web.client import RequestTransmissionFailed, ResponseFailed

from kube_twisted.util.tls import CertificateRefused

EOF = "EOF"
_PLAIN_HTTP = "http: server gave HTTP response to HTTPS client"
_BROKEN = "net/http: HTTP/1.x transport connection broken: malformed HTTP response"
_ALERT = re.compile(r" alert (.+)$")
#: Alerts of servers that Go calls otherwise than OpenSSL does.
_ALERTS = {"unknown ca": "unknown certificate authority", "protocol version": "protocol version not supported",
           "decode error": "error decoding message", "unrecognized name": "unrecognized name",
           "decrypt error": "error decrypting message"}
_CONNECTION_RESET = 104


def words(error: BaseException) -> str:
    """Why there is no answer, or no end of it."""
    error = _cause(error)
    if isinstance(error, CertificateRefused):
        return str(error)
    if isinstance(error, SSL.Error):
        return _tls_words(error)
    if isinstance(error, ParseError):
        return f"{_BROKEN} {_quoted(error)}"
    if isinstance(error, ConnectionLost) and f"[Errno {_CONNECTION_RESET}]" in str(error):
        return "read: connection reset by peer"
    if isinstance(error, (ConnectionDone, ConnectionLost)):
        return EOF
    return str(error) or type(error).__name__


def is_cancelled(error: BaseException) -> bool:
    """Whether nobody wants the answer any more."""
    return isinstance(_cause(error), (CancelledError, ConnectingCancelledError))


def _cause(error: BaseException) -> BaseException:
    """What is behind Twisted's wrappers; a broken answer rather than the end of its connection."""
    while isinstance(error, (ResponseFailed, RequestTransmissionFailed)) and error.reasons:
        causes = [one.value for one in error.reasons]
        error = next((one for one in causes if isinstance(one, (ParseError, CancelledError))), causes[0])
    return error


def _tls_words(error: SSL.Error) -> str:
    reasons = [one[-1] for one in error.args[0]] if error.args and isinstance(error.args[0], list) else []
    if not reasons:
        return EOF
    reason = str(reasons[0])
    alert = _ALERT.search(reason)
    if alert is not None:
        return f"remote error: tls: {_ALERTS.get(alert[1], alert[1])}"
    if reason in ("wrong version number", "http request", "packet length too long"):
        return _PLAIN_HTTP
    return f"tls: {reason}"


def _quoted(error: ParseError) -> str:
    data = error.args[-1]
    return json.dumps(data.decode("latin-1") if isinstance(data, bytes) else str(data))
