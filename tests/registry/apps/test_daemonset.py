"""Tests of the strategies of DaemonSets and ControllerRevisions."""

from __future__ import annotations

import copy

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.registry.apps import controllerrevision, daemonset
from tests.registry.apps.workloads import errors_of, update, workload
from tests.registry.podspec.pods import CONTEXT, Obj


class DaemonSetTests(SynchronousTestCase):
    """DaemonSets."""

    def test_defaults(self) -> None:
        """One node at a time; the template is of its first generation; counts are there."""
        obj = workload(daemonset.STRATEGY)
        self.assertEqual(obj["spec"]["updateStrategy"],
                         {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}})
        self.assertEqual(obj["spec"]["revisionHistoryLimit"], 10)
        self.assertEqual(obj["metadata"]["annotations"], {"deprecated.daemonset.template.generation": "1"})
        self.assertEqual(obj["status"], {"currentNumberScheduled": 0, "numberMisscheduled": 0,
                                         "desiredNumberScheduled": 0, "numberReady": 0})

    def test_template_generation(self) -> None:
        """Only the server counts changes of the template."""
        old = workload(daemonset.STRATEGY)
        new = copy.deepcopy(old)
        new["metadata"]["annotations"] = {"deprecated.daemonset.template.generation": "9", "a": "b"}
        new["spec"]["minReadySeconds"] = 3
        self.assertEqual(update(daemonset.STRATEGY, new, old), [])
        self.assertEqual(new["metadata"]["annotations"],
                         {"deprecated.daemonset.template.generation": "1", "a": "b"})
        new["spec"]["template"]["spec"]["containers"][0]["image"] = "app:2"
        self.assertEqual(update(daemonset.STRATEGY, new, old), [])
        self.assertEqual(daemonset.template_generation(new), 2)

    def test_template_generation_is_a_number(self) -> None:
        """A text that is no 64-bit number is refused: 400."""
        for text, why in (("two", "invalid syntax"), ("", "invalid syntax"), ("9" * 20, "value out of range")):
            obj = workload(daemonset.STRATEGY)
            obj["metadata"]["annotations"] = {"deprecated.daemonset.template.generation": text}
            error = self.assertRaises(StatusError, daemonset.STRATEGY.default, obj)
            self.assertEqual((error.code, error.message), (
                400, f'DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "{text}": '
                     f"{why}"))

    def test_update_strategy(self) -> None:
        """Either some are unavailable or some are extra."""
        path = "spec.updateStrategy.rollingUpdate"
        for unavailable, surge, wanted in (
                (1, "10%",
                 [f'{path}.maxSurge: Invalid value: "10%": may not be set when maxUnavailable is non-zero']),
                (0, 0, [f"{path}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0"])):
            strategy = {"type": "RollingUpdate",
                        "rollingUpdate": {"maxUnavailable": unavailable, "maxSurge": surge}}
            self.assertEqual(errors_of(daemonset.STRATEGY, updateStrategy=strategy), wanted)

    def test_selector_is_fixed(self) -> None:
        """A DaemonSet keeps its selector."""
        old = workload(daemonset.STRATEGY)
        new = copy.deepcopy(old)
        new["spec"]["selector"] = {"matchLabels": {"app": "z"}}
        self.assertEqual(update(daemonset.STRATEGY, new, old)[0],
                         'spec.selector: Invalid value: {"matchLabels":{"app":"z"}}: field is immutable')


class ControllerRevisionTests(SynchronousTestCase):
    """ControllerRevisions."""

    def test_validation(self) -> None:
        """The data is an object that never changes."""
        for data, wanted in (({"a": 1}, []), (None, ["data: Required value: data is mandatory"]),
                             ([1], ["data: Required value: data must be a valid JSON object"])):
            obj: Obj = {"metadata": {"name": "r"}, "revision": 1} | ({} if data is None else {"data": data})
            self.assertEqual([str(one) for one in controllerrevision.STRATEGY.validate(CONTEXT, obj)], wanted)
        found = controllerrevision.STRATEGY.validate_update(
            CONTEXT, {"data": {"a": 2}, "revision": -1}, {"data": {"a": 1}})
        self.assertEqual([str(one) for one in found], [
            "revision: Invalid value: -1: must be greater than or equal to 0",
            'data: Invalid value: {"a":2}: field is immutable'])
