"""CustomResourceDefinitions: what a definition may say. Serving the defined resources is done elsewhere."""

from __future__ import annotations

from kube_twisted.registry.apiextensions import customresourcedefinition
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "customresourcedefinitions": customresourcedefinition.STRATEGY,
    "customresourcedefinitions/status": customresourcedefinition.STATUS,
}
