"""The small plugins that look at pods."""

from __future__ import annotations

from typing import Any

from kube_twisted.admission import plugins as on
from tests.admission.world import AdmissionTestCase, Obj, container, pod

NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"


class DefaultTolerationSecondsTests(AdmissionTestCase):
    def test_adds_what_is_missing(self) -> None:
        """A pod tolerates both taints for five minutes, unless it says otherwise; also on updates."""
        plugin = on.DefaultTolerationSeconds()
        added = [{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
                 for key in (NOT_READY, UNREACHABLE)]
        own = {"key": NOT_READY, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}
        elsewhere = {"key": NOT_READY, "operator": "Exists", "effect": "NoSchedule"}
        for given, expected in (([], added), ([own], [own, added[1]]), ([elsewhere], [elsewhere, *added]),
                                ([{"operator": "Exists"}], [{"operator": "Exists"}])):
            obj = self.admit(plugin, self.write(pod(tolerations=given), old=pod()))
            self.assertEqual(obj["spec"]["tolerations"], expected)


class PriorityTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugin = on.Priority(self.world)
        self.add("mid", value=500, preemptionPolicy="PreemptLowerPriority")

    def add(self, name: str, **fields: Any) -> Obj:
        obj = {"metadata": {"name": name}, **fields}
        self.world.add("scheduling.k8s.io", "priorityclasses", obj)
        return obj

    def spec(self, **spec: Any) -> Obj:
        result: Obj = self.admit(self.plugin, self.write(pod(**spec)))["spec"]
        return result

    def test_class_of_the_pod(self) -> None:
        """Priority and preemption policy come from the class."""
        spec = self.spec(priorityClassName="mid")
        self.assertEqual((spec["priority"], spec["preemptionPolicy"]), (500, "PreemptLowerPriority"))

    def test_no_class(self) -> None:
        """Without a class it is 0, or what the default class says."""
        spec = self.spec()
        self.assertEqual((spec["priority"], spec["preemptionPolicy"]), (0, "PreemptLowerPriority"))
        self.assertNotIn("priorityClassName", spec)
        self.add("high", value=9, globalDefault=True)
        self.add("low", value=7, globalDefault=True, preemptionPolicy="Never")
        spec = self.spec()
        self.assertEqual((spec["priorityClassName"], spec["priority"], spec["preemptionPolicy"]), ("low", 7, "Never"))

    def test_contradictions(self) -> None:
        """A class that isn't there, or values that differ from the class's, are refused."""
        for spec, problem in (
                ({"priorityClassName": "none"}, "no PriorityClass with name none was found"),
                ({"priorityClassName": "mid", "priority": 7}, "the integer value of priority (7) must not be provided"),
                ({"priorityClassName": "mid", "preemptionPolicy": "Never"},
                 "the string value of PreemptionPolicy (Never) must not be provided")):
            self.assertIn(problem, self.refusal(self.plugin.admit, self.write(pod(**spec))).message)
        self.assertEqual(self.spec(priorityClassName="mid", priority=500)["priority"], 500)

    def test_updates(self) -> None:
        """An update that leaves the priority out keeps it."""
        obj = self.admit(self.plugin, self.write(pod(), old=pod(priority=7, preemptionPolicy="Never")))
        self.assertEqual((obj["spec"]["priority"], obj["spec"]["preemptionPolicy"]), (7, "Never"))

    def test_one_default(self) -> None:
        """Only one class is the default; it may be changed itself."""
        first = self.add("first", value=1, globalDefault=True)
        attributes = self.write({"metadata": {"name": "second"}, "globalDefault": True}, "priorityclasses",
                                group="scheduling.k8s.io", namespace="")
        self.assertIn("PriorityClass first is already marked as default",
                      self.refusal(self.plugin.validate, attributes).message)
        self.validate(self.plugin, self.write(first, "priorityclasses", first, group="scheduling.k8s.io"))


class RuntimeClassTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugin = on.RuntimeClass(self.world)
        self.toleration = {"key": "kata", "operator": "Exists", "effect": "NoSchedule"}
        self.world.add("node.k8s.io", "runtimeclasses", {
            "metadata": {"name": "kata"}, "overhead": {"podFixed": {"cpu": "250m"}},
            "scheduling": {"nodeSelector": {"runtime": "kata"}, "tolerations": [self.toleration]}})

    def test_overhead_and_scheduling(self) -> None:
        """The pod gets the overhead, the node selector and the tolerations of its class."""
        narrow = {**self.toleration, "operator": "Equal", "value": "x"}
        given = pod(runtimeClassName="kata", nodeSelector={"a": "b"}, tolerations=[narrow])
        spec = self.admit(self.plugin, self.write(given))["spec"]
        self.assertEqual(spec["overhead"], {"cpu": "250m"})
        self.assertEqual(spec["nodeSelector"], {"a": "b", "runtime": "kata"})
        self.assertEqual(spec["tolerations"], [self.toleration])
        self.validate(self.plugin, self.write(given))

    def test_contradictions(self) -> None:
        """Another overhead or node selector, or a class that isn't there, is refused."""
        for spec, problem in (
                ({"runtimeClassName": "none"}, 'pod rejected: RuntimeClass "none" not found'),
                ({"runtimeClassName": "kata", "overhead": {"cpu": "1"}},
                 "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"),
                ({"runtimeClassName": "kata", "nodeSelector": {"runtime": "runc"}},
                 "conflict: runtimeClass.scheduling.nodeSelector[runtime] = kata; "
                 "pod.spec.nodeSelector[runtime] = runc")):
            self.assertIn(problem, self.refusal(self.plugin.admit, self.write(pod(**spec))).message)
        self.admit(self.plugin, self.write(pod(runtimeClassName="kata", overhead={"cpu": "0.25"})))

    def test_overhead_without_class(self) -> None:
        """Overhead comes from a class alone."""
        self.assertIn("Pod Overhead set without corresponding RuntimeClass defined Overhead",
                      self.refusal(self.plugin.validate, self.write(pod(overhead={"cpu": "1"}))).message)


class NodeTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.zone = {"topology.kubernetes.io/zone": "z"}
        self.world.add("", "nodes", {"metadata": {"name": "n", "labels": {**self.zone, "other": "x"}},
                                     "status": {"allocatable": {"cpu": "2", "memory": "1Gi"}}})

    def test_topology_labels(self) -> None:
        """Zone and region of the node are copied to bindings and to pods made on it, over what is there."""
        plugin = on.PodTopologyLabels(self.world)
        binding = {"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}}
        bound = self.admit(plugin, self.write(binding, subresource="binding"))
        self.assertEqual(bound["metadata"]["labels"], self.zone)
        placed = pod(nodeName="n")
        placed["metadata"]["labels"] = {"a": "b", "topology.kubernetes.io/zone": "wrong"}
        self.assertEqual(self.admit(plugin, self.write(placed))["metadata"]["labels"], {"a": "b", **self.zone})
        for spec in ({}, {"nodeName": "gone"}):
            self.assertNotIn("labels", self.admit(plugin, self.write(pod(**spec)))["metadata"])

    def resized(self, cpu: str, **spec: Any) -> Any:
        new = pod(containers=[container("a", resources={"requests": {"cpu": cpu}})], **spec)
        new["metadata"]["generation"] = 2
        return self.write(new, old=pod(**spec), subresource="resize")

    def test_resize(self) -> None:
        """A pod is not resized beyond what its node has for all pods."""
        plugin = on.PodResizeValidator(self.world)
        self.validate(plugin, self.resized("2", nodeName="n"))
        self.validate(plugin, self.resized("3"))
        error = self.refusal(plugin.validate, self.resized("3", nodeName="n"))
        self.assertEqual(error.message, "pods \"p\" is forbidden: node didn't have enough allocatable resources: "
                                        "cpu, requested: 3000, allocatable: 2000")
        assert error.details is not None
        self.assertEqual(error.details["causes"], [{"reason": "NodeCapacity"}])
        self.assertIn('node "gone" not found',
                      self.refusal(plugin.validate, self.resized("1", nodeName="gone")).message)

    def test_declared_features(self) -> None:
        """A pod on a node gets no other size of a kind that the node doesn't declare to know."""
        plugin = on.NodeDeclaredFeatureValidator(self.world)

        def resized(**fields: Any) -> Any:
            def sized(cpu: str, generation: int) -> Any:
                sizes = {"resources": {"requests": {"cpu": cpu}}}
                one = pod(nodeName="n", initContainers=[container("i", **sizes)], **sizes) | {
                    "metadata": {"name": "p", "namespace": "ns", "generation": generation}}
                one["spec"].update(fields)
                return one

            return self.write(sized("2", 2), old=sized("1000m", 1), subresource="resize")

        lacking = self.refusal(plugin.validate, resized())
        self.assertEqual(lacking.message, 'pods "p" is forbidden: pod update requires features '
                                          "InPlacePodLevelResourcesVerticalScaling, "
                                          'InPlacePodVerticalScalingInitContainers which are not available on node "n"')
        self.assertIn('node "gone" not found', self.refusal(plugin.validate, resized(nodeName="gone")).message)
        self.validate(plugin, resized(nodeName=""))
        node = self.world.peek("", "nodes", "", "n")
        assert node is not None
        node.setdefault("status", {})["declaredFeatures"] = ["InPlacePodLevelResourcesVerticalScaling"]
        self.assertIn("requires features InPlacePodVerticalScalingInitContainers which",
                      self.refusal(plugin.validate, resized()).message)
        self.validate(plugin, resized(initContainers=[]))

    def test_same_amounts(self) -> None:
        """Nothing is needed for what amounts to the same, for sidecars, and when the spec is the old one."""
        plugin = on.NodeDeclaredFeatureValidator(self.world)

        def placed(cpu: str, generation: int, **fields: Any) -> Any:
            return pod(nodeName="n", initContainers=[
                container("i", resources={"requests": {"cpu": cpu}}, **fields)]) | {
                    "metadata": {"name": "p", "namespace": "ns", "generation": generation}}

        self.validate(plugin, self.write(placed("1", 2), old=placed("1000m", 1)))
        self.validate(plugin, self.write(placed("1", 2, restartPolicy="Always"),
                                         old=placed("2", 1, restartPolicy="Always")))
        self.validate(plugin, self.write(placed("1", 1), old=placed("2", 1)))
        self.refusal(plugin.validate, self.write(placed("1", 2), old=placed("2", 1)))

    def test_new_nodes_are_tainted(self) -> None:
        """A new node is not ready, once."""
        plugin = on.TaintNodesByCondition()
        node = self.admit(plugin, self.write({"metadata": {"name": "x"}}, "nodes", namespace=""))
        self.assertEqual(node["spec"]["taints"], [{"key": NOT_READY, "effect": "NoSchedule"}])
        node = self.admit(plugin, self.write(node, "nodes", namespace=""))
        self.assertEqual(len(node["spec"]["taints"]), 1)


class OptInTests(AdmissionTestCase):
    def test_always_pull_images(self) -> None:
        """Every new image is pulled; pods that bring none are left alone."""
        plugin = on.AlwaysPullImages()
        volumes = [{"name": "v", "image": {"reference": "r", "pullPolicy": "Never"}}]
        given = pod(initContainers=[container("i", imagePullPolicy="Never")], volumes=volumes)
        error = self.refusal(plugin.validate, self.write(given), 500)
        self.assertIn('spec.initContainers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"',
                      error.message)
        spec = self.admit(plugin, self.write(given))["spec"]
        self.assertEqual([spec["containers"][0]["imagePullPolicy"], spec["initContainers"][0]["imagePullPolicy"],
                          spec["volumes"][0]["image"]["pullPolicy"]], ["Always"] * 3)
        self.validate(plugin, self.write(given))
        self.assertNotIn("imagePullPolicy", self.admit(plugin, self.write(pod(), old=pod()))["spec"]["containers"][0])

    def test_hard_anti_affinity(self) -> None:
        """Required anti-affinity reaches no further than the node."""
        plugin = on.LimitPodHardAntiAffinityTopology()

        def apart(key: str) -> Obj:
            return pod(affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": key}]}})

        self.validate(plugin, self.write(apart("kubernetes.io/hostname")))
        self.assertIn("has TopologyKey zone but only key kubernetes.io/hostname is allowed",
                      self.refusal(plugin.validate, self.write(apart("zone"))).message)

    def test_extended_resources(self) -> None:
        """A pod that requests a device tolerates the taint of its nodes, once."""
        plugin = on.ExtendedResourceToleration()
        needy = container("a", resources={"requests": {"example.com/gpu": "1", "cpu": "1"}})
        spec = self.admit(plugin, self.write(pod(containers=[needy, needy])))["spec"]
        self.assertEqual(spec["tolerations"],
                         [{"key": "example.com/gpu", "operator": "Exists", "effect": "NoSchedule"}])
        self.assertEqual(len(self.admit(plugin, self.write({"metadata": {}, "spec": spec}))["spec"]["tolerations"]), 1)

    def annotate(self, key: str, value: str) -> None:
        self.world.add("", "namespaces", {"metadata": {"name": "ns", "annotations": {
            f"scheduler.alpha.kubernetes.io/{key}": value}}})

    def test_pod_node_selector(self) -> None:
        """The namespace's selector is added to the pod's, and may not be contradicted."""
        plugin = on.PodNodeSelector(self.world)
        self.annotate("node-selector", "env=test,disk=ssd")
        spec = self.admit(plugin, self.write(pod(nodeSelector={"a": "b"})))["spec"]
        self.assertEqual(spec["nodeSelector"], {"env": "test", "disk": "ssd", "a": "b"})
        attributes = self.write(pod(nodeSelector={"env": "live"}))
        for step in (plugin.admit, plugin.validate):
            self.assertIn("pod node label selector conflicts with its namespace node label selector",
                          self.refusal(step, attributes).message)

    def test_pod_toleration_restriction(self) -> None:
        """The namespace gives new pods tolerations; pods that request resources tolerate memory pressure."""
        plugin = on.PodTolerationRestriction(self.world)
        self.annotate("defaultTolerations", '[{"key": "k", "operator": "Exists"}]')
        self.assertEqual(self.admit(plugin, self.write(pod()))["spec"]["tolerations"],
                         [{"key": "k", "operator": "Exists"}])
        busy = pod(containers=[container("a", resources={"requests": {"cpu": "1"}})])
        self.assertEqual([one["key"] for one in self.admit(plugin, self.write(busy))["spec"]["tolerations"]],
                         ["k", "node.kubernetes.io/memory-pressure"])

    def test_toleration_whitelist(self) -> None:
        """Only tolerations that the namespace allows are let through."""
        plugin = on.PodTolerationRestriction(self.world)
        self.annotate("tolerationsWhitelist", '[{"key": "k", "operator": "Exists"}]')
        self.validate(plugin, self.write(pod(tolerations=[{"key": "k", "operator": "Equal", "value": "v"}])))
        self.assertIn("conflict with its namespace whitelist", self.refusal(
            plugin.admit, self.write(pod(tolerations=[{"key": "x", "operator": "Exists"}])), 500).message)
