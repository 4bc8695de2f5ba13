"""Servers over a real etcd: kubectl, an etcd and a server that are killed, and two servers for one cluster."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

from twisted.internet import reactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config import load_config
from kube_twisted.server.pki import open_pki
from kube_twisted.util.clock import Clock
from tests.etcd import MISSING, Etcd, Ports, find_etcd
from tests.sockets.support.kubectl import find_kubectl
from tests.sockets.support.process import PATIENCE, ServerProcess, run_to_its_end

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
#: What the servers of one cluster share.
SHARED_FILES = ("ca.crt", "ca.key", "sa.key", "admin.token")


def settings_for(etcd: Etcd, **more: Any) -> dict[str, Any]:
    return {"storage": {"backend": "etcd", "etcd": {"endpoints": [etcd.url]}, **more}}


def config_map(name: str, **data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


class EtcdCase(SynchronousTestCase):
    """Has an etcd, and a server over it."""

    skip = None if find_etcd() else MISSING

    def setUp(self) -> None:
        self.etcd = Etcd(Path(self.mktemp()))
        self.addCleanup(self.etcd.remove)
        self.etcd.start()

    def start_server(self, **storage: Any) -> ServerProcess:
        server = ServerProcess(Path(self.mktemp()), settings_for(self.etcd, **storage))
        self.addCleanup(server.discard)
        server.start()
        return server

    def start_servers(self, number: int, *controllers: str) -> list[ServerProcess]:
        """Servers of one cluster, started at the same time."""
        keys = Path(self.mktemp())
        open_pki(load_config(None, {"dataDirectory": str(keys)}), Clock(reactor))  # type: ignore[arg-type]
        servers = []
        for _ in range(number):
            server = ServerProcess(Path(self.mktemp()), settings_for(self.etcd), controllers)
            server.data.mkdir(parents=True, mode=0o700)
            for name in SHARED_FILES:
                shutil.copy(keys / name, server.data / name)
            self.addCleanup(server.discard)
            server.launch()
            servers.append(server)
        for server in servers:
            server.wait_until_ready()
        return servers

    def create(self, server: ServerProcess, name: str, path: str = CONFIG_MAPS) -> dict[str, Any]:
        answer = server.client().request("POST", path, config_map(name))
        self.assertEqual(answer.status, 201, answer.body)
        made: dict[str, Any] = answer.json()
        return made

    def eventually(self, condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)


class Watching:
    """A watch in a thread of its own; its events, as type and name."""

    def __init__(self, server: ServerProcess, path: str) -> None:
        self.seen: list[tuple[str, str]] = []
        self._events: Iterator[dict[str, Any]] = server.client().watch(path)
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for event in self._events:
            self.seen.append((event["type"], event["object"]["metadata"]["name"]))


class FailureTests(EtcdCase):
    """What happens when etcd or the server is killed."""

    def test_etcd_killed(self) -> None:
        """Requests fail with the reason, /readyz names the check; later all goes on, and no watch misses anything."""
        server = self.start_server()
        client = server.client()
        version = self.create(server, "before")["metadata"]["resourceVersion"]
        watching = Watching(server, f"{CONFIG_MAPS}?watch=1&resourceVersion={version}")
        self.etcd.kill()
        self.eventually(lambda: client.request("GET", "/readyz").status == 500, "it is not ready")
        self.assertIn(b"[-]etcd failed", client.request("GET", "/readyz").body)
        for answer in (client.request("GET", CONFIG_MAPS), client.request("POST", CONFIG_MAPS, config_map("lost"))):
            self.assertEqual((answer.status, answer.json()["message"]), (500, (
                'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: '
                f'dial tcp 127.0.0.1:{self.etcd.client_port}: connect: connection refused"')))
        cached = client.request("GET", f"{CONFIG_MAPS}?resourceVersion=0").json()
        self.assertEqual([item["metadata"]["name"] for item in cached["items"]], ["before"])
        self.etcd.start()
        self.eventually(lambda: client.request("GET", "/readyz").status == 200, "it is ready again")
        for name in ("after", "later"):
            self.create(server, name)
        self.eventually(lambda: len(watching.seen) >= 2, "the watch goes on")
        self.assertEqual(watching.seen, [("ADDED", "after"), ("ADDED", "later")])
        self.assertEqual(server.terminate(), 0)

    def test_server_killed(self) -> None:
        """What it has acknowledged is there; watches resume in the server that is started next."""
        server = self.start_server()
        version = self.create(server, "one")["metadata"]["resourceVersion"]
        self.create(server, "two")
        server.kill()
        server.start()
        self.create(server, "three")
        watching = Watching(server, f"{CONFIG_MAPS}?watch=1&resourceVersion={version}")
        self.eventually(lambda: len(watching.seen) >= 2, "the watch begins in the past")
        self.assertEqual(watching.seen, [("ADDED", "two"), ("ADDED", "three")])

    def test_stop_without_etcd(self) -> None:
        """A server that is told to stop while there is no etcd ends as it should."""
        server = self.start_server()
        self.etcd.kill()
        self.assertEqual(server.terminate(), 0)

    def test_too_large(self) -> None:
        """What etcd does not take is refused in its words."""
        server = self.start_server()
        template = {"metadata": {"name": "t"}, "template": {"spec": {"containers": [
            {"name": "c", "image": "i", "args": ["x" * 1_600_000]}]}}}
        answer = server.client().request("POST", "/api/v1/namespaces/default/podtemplates", template)
        self.assertEqual((answer.status, answer.json()["message"]), (500, "etcdserver: request is too large"))

    def test_events_expire(self) -> None:
        """etcd deletes Events when their time is over, and watches see it."""
        server = self.start_server(eventTTL="1s")
        events = "/api/v1/namespaces/default/events"
        watching = Watching(server, f"{events}?watch=1")
        answer = server.client().request("POST", events, {
            "metadata": {"name": "e"}, "involvedObject": {"namespace": "default", "kind": "Pod", "name": "p"}})
        self.assertEqual(answer.status, 201, answer.body)
        self.eventually(lambda: len(watching.seen) >= 2, "the event is gone")
        self.assertEqual(watching.seen, [("ADDED", "e"), ("DELETED", "e")])


class ControllersTests(EtcdCase):
    """Two servers that may run the controllers."""

    def test_elected(self) -> None:
        """They run in one of them; when it ends, in the other."""
        one, two = self.start_servers(2, "serviceaccount")
        lease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-twisted-controllers"
        running = "this server runs the controllers\n"
        self.eventually(lambda: one.client().request("GET", lease).status == 200, "somebody leads")
        self.has_account(one, "a")
        leaders = [server for server in (one, two) if running in server.output()]
        self.assertEqual(len(leaders), 1)
        leader, other = (one, two) if leaders == [one] else (two, one)
        self.assertEqual(leader.terminate(), 0)
        self.has_account(other, "b")
        self.assertIn(running, other.output())

    def has_account(self, server: ServerProcess, namespace: str) -> None:
        """A new namespace gets its service account."""
        client = server.client()
        client.request("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}})
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/default"
        self.eventually(lambda: client.request("GET", path).status == 200, "there is a service account")


class StartTests(SynchronousTestCase):
    def test_no_etcd(self) -> None:
        """Without etcd the server does not start: one line, and status 1."""
        ports = Ports(1)
        self.addCleanup(ports.give_back)
        port, = ports.numbers
        folder = Path(self.mktemp())
        folder.mkdir()
        config = folder / "config.yaml"
        config.write_text(f"storage: {{backend: etcd, etcd: {{endpoints: ['http://127.0.0.1:{port}']}}}}\n")
        ended = run_to_its_end(folder, "--config", "config.yaml", "--data-dir", "data")
        self.assertEqual((ended.returncode, ended.stderr), (
            1, f"kapiserver: cannot connect to etcd at 127.0.0.1:{port}: Connection refused\n"))
        self.assertFalse((folder / "data" / "ca.key").exists())


class TwoServersTests(EtcdCase):
    """Two servers, with the same keys, over one etcd."""

    def setUp(self) -> None:
        super().setUp()
        self.one, self.two = self.start_servers(2)

    def test_writes(self) -> None:
        """What one acknowledges the other shows at once, in its version, and to its watches. It goes on when the first
        one is killed.
        """
        watching = Watching(self.two, f"{CONFIG_MAPS}?watch=1")
        one, two = self.one.client(), self.two.client()
        for number in range(20):
            made = one.request("POST", CONFIG_MAPS, config_map(f"c{number}")).json()
            seen = two.request("GET", f"{CONFIG_MAPS}/c{number}").json()
            self.assertEqual(seen["metadata"], made["metadata"])
            changed = two.request("PUT", f"{CONFIG_MAPS}/c{number}", {**seen, "data": {"a": "b"}})
            self.assertEqual(changed.status, 200)
            late = one.request("PUT", f"{CONFIG_MAPS}/c{number}", {**made, "data": {"a": "c"}})
            self.assertEqual((late.status, late.json()["reason"]), (409, "Conflict"))
        items = one.request("GET", CONFIG_MAPS).json()["items"]
        self.assertEqual([item["data"] for item in items], [{"a": "b"}] * 20)
        self.eventually(lambda: len(watching.seen) >= 40, "the watch sees all")
        self.assertEqual(watching.seen, [
            (type_, f"c{number}") for number in range(20) for type_ in ("ADDED", "MODIFIED")])

        self.one.kill()
        self.create(self.two, "last")
        self.assertEqual(two.request("GET", f"{CONFIG_MAPS}/last").status, 200)

    def test_custom_resources(self) -> None:
        """Both establish what is defined at one of them, and serve its objects."""
        definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        answer = self.one.client().request("POST", definitions, {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "tides.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "tides", "kind": "Tide"},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": {
                         "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}})
        self.assertEqual(answer.status, 201, answer.body)
        tides, one, two = "/apis/example.com/v1/namespaces/default/tides", self.one.client(), self.two.client()
        self.eventually(lambda: two.request("GET", tides).status == 200, "the other one serves it")
        spring = {"apiVersion": "example.com/v1", "kind": "Tide", "metadata": {"name": "spring"}, "height": 4.2}
        self.assertEqual(two.request("POST", tides, spring).status, 201)
        self.assertEqual(one.request("GET", f"{tides}/spring").json()["height"], 4.2)
        self.assertEqual(one.request("DELETE", f"{definitions}/tides.example.com").status, 200)
        self.eventually(lambda: two.request("GET", tides).status == 404, "it is gone")
        self.assertEqual(one.request("GET", definitions).json()["items"], [])

    def test_kubectl(self) -> None:
        """A client of the first server is known to the second one, and what it made there can be deleted here."""
        kubectl = find_kubectl()

        def run(server: ServerProcess, *arguments: str) -> str:
            return subprocess.run(
                [kubectl, f"--kubeconfig={self.one.kubeconfig}", f"--server={server.url}",
                 f"--cache-dir={self.one.folder / 'cache'}", *arguments],
                text=True, capture_output=True, timeout=PATIENCE, check=True).stdout

        run(self.one, "create", "deployment", "d", "--image=a", "--replicas=3")
        run(self.two, "scale", "deployment", "d", "--replicas=5")
        self.assertIn("0/5", run(self.one, "get", "deployment", "d"))
        self.assertEqual(run(self.two, "delete", "deployment", "d", "--wait=false"),
                         'deployment.apps "d" deleted from default namespace\n')
        run(self.one, "create", "serviceaccount", "s")
        token = run(self.one, "create", "token", "s").strip()
        answer = self.two.client(token).request("GET", CONFIG_MAPS)
        self.assertEqual(answer.status, 403, answer.body)
        self.assertIn("system:serviceaccount:default:s", answer.json()["message"])
