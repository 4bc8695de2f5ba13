"""Dynamic resource allocation: classes, claims, slices."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.resource import deviceclass, resourceclaim, resourceclaimtemplate, resourceslice
from tests.registry.resources import CONTEXT, StrategyTestCase

CLAIM: dict[str, Any] = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}}
SLICE: dict[str, Any] = {"driver": "d.example.com", "pool": {"name": "p", "generation": 1,
                                                             "resourceSliceCount": 1}, "nodeName": "n"}


class DeviceClassTests(StrategyTestCase):
    api = "resource.k8s.io/v1/DeviceClass"
    strategy = deviceclass.STRATEGY

    def test_names(self) -> None:
        """A name is limited in bytes; the start of one is not looked at."""
        self.assertEqual(self.name_errors("x" * 254, spec={}), ["must be no more than 253 bytes"])
        self.assertEqual(self.name_errors("Bad_", True, spec={}), [])

    def test_selectors(self) -> None:
        """A class may take any device; a selector is a CEL one."""
        self.assertEqual(self.errors(spec={}), [])
        self.assertEqual(self.errors(spec={"selectors": [{}]}), ["spec.selectors[0].cel: Required value"])


class ResourceClaimTests(StrategyTestCase):
    api = "resource.k8s.io/v1/ResourceClaim"
    strategy = resourceclaim.STRATEGY

    def test_defaults(self) -> None:
        """A request is for one device."""
        request = self.defaulted(spec=CLAIM)["spec"]["devices"]["requests"][0]["exactly"]
        self.assertEqual((request["allocationMode"], request["count"]), ("ExactCount", 1))

    def test_requests(self) -> None:
        """A request has a name of its own and is for one thing."""
        self.assertEqual(self.errors(spec=CLAIM), [])
        self.assertEqual(self.errors(spec={"devices": {"requests": [{"name": "r"}]}}), [
            "spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required"])
        twice = {"devices": {"requests": CLAIM["devices"]["requests"] * 2}}
        self.assertEqual(len(self.errors(spec=twice)), 1)

    def test_spec_is_fixed(self) -> None:
        """What is claimed does not change."""
        old = self.created(spec=CLAIM)
        changed = {"devices": {"requests": [{"name": "s", "exactly": {"deviceClassName": "c"}}]}}
        errors = self.update_errors(old, spec=changed)
        self.assertEqual(len(errors), 1)
        self.assertTrue(errors[0].endswith("field is immutable"))

    def test_reservation(self) -> None:
        """Only an allocated claim can be reserved."""
        old = self.created(spec=CLAIM)
        consumer = {"resource": "pods", "name": "p", "uid": "u"}
        errors = self.update_errors(old, resourceclaim.STATUS, spec=CLAIM, status={"reservedFor": [consumer]})
        self.assertEqual(errors, ["status.reservedFor: Forbidden: may not be specified when `allocated` is not set"])


class ResourceClaimTemplateTests(StrategyTestCase):
    api = "resource.k8s.io/v1/ResourceClaimTemplate"
    strategy = resourceclaimtemplate.STRATEGY

    def test_template(self) -> None:
        """The claim in a template has a claim's defaults, and stays."""
        made = self.defaulted(spec={"spec": CLAIM})
        self.assertEqual(made["spec"]["spec"]["devices"]["requests"][0]["exactly"]["count"], 1)
        self.assertEqual(self.errors(spec={"spec": CLAIM}), [])


class ResourceSliceTests(StrategyTestCase):
    api = "resource.k8s.io/v1/ResourceSlice"
    strategy = resourceslice.STRATEGY

    def test_place(self) -> None:
        """Devices are on one node, on selected ones, or on all."""
        self.assertEqual(self.errors(spec=SLICE), [])
        errors = self.errors(spec=SLICE | {"allNodes": True})
        self.assertEqual(len(errors), 1)
        self.assertIn("exactly one of", errors[0])

    def test_identity_is_fixed(self) -> None:
        """Driver, pool and node do not change."""
        old = self.created(spec=SLICE)
        errors = self.update_errors(old, spec=SLICE | {"driver": "e.example.com"})
        self.assertEqual(errors, ['spec.driver: Invalid value: "e.example.com": field is immutable'])

    def test_selection(self) -> None:
        """Slices are selected by node and driver."""
        self.assertEqual(self.strategy.selectable_fields(self.created(spec=SLICE)),
                         {"spec.nodeName": "n", "spec.driver": "d.example.com"})

    def test_attributes(self) -> None:
        """An attribute has one value; lists of values, which are behind a gate, are left out."""
        def attributes(**values: Any) -> list[str]:
            return self.errors(spec={**SLICE, "devices": [{"name": "d", "attributes": {"a": values}}]})

        self.assertEqual(attributes(int=1, ints=[1, 2]), [])
        made = self.created(spec={**SLICE, "devices": [{"name": "d", "attributes": {"a": {"int": 1, "ints": [1]}}}]})
        self.strategy.canonicalize(made)
        self.assertEqual(made["spec"]["devices"][0]["attributes"], {"a": {"int": 1}})
        self.assertEqual(attributes(ints=[1]), [
            'spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified'])
        self.assertIn('{"IntValue":1,"BoolValue":true,"StringValue":null', attributes(int=1, bool=True)[0])

    def test_long_keys(self) -> None:
        """Paths show the start and the end of a key that is too long."""
        devices = [{"name": "d", "attributes": {"x" * 97: {"version": "x"}}}]
        self.assertTrue(self.errors(spec={**SLICE, "devices": devices})[-1].startswith(
            f"spec.devices[0].attributes[{'x' * 47}...{'x' * 46}].version: "))

    def test_driver_names(self) -> None:
        """A driver with capitals warns."""
        driver = {**SLICE, "driver": "D.example.com"}
        self.assertEqual(self.strategy.warnings_on_create(CONTEXT, self.created(spec=SLICE)), [])
        self.assertEqual(self.strategy.warnings_on_create(CONTEXT, self.created(spec=driver)), [
            'spec.driver: driver names should be lowercase; "D.example.com" contains uppercase characters'])
