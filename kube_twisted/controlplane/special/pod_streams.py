"""``pods/exec``, ``pods/attach`` and ``pods/portforward``: streams to a pod through its node's kubelet."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource, GroupVersion
from kube_twisted.authorization.interfaces import Attributes, IAuthorizer
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.locations import chosen_container, find, kubelet, not_connecting
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.options import Reader, boolean, text
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.special.connecting import UPGRADE_METHODS, ConnectEndpoint, Connection

_V1 = GroupVersion("", "v1")
_ATTACH: Mapping[str, Reader] = {"stdin": boolean, "stdout": boolean, "stderr": boolean, "tty": boolean,
                                 "container": text}


def pod_exec(options: RESTOptions) -> Mapping[str, Handler]:
    return _stream(options, "exec", "PodExecOptions", _ATTACH, ("command",), in_container=True)


def pod_attach(options: RESTOptions) -> Mapping[str, Handler]:
    return _stream(options, "attach", "PodAttachOptions", _ATTACH, in_container=True)


def pod_port_forward(options: RESTOptions) -> Mapping[str, Handler]:
    return _stream(options, "portforward", "PodPortForwardOptions", {}, in_container=False)


def _stream(options: RESTOptions, subresource: str, kind: str, readers: Mapping[str, Reader],
            lists: tuple[str, ...] = (), *, in_container: bool) -> Mapping[str, Handler]:
    streams = _Streams(options.stores, options.authorizer, in_container)
    endpoint = ConnectEndpoint(_V1.resource("pods"), subresource, _V1.kind(kind), UPGRADE_METHODS,
                               options.admission, streams.connect, readers, lists)
    return {"connect": endpoint.handle}


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
