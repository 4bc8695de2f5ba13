"""Strategies of ``storage.k8s.io``."""

from __future__ import annotations

from kube_twisted.registry.storage import (
    csidriver,
    csinode,
    csistoragecapacity,
    storageclass,
    volumeattachment,
    volumeattributesclass,
)
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "csidrivers": csidriver.STRATEGY,
    "csinodes": csinode.STRATEGY,
    "csistoragecapacities": csistoragecapacity.STRATEGY,
    "storageclasses": storageclass.STRATEGY,
    "volumeattachments": volumeattachment.STRATEGY,
    "volumeattachments/status": volumeattachment.STATUS,
    "volumeattributesclasses": volumeattributesclass.STRATEGY,
}
