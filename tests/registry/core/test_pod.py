"""Tests of the strategies of pods and their subresources."""

from __future__ import annotations

import copy

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.core.pod import EPHEMERAL, RESIZE, STATUS, STRATEGY
from kube_twisted.registry.strategy import Strategy
from tests.registry.podspec.pods import CONTEXT, NOW, Obj, container, pod

ONLY = ("spec: Forbidden: pod updates may not change fields other than "
        "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
        "`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` "
        "(allow it to be set to 1 if it was previously negative)\n")


def created(*containers: Obj, metadata: Obj | None = None, **spec: object) -> Obj:
    """A pod as it is stored."""
    made = pod(*containers, metadata=metadata, **spec)
    STRATEGY.prepare_for_create(CONTEXT, made)
    return made


def update(strategy: Strategy, new: Obj, old: Obj) -> list[str]:
    """What is wrong with a change, after the preparation."""
    strategy.prepare_for_update(CONTEXT, new, old)
    return [str(error) for error in strategy.validate_update(CONTEXT, new, old)]


class CreateTests(SynchronousTestCase):
    """What becomes of a new pod."""

    def test_status(self) -> None:
        """A client's status is replaced by that of a pod that waits."""
        made = pod() | {"status": {"phase": "Running"}}
        STRATEGY.prepare_for_create(CONTEXT, made)
        self.assertEqual(made["status"], {"phase": "Pending", "qosClass": "BestEffort"})

    def test_requests_of_the_whole(self) -> None:
        """What admission gives to containers counts for the pod, once it is read."""
        made = pod(resources={"limits": {"cpu": "2"}})
        made["spec"]["containers"][0]["resources"] = {"requests": {"memory": "1Mi"}}
        STRATEGY.default_as_read(made)
        self.assertEqual(made["spec"]["resources"]["requests"], {"cpu": "2", "memory": "1Mi"})

    def test_gated(self) -> None:
        """A pod with gates says why it is not scheduled."""
        self.assertEqual(created(schedulingGates=[{"name": "a/b"}])["status"]["conditions"], [
            {"type": "PodScheduled", "status": "False", "lastProbeTime": None, "lastTransitionTime": NOW,
             "reason": "SchedulingGated",
             "message": "Scheduling is blocked due to non-empty scheduling gates"}])

    def test_disabled_fields(self) -> None:
        """Fields of features that are off go; a lifecycle with nothing else goes with them."""
        made = created(container(lifecycle={"stopSignal": "SIGUSR1"}), schedulingGroup={"podGroupName": "g"})
        self.assertNotIn("schedulingGroup", made["spec"])
        self.assertNotIn("lifecycle", made["spec"]["containers"][0])

    def test_apparmor_annotation(self) -> None:
        """The old annotation fills the field in, with a warning."""
        key = "container.apparmor.security.beta.kubernetes.io/app"
        made = created(metadata={"annotations": {key: "localhost/strict"}})
        self.assertEqual(made["spec"]["containers"][0]["securityContext"],
                         {"appArmorProfile": {"type": "Localhost", "localhostProfile": "strict"}})
        self.assertEqual(STRATEGY.warnings_on_create(CONTEXT, made), [
            f'metadata.annotations[{key}]: deprecated since v1.30; use the "appArmorProfile" field instead'])

    def test_name_warning(self) -> None:
        """A name that is no label makes a strange host name."""
        found = STRATEGY.warnings_on_create(CONTEXT, created(metadata={"name": "a.b"}))
        self.assertEqual(found,
                         ["metadata.name: this is used in the Pod's hostname, which can result in surprising "
                          "behavior; a DNS label is recommended: [must not contain dots]"])


class UpdateTests(SynchronousTestCase):
    """What may change."""

    def test_image(self) -> None:
        """Images may change; that is a new generation. The status may not."""
        old = created()
        new = copy.deepcopy(old) | {"status": {"phase": "Failed"}}
        new["spec"]["containers"][0]["image"] = "app:2"
        self.assertEqual(update(STRATEGY, new, old), [])
        self.assertEqual(new["status"], old["status"])
        self.assertTrue(STRATEGY.generation_changed(new, old))

    def test_anything_else(self) -> None:
        """Other changes are answered with what differs in the internal form."""
        old = created()
        new = copy.deepcopy(old)
        new["spec"]["restartPolicy"] = "Never"
        self.assertEqual(update(STRATEGY, new, old), [
            ONLY
            + '@@ -35,7 +35,7 @@\n   }\n  ],\n  "EphemeralContainers": null,\n- "RestartPolicy": '
              '"Always",\n+ "RestartPolicy": "Never",\n  "TerminationGracePeriodSeconds": 30,\n  '
              '"ActiveDeadlineSeconds": null,\n  "DNSPolicy": "ClusterFirst",\n'])

    def test_containers(self) -> None:
        """Containers are not added or removed."""
        old = created()
        new = copy.deepcopy(old)
        new["spec"]["containers"].append(copy.deepcopy(pod(container(name="b"))["spec"]["containers"][0]))
        self.assertEqual(update(STRATEGY, new, old),
                         ["spec.containers: Forbidden: pod updates may not add or remove containers"])

    def test_deadline(self) -> None:
        """A deadline may be set and shortened, not prolonged or taken away."""
        for before, after, wanted in (
                (None, 5, []), (5, 4, []),
            (5, 6, ["Invalid value: 6: must be less than or equal to previous value"]),
                (5, None, ["Invalid value: null: must not update from a positive integer to nil value"])):
            old, new = (created(**({} if value is None else {"activeDeadlineSeconds": value}))
                        for value in (before, after))
            self.assertEqual(update(STRATEGY, new, old),
                             [f"spec.activeDeadlineSeconds: {text}" for text in wanted])

    def test_tolerations(self) -> None:
        """Tolerations are added, or their seconds changed."""
        one = {"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}
        old = created(tolerations=[one])
        self.assertEqual(update(STRATEGY,
                                created(tolerations=[one | {"tolerationSeconds": 9}, {"operator": "Exists"}]),
                                old), [])
        self.assertEqual(update(STRATEGY, created(), old), [
            "spec.tolerations: Forbidden: existing toleration can not be modified except its "
            "tolerationSeconds"])

    def test_gates(self) -> None:
        """Gates are only taken away; while there are some the choice of nodes may narrow."""
        gate = {"name": "a/b"}
        old = created(schedulingGates=[gate], nodeSelector={"a": "b"})
        self.assertEqual(update(STRATEGY, created(nodeSelector={"a": "b", "c": "d"}), old), [])
        self.assertEqual(update(STRATEGY, created(schedulingGates=[gate], nodeSelector={"c": "d"}), old), [
            'spec.nodeSelector: Invalid value: {"c":"d"}: only additions to spec.nodeSelector are allowed '
            "(no mutations or deletions)"])
        self.assertEqual(update(STRATEGY, created(schedulingGates=[gate, {"name": "c/d"}],
                                                  nodeSelector={"a": "b"}), old), [
            "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling "
            "gate 'c/d'"])

    def test_gated_affinity(self) -> None:
        """Required terms of node affinity get further expressions while a pod is gated."""
        def made(*values: str) -> Obj:
            terms = [{"matchExpressions": [{"key": key, "operator": "Exists"} for key in values]}]
            required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
            return created(schedulingGates=[{"name": "a/b"}], affinity={"nodeAffinity": required})

        self.assertEqual(update(STRATEGY, made("a", "b"), made("a")), [])
        self.assertIn("only additions are allowed (no mutations or deletions)",
                      update(STRATEGY, made("b"), made("a"))[0])

    def test_stored_flaws_may_stay(self) -> None:
        """A pod that older servers accepted can still be changed."""
        old = created(metadata={"annotations": {"controller.kubernetes.io/pod-deletion-cost": "many"}})
        new = copy.deepcopy(old)
        new["spec"]["containers"][0]["image"] = "app:2"
        self.assertEqual(update(STRATEGY, new, old), [])
        self.assertEqual(len(STRATEGY.validate(CONTEXT, old)), 1)


class DeletionTests(SynchronousTestCase):
    """How long a pod takes to go."""

    def test_periods(self) -> None:
        """The client's period, else the pod's; none for a pod that is not on a node or has ended."""
        bound = created(nodeName="n")
        for made, phase, asked, wanted in ((bound, "Running", None, 30), (bound, "Running", 5, 5),
                                           (bound, "Running", -1, 1), (bound, "Failed", 5, 0),
                                           (created(), "Pending", 5, 0)):
            options: Obj = {} if asked is None else {"gracePeriodSeconds": asked}
            made["status"]["phase"] = phase
            self.assertTrue(STRATEGY.check_graceful_delete(CONTEXT, made, options))
            self.assertEqual(options, {"gracePeriodSeconds": wanted})


class FieldTests(SynchronousTestCase):
    """Field selectors."""

    def test_values(self) -> None:
        """What selectors compare, as texts."""
        made = created(nodeName="n", hostNetwork=True, serviceAccountName="a")
        made["status"]["podIPs"] = [{"ip": "10.0.0.1"}]
        found = STRATEGY.selectable_fields(made)
        self.assertEqual(set(found), STRATEGY.field_labels)
        self.assertEqual(found, {
            "spec.nodeName": "n", "spec.host": "n", "spec.restartPolicy": "Always",
            "spec.schedulerName": "default-scheduler", "spec.serviceAccountName": "a",
            "spec.hostNetwork": "true",
            "status.phase": "Pending", "status.podIP": "10.0.0.1", "status.podIPs": "",
            "status.nominatedNodeName": ""})


class StatusTests(SynchronousTestCase):
    """The status endpoint."""

    def test_keeps_the_rest(self) -> None:
        """Spec and owners stay, a class and generations that are left out come from the old status."""
        old = created(metadata={"ownerReferences": [{"uid": "1"}]})
        old["status"] |= {"observedGeneration": 2, "conditions": [{"type": "Ready", "observedGeneration": 2}]}
        new = copy.deepcopy(old) | {"status": {"phase": "Running",
                                               "conditions": [{"type": "Ready", "status": "True"}]}}
        new["spec"]["nodeName"] = "n"
        del new["metadata"]["ownerReferences"]
        self.assertEqual(update(STATUS, new, old), [])
        self.assertEqual((new["spec"], new["metadata"]), (old["spec"], old["metadata"]))
        self.assertEqual(new["status"], {
            "phase": "Running", "qosClass": "BestEffort", "observedGeneration": 2,
            "conditions": [{"type": "Ready", "status": "True", "observedGeneration": 2}]})

    def test_rounded(self) -> None:
        """Amounts are rounded up to thousandths; digests of mounted images are dropped unless they are there."""
        mount: Obj = {"name": "v", "mountPath": "/v", "volumeStatus": {"image": {"imageRef": "r"}}}
        status: Obj = {"allocatedResources": {"cpu": "1n"}, "resources": {"limits": {"cpu": "500u"}},
                       "containerStatuses": [{"name": "app", "volumeMounts": [mount]}]}
        old, new = created(), pod()
        new["status"] = status
        STATUS.default(new)
        update(STATUS, new, old)
        self.assertEqual((status["allocatedResources"], status["resources"]["limits"]), ({"cpu": "1m"}, {"cpu": "1m"}))
        self.assertNotIn("volumeStatus", mount)
        kept = copy.deepcopy(new)
        for one in (new, kept):
            one["status"]["containerStatuses"][0]["volumeMounts"][0]["volumeStatus"] = {"image": {"imageRef": "r"}}
        update(STATUS, kept, new)
        self.assertIn("volumeStatus", kept["status"]["containerStatuses"][0]["volumeMounts"][0])

    def test_fixed_class(self) -> None:
        """The quality of service never changes."""
        old = created()
        self.assertEqual(update(STATUS, copy.deepcopy(old) | {"status": {"qosClass": "Guaranteed"}}, old),
                         ['status.qosClass: Invalid value: "Guaranteed": field is immutable'])

    def test_ended_containers(self) -> None:
        """A container that ended does not run again when nothing restarts it."""
        old = created(restartPolicy="Never")
        old["status"]["containerStatuses"] = [{"name": "app", "state": {"terminated": {"exitCode": 1}}}]
        new = copy.deepcopy(old)
        new["status"]["containerStatuses"] = [{"name": "app", "state": {"running": {}}}]
        self.assertEqual(update(STATUS, new, old), [
            "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state"])
        old["spec"]["restartPolicy"] = "OnFailure"
        self.assertEqual(update(STATUS, new, old), [])

    def test_addresses(self) -> None:
        """One address of each family; the host's first is hostIP."""
        old = created()
        status = old["status"] | {"podIPs": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}],
                                  "hostIPs": [{"ip": "10.0.0.3"}]}
        self.assertEqual(update(STATUS, copy.deepcopy(old) | {"status": status}, old), [
            'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than '
            "one IP for each IP "
            "family", 'status.hostIPs[0].ip: Invalid value: "10.0.0.3": must be equal to `hostIP`'])

    def test_nomination(self) -> None:
        """A bound pod is not nominated for another node."""
        old = created(nodeName="n")
        new = copy.deepcopy(old)
        new["status"]["nominatedNodeName"] = "m"
        self.assertEqual(update(STATUS, new, old), [
            "status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node"])


class EphemeralTests(SynchronousTestCase):
    """``pods/ephemeralcontainers``."""

    def setUp(self) -> None:
        self.old = created()
        self.debug = pod(ephemeralContainers=[container(name="dbg")])["spec"]["ephemeralContainers"][0]

    def test_added(self) -> None:
        """They are added, and nothing else changes."""
        new = copy.deepcopy(self.old)
        new["spec"] |= {"ephemeralContainers": [self.debug], "nodeName": "n"}
        self.assertEqual(update(EPHEMERAL, new, self.old), [])
        self.assertEqual(new["spec"], self.old["spec"] | {"ephemeralContainers": [self.debug]})

    def test_fixed(self) -> None:
        """They are not removed, and not changed."""
        old = copy.deepcopy(self.old)
        old["spec"]["ephemeralContainers"] = [self.debug]
        self.assertEqual(update(EPHEMERAL, copy.deepcopy(self.old), old), [
            'spec.ephemeralContainers: Forbidden: existing ephemeral containers "dbg" may not be removed\n'])
        new = copy.deepcopy(old)
        new["spec"]["ephemeralContainers"][0]["image"] = "app:2"
        self.assertEqual(update(EPHEMERAL, new, old), [
            'spec.ephemeralContainers: Forbidden: existing ephemeral containers "dbg" may not be changed\n@@ '
            '-1,6 +1,6 @@\n {\n  "Name": "dbg",\n- "Image": "app:1",\n+ "Image": "app:2",\n  "Command": '
            'null,\n  "Args": null,\n  "WorkingDir": "",\n'])


class ResizeTests(SynchronousTestCase):
    """``pods/resize``."""

    def setUp(self) -> None:
        self.old = created(container(resources={"requests": {"cpu": "100m"}, "limits": {"cpu": "200m"}}))

    def resized(self, **resources: Obj) -> tuple[Obj, list[str]]:
        """The pod with other resources, and an image that does not count."""
        new = copy.deepcopy(self.old)
        new["spec"]["containers"][0] |= {"resources": resources, "image": "other"}
        return new, update(RESIZE, new, self.old)

    def test_sizes(self) -> None:
        """Cpu and memory change, all else stays."""
        new, errors = self.resized(requests={"cpu": "150m"}, limits={"cpu": "300m"})
        self.assertEqual(errors, [])
        self.assertEqual(new["spec"]["containers"][0]["image"], "app:1")
        self.assertEqual(new["spec"]["containers"][0]["resources"]["limits"], {"cpu": "300m"})

    def test_refused(self) -> None:
        """Amounts are not taken away, others not changed, and the class of service stays."""
        self.assertEqual(self.resized()[1], [
            'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
            "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
            "spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed"])
        more = {"cpu": "200m", "ephemeral-storage": "1Gi"}
        self.assertEqual(self.resized(requests={"cpu": "100m"}, limits=more)[1],
                         ["spec: Forbidden: only cpu and memory resources are mutable"])

    def test_containers_stay_in_order(self) -> None:
        """A resize that adds or renames containers is refused."""
        new = copy.deepcopy(self.old)
        new["spec"]["containers"][0]["name"] = "b"
        self.assertEqual(update(RESIZE, new, self.old), [
            "spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize"])
        new["spec"]["containers"].append(copy.deepcopy(self.old["spec"]["containers"][0]))
        self.assertEqual(update(RESIZE, new, self.old), [
            "spec.containers: Forbidden: containers may not be added or removed on resize"])
