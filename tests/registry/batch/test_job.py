"""Tests of the strategies of Jobs."""

from __future__ import annotations

import copy

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.batch.job import STATUS, STRATEGY
from tests.registry.podspec.pods import CONTEXT, Obj, container

UID = "11111111-2222-3333-4444-555555555555"


def job(metadata: Obj | None = None, labels: dict[str, str] | None = None, restart: str = "Never",
        **spec: object) -> Obj:
    """A Job with its defaults, prepared for creation; keywords are fields of its spec."""
    template: Obj = {"metadata": {"labels": labels} if labels else {},
                     "spec": {"containers": [container()], "restartPolicy": restart}}
    obj: Obj = {"metadata": {"name": "j", "uid": UID} | (metadata or {}),
                "spec": {"template": template} | spec}
    STRATEGY.default(obj)
    STRATEGY.prepare_for_create(CONTEXT, obj)
    return obj


def errors_of(**fields: object) -> list[str]:
    """What is wrong with a new Job."""
    return [str(error) for error in STRATEGY.validate(CONTEXT, job(**fields))]


def update(new: Obj, old: Obj) -> list[str]:
    """What is wrong with a change."""
    STRATEGY.prepare_for_update(CONTEXT, new, old)
    return list(dict.fromkeys(str(error) for error in STRATEGY.validate_update(CONTEXT, new, old)))


class CreateTests(SynchronousTestCase):
    """New Jobs."""

    def test_defaults(self) -> None:
        """One pod, once, with six retries."""
        spec = job()["spec"]
        self.assertEqual({key: spec[key] for key in spec if key not in ("selector", "template")}, {
            "completions": 1, "parallelism": 1, "backoffLimit": 6, "completionMode": "NonIndexed",
            "suspend": False,
            "podReplacementPolicy": "TerminatingOrFailed", "manualSelector": False})

    def test_defaults_that_depend(self) -> None:
        """A work queue has no completions; limits per index leave the total open; failed pods wait."""
        self.assertNotIn("completions", job(parallelism=3)["spec"])
        self.assertEqual(job(completions=3)["spec"]["parallelism"], 1)
        self.assertEqual(job(completionMode="Indexed", backoffLimitPerIndex=1)["spec"]["backoffLimit"],
                         2**31 - 1)
        policy = {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}
        spec = job(podFailurePolicy=policy)["spec"]
        self.assertEqual(spec["podReplacementPolicy"], "Failed")
        self.assertEqual(spec["podFailurePolicy"]["rules"][0]["onPodConditions"][0]["status"], "True")

    def test_selector_is_generated(self) -> None:
        """Pods are selected by the Job's uid; they carry old and new labels."""
        spec = job()["spec"]
        self.assertEqual(spec["selector"], {"matchLabels": {"batch.kubernetes.io/controller-uid": UID}})
        self.assertEqual(spec["template"]["metadata"]["labels"], {
            "batch.kubernetes.io/controller-uid": UID, "batch.kubernetes.io/job-name": "j",
            "controller-uid": UID,
            "job-name": "j"})

    def test_labels_of_the_job(self) -> None:
        """A Job without labels has its pods' labels, generated ones too; its own stay as they are."""
        shared = job(labels={"a": "b"})
        self.assertEqual(shared["metadata"]["labels"], shared["spec"]["template"]["metadata"]["labels"])
        self.assertEqual(job(metadata={"labels": {"a": "b"}}, labels={"a": "b"})["metadata"]["labels"],
                         {"a": "b"})
        late = job()
        self.assertNotIn("labels", late["metadata"])
        STRATEGY.default_as_read(late)
        self.assertEqual(late["metadata"]["labels"]["job-name"], "j")

    def test_manual_selector(self) -> None:
        """Who asks for it chooses the selector."""
        self.assertEqual(errors_of(manualSelector=True), [
            "spec.selector: Required value",
            "spec.template.metadata.labels: Invalid value: null: `selector` does not match template "
            "`labels`"])
        self.assertEqual(errors_of(manualSelector=True, selector={"matchLabels": {"a": "b"}},
                                   labels={"a": "b"}), [])

    def test_client_labels(self) -> None:
        """Nobody else chooses the labels by which pods are selected."""
        found = errors_of(labels={"job-name": "other"})
        self.assertIn('"job-name":"other"}: must be \'j\'', found[0])
        self.assertTrue(found[0].startswith("spec.template.metadata.labels[job-name]: Invalid value: "))

    def test_warnings(self) -> None:
        """Names that are no labels; too many indexes."""
        self.assertIn("a DNS label is recommended",
                      STRATEGY.warnings_on_create(CONTEXT, job({"name": "a.b"}))[0])
        self.assertIn("spec: In Indexed Jobs", STRATEGY.warnings_on_create(
            CONTEXT, job(completionMode="Indexed", completions=100_001, parallelism=10_001))[0])


class SpecTests(SynchronousTestCase):
    """Validation of the spec."""

    def test_restart_policy(self) -> None:
        """Pods of a Job end."""
        self.assertEqual(errors_of(restart="Always"), [
            'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'])

    def test_counts(self) -> None:
        """No count is negative."""
        for name in ("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
                     "ttlSecondsAfterFinished"):
            self.assertEqual(errors_of(**{name: -1}),
                             [f"spec.{name}: Invalid value: -1: must be greater than or equal to 0"])

    def test_indexed(self) -> None:
        """An Indexed Job has completions; what counts by index is for Indexed Jobs."""
        self.assertEqual(errors_of(completionMode="Indexed", parallelism=1),
                         ["spec.completions: Required value: when completion mode is Indexed"])
        self.assertEqual(errors_of(backoffLimitPerIndex=1),
                         ["spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"])
        self.assertEqual(errors_of(completionMode="Indexed", completions=2, backoffLimitPerIndex=1,
                                   maxFailedIndexes=3),
                         ["spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to "
                          "completions"])
        self.assertEqual(errors_of(completionMode="Odd"), [
            'spec.completionMode: Unsupported value: "Odd": supported values: "NonIndexed", "Indexed"'])

    def test_host_names_of_indexes(self) -> None:
        """The last pod's host name is a label."""
        found = errors_of(metadata={"name": "j" * 62}, completionMode="Indexed", completions=11)
        self.assertEqual(found, [f'metadata.name: Invalid value: "{"j" * 62}": will not able to create pod '
                                 f'with invalid DNS label: {"j" * 62}-10'])

    def test_failure_policy(self) -> None:
        """A rule has an action and one kind of condition."""
        path = "spec.podFailurePolicy.rules[0]"
        for rule, wanted in (
                ({},
                 [f'{path}.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
                  f"{path}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required"]),
                ({"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [3, 0, 3]}},
                 [f'{path}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
                  f"{path}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator",
                  f"{path}.onExitCodes.values[2]: Duplicate value: 3",
                  f"{path}.onExitCodes.values: Invalid value: [3,0,3]: must be ordered"]),
                ({"action": "Ignore", "onExitCodes": {"operator": "Is", "values": [1], "containerName": "x"}},
                 [f'{path}.onExitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"',
                  f'{path}.onExitCodes.containerName: Invalid value: "x": must be one of the container or '
                  'initContainer '
                  "names in the pod template"])):
            self.assertEqual(errors_of(podFailurePolicy={"rules": [rule]}), wanted)
        good = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [1]}}]}
        self.assertEqual(errors_of(podFailurePolicy=good, restart="OnFailure"), [
            'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when '
            "podFailurePolicy is specified"])
        self.assertEqual(errors_of(podFailurePolicy=good, podReplacementPolicy="TerminatingOrFailed"), [
            'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: '
            '"Failed"'])

    def test_success_policy(self) -> None:
        """A rule names indexes that the Job has."""
        path = "spec.successPolicy.rules"
        for rules, wanted in (
                ([], [f"{path}: Required value: at least one rules must be specified when the successPolicy "
                      "is specified"]),
                ([{}],
                 [f"{path}[0]: Required value: at least one of succeededCount or succeededIndexes must be "
                  "specified"]),
                ([{"succeededIndexes": "0,9"}],
                 [f'{path}[0].succeededIndexes: Invalid value: "0,9": error parsing succeededIndexes: too '
                  'large index: "9"']),
                ([{"succeededIndexes": "0-1", "succeededCount": 3}],
                 [f"{path}[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number "
                  "of indexes in the specified succeededIndexes field)"])):
            self.assertEqual(errors_of(completionMode="Indexed", completions=3,
                                       successPolicy={"rules": rules}), wanted)

    def test_managed_by(self) -> None:
        """Another controller is named with its domain."""
        self.assertEqual(errors_of(managedBy="me"), [
            'spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'])


class UpdateTests(SynchronousTestCase):
    """What may change."""

    def test_fixed_fields(self) -> None:
        """Completions, mode and selector stay; parallelism may change."""
        old = job(completions=3)
        new = copy.deepcopy(old)
        new["spec"] |= {"parallelism": 2, "suspend": True}
        self.assertEqual(update(new, old), [])
        new["spec"] |= {"completions": 4, "completionMode": "Indexed"}
        new["spec"]["completionMode"] = "NonIndexed"
        self.assertEqual(update(new, old), ["spec.completions: Invalid value: 4: field is immutable"])

    def test_elastic(self) -> None:
        """Completions of an Indexed Job follow its parallelism."""
        old = job(completionMode="Indexed", completions=3, parallelism=3)
        new = copy.deepcopy(old)
        new["spec"]["completions"] = 4
        self.assertEqual(update(new, old), [
            "spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism"])
        new["spec"]["parallelism"] = 4
        self.assertEqual(update(new, old), [])

    def test_template(self) -> None:
        """The template of a Job that runs is fixed; the whole of it is shown."""
        old = job()
        new = copy.deepcopy(old)
        new["spec"]["template"]["spec"]["nodeSelector"] = {"a": "b"}
        found = update(new, old)
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith(
            'spec.template: Invalid value: {"labels":{"batch.kubernetes.io/controller-uid":'))
        self.assertIn('"NodeSelector":{"a":"b"},"ServiceAccountName":""', found[0])
        self.assertTrue(found[0].endswith(": field is immutable"))

    def test_suspended(self) -> None:
        """While suspended and idle, a Job may be sent elsewhere and resized, not changed otherwise."""
        old = job(suspend=True)
        new = copy.deepcopy(old)
        spec = new["spec"]["template"]["spec"]
        affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
            {"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}}}
        spec |= {"nodeSelector": {"a": "b"}, "tolerations": [{"operator": "Exists"}], "affinity": affinity}
        spec["containers"][0]["resources"] = {"requests": {"cpu": "1"}}
        self.assertEqual(update(new, old), [])
        spec["containers"][0]["image"] = "app:2"
        self.assertTrue(update(new, old)[0].startswith('spec.template.spec: Invalid value: {"Volumes":null,'))
        old["status"] = {"startTime": "2026-01-01T00:00:00Z"}
        spec["containers"][0]["image"] = "app:1"
        self.assertTrue(update(new, old)[0].startswith('spec.template: Invalid value: {"labels":'))


class StatusTests(SynchronousTestCase):
    """The status endpoint."""

    def change(self, status: Obj, before: Obj | None = None, **spec: object) -> list[str]:
        """What is wrong with a new status."""
        old = job(**spec) | {"status": before or {}}
        new = copy.deepcopy(old) | {"status": status}
        STATUS.prepare_for_update(CONTEXT, new, old)
        return [str(error).removeprefix("status.") for error in STATUS.validate_update(CONTEXT, new, old)]

    def test_completion(self) -> None:
        """A complete Job met its criteria, has times and no pods."""
        complete = {"type": "Complete", "status": "True"}
        self.assertEqual(self.change({"active": 2, "conditions": [complete]}), [
            "completionTime: Required value: completionTime is required for Complete jobs",
            "conditions: Invalid value: cannot set Complete=True condition without the "
            "SuccessCriteriaMet=true condition",
            "active: Invalid value: 2: active>0 is invalid for finished job",
            "startTime: Required value: startTime is required for finished job"])
        met = {"type": "SuccessCriteriaMet", "status": "True"}
        times = {"startTime": "2026-01-01T00:00:00Z", "completionTime": "2026-01-01T00:00:01Z"}
        self.assertEqual(self.change({"conditions": [met, complete], **times}), [])
        late = times | {"startTime": "2026-01-01T00:00:02Z"}
        self.assertEqual(self.change({"conditions": [met, complete], **late}), [
            'completionTime: Invalid value: "2026-01-01T00:00:01Z": must be equal to or after `startTime`'])

    def test_terminal_conditions_stay(self) -> None:
        """What has ended stays so; counters do not fall."""
        before = {"failed": 2, "conditions": [{"type": "FailureTarget", "status": "True"}]}
        self.assertEqual(self.change({"failed": 1}, before), [
            "conditions: Invalid value: cannot disable the terminal FailureTarget=True condition",
            "failed: Invalid value: 1: cannot decrease the failed counter"])

    def test_indexes(self) -> None:
        """Indexes are in order, of Indexed Jobs, and not both completed and failed."""
        self.assertEqual(self.change({"completedIndexes": "0"}), [
            'completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed '
            "completion mode"])
        indexed = {"completionMode": "Indexed", "completions": 5, "backoffLimitPerIndex": 1}
        self.assertEqual(self.change({"completedIndexes": "2,1"}, **indexed), [
            'completedIndexes: Invalid value: "2,1": error parsing completedIndexes: non-increasing order, '
            "previous: 2, current: 1"])
        self.assertEqual(self.change({"completedIndexes": "0-2", "failedIndexes": "2,4"}, **indexed), [
            'failedIndexes: Invalid value: "2,4": failedIndexes and completedIndexes overlap at index: 2'])

    def test_start_time(self) -> None:
        """A Job that is not suspended keeps its start."""
        before = {"startTime": "2026-01-01T00:00:00Z"}
        self.assertEqual(self.change({"startTime": "2026-01-02T00:00:00Z"}, before), [
            'startTime: Invalid value: "2026-01-02T00:00:00Z": field is immutable for unsuspended job once '
            "set"])
        self.assertEqual(self.change({}, before, suspend=True), [])

    def test_pods(self) -> None:
        """No more pods are ready than active; pods are counted once."""
        self.assertEqual(self.change({"ready": 1, "uncountedTerminatedPods": {"succeeded": ["a"],
                                                                              "failed": ["a", ""]}}), [
            'uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
            'uncountedTerminatedPods.failed[1]: Invalid value: "": must not be empty',
            "ready: Invalid value: 1: cannot set more ready pods than active"])

    def test_selectable_fields(self) -> None:
        """Selectors see the count of pods that succeeded."""
        self.assertEqual(STRATEGY.selectable_fields({"status": {"succeeded": 2}}), {"status.successful": "2"})
