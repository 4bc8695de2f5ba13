"""A real server from its start to its end: what clients see, and what the next start finds."""

from __future__ import annotations

import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.sockets.support.https import Client
from tests.sockets.support.process import ServerProcess, run_to_its_end

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


def config_map(name: str, **data: str) -> dict[str, Any]:
    return {"metadata": {"name": name}, "data": data}


class LifecycleTestCase(SynchronousTestCase):
    settings: dict[str, Any] = {}

    def setUp(self) -> None:
        self.server = ServerProcess(Path(self.mktemp()), self.settings)
        self.addCleanup(self.server.discard)
        self.server.start()
        self.client = self.server.client()
        self.addCleanup(self.client.close)


class StopTests(LifecycleTestCase):
    settings = {"server": {"shutdownDelay": "1s"}}

    def test_readiness(self) -> None:
        """Between the signal and the end of the delay the server serves on, but says that it is not ready."""
        self.assertEqual(self.client.request("GET", "/readyz").status, 200)
        self.server.signal(signal.SIGTERM)
        self.server.wait_for(lambda: self.client.request("GET", "/readyz").status == 500, "it is not ready")
        self.assertEqual(self.client.request("GET", "/livez").status, 200)
        self.assertEqual(self.client.request("POST", CONFIG_MAPS, config_map("late")).status, 201)
        self.assertEqual(self.server.wait(), 0)

    def test_watches(self) -> None:
        """An open watch gets its last events and a proper end, not a cut connection."""
        watching = self.server.client()
        self.addCleanup(watching.close)
        stream = watching.open("GET", f"{CONFIG_MAPS}?watch=true")
        self.client.request("POST", CONFIG_MAPS, config_map("seen"))
        self.server.signal(signal.SIGTERM)
        # http.client raises IncompleteRead when the last chunk is missing
        self.assertIn(b'"seen"', stream.read())
        self.assertEqual(self.server.wait(), 0)

    def test_idle_connection(self) -> None:
        """A connection that a client keeps open does not hold up the end."""
        self.assertEqual(self.client.request("GET", "/readyz").status, 200)
        self.assertEqual(self.server.terminate(), 0)


class Writer(threading.Thread):
    """Creates objects until the server refuses, and keeps count."""

    def __init__(self, client: Client, name: str) -> None:
        super().__init__()
        self._client = client
        self._name = name
        self.acknowledged: set[str] = set()
        self.refused: set[str] = set()
        self.unanswered: set[str] = set()

    def names(self) -> Iterator[str]:
        return (f"{self._name}-{number}" for number in range(1_000_000))

    def run(self) -> None:
        for name in self.names():
            try:
                status = self._client.request("POST", CONFIG_MAPS, config_map(name)).status
            except (OSError, HTTPException):
                self.unanswered.add(name)
                return
            (self.acknowledged if status == 201 else self.refused).add(name)
            if status != 201:
                return


class WritesAtTheEndTests(LifecycleTestCase):
    def test_writes_in_flight(self) -> None:
        """What is written while the server stops is either done and acknowledged, or not done."""
        writers = [Writer(self.server.client(), f"writer{number}") for number in range(4)]
        for one in writers:
            one.start()
        self.server.wait_for(lambda: all(len(one.acknowledged) > 20 for one in writers), "clients write")
        self.assertEqual(self.server.terminate(), 0)
        for one in writers:
            one.join()
        self.server.start()
        items = self.server.client().request("GET", CONFIG_MAPS).json()["items"]
        found = {item["metadata"]["name"] for item in items}
        self.assertEqual(found, set().union(*(one.acknowledged for one in writers)))


class RestartTests(LifecycleTestCase):
    def test_same_data(self) -> None:
        """The next server on the data directory has the same objects, versions, token and authority."""
        made = self.client.request("POST", CONFIG_MAPS, config_map("kept", a="1")).json()
        before = {path.name: path.read_bytes() for path in self.server.data.iterdir()
                  if path.suffix in (".crt", ".key", ".token")}
        self.assertIn("ca.crt", before)
        self.server.terminate()
        self.server.start()
        client = self.server.client()
        self.assertEqual(client.request("GET", f"{CONFIG_MAPS}/kept").json(), made)
        self.assertEqual({name: (self.server.data / name).read_bytes() for name in before}, before)
        newer = client.request("POST", CONFIG_MAPS, config_map("new")).json()
        older_version, version = (int(one["metadata"]["resourceVersion"]) for one in (made, newer))
        self.assertGreater(version, older_version)

    def test_second_process(self) -> None:
        """A second server on the same data directory ends with one line, and the first one goes on."""
        ended = run_to_its_end(self.server.folder, "--data-dir", str(self.server.data))
        self.assertEqual(ended.returncode, 1, ended.stdout)
        self.assertRegex(ended.stderr, r"\Akapiserver: \S+/state\.db is locked by process \d+\n\Z")
        self.assertEqual(self.client.request("POST", CONFIG_MAPS, config_map("on")).status, 201)


class RefusedStartTests(SynchronousTestCase):
    """The errors that are found before the server listens; the port's are in ``test_twistd``."""

    def setUp(self) -> None:
        self.folder = Path(self.mktemp()).absolute()
        self.folder.mkdir()

    def check(self, pattern: str, *options: str) -> None:
        """Exit status 1, and nothing but one line on stderr."""
        ended = run_to_its_end(self.folder, "--data-dir", "data", *options)
        self.assertEqual(ended.returncode, 1, ended.stdout)
        self.assertRegex(ended.stderr, rf"\Akapiserver: {pattern}\n\Z")

    def damaged(self, content: bytes) -> None:
        (self.folder / "data").mkdir(mode=0o700)
        (self.folder / "data" / "state.db").write_bytes(content)

    def test_no_database(self) -> None:
        """A database file that is none."""
        self.damaged(b"these are no pages of a database\n" * 1000)
        self.check(r"\S*state\.db .*not a database.*")

    def test_damaged_database(self) -> None:
        """A database with a good beginning and junk after it."""
        server = ServerProcess(self.folder)
        server.start()
        for number in range(50):
            server.client().request("POST", CONFIG_MAPS, config_map(f"a{number}", a="x" * 2000))
        server.terminate()
        path = self.folder / "data" / "state.db"
        content = path.read_bytes()
        self.assertGreater(len(content), 50_000)
        path.write_bytes(content[:8192] + b"\xa5" * (len(content) - 8192))
        self.check(r"\S*state\.db is damaged: .*")

    def test_damaged_object(self) -> None:
        """A good database with an object in it that is none."""
        server = ServerProcess(self.folder)
        server.start()
        server.terminate()
        with closing(sqlite3.connect(self.folder / "data" / "state.db")) as database, database:
            database.execute("UPDATE log SET value = '' WHERE key = '/registry/namespaces/default'")
        self.check(r"the store is damaged: /registry/namespaces/default is no Namespace: .*")

    def test_unknown_setting(self) -> None:
        """A configuration with a key that does not exist."""
        (self.folder / "config.yaml").write_text("server:\n  securPort: 1\n")
        self.check(r"config\.yaml: .*securPort.*", "--config", "config.yaml")

    def test_no_yaml(self) -> None:
        """A configuration that is no YAML."""
        (self.folder / "config.yaml").write_text("server: [\n")
        self.check(r"config\.yaml: .*", "--config", "config.yaml")

    def test_data_directory(self) -> None:
        """A data directory that is a file."""
        (self.folder / "data").write_text("")
        self.check(r"\S*data: Not a directory")
