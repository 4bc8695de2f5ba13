"""Warnings about ports of a pod's containers that are in one another's way."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import go_quote

Obj = dict[str, Any]


def port_warnings(containers: list[tuple[str, Obj]]) -> list[str]:
    """Ports and names that are taken twice.

    :param containers: all containers with their paths.
    """
    ports = [port for _, container in containers if "ports" in container for port in container["ports"] or ()]
    if len(ports) < 2 and not any("hostIP" in port for port in ports):
        return []
    places = [(f"{path}.ports[{index}]", port) for path, container in containers
              for index, port in enumerate(container.get("ports") or ())]
    return _numbers(places) + _names(places)


def _numbers(places: list[tuple[str, Obj]]) -> list[str]:
    warnings = []
    taken: dict[tuple[int, str], list[tuple[str, Obj]]] = {}
    for path, port in places:
        if port.get("hostIP") and not port.get("hostPort"):
            warnings.append(f"{path}: hostIP set without hostPort: {_go_struct(port)}")
        others = taken.setdefault((port.get("containerPort", 0), port.get("protocol", "")), [])
        for other_path, other in others:
            how = _clash(port, other)
            if how:
                warnings.append(f"{path}: {how} port definition with {other_path}")
        others.append((path, port))
    return warnings


def _clash(port: Obj, other: Obj) -> str:
    addresses = port.get("hostIP", ""), other.get("hostIP", "")
    hosts = port.get("hostPort", 0), other.get("hostPort", 0)
    if addresses[0] == addresses[1] and hosts[0] == hosts[1]:
        return "duplicate"
    if not all(hosts):
        return "overlapping"
    if hosts[0] == hosts[1] and bool(addresses[0]) != bool(addresses[1]):
        return "dangerously ambiguous"
    return ""


def _go_struct(port: Obj) -> str:
    """The port as Go prints a struct with ``%+v``."""
    fields = (("Name", ""), ("HostPort", 0), ("ContainerPort", 0), ("Protocol", ""), ("HostIP", ""))
    texts = (f"{name}:{port.get(name[0].lower() + name[1:], zero)}" for name, zero in fields)
    return "{" + " ".join(texts) + "}"


def _names(places: list[tuple[str, Obj]]) -> list[str]:
    warnings = []
    named: dict[str, str] = {}
    for path, port in places:
        name = port.get("name")
        if name and name in named:
            warnings.append(f"{path}: duplicate port name {go_quote(name)} with {named[name]}, services and "
                            f"probes that select ports by name will use {named[name]}")
        elif name:
            named[name] = path
    return warnings
