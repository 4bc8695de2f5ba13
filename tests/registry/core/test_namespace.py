"""Namespaces, service accounts, limit ranges and quotas."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.core import limitrange, namespace, resourcequota, serviceaccount
from tests.registry.resources import StrategyTestCase


class NamespaceTests(StrategyTestCase):
    api = "v1/Namespace"
    strategy = namespace.STRATEGY

    def test_creation(self) -> None:
        """A namespace is labelled with its name, active, and kept until the server is done with it."""
        made = self.created()
        self.assertEqual(made["metadata"]["labels"], {"kubernetes.io/metadata.name": "x"})
        self.assertEqual(made["spec"], {"finalizers": ["kubernetes"]})
        self.assertEqual(made["status"], {"phase": "Active"})

    def test_name(self) -> None:
        """The name is one DNS label."""
        self.assertEqual(self.strategy.validate_name("a", False), [])
        self.assertTrue(self.strategy.validate_name("a.b", False))

    def test_finalizers_stay(self) -> None:
        """Only the finalize endpoint changes the finalizers, and it changes nothing else."""
        old = self.created()
        self.assertEqual(self.updated(old, spec={"finalizers": []})["spec"], {"finalizers": ["kubernetes"]})
        self.assertFalse(self.updated(old, namespace.FINALIZE, spec={"finalizers": []})["spec"].get("finalizers"))
        self.assertEqual(self.updated(old, namespace.FINALIZE, status={"phase": "Terminating"})["status"],
                         {"phase": "Active"})

    def test_finalizer_names(self) -> None:
        """A finalizer is a known word or a qualified name."""
        self.assertEqual(self.update_errors(self.created(), namespace.FINALIZE,
                                            spec={"finalizers": ["example.com/a", "kubernetes"]}), [])
        self.assertIn("name is neither a standard finalizer name nor is it fully qualified",
                      self.update_errors(self.created(), namespace.FINALIZE, spec={"finalizers": ["a"]})[0])

    def test_status(self) -> None:
        """A namespace that is not being deleted is Active."""
        errors = self.update_errors(self.created(), namespace.STATUS, status={"phase": "Terminating"})
        self.assertEqual(errors, ["status.Phase: Invalid value: \"Terminating\": "
                                  "may only be 'Active' if `deletionTimestamp` is empty"])

    def test_field_labels(self) -> None:
        """Namespaces are selected by phase."""
        self.assertEqual(self.strategy.selectable_fields(self.created())["status.phase"], "Active")
        self.assertTrue(self.strategy.returns_deleted_object)


class ServiceAccountTests(StrategyTestCase):
    api = "v1/ServiceAccount"
    strategy = serviceaccount.STRATEGY

    def test_secrets_are_mentioned(self) -> None:
        """Secrets in an account may be pulled from; nothing else is required of it."""
        self.assertEqual(self.errors(secrets=[{"name": "s"}], imagePullSecrets=[{"name": "p"}]), [])
        self.assertTrue(self.strategy.returns_deleted_object)


class LimitRangeTests(StrategyTestCase):
    api = "v1/LimitRange"
    strategy = limitrange.STRATEGY

    def limits(self, **item: Any) -> Any:
        return self.defaulted(spec={"limits": [{"type": "Container", **item}]})["spec"]["limits"]

    def test_defaults(self) -> None:
        """A default is the maximum when not given; a default request is the default, then the minimum."""
        self.assertEqual(self.limits(max={"cpu": "1"})[0],
                         {"type": "Container", "max": {"cpu": "1"}, "default": {"cpu": "1"},
                          "defaultRequest": {"cpu": "1"}})
        self.assertEqual(self.limits(min={"cpu": "100m"})[0]["defaultRequest"], {"cpu": "100m"})

    def test_order(self) -> None:
        """Minimum, default request, default and maximum do not cross."""
        errors = self.errors(spec={"limits": [{"type": "Pod", "max": {"cpu": "1"}, "min": {"cpu": "2"}}]})
        self.assertEqual(errors, ['spec.limits[0].min[cpu]: Invalid value: "2": '
                                  "min value 2 is greater than max value 1"])

    def test_pods_have_no_defaults(self) -> None:
        """Limits of whole pods have no defaults, and a type stands once."""
        errors = self.errors(spec={"limits": [{"type": "Pod", "default": {"cpu": "1"}}, {"type": "Pod"}]})
        self.assertEqual(errors, ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
                                  'spec.limits[1].type: Duplicate value: "Pod"'])


class ResourceQuotaTests(StrategyTestCase):
    api = "v1/ResourceQuota"
    strategy = resourcequota.STRATEGY

    def test_status_is_the_controllers(self) -> None:
        """A write to the quota does not touch what is used; the status endpoint does not touch the rest."""
        old = self.created(spec={"hard": {"pods": "1"}})
        old["status"] = {"hard": {"pods": "1"}, "used": {"pods": "0"}}
        self.assertEqual(self.updated(old, spec={"hard": {"pods": "2"}})["status"], old["status"])
        changed = self.updated(old, resourcequota.STATUS, spec={"hard": {"pods": "9"}},
                               status={"used": {"pods": "1"}})
        self.assertEqual((changed["spec"], changed["status"]), (old["spec"], {"used": {"pods": "1"}}))

    def test_names(self) -> None:
        """Quotas are of known resources or of qualified names; counts are not negative."""
        self.assertEqual(self.errors(spec={"hard": {"count/widgets.example.com": "1", "pods": "2"}}), [])
        self.assertEqual(self.errors(spec={"hard": {"pods": "-1"}}),
                         ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'])

    def test_scopes_are_fixed(self) -> None:
        """What a quota counts does not change."""
        old = self.created(spec={"hard": {"pods": "1"}, "scopes": ["BestEffort"]})
        self.assertEqual(self.update_errors(old, spec={"hard": {"pods": "1"}}),
                         ["spec.scopes: Invalid value: null: field is immutable"])

    def test_scopes_conflict(self) -> None:
        """Scopes that exclude each other count nothing."""
        errors = self.errors(spec={"hard": {"pods": "1"}, "scopes": ["BestEffort", "NotBestEffort"]})
        self.assertEqual(errors, ['spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: '
                                  "conflicting scopes"])
