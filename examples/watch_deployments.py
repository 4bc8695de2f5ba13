#!/usr/bin/env python3
"""Tells what happens to Deployments, until it is interrupted.

    pip install lightkube
    KUBECONFIG=data/admin.kubeconfig python3 examples/watch_deployments.py

In another terminal: kubectl apply -f examples/deployment.yaml; kubectl scale deployment hello --replicas=5
"""

from contextlib import suppress

from lightkube import Client
from lightkube.resources.apps_v1 import Deployment


def main() -> None:
    """Begin with the Deployments that are there, then follow."""
    client = Client()
    for event, deployment in client.watch(Deployment, namespace="*"):
        name = f"{deployment.metadata.namespace}/{deployment.metadata.name}"
        print(f"{event:8} {name}: {deployment.spec.replicas} wanted", flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
