"""``pods/exec``, ``pods/attach`` and ``pods/portforward``: streams to a pod through its node's kubelet."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.errors import StatusError
from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupResource, GroupVersion
from kube_twisted.authorization.interfaces import Attributes, IAuthorizer
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.locations import chosen_container, find, kubelet, not_connecting
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.options import Reader, boolean, text
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.special.connecting import UPGRADE_METHODS, ConnectEndpoint, Connection, ListReader

_V1 = GroupVersion("", "v1")
_ATTACH: Mapping[str, Reader] = {"stdin": boolean, "stdout": boolean, "stderr": boolean, "tty": boolean,
                                 "container": text}
_NO_LISTS: Mapping[str, ListReader] = {}
_MOST_PORT, _LONGEST_PORT = 2**16 - 1, 5


def pod_exec(options: RESTOptions) -> Mapping[str, Handler]:
    return _stream(options, "exec", "PodExecOptions", _ATTACH, {"command": list}, in_container=True)


def pod_attach(options: RESTOptions) -> Mapping[str, Handler]:
    return _stream(options, "attach", "PodAttachOptions", _ATTACH, in_container=True)


def pod_port_forward(options: RESTOptions) -> Mapping[str, Handler]:
    return _stream(options, "portforward", "PodPortForwardOptions", {}, {"ports": _ports}, in_container=False)


def _stream(options: RESTOptions, subresource: str, kind: str, readers: Mapping[str, Reader],
            lists: Mapping[str, ListReader] = _NO_LISTS, *, in_container: bool) -> Mapping[str, Handler]:
    streams = _Streams(options.stores, options.authorizer, in_container)
    endpoint = ConnectEndpoint(_V1.resource("pods"), subresource, _V1.kind(kind), UPGRADE_METHODS,
                               options.admission, streams.connect, readers, lists)
    return {"connect": endpoint.handle}


def _ports(values: list[str]) -> list[int]:
    """Port numbers, several of them in a value between commas.

    :raises StatusError: 400.
    """
    ports = []
    for one in ",".join(values).split(","):
        if not (one.isascii() and one.isdigit()):
            raise _no_port(one, "invalid syntax")
        if len(one.lstrip("0")) > _LONGEST_PORT or int(one) > _MOST_PORT:
            raise _no_port(one, "value out of range")
        ports.append(int(one))
    return ports


def _no_port(value: str, problem: str) -> StatusError:
    return errors.bad_request(f"cannot convert to []int32: strconv.ParseUint: parsing {go_quote(value)}: {problem}")


@frozen
class _Streams:
    """:ivar in_container: whether the stream belongs to a container rather than the whole pod."""

    stores: Stores
    authorizer: IAuthorizer
    in_container: bool

    async def connect(self, connection: Connection) -> Response:
        """:raises StatusError: 400, 403, 404; 501 when a kubelet would have to be asked."""
        await self._may_create(connection.request)
        pod = find(self.stores, "pods", connection.namespace, connection.name)
        if self.in_container:
            chosen_container(pod, connection.options.get("container", ""))
        node = pod["spec"].get("nodeName")
        if not node:
            raise errors.bad_request(f"pod {connection.name} does not have a host assigned")
        kubelet(self.stores, node)
        raise not_connecting(f'the kubelet of node "{node}"')

    async def _may_create(self, request: Request) -> None:
        """A stream is a creation, with whatever method it is asked for."""
        info = request.info
        if info.verb == "create":
            return
        asked = Attributes(user=request.user, verb="create", group=info.group, version=info.version,
                           resource=info.resource, subresource=info.subresource, namespace=info.namespace,
                           name=info.name, path=info.path)
        decision = await self.authorizer.authorize(asked)
        if not decision.allowed:
            raise errors.forbidden(GroupResource(info.group, info.resource), info.name, decision.reason)
