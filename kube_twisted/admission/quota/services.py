"""What Services use: their number, node ports and load balancers."""

from __future__ import annotations

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.quota.evaluator import Evaluator, Obj
from kube_twisted.admission.resource_lists import ONE, ZERO, ResourceList
from kube_twisted.admission.resources import SERVICES
from kube_twisted.api.quantity import Quantity

_COUNT, _NODE_PORTS, _LOAD_BALANCERS = "count/services", "services.nodeports", "services.loadbalancers"


class ServiceEvaluator(Evaluator):
    """Measures Services, also when their type changes."""

    def __init__(self) -> None:
        super().__init__(SERVICES)
        self.names = frozenset({_COUNT, "services", _NODE_PORTS, _LOAD_BALANCERS})

    def handles(self, attributes: Attributes) -> bool:
        return attributes.operation in ("CREATE", "UPDATE") and not attributes.subresource

    def usage(self, obj: Obj) -> ResourceList:
        spec = obj["spec"]
        ports, kind = spec.get("ports") or (), spec.get("type")
        node_ports = 0
        if kind == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is False:
            node_ports = sum(1 for port in ports if port.get("nodePort"))
        elif kind in ("NodePort", "LoadBalancer"):
            node_ports = len(ports)
        return {_COUNT: ONE, "services": ONE, _NODE_PORTS: Quantity.of(node_ports),
                _LOAD_BALANCERS: ONE if kind == "LoadBalancer" else ZERO}
