"""Tests of the strategy of CronJobs and of their schedules."""

from __future__ import annotations

import copy

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.batch.cronjob import STRATEGY
from kube_twisted.registry.batch.schedule import parse_schedule, validate_time_zone
from tests.registry.podspec.pods import CONTEXT, Obj, container


def cronjob(name: str = "c", **spec: object) -> Obj:
    """A CronJob with its defaults; keywords are fields of its spec."""
    template = {"metadata": {}, "spec": {"containers": [container()], "restartPolicy": "Never"}}
    obj: Obj = {"metadata": {"name": name},
                "spec": {"schedule": "0 * * * *",
                         "jobTemplate": {"metadata": {}, "spec": {"template": template}}} | spec}
    STRATEGY.default(obj)
    STRATEGY.prepare_for_create(CONTEXT, obj)
    return obj


def errors_of(name: str = "c", **spec: object) -> list[str]:
    """What is wrong with a new CronJob."""
    return [str(error) for error in STRATEGY.validate(CONTEXT, cronjob(name, **spec))]


class CronJobTests(SynchronousTestCase):
    """CronJobs."""

    def test_defaults(self) -> None:
        """Its Jobs may overlap, a few are kept; the Job inside gets none of a Job's defaults."""
        spec = cronjob()["spec"]
        self.assertEqual({key: spec[key] for key in spec if key not in ("schedule", "jobTemplate")}, {
            "concurrencyPolicy": "Allow", "suspend": False, "successfulJobsHistoryLimit": 3,
            "failedJobsHistoryLimit": 1})
        job = spec["jobTemplate"]["spec"]
        self.assertEqual(list(job), ["template"])
        self.assertEqual(job["template"]["spec"]["dnsPolicy"], "ClusterFirst")

    def test_valid(self) -> None:
        """The smallest one is valid."""
        self.assertEqual(errors_of(), [])

    def test_validation(self) -> None:
        """Schedule, zone, policy and limits, in this order."""
        self.assertEqual(errors_of(schedule="", timeZone="Nowhere/Land", concurrencyPolicy="Maybe",
                                   startingDeadlineSeconds=-1, failedJobsHistoryLimit=-1), [
            "spec.schedule: Required value",
            "spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
            'spec.timeZone: Invalid value: "Nowhere/Land": unknown time zone Nowhere/Land',
            'spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", '
            '"Replace"',
            "spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0"])

    def test_long_name(self) -> None:
        """Names of its Jobs must fit."""
        name = "c" * 53
        self.assertEqual(errors_of(name),
                         [f'metadata.name: Invalid value: "{name}": must be no more than 52 characters'])

    def test_job_template(self) -> None:
        """The Job inside has no selector of its own, and pods that end."""
        template = {"metadata": {}, "spec": {"containers": [container()]}}
        path = "spec.jobTemplate.spec"
        self.assertEqual(errors_of(jobTemplate={"spec": {"template": template, "manualSelector": True,
                                                         "selector": {}}}), [
            f'{path}.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
            f"{path}.selector: Invalid value: {{}}: `selector` will be auto-generated",
            f'{path}.manualSelector: Unsupported value: true: supported values: "nil", "false"'])

    def test_zone_in_the_schedule(self) -> None:
        """The zone has a field; a stored schedule with a zone may stay, with a warning."""
        self.assertEqual(errors_of(schedule="TZ=UTC 0 * * * *"), [
            'spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use '
            "timeZone field instead"])
        old = cronjob(schedule="TZ=UTC 0 * * * *")
        new = copy.deepcopy(old)
        new["spec"]["suspend"] = True
        self.assertEqual(STRATEGY.validate_update(CONTEXT, new, old), [])
        self.assertEqual(len(STRATEGY.warnings_on_update(CONTEXT, new, old)), 1)

    def test_warnings(self) -> None:
        """About the Job inside and its pods."""
        job = {"completionMode": "Indexed", "completions": 100_001, "parallelism": 10_001,
               "template": {"metadata": {}, "spec": {"containers": [container()], "imagePullSecrets": [{}]}}}
        found = STRATEGY.warnings_on_create(CONTEXT, cronjob("a.b", jobTemplate={"spec": job}))
        self.assertEqual([text.partition(": ")[0] for text in found], [
            "metadata.name", "spec.jobTemplate.spec",
            "spec.jobTemplate.spec.template.spec.imagePullSecrets[0].name"])


class ScheduleTests(SynchronousTestCase):
    """Cron schedules and time zones."""

    def test_good(self) -> None:
        """Numbers, ranges, steps, names, lists and descriptors."""
        for text in ("* * * * *", "*/5 0-3,5 1 JAN sun", "0 0 ? * MON-FRI", "@daily", "@every 1h30m",
                     "5/15 * * * *"):
            parse_schedule(text)

    def test_bad(self) -> None:
        """Each mistake has its message."""
        for text, wanted in (
                ("0 * * *", "expected exactly 5 fields, found 4: [0 * * *]"),
                ("61 * * * *", "end of range (61) above maximum (59): 61"),
                ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
                ("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"),
                ("*/0 * * * *", "step of range should be a positive number: */0"),
                ("1-2-3 * * * *", "too many hyphens: 1-2-3"), ("1/2/3 * * * *", "too many slashes: 1/2/3"),
                ("x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'),
                ("@never", "unrecognized descriptor: @never"),
                ("@every x", 'failed to parse duration @every x: time: invalid duration "x"')):
            error = self.assertRaises(ValueError, parse_schedule, text)
            self.assertEqual(str(error), wanted)

    def test_time_zones(self) -> None:
        """Zones are of the database; local time is none."""
        self.assertEqual(validate_time_zone("z", "Europe/Berlin"), [])
        self.assertEqual([str(one) for one in validate_time_zone("z", "")],
                         ['z: Invalid value: "": timeZone must be nil or non-empty string'])
        self.assertEqual([str(one) for one in validate_time_zone("z", "../etc")],
                         ['z: Invalid value: "../etc": unknown time zone ../etc'])
        self.assertEqual([str(one) for one in validate_time_zone("z", "local")], [
            'z: Invalid value: "local": timeZone must be an explicit time zone as defined in '
            "https://www.iana.org/time-zones", 'z: Invalid value: "local": unknown time zone local'])
