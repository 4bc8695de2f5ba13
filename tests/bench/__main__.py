"""Starts a server, loads it, and prints the figures of docs/performance.md.

Machines differ and are noisy: compare the ratios to the bare resource, and only when nothing else runs.
"""

from __future__ import annotations

import argparse
import json
import ssl
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench.bare import BareProcess
from tests.bench.fanout import fan_out
from tests.bench.load import LoadError, Measured, Wrk
from tests.etcd import Etcd
from tests.sockets.support.process import ServerProcess

WORKLOADS = ("get", "list", "list500", "labels", "create", "patch", "watch")
PODS, CONFIG_MAPS, NAMESPACE = 1000, 64, "bench"
#: The times of etcd as it has them by default: the tests have shorter ones.
_CALM = ("--heartbeat-interval", "100", "--election-timeout", "1000")


def pod(number: int) -> dict[str, Any]:
    """A pod as a Deployment's would be; of 1.5 kB, and 2.8 kB with defaults and managedFields."""
    return {
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"generateName": "bench-", "labels": {"app": "bench", "slot": str(number % 10), "tier": "backend"},
                     "annotations": {"example.com/checksum": "b5bb9d80" * 8}},
        "spec": {"containers": [{
            "name": "main", "image": "registry.example.com/team/app:1.25", "ports": [{"containerPort": 8080}],
            "env": [{"name": "MODE", "value": "production"}, {"name": "REGION", "value": "north"}],
            "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}}}]}}


class Bench:
    """One run.

    :param seconds: how long each workload lasts.
    :param etcd: holds the objects; without one, SQLite does.
    """

    def __init__(self, folder: Path, seconds: int, etcd: Etcd | None = None) -> None:
        self._folder = folder
        self._server = ServerProcess(folder / "server", {"storage": {
            "backend": "etcd", "etcd": {"endpoints": [etcd.url]}}} if etcd is not None else None)
        self._server.start()
        self._say("first start", resident_mb=self._server.resident_mb())
        self._server.terminate()
        begin = time.monotonic()
        self._server.start()
        self._say("start", ready_seconds=round(time.monotonic() - begin, 2))
        self._client = self._server.client()
        self._base = f"/api/v1/namespaces/{NAMESPACE}"
        self._wrk = Wrk(self._server.token, seconds, folder)
        self._bare_get = 0.0

    def run(self, workloads: set[str]) -> None:
        """Fill the server, then load it."""
        self._post("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        self._post(f"{self._base}/serviceaccounts", {"metadata": {"name": "default"}})
        for number in range(PODS):
            name = self._post(f"{self._base}/pods", pod(number))["metadata"]["name"]
        for number in range(CONFIG_MAPS):
            self._post(f"{self._base}/configmaps", {"metadata": {"name": f"patched-{number}"}, "data": {"n": "0"}})
        self._say(f"{PODS} pods", resident_mb=self._server.resident_mb())
        paths = {"get": f"{self._base}/pods/{name}", "list": f"{self._base}/pods"}
        bare = BareProcess(self._folder / "bare", self._server, {
            key: self._client.request("GET", path).body for key, path in paths.items()})
        try:
            bare_rates = {key: self._wrk.read(f"{bare.url}/{key}", connections).rate
                          for key, connections in (("get", 16), ("list", 4))}
        finally:
            bare.stop()
        self._bare_get = bare_rates["get"]
        self._say("bare get", per_second=round(self._bare_get))
        for workload in WORKLOADS:
            if workload in workloads:
                self._one(workload, paths, bare_rates)
        self._say("after all", resident_mb=self._server.resident_mb())

    def stop(self) -> None:
        self._server.terminate()

    def _one(self, workload: str, paths: dict[str, str], bare_rates: dict[str, float]) -> None:
        url, wrk = self._server.url, self._wrk
        if workload in paths:
            measured = wrk.read(url + paths[workload], 16 if workload == "get" else 4)
            self._report(workload, measured, x_bare=round(measured.rate / bare_rates[workload], 2))
        elif workload == "list500":
            self._report(workload, wrk.read(f"{url}{self._base}/pods?limit=500", 4))
        elif workload == "labels":
            self._report(workload, wrk.read(f"{url}{self._base}/pods?labelSelector=slot%3D3", 4))
        elif workload == "create":
            self._report(workload, wrk.post(f"{url}{self._base}/pods", 16, pod(3)), compared=True)
        elif workload == "patch":
            path = f"{self._base}/configmaps/patched-"
            self._report(workload, wrk.merge_patch(url, path, CONFIG_MAPS, 16), compared=True)
        else:
            context = ssl.create_default_context(cafile=str(self._server.authority))
            arrived = fan_out(url, self._server.token, context, NAMESPACE)
            self._say(workload, events_per_second=round(arrived.rate), p50_ms=round(arrived.p50, 1),
                      p99_ms=round(arrived.p99, 1), x_bare_get=round(arrived.rate / self._bare_get, 2))

    def _report(self, workload: str, measured: Measured, compared: bool = False, **more: float) -> None:
        if compared:
            more["x_bare_get"] = round(measured.rate / self._bare_get, 3)
        self._say(workload, per_second=round(measured.rate), mb_per_second=round(measured.transfer / 1e6, 1),
                  p99_ms=round(measured.p99, 1), **more)

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self._client.request("POST", path, body)
        if answer.status != 201:
            raise LoadError(f"POST {path}: {answer.status} {answer.body.decode()}")
        return answer.json()

    @staticmethod
    def _say(what: str, **figures: float) -> None:
        print(f"{what:12} {json.dumps(figures)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("workloads", nargs="*", metavar="workload", help=f"of {', '.join(WORKLOADS)}; all without any")
    parser.add_argument("--etcd", action="store_true", help="over an etcd that is started for it, instead of SQLite")
    parser.add_argument("--seconds", type=int, default=6, help="how long each lasts (6)")
    options = parser.parse_args()
    unknown = set(options.workloads).difference(WORKLOADS)
    if unknown:
        parser.error(f"no such workload: {', '.join(sorted(unknown))}")
    with TemporaryDirectory() as folder:
        bench = None
        etcd = Etcd(Path(folder) / "etcd", *_CALM) if options.etcd else None
        try:
            if etcd is not None:
                etcd.start()
            bench = Bench(Path(folder), options.seconds, etcd)
            bench.run(set(options.workloads or WORKLOADS))
        except LoadError as error:
            sys.exit(str(error))
        finally:
            if bench is not None:
                bench.stop()
            if etcd is not None:
                etcd.remove()


if __name__ == "__main__":
    main()
