"""What Tables say about Pods."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.printers.lookup import printer_for
from tests.registry.printers.printing import AGE, cells, named

ENDED = "2026-05-01T10:00:00Z"
RUNNING = {"running": {"startedAt": ENDED}}


def container(name: str, state: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A container's status."""
    return {"name": name, "ready": False, "restartCount": 0, "state": state, **more}


def terminated(code: int = 0, **more: Any) -> dict[str, Any]:
    return {"terminated": {"exitCode": code, **more}}


def waiting(reason: str) -> dict[str, Any]:
    return {"waiting": {"reason": reason}}


def condition(kind: str, status: str = "True", **more: Any) -> dict[str, Any]:
    return {"type": kind, "status": status, **more}


def pod(*main: dict[str, Any], init: list[dict[str, Any]] | None = None, sidecars: tuple[str, ...] = (),
        phase: str = "Running", conditions: list[dict[str, Any]] | None = None, total: int = 0,
        deleted: bool = False) -> dict[str, Any]:
    """A pod whose spec has the containers that its statuses tell of; ``total`` for more main ones."""
    spec: dict[str, Any] = {"containers": [{"name": one["name"]} for one in main] or [{}] * total}
    status: dict[str, Any] = {"phase": phase, "containerStatuses": list(main), "conditions": conditions or []}
    if init:
        spec["initContainers"] = [
            {"name": one["name"], **({"restartPolicy": "Always"} if one["name"] in sidecars else {})}
            for one in init]
        status["initContainerStatuses"] = init
    return named("p", metadata={"deletionTimestamp": ENDED} if deleted else {}, spec=spec, status=status)


def state(obj: dict[str, Any]) -> list[Any]:
    """The cells Ready, Status and Restarts."""
    return cells("", "pods", obj)[1:4]


class PodRowTests(SynchronousTestCase):
    def test_new_pod(self) -> None:
        """A pod that nothing happened to yet."""
        obj = named("one", spec={"containers": [{"name": "a"}]}, status={"phase": "Pending"})
        self.assertEqual(cells("", "pods", obj),
                         ["one", "0/1", "Pending", "0", AGE, "<none>", "<none>", "<none>", "<none>"])

    def test_placed_pod(self) -> None:
        """Address, node, nominated node and readiness gates are shown where there is room."""
        obj = pod(container("a", RUNNING, ready=True),
                  conditions=[condition("g/a"), condition("g/b", "False")])
        obj["spec"].update(nodeName="n1", readinessGates=[{"conditionType": f"g/{one}"} for one in "abc"])
        obj["status"].update(podIPs=[{"ip": "10.1.0.5"}, {"ip": "fd00::5"}], nominatedNodeName="n2")
        self.assertEqual(cells("", "pods", obj)[5:], ["10.1.0.5", "n1", "n2", "1/3"])

    def test_bookmark(self) -> None:
        """A pod of metadata only, as a bookmark has."""
        self.assertEqual(cells("", "pods", {"metadata": {"resourceVersion": "5"}}),
                         ["", "0/0", "", "0", "<unknown>", "<none>", "<none>", "<none>", "<none>"])

    def test_completed_rows(self) -> None:
        """Pods that ended have a completed row; others have no conditions."""
        conditions = printer_for("", "pods").conditions
        self.assertEqual(conditions(pod(phase="Succeeded")), [
            {"type": "Completed", "status": "True", "reason": "Succeeded",
             "message": "The pod has completed successfully."}])
        self.assertIsNone(conditions(pod(phase="Running")))


class StatusTests(SynchronousTestCase):
    def test_phase(self) -> None:
        """With nothing else to say, the status is the phase; a reason overrides it."""
        obj = pod(total=1, phase="Failed")
        self.assertEqual(state(obj), ["0/1", "Failed", "0"])
        obj["status"]["reason"] = "Evicted"
        self.assertEqual(state(obj), ["0/1", "Evicted", "0"])

    def test_scheduling_gated(self) -> None:
        """A pod that is held back from scheduling says so."""
        gated = condition("PodScheduled", "False", reason="SchedulingGated")
        obj = pod(total=1, phase="Pending", conditions=[gated])
        self.assertEqual(state(obj), ["0/1", "SchedulingGated", "0"])

    def test_waiting(self) -> None:
        """The first waiting container's reason is the status; the last end tells when one restarted."""
        crashed = {"terminated": {"exitCode": 1, "finishedAt": ENDED}}
        obj = pod(container("a", waiting("CrashLoopBackOff"), restartCount=3, lastState=crashed),
                  container("b", waiting("ErrImagePull")))
        self.assertEqual(state(obj), ["0/2", "CrashLoopBackOff", "3 (120m ago)"])

    def test_restarts_of_unknown_time(self) -> None:
        """Restarts without a known end are a bare number."""
        obj = pod(container("a", RUNNING, ready=True, restartCount=2))
        self.assertEqual(state(obj), ["1/1", "Running", "2"])

    def test_running_but_not_ready(self) -> None:
        """Only containers that run and are ready count as ready."""
        self.assertEqual(state(pod(container("a", RUNNING), container("b", RUNNING, ready=True))),
                         ["1/2", "Running", "0"])

    def test_terminated(self) -> None:
        """A container that ended shows its reason, else its signal, else its exit code."""
        for ended, status in ((terminated(1, reason="Error"), "Error"),
                              (terminated(137, signal=9), "Signal:9"),
                              (terminated(3), "ExitCode:3"),
                              (terminated(0), "ExitCode:0")):
            self.assertEqual(state(pod(container("a", ended))), ["0/1", status, "0"])

    def test_first_container_completed(self) -> None:
        """The first container completed: running if the pod is ready, else why one failed, else not ready."""
        done, runs = container("a", terminated(0, reason="Completed")), container("b", RUNNING, ready=True)
        failed = container("c", terminated(2, reason="Error"))
        ready = [condition("Ready")]
        self.assertEqual(state(pod(done, runs, conditions=ready)), ["1/2", "Running", "0"])
        self.assertEqual(state(pod(done, runs)), ["1/2", "NotReady", "0"])
        self.assertEqual(state(pod(done, failed)), ["0/2", "Error", "0"])
        self.assertEqual(state(pod(done, runs, failed, conditions=ready)), ["1/3", "Running", "0"])
        self.assertEqual(state(pod(done)), ["0/1", "Completed", "0"])

    def test_deleting(self) -> None:
        """A pod that is being deleted is terminating, unless it ended, or its node was lost."""
        self.assertEqual(state(pod(total=1, phase="Pending", deleted=True)), ["0/1", "Terminating", "0"])
        self.assertEqual(state(pod(total=1, phase="Succeeded", deleted=True)), ["0/1", "Succeeded", "0"])
        lost = pod(total=1, deleted=True)
        lost["status"]["reason"] = "NodeLost"
        self.assertEqual(state(lost), ["0/1", "Unknown", "0"])


class InitContainerTests(SynchronousTestCase):
    def test_progress(self) -> None:
        """While one initializes, its place in the order is the status; so while it waits for its turn."""
        done = container("i", terminated(0))
        self.assertEqual(state(pod(total=1, init=[done, container("j", RUNNING)])), ["0/1", "Init:1/2", "0"])
        self.assertEqual(state(pod(total=1, init=[container("i", waiting("PodInitializing"))])),
                         ["0/1", "Init:0/1", "0"])

    def test_trouble(self) -> None:
        """What keeps an init container from its end is told as of main containers, behind a prefix."""
        for trouble, status in ((waiting("ImagePullBackOff"), "Init:ImagePullBackOff"),
                                (terminated(3), "Init:ExitCode:3"),
                                (terminated(137, signal=9), "Init:Signal:9"),
                                (terminated(1, reason="Error"), "Init:Error")):
            self.assertEqual(state(pod(total=1, init=[container("i", trouble)])), ["0/1", status, "0"])

    def test_restarts_while_initializing(self) -> None:
        """While initializing, restarts of init containers count, as far as initialization has come."""
        crashed = {"terminated": {"exitCode": 1, "finishedAt": ENDED}}
        init = [container("i", terminated(0), restartCount=2, lastState=crashed),
                container("j", RUNNING, restartCount=1), container("k", RUNNING, restartCount=40)]
        self.assertEqual(state(pod(total=1, init=init)), ["0/1", "Init:1/3", "3 (120m ago)"])

    def test_restarts_after(self) -> None:
        """Once initialized, restarts of init containers no longer count."""
        init = [container("i", terminated(0), restartCount=2)]
        self.assertEqual(state(pod(container("a", RUNNING, ready=True, restartCount=1), init=init)),
                         ["1/1", "Running", "1"])

    def test_initialized_condition(self) -> None:
        """The Initialized condition lets main containers speak even when an init container runs again."""
        obj = pod(container("a", waiting("CrashLoopBackOff")), init=[container("i", RUNNING)],
                  conditions=[condition("Initialized")])
        self.assertEqual(state(obj), ["0/1", "CrashLoopBackOff", "0"])
        obj["status"]["containerStatuses"] = []
        self.assertEqual(state(obj), ["0/1", "Init:0/1", "0"])

    def test_sidecars(self) -> None:
        """A sidecar counts in the total, is ready when started and ready, and its restarts go on counting."""
        sidecar = container("s", RUNNING, ready=True, started=True, restartCount=4)
        running = pod(container("a", RUNNING, ready=True, restartCount=1), init=[sidecar], sidecars=("s",))
        self.assertEqual(state(running), ["2/2", "Running", "5"])
        starting = pod(total=1, init=[container("s", RUNNING, started=False)], sidecars=("s",))
        self.assertEqual(state(starting), ["0/2", "Init:0/1", "0"])
