"""Workloads of apps to test with: the smallest valid ones, as created."""

from __future__ import annotations

import copy
from typing import Any

from kube_twisted.registry.strategy import Strategy
from tests.registry.podspec.pods import CONTEXT, Obj, container


def workload(strategy: Strategy, name: str = "web", /, **spec: Any) -> Obj:
    """A workload with its defaults, prepared for creation; keywords are fields of its spec."""
    obj: Obj = {"metadata": {"name": name},
                "spec": {"selector": {"matchLabels": {"app": "a"}},
                         "template": {"metadata": {"labels": {"app": "a"}},
                                      "spec": {"containers": [container()]}}}
                | copy.deepcopy(spec)}
    strategy.default(obj)
    strategy.prepare_for_create(CONTEXT, obj)
    return obj


def errors_of(strategy: Strategy, /, **spec: Any) -> list[str]:
    """What is wrong with a new workload."""
    return [str(error) for error in strategy.validate(CONTEXT, workload(strategy, **spec))]


def update(strategy: Strategy, new: Obj, old: Obj) -> list[str]:
    """What is wrong with a change, after its preparation."""
    strategy.prepare_for_update(CONTEXT, new, old)
    return [str(error) for error in strategy.validate_update(CONTEXT, new, old)]
