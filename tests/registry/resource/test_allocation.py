"""The status of resource claims."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.resource import resourceclaim
from kube_twisted.registry.resource.names import share_id
from tests.registry.resources import StrategyTestCase

CLAIM: dict[str, Any] = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}}
RESULT = {"request": "r", "driver": "d.example.com", "pool": "p", "device": "dev"}
DEVICE = {"driver": "d.example.com", "pool": "p", "device": "dev"}
UUID = "123e4567-e89b-12d3-a456-426614174000"


class ClaimStatusTests(StrategyTestCase):
    api = "resource.k8s.io/v1/ResourceClaim"
    strategy = resourceclaim.STRATEGY

    def allocate(self, devices: list[dict[str, Any]], **result: Any) -> list[str]:
        """What is wrong with allocating one device and telling of ``devices``."""
        status = {"allocation": {"devices": {"results": [{**RESULT, **result}]}}, "devices": devices}
        return self.update_errors(self.created(spec=CLAIM), resourceclaim.STATUS, spec=CLAIM, status=status)

    def test_allocated(self) -> None:
        """Drivers tell of allocated devices alone, of each once; messages show a device's whole identity."""
        self.assertEqual(self.allocate([DEVICE]), [])
        identity = '{"Driver":"d.example.com","Pool":"p","Device":"dev","ShareID":""}'
        self.assertEqual(self.allocate([DEVICE, DEVICE]), [f"status.devices[1]: Duplicate value: {identity}"])
        self.assertEqual(self.allocate([DEVICE], device="other"), [
            f"status.devices[0]: Invalid value: {identity}: must be an allocated device in the claim"])

    def test_what_drivers_tell(self) -> None:
        """Conditions, parameters and network addresses are checked."""
        condition = {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}
        for told, field in (({"conditions": [condition]}, "conditions[0].reason"), ({"data": "text"}, "data"),
                            ({"networkData": {"ips": ["10.0.0.1"]}}, "networkData.ips[0]"),
                            ({"networkData": {"interfaceName": "x" * 257}}, "networkData.interfaceName")):
            self.assertEqual([one.split(": ")[0] for one in self.allocate([{**DEVICE, **told}])],
                             [f"status.devices[0].{field}"])

    def test_binding(self) -> None:
        """Conditions of binding come with those of its failure, and are others."""
        self.assertEqual(self.allocate([], bindingConditions=["a"], bindingFailureConditions=["b"]), [])
        self.assertEqual(self.allocate([], bindingConditions=["a"]), [
            "status.allocation.devices.results[0].bindingFailureConditions: Invalid value: null: "
            "bindingFailureConditions are required to use bindingConditions"])
        self.assertEqual(len(self.allocate([], bindingConditions=["a"], bindingFailureConditions=["a"])), 1)

    def test_tolerations(self) -> None:
        """Tolerations that were allocated have their defaults as those that are asked for."""
        status = {"allocation": {"devices": {"results": [{**RESULT, "tolerations": [{"key": "k"}]}]}}}
        result = self.defaulted(spec=CLAIM, status=status)["status"]["allocation"]["devices"]["results"][0]
        self.assertEqual(result["tolerations"], [{"key": "k", "operator": "Equal"}])

    def test_allocation_is_fixed(self) -> None:
        """An allocation does not change; the message shows all of it, with Go's names."""
        old = self.updated(self.created(spec=CLAIM), resourceclaim.STATUS, spec=CLAIM, status={
            "allocation": {"devices": {"results": [RESULT]}}})
        changed = {"allocation": {"devices": {"results": [{**RESULT, "pool": "q"}]}}}
        error, = self.update_errors(old, resourceclaim.STATUS, spec=CLAIM, status=changed)
        self.assertIn('"Pool":"q","Device":"dev","AdminAccess":null', error)
        self.assertTrue(error.endswith('"NodeSelector":null,"AllocationTimestamp":null}: field is immutable'))

    def test_share_ids(self) -> None:
        """The id of a share is a UUID; other spellings are known, and not taken."""
        self.assertEqual(share_id("p", UUID), [])
        for text, why in (("x", "invalid UUID length: 1"), ("x" * 36, "invalid UUID format"),
                          ("[" + UUID + "]", "invalid bracketed UUID format"),
                          ("urn:what:" + UUID, 'invalid urn prefix: "urn:what:"'),
                          ("{" + UUID + "}", "normalized form"), (UUID.upper(), "normalized form"),
                          (UUID.replace("-", ""), "normalized form")):
            self.assertIn(why, str(share_id("p", text)[0]))
