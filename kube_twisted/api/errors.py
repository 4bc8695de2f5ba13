"""Errors that carry their ``Status``: raised anywhere, written once, by the HTTP layer.

The wording and the reasons follow apimachinery's ``pkg/api/errors``.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, go_quote, to_aggregate
from kube_twisted.api.gvk import GroupKind, GroupResource


class StatusError(Exception):
    """An error with its ``Status`` object.

    :ivar code: the HTTP status code.
    :ivar headers: further headers of the answer, such as ``Retry-After``.
    """

    def __init__(self, code: int, reason: str, message: str, details: dict[str, Any] | None = None,
                 headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.details = details
        self.headers = headers or {}
        #: the Status' own metadata: a fresh continue token when a list expired
        self.list_meta: dict[str, Any] = {}

    def status(self) -> dict[str, Any]:
        """The ``v1.Status`` object."""
        body: dict[str, Any] = {"kind": "Status", "apiVersion": "v1", "metadata": self.list_meta, "status": "Failure"}
        if self.message:
            body["message"] = self.message
        if self.reason:
            body["reason"] = self.reason
        if self.details is not None:
            body["details"] = self.details
        body["code"] = self.code
        return body


def _details(group: str, kind: str, name: str = "", **more: Any) -> dict[str, Any]:
    details: dict[str, Any] = {}
    if name:
        details["name"] = name
    if group:
        details["group"] = group
    if kind:
        details["kind"] = kind
    details.update((key, value) for key, value in more.items() if value)
    return details


def not_found(resource: GroupResource, name: str) -> StatusError:
    return StatusError(404, "NotFound", f"{resource} {go_quote(name)} not found",
                       _details(resource.group, resource.resource, name))


def resource_not_found() -> StatusError:
    """No such path under a known API prefix."""
    return StatusError(404, "NotFound", "the server could not find the requested resource", {})


def already_exists(resource: GroupResource, name: str) -> StatusError:
    return StatusError(409, "AlreadyExists", f'{resource} "{name}" already exists',
                       _details(resource.group, resource.resource, name))


def generate_name_conflict(resource: GroupResource, name: str, retry_seconds: int = 1) -> StatusError:
    """All attempts to find a free generated name collided."""
    return StatusError(409, "AlreadyExists", f'{resource} "{name}" already exists, the server was not able to generate '
                       "a unique name for the object", _details(resource.group, resource.resource, name,
                                                               retryAfterSeconds=retry_seconds),
                       {"Retry-After": str(retry_seconds)})


def conflict(resource: GroupResource, name: str, why: str) -> StatusError:
    return StatusError(409, "Conflict", f'Operation cannot be fulfilled on {resource} "{name}": {why}',
                       _details(resource.group, resource.resource, name))


MODIFIED = "the object has been modified; please apply your changes to the latest version and try again"


def invalid(kind: GroupKind, name: str, errors: list[FieldError]) -> StatusError:
    """422 with one cause per field error."""
    return StatusError(422, "Invalid", f'{kind} "{name}" is invalid: {to_aggregate(errors)}',
                       _details(kind.group, kind.kind, name, causes=[one.cause() for one in errors]))


def bad_request(message: str) -> StatusError:
    return StatusError(400, "BadRequest", message)


def unauthorized() -> StatusError:
    return StatusError(401, "Unauthorized", "Unauthorized")


def forbidden(resource: GroupResource, name: str, why: str, causes: list[dict[str, Any]] | None = None) -> StatusError:
    """403; ``why`` is wording after the resource's name."""
    if not resource.resource:
        message = f"forbidden: {why}"
    elif name:
        message = f'{resource} "{name}" is forbidden: {why}'
    else:
        message = f"{resource} is forbidden: {why}"
    return StatusError(403, "Forbidden", message, _details(resource.group, resource.resource, name, causes=causes))


def method_not_allowed() -> StatusError:
    """The path is known, but not with this HTTP method."""
    return StatusError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {})


def method_not_supported(resource: GroupResource, action: str) -> StatusError:
    """The resource is known, but not with this verb: what custom resources answer."""
    return StatusError(405, "MethodNotAllowed", f'{action} is not supported on resources of kind "{resource}"',
                       _details(resource.group, resource.resource, ""))


def not_acceptable(accepted: list[str]) -> StatusError:
    return StatusError(406, "NotAcceptable", "only the following media types are accepted: " + ", ".join(accepted))


def unsupported_media_type(accepted: list[str]) -> StatusError:
    return StatusError(415, "UnsupportedMediaType", "the body of the request was in an unknown format - accepted media "
                       "types include: " + ", ".join(accepted))


def request_entity_too_large(message: str) -> StatusError:
    return StatusError(413, "RequestEntityTooLarge", f"Request entity too large: {message}")


def resource_expired(message: str) -> StatusError:
    """410: the revision asked for is no longer kept."""
    return StatusError(410, "Expired", message)


def timeout(message: str, retry_seconds: int = 0) -> StatusError:
    if not retry_seconds:
        return StatusError(504, "Timeout", f"Timeout: {message}", {})
    return StatusError(504, "Timeout", f"Timeout: {message}", {"retryAfterSeconds": retry_seconds},
                       {"Retry-After": str(retry_seconds)})


def too_large_resource_version(asked: int, current: int, retry_seconds: int = 1) -> StatusError:
    """504: the revision asked for lies in the future."""
    message = f"Too large resource version: {asked}, current: {current}"
    error = timeout(message, retry_seconds)
    assert error.details is not None
    error.details = {"causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}],
                     **error.details}
    return error


def too_many_requests(message: str, retry_seconds: int) -> StatusError:
    return StatusError(429, "TooManyRequests", message, {"retryAfterSeconds": retry_seconds},
                       {"Retry-After": str(retry_seconds)})


def service_unavailable(message: str) -> StatusError:
    return StatusError(503, "ServiceUnavailable", message)


def internal_error(message: str) -> StatusError:
    return StatusError(500, "InternalError", f"Internal error occurred: {message}",
                       {"causes": [{"message": message}]})


def plain_internal(message: str) -> StatusError:
    """A 500 without a reason, which is what the original makes of an error that is no Status."""
    return StatusError(500, "", message)
