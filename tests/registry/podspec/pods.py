"""Pods and containers to test with: the smallest valid ones, defaulted, with changes."""

from __future__ import annotations

import copy
from typing import Any

from kube_twisted.registry.core.pod import STRATEGY
from kube_twisted.registry.podspec.pod import validate_pod
from kube_twisted.registry.strategy import WriteContext

Obj = dict[str, Any]

NOW = "2026-01-02T03:04:05Z"
CONTEXT = WriteContext(now=NOW, namespace="default")


def container(**fields: Any) -> Obj:
    """A container as decoded."""
    return {"name": "app", "image": "app:1", "resources": {}} | fields


def pod(*containers: Obj, metadata: Obj | None = None, **spec: Any) -> Obj:
    """A pod with its defaults; keywords are fields of its spec."""
    made = {"metadata": {"name": "web"} | (metadata or {}),
            "spec": {"containers": list(containers) or [container()]} | copy.deepcopy(spec)}
    STRATEGY.default(made)
    return made


def errors_of(made: Obj) -> list[str]:
    """What is wrong with a new pod, as texts."""
    return [str(error) for error in validate_pod(made)]


def container_errors(**fields: Any) -> list[str]:
    """What is wrong with a pod whose container has these fields, below the container's path."""
    return [text.removeprefix("spec.containers[0].") for text in errors_of(pod(container(**fields)))]


def spec_errors(**fields: Any) -> list[str]:
    """What is wrong with a pod whose spec has these fields, below the spec's path."""
    return [text.removeprefix("spec.") for text in errors_of(pod(**fields))]
