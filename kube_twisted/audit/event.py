"""One event of the audit log, as audit.k8s.io/v1 has it, and as a line of the old format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import orjson
from attrs import define

from kube_twisted.api.field import go_quote

#: The annotation of events whose objects were left out because they were too large.
_TRUNCATED = "audit.k8s.io/truncated"


@define(slots=False)
class Event:
    """An event; not to be changed.

    :ivar fields: in the order in which they are written; what is absent has no value.
    """

    fields: Mapping[str, Any]

    @cached_property
    def json(self) -> bytes:
        """One line without its end."""
        return orjson.dumps(self.fields)

    def truncated(self) -> Event:
        """The event without the objects of request and response."""
        fields = {key: value for key, value in self.fields.items() if key not in ("requestObject", "responseObject")}
        return Event({**fields, "annotations": {**fields.get("annotations", {}), _TRUNCATED: "true"}})

    @cached_property
    def legacy(self) -> bytes:
        """One line without its end, in the format ``legacy``."""
        fields = self.fields
        user, other = fields["user"], fields.get("impersonatedUser")
        return (
            f"{_shortest(fields['requestReceivedTimestamp'])} AUDIT: id={go_quote(fields['auditID'])} "
            f"stage={go_quote(fields['stage'])} ip={go_quote(next(iter(fields.get('sourceIPs', ())), '<unknown>'))} "
            f"method={go_quote(fields['verb'])} user={go_quote(user.get('username') or '<none>')} "
            f"groups={_quoted(user.get('groups'), '<none>')} "
            f"as={go_quote(other['username'] if other is not None else '<self>')} "
            f"asgroups={_quoted(other.get('groups') if other is not None else None, '<lookup>')} "
            f"user-agent={go_quote(fields.get('userAgent', ''))} "
            f"namespace={go_quote(fields.get('objectRef', {}).get('namespace') or '<none>')} "
            f"uri={go_quote(fields['requestURI'])} "
            f"response=\"{fields['responseStatus'].get('code', 0) if 'responseStatus' in fields else '<deferred>'}\""
        ).encode()


def _quoted(groups: Sequence[str] | None, otherwise: str) -> str:
    """A list whose texts are quoted, and the whole once more."""
    return go_quote(",".join(map(go_quote, groups)) if groups else otherwise)


def _shortest(time: str) -> str:
    """A time without the zeros at its end."""
    return time.rstrip("Z").rstrip("0").rstrip(".") + "Z"
