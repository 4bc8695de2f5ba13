"""Tests of what Deployments, ReplicaSets, DaemonSets and StatefulSets have in common."""

from __future__ import annotations

import copy

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.apps import STRATEGIES
from tests.registry.apps.workloads import errors_of, update, workload
from tests.registry.podspec.pods import CONTEXT, container

KINDS = ("deployments", "replicasets", "daemonsets", "statefulsets")


class CommonTests(SynchronousTestCase):
    """Every kind with a selector and a template."""

    def test_facts(self) -> None:
        """They count generations, have a status of their own, and take their pods with them."""
        for kind in KINDS:
            strategy = STRATEGIES[kind]
            self.assertTrue(strategy.has_generation)
            self.assertEqual(strategy.garbage_collection, "background")
            self.assertEqual(strategy.reset_fields, (("status",),))
            self.assertIn(("spec",), STRATEGIES[f"{kind}/status"].reset_fields)

    def test_template_defaults(self) -> None:
        """The template gets the defaults of pod specs, not those of pods."""
        for kind in KINDS:
            spec = workload(STRATEGIES[kind])["spec"]["template"]["spec"]
            self.assertEqual(spec["restartPolicy"], "Always")
            self.assertNotIn("enableServiceLinks", spec)

    def test_valid(self) -> None:
        """The smallest object is valid and gives no warning."""
        for kind in KINDS:
            self.assertEqual(errors_of(STRATEGIES[kind]), [])
            self.assertEqual(STRATEGIES[kind].warnings_on_create(CONTEXT, workload(STRATEGIES[kind])), [])

    def test_selector_matches(self) -> None:
        """The selector selects the template's labels."""
        for kind in KINDS:
            self.assertEqual(errors_of(STRATEGIES[kind], selector={"matchLabels": {"app": "b"}}), [
                'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match '
                "template `labels`"])

    def test_pods_always_run(self) -> None:
        """Pods that end by themselves are not for these kinds."""
        template = {"metadata": {"labels": {"app": "a"}},
                    "spec": {"containers": [container()], "restartPolicy": "Never",
                             "activeDeadlineSeconds": 5}}
        for kind, named in zip(KINDS, ("ReplicaSet", "ReplicaSet", "DaemonSet", "StatefulSet"), strict=True):
            self.assertEqual(errors_of(STRATEGIES[kind], template=template), [
                'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
                f"spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in {named} is "
                "not Supported"])

    def test_status_is_not_the_clients(self) -> None:
        """Writes to the object leave the status, writes to the status leave the rest."""
        for kind in KINDS:
            old = workload(STRATEGIES[kind])
            new = copy.deepcopy(old) | {"status": {"observedGeneration": 7}}
            self.assertEqual(update(STRATEGIES[kind], new, old), [])
            self.assertEqual(new["status"], old["status"])
            new = copy.deepcopy(old) | {"status": {"observedGeneration": 7}}
            new["spec"] = {}
            self.assertEqual(update(STRATEGIES[f"{kind}/status"], new, old), [])
            self.assertEqual((new["spec"], new["status"]), (old["spec"], {"observedGeneration": 7}))

    def test_negative_counts(self) -> None:
        """No count in a status is negative."""
        for kind in KINDS:
            old = workload(STRATEGIES[kind])
            new = copy.deepcopy(old) | {"status": {"observedGeneration": -1}}
            self.assertEqual(update(STRATEGIES[f"{kind}/status"], new, old), [
                "status.observedGeneration: Invalid value: -1: must be greater than or equal to 0"])

    def test_name_warning(self) -> None:
        """Names that are no labels make strange names of pods."""
        for kind in ("deployments", "replicasets"):
            found = STRATEGIES[kind].warnings_on_create(CONTEXT, workload(STRATEGIES[kind], "a.b"))
            self.assertEqual(found,
                             ["metadata.name: this is used in Pod names and hostnames, which can result in "
                              "surprising behavior; a DNS label is recommended: [must not contain dots]"])

    def test_warnings_on_update(self) -> None:
        """A template that changes is warned about again."""
        volumes = [{"name": "v", "rbd": {"monitors": ["m"], "image": "i"}}]
        template = {"metadata": {"labels": {"app": "a"}},
                    "spec": {"containers": [container()], "volumes": volumes}}
        for kind in KINDS:
            old, new = workload(STRATEGIES[kind]), workload(STRATEGIES[kind], template=template)
            self.assertEqual(STRATEGIES[kind].warnings_on_update(CONTEXT, new, old), [
                "spec.template.spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+"])
            self.assertEqual(STRATEGIES[kind].warnings_on_update(CONTEXT, new, copy.deepcopy(new)), [])
