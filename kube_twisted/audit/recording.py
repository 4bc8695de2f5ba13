"""What is recorded of one request while it is on its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

import orjson

from kube_twisted.api.user import UserInfo
from kube_twisted.audit.event import Event
from kube_twisted.audit.levels import LEVEL_NAMES, REQUEST_RECEIVED, Level
from kube_twisted.audit.objects import as_logged
from kube_twisted.audit.policy import Rule

_HEAD = {"kind": "Event", "apiVersion": "audit.k8s.io/v1"}
_LONGEST_USER_AGENT = 1024
#: Begins the keys of annotations with patches, which are for those who log bodies.
_PATCHES = "patch.webhook.admission.k8s.io/"
#: What of a Status is kept; all of it has a bound.
_STATUS_FIELDS = ("status", "message", "reason", "details", "code")


def micro_time(seconds: float) -> str:
    """A ``metav1.MicroTime``."""
    whole, rest = divmod(int(seconds * 1_000_000), 1_000_000)
    return f"{_second(whole)}.{rest:06}Z"


@lru_cache(maxsize=16)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


class Recording:
    """Gathers what events say.

    :param rule: how much.
    :param request: requestURI, verb and what else is known from the beginning, in the order of events.
    :param reference: the objectRef; None for requests that are not about resources.
    :param received: in seconds since the epoch.
    """

    def __init__(self, rule: Rule, audit_id: str, user: UserInfo | None, request: Mapping[str, Any],
                 reference: Mapping[str, str] | None, received: float) -> None:
        self.rule = rule
        self.level = rule.level
        self.user = user
        self.uri: str = request["requestURI"]
        self._audit_id = audit_id
        self._request = request
        self._reference: dict[str, str] = {**reference} if reference is not None else {}
        self._received = received
        self._objects: dict[str, orjson.Fragment] = {}
        self._status: dict[str, Any] | None = None
        self._annotations: dict[str, str] = {}

    # -- what becomes known ---------------------------------------------------------------------------------------

    def annotate(self, key: str, value: str) -> None:
        """Add an annotation; the first of a key stays. Patches are for those who log bodies."""
        if self.level >= Level.REQUEST or not key.startswith(_PATCHES):
            self._annotations.setdefault(key, value)

    def request_object(self, obj: Mapping[str, Any]) -> None:
        """What was sent, decoded, in its version; completes what the events are about."""
        metadata = obj.get("metadata")
        if isinstance(metadata, dict):
            for key in ("namespace", "name", "uid", "resourceVersion"):
                if metadata.get(key):
                    self._reference.setdefault(key, metadata[key])
        if self.level >= Level.REQUEST:
            self._objects["requestObject"] = as_logged(obj, self.rule.omit_managed_fields)

    def request_patch(self, raw: bytes) -> None:
        """The patch that was sent, JSON or YAML; what is neither is not recorded."""
        if self.level >= Level.REQUEST:
            from kube_twisted.codec import yaml

            with suppress(ValueError):
                self._objects["requestObject"] = orjson.Fragment(orjson.dumps(yaml.parse(raw)[0]))

    def answered(self, code: int, document: Mapping[str, Any] | None) -> None:
        """:param document: the object of the answer; None for other answers, and where nobody wants to know."""
        self._status = {"metadata": {}, "code": code}
        if document is None:
            return
        if (document.get("kind"), document.get("apiVersion")) == ("Status", "v1"):
            self.failed({**document, "code": code})
        if self.level >= Level.REQUEST_RESPONSE:
            self._objects["responseObject"] = as_logged(document, self.rule.omit_managed_fields)

    def failed(self, status: Mapping[str, Any]) -> None:
        """The answer is a Status."""
        self._status = {"metadata": {}, **{key: status[key] for key in _STATUS_FIELDS
                                           if status.get(key) not in (None, "")}}
        if self.level >= Level.REQUEST_RESPONSE:
            self._objects["responseObject"] = as_logged(status, False)

    # -- events ---------------------------------------------------------------------------------------------------

    def wants(self, stage: str) -> bool:
        return stage not in self.rule.omit_stages

    def event(self, stage: str, now: float, user: UserInfo | None = None) -> Event:
        """The event of a stage.

        :param user: as whom the request goes on, if that is somebody else.
        """
        fields: dict[str, Any] = {**_HEAD, "level": LEVEL_NAMES[self.level], "auditID": self._audit_id, "stage": stage,
                                  "requestURI": self._request["requestURI"], "verb": self._request["verb"],
                                  "user": user_fields(self.user)}
        if user is not None and user is not self.user:
            fields["impersonatedUser"] = user_fields(user)
        if self._request["sourceIPs"]:
            fields["sourceIPs"] = self._request["sourceIPs"]
        if self._request["userAgent"]:
            fields["userAgent"] = self._request["userAgent"]
        if self._reference:
            fields["objectRef"] = {key: self._reference[key] for key in _REFERENCE if self._reference.get(key)}
        if self._status is not None:
            fields["responseStatus"] = self._status
        for key in ("requestObject", "responseObject"):
            if key in self._objects:
                fields[key] = self._objects[key]
        fields["requestReceivedTimestamp"] = micro_time(self._received)
        fields["stageTimestamp"] = micro_time(self._received if stage == REQUEST_RECEIVED else now)
        if self._annotations:
            fields["annotations"] = dict(sorted(self._annotations.items()))
        return Event(fields)


#: The fields of an objectRef in their order.
_REFERENCE = ("resource", "namespace", "name", "uid", "apiGroup", "apiVersion", "resourceVersion", "subresource")


def user_fields(user: UserInfo | None) -> dict[str, Any]:
    """A user as events show it; nothing of nobody."""
    if user is None:
        return {}
    fields = {"username": user.name, "uid": user.uid, "groups": user.groups,
              "extra": {key: user.extra[key] for key in sorted(user.extra)}}
    return {key: value for key, value in fields.items() if value}


def shortened(user_agent: str) -> str:
    """A User-Agent header, cut when it is very long."""
    if len(user_agent) <= _LONGEST_USER_AGENT:
        return user_agent
    return user_agent[:_LONGEST_USER_AGENT] + "...TRUNCATED"


def source_ips(forwarded: str, real: str, remote: str) -> Sequence[str]:
    """Where a request comes from, the client first: the headers X-Forwarded-For and X-Real-Ip, and the connection."""
    found = [address for part in forwarded.split(",") if (address := _address(part))] if forwarded else []
    if (address := _address(real)) and address not in found:
        found.append(address)
    if (address := _address(remote)) and found[-1:] != [address]:
        found.append(address)
    return found


@lru_cache(maxsize=1024)
def _address(text: str) -> str:
    """An IP address as it is usually written; empty for what is none."""
    if not text:
        return ""
    try:
        return str(ip_address(text.strip()))
    except ValueError:
        return ""
