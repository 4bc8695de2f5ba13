"""Which node ports a Service gets, and which it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from kube_twisted.api import errors
from kube_twisted.api.field import invalid
from kube_twisted.controlplane.services.cluster_ips import SERVICE
from kube_twisted.controlplane.services.refusal import Refused
from kube_twisted.registry.core.service_types import needs_health_check, needs_node_port, node_ports
from kube_twisted.registry.strategy import Obj


class Wishes(Protocol):
    """The ports that one write of a Service wants."""

    def require(self, port: int) -> None:
        """:raises Refused: when the port can't be had."""

    def pick(self) -> int:
        """Any free port.

        :raises Refused: when there is none.
        """


def held_ports(spec: Obj | None) -> set[int]:
    """The node ports of a Service, that of its health check among them."""
    if spec is None or not needs_node_port(spec):
        return set()
    health = spec.get("healthCheckNodePort") if needs_health_check(spec) else None
    return node_ports(spec) | ({health} if health else set())


def give_ports(wishes: Wishes, name: str, spec: Obj, old: Obj | None) -> Callable[[], None] | None:
    """Give a Service the ports that its type is due; those it asks for are looked at.

    :param old: the spec before, None for a new Service.
    :returns: how to take them back; None when the type has none.
    :raises StatusError: 422 when a port can't be had, 500 when there are no more.
    """
    if not needs_node_port(spec):
        return None
    given = [(port, port.get("nodePort")) for port in spec.get("ports") or ()]
    health = spec.get("healthCheckNodePort")
    if old is None:
        _for_new_service(wishes, name, spec)
    else:
        _for_changed_service(wishes, name, spec, held_ports({**old, "healthCheckNodePort": 0}))
    if needs_health_check(spec) and not (old is not None and needs_health_check(old)):
        _for_health_check(wishes, spec)

    def take_back() -> None:
        for holder, field, value in [*((port, "nodePort", before) for port, before in given),
                                     (spec, "healthCheckNodePort", health)]:
            if value is None:
                holder.pop(field, None)
            else:
                holder[field] = value

    return take_back


def _wants_any(spec: Obj) -> bool:
    """Whether ports that ask for nothing get something."""
    return bool(spec.get("type") == "NodePort" or spec.get("allocateLoadBalancerNodePorts"))


def _for_new_service(wishes: Wishes, name: str, spec: Obj) -> None:
    """Ports of one number, which differ in protocol, share a node port."""
    shared: dict[int, int] = {}
    all_ports = spec.get("ports") or []
    for index, port in enumerate(all_ports):
        asked, number = port.get("nodePort") or 0, port.get("port", 0)
        if not asked and not _wants_any(spec):
            continue
        if number in shared:
            if asked and asked != shared[number]:
                _require(wishes, name, index, asked)
            port["nodePort"] = asked or shared[number]
            continue
        wanted = next((one["nodePort"] for one in all_ports if one.get("port") == number and one.get("nodePort")), 0)
        if wanted:
            _require(wishes, name, index, wanted)
        port["nodePort"] = shared[number] = wanted or _pick(wishes)


def _for_changed_service(wishes: Wishes, name: str, spec: Obj, held: set[int]) -> None:
    """Ports that the Service has already stay."""
    asked_for: set[int] = set()
    seen: set[tuple[str, int]] = set()
    for index, port in enumerate(spec.get("ports") or ()):
        asked = port.get("nodePort") or 0
        if asked and asked not in held and asked not in asked_for:
            _require(wishes, name, index, asked)
            asked_for.add(asked)
        elif not asked:
            if not _wants_any(spec):
                continue
            port["nodePort"] = _pick(wishes)
        one = (port.get("protocol", ""), port["nodePort"])
        if one in seen:
            raise errors.plain_internal(f"duplicate nodePort: {{{one[0]} {one[1]}}}")
        seen.add(one)


def _for_health_check(wishes: Wishes, spec: Obj) -> None:
    asked = spec.get("healthCheckNodePort")
    try:
        if asked:
            wishes.require(asked)
        else:
            spec["healthCheckNodePort"] = wishes.pick()
    except Refused as refused:
        what = f"requested HealthCheck NodePort {asked}" if asked else "a HealthCheck NodePort 0"
        raise errors.internal_error(f"failed to allocate {what}: {refused}") from None


def _require(wishes: Wishes, name: str, index: int, port: int) -> None:
    try:
        wishes.require(port)
    except Refused as refused:
        raise errors.invalid(SERVICE, name, [invalid(f"spec.ports[{index}].nodePort", port, str(refused))]) from None


def _pick(wishes: Wishes) -> int:
    try:
        return wishes.pick()
    except Refused as refused:
        raise errors.internal_error(f"failed to allocate a nodePort: {refused}") from None
