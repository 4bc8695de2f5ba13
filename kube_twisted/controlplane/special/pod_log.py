"""``pods/log``: the output of a container, which its node's kubelet keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError, forbidden, invalid
from kube_twisted.api.gvk import GroupKind
from kube_twisted.api.timefmt import parse_time
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.locations import chosen_container, find, kubelet, not_connecting
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.options import Reader, boolean, integer, read_options, text
from kube_twisted.endpoints.request import Handler, Request, Response

_NO_CONTENT = 204


def _time(value: str) -> str:
    """:raises StatusError: 400."""
    try:
        parse_time(value)
    except ValueError as error:
        raise errors.bad_request(str(error)) from error
    return value


_READERS: Mapping[str, Reader] = {
    "container": text, "follow": boolean, "previous": boolean, "sinceSeconds": integer, "sinceTime": _time,
    "timestamps": boolean, "tailLines": integer, "limitBytes": integer, "stream": text,
    "insecureSkipTLSVerifyBackend": boolean,
}


def pod_log(options: RESTOptions) -> Mapping[str, Handler]:
    """The subresource of a pod."""
    return {"get": _Logs(options.stores).get}


@frozen
class _Logs:
    stores: Stores

    async def get(self, request: Request) -> Response:
        """204 for a pod without a node.

        :raises StatusError: 400, 404, 422; 501 when a kubelet would have to be asked.
        """
        options = read_options(request, _READERS)
        name = request.info.name
        failures = _validate(options)
        if failures:
            raise errors.invalid(GroupKind("", "PodLogOptions"), name, failures)
        pod = find(self.stores, "pods", request.info.namespace, name)
        chosen_container(pod, options.get("container", ""))
        node = pod["spec"].get("nodeName")
        if not node:
            return Response(_NO_CONTENT, b"")
        kubelet(self.stores, node)
        raise not_connecting(f'the kubelet of node "{node}"')


def _validate(options: Mapping[str, Any]) -> list[FieldError]:
    failures = []
    if options.get("tailLines", 0) < 0:
        failures.append(invalid("tailLines", options["tailLines"], "must be greater than or equal to 0"))
    if options.get("limitBytes", 1) < 1:
        failures.append(invalid("limitBytes", options["limitBytes"], "must be greater than 0"))
    if "sinceSeconds" in options and "sinceTime" in options:
        failures.append(forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"))
    elif options.get("sinceSeconds", 1) < 1:
        failures.append(invalid("sinceSeconds", options["sinceSeconds"], "must be greater than 0"))
    if options.get("stream"):
        failures.append(forbidden("stream", "may not be specified"))
    return failures
