"""What Tables say about Jobs and CronJobs."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, CREATED, cell, cells, named

TEMPLATE = {"spec": {"containers": [{"name": "a", "image": "i"}]}}


def job(*conditions: str, deleting: bool = False, **status: Any) -> dict[str, Any]:
    """A Job with True conditions."""
    made = [{"type": one, "status": "True"} for one in conditions]
    return named("j", metadata={"deletionTimestamp": CREATED} if deleting else {},
                 status={"conditions": made, **status})


class JobTests(SynchronousTestCase):
    def test_running(self) -> None:
        """A Job that runs since an hour."""
        obj = named("j", spec={"completions": 3, "template": TEMPLATE,
                               "selector": {"matchLabels": {"j": "m"}}},
                    status={"succeeded": 1, "startTime": "2026-05-01T11:00:00Z"})
        self.assertEqual(cells("batch", "jobs", obj), ["j", "Running", "1/3", "60m", AGE, "a", "i", "j=m"])

    def test_status(self) -> None:
        """Of several conditions the strongest is the status; an ended Job hides its deletion."""
        for obj, status in (
            (job("Suspended", "Failed", "Complete"), "Complete"),
            (job("FailureTarget", "Failed", deleting=True), "Failed"),
            (job("Suspended", deleting=True), "Terminating"),
            (job("FailureTarget", "Suspended"), "Suspended"),
            (job("SuccessCriteriaMet", "FailureTarget"), "FailureTarget"),
            (job("SuccessCriteriaMet"), "SuccessCriteriaMet"),
            (job(), "Running"),
        ):
            self.assertEqual(cell("batch", "jobs", "Status", obj), status)

    def test_condition_not_true(self) -> None:
        """A condition that is not True says nothing."""
        obj = named("j", status={"conditions": [{"type": "Suspended", "status": "False"}]})
        self.assertEqual(cell("batch", "jobs", "Status", obj), "Running")

    def test_completions(self) -> None:
        """Without a number of completions one is enough, of as many pods as work in parallel."""
        for spec, shown in (({"completions": 4}, "0/4"), ({"parallelism": 2}, "0/1 of 2"),
                            ({"parallelism": 1}, "0/1"), ({}, "0/1")):
            self.assertEqual(cell("batch", "jobs", "Completions", named("j", spec=spec)), shown)

    def test_duration(self) -> None:
        """A Job that is over took the time from its start to its end; one that did not start took none."""
        obj = job(startTime="2026-04-01T10:00:00Z", completionTime="2026-04-01T10:02:30Z")
        self.assertEqual(cell("batch", "jobs", "Duration", obj), "2m30s")
        self.assertEqual(cell("batch", "jobs", "Duration", job()), "")


class CronJobTests(SynchronousTestCase):
    def test_used(self) -> None:
        """Active jobs are counted, and the last schedule is an age."""
        obj = named("c", spec={"schedule": "@daily", "timeZone": "Europe/Prague", "suspend": True,
                               "jobTemplate": {"spec": {"template": TEMPLATE}}},
                    status={"active": [{"name": "c-1"}], "lastScheduleTime": "2026-05-01T11:00:00Z"})
        self.assertEqual(cells("batch", "cronjobs", obj),
                         ["c", "@daily", "Europe/Prague", "True", 1, "60m", AGE, "a", "i", "<none>"])

    def test_new(self) -> None:
        """A CronJob that did not run yet; suspension is a word, not a boolean."""
        obj = named("c", spec={"schedule": "* * * * *", "suspend": False})
        self.assertEqual(cells("batch", "cronjobs", obj),
                         ["c", "* * * * *", "<none>", "False", 0, "<none>", AGE, "", "", "<none>"])
        self.assertEqual(cell("batch", "cronjobs", "Suspend", named("c")), "<unset>")
