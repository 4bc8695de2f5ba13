"""Tests of the strategies of PodTemplates and ReplicationControllers."""

from __future__ import annotations

import copy

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.core import podtemplate, replicationcontroller
from tests.registry.podspec.pods import CONTEXT, Obj, container


def template(**labels: str) -> Obj:
    """A pod template with these labels."""
    return {"metadata": {"labels": labels} if labels else {}, "spec": {"containers": [container()]}}


class WarningTests(SynchronousTestCase):
    """ReplicationControllers that change."""

    def test_old_template(self) -> None:
        """The warnings of a change are about the template that was there before."""
        def controller(seconds: int) -> Obj:
            made: Obj = {"metadata": {"name": "r"}, "spec": {"template": template(a="b")}}
            made["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] = seconds
            replicationcontroller.STRATEGY.default(made)
            return made

        warned = replicationcontroller.STRATEGY.warnings_on_update
        self.assertEqual(warned(CONTEXT, controller(-1), controller(1)), [])
        self.assertEqual(len(warned(CONTEXT, controller(1), controller(-1))), 1)


class PodTemplateTests(SynchronousTestCase):
    """PodTemplates."""

    def test_defaults(self) -> None:
        """The template gets the defaults of pod specs, not those of pods."""
        made: Obj = {"metadata": {"name": "t"}, "template": template()}
        podtemplate.STRATEGY.default(made)
        self.assertEqual(made["template"]["spec"]["dnsPolicy"], "ClusterFirst")
        self.assertNotIn("enableServiceLinks", made["template"]["spec"])

    def test_validation_and_generation(self) -> None:
        """Errors are under the template's path; a changed template is a new generation."""
        made: Obj = {"metadata": {"name": "t"}, "template": template()}
        podtemplate.STRATEGY.default(made)
        podtemplate.STRATEGY.prepare_for_create(CONTEXT, made)
        self.assertEqual(podtemplate.STRATEGY.validate(CONTEXT, made), [])
        self.assertNotIn("status", made)
        new = copy.deepcopy(made)
        new["template"]["spec"]["containers"][0]["image"] = ""
        self.assertEqual([str(one) for one in podtemplate.STRATEGY.validate_update(CONTEXT, new, made)],
                         ["template.spec.containers[0].image: Required value"])
        self.assertTrue(podtemplate.STRATEGY.generation_changed(new, made))


class ReplicationControllerTests(SynchronousTestCase):
    """ReplicationControllers."""

    def made(self, **spec: object) -> Obj:
        """A defaulted controller."""
        obj: Obj = {"metadata": {"name": "rc"}, "spec": {"template": template(app="a")} | spec}
        replicationcontroller.STRATEGY.default(obj)
        return obj

    def test_labels_come_from_the_template(self) -> None:
        """Selector and labels are the template's when there are none; there is one replica."""
        obj = self.made()
        self.assertEqual((obj["spec"]["selector"], obj["metadata"]["labels"], obj["spec"]["replicas"]),
                         ({"app": "a"}, {"app": "a"}, 1))

    def test_validation(self) -> None:
        """The selector matches; pods always run."""
        obj = self.made(selector={"app": "b"}, replicas=-1)
        obj["spec"]["template"]["spec"]["restartPolicy"] = "Never"
        self.assertEqual([str(one) for one in replicationcontroller.STRATEGY.validate(CONTEXT, obj)], [
            "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
            'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template '
            "`labels`",
            'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'])

    def test_status(self) -> None:
        """Counts are not larger than that of all replicas; selectors see it."""
        obj = self.made()
        replicationcontroller.STRATEGY.prepare_for_create(CONTEXT, obj)
        self.assertEqual(replicationcontroller.STRATEGY.selectable_fields(obj), {"status.replicas": "0"})
        new = obj | {"status": {"replicas": 1, "readyReplicas": 2}}
        self.assertEqual([str(one)
                          for one in replicationcontroller.STATUS.validate_update(CONTEXT, new, obj)], [
            "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas"])
