"""API services and storage versions."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.apiregistration import apiservice
from tests.registry.resources import StrategyTestCase

SPEC: dict[str, Any] = {"group": "a.example.com", "version": "v1", "groupPriorityMinimum": 1000,
                        "versionPriority": 15}


class APIServiceTests(StrategyTestCase):
    api = "apiregistration.k8s.io/v1/APIService"
    strategy = apiservice.STRATEGY

    def test_name(self) -> None:
        """The name is that of the version and group."""
        metadata = {"name": "v1.a.example.com"}
        self.assertEqual(self.errors(metadata=metadata, spec=SPEC), [])
        self.assertEqual(self.name_errors("v1.a.example.com", spec=SPEC), [])
        self.assertEqual(self.name_errors("a/b", spec=SPEC), ["may not contain '/'"])
        for name, prefix in (("x", False), ("x-", True)):
            self.assertEqual(self.name_errors(name, prefix, spec=SPEC),
                             ['must be `spec.version+"."+spec.group`: "v1.a.example.com"'])

    def test_name_stays_right(self) -> None:
        """A change of the group makes the name a wrong one."""
        old = self.created(metadata={"name": "v1.a.example.com"}, spec=SPEC)
        errors = self.update_errors(old, metadata={"name": "v1.a.example.com"}, spec=SPEC | {"group": "b.example.com"})
        self.assertEqual(errors, ['metadata.name: Invalid value: "v1.a.example.com": must be '
                                  '`spec.version+"."+spec.group`: "v1.b.example.com"'])

    def test_service(self) -> None:
        """A service is reached at 443, and its certificate is checked or not, plainly."""
        made = self.defaulted(spec=SPEC | {"service": {"name": "s", "namespace": "n"}})
        self.assertEqual(made["spec"]["service"]["port"], 443)
        metadata = {"name": "v1.a.example.com"}
        errors = self.errors(metadata=metadata, spec=SPEC | {"service": {"name": "s", "namespace": ""}})
        self.assertEqual(errors, ["spec.service.namespace: Required value"])

    def test_priorities(self) -> None:
        """Priorities are positive and limited."""
        metadata = {"name": "v1.a.example.com"}
        errors = self.errors(metadata=metadata, spec=SPEC | {"groupPriorityMinimum": 0, "versionPriority": 1001})
        self.assertEqual(errors, [
            "spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000",
            "spec.versionPriority: Invalid value: 1001: must be positive and less than 1000"])
