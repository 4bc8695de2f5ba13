"""The command line, and the service that twistd runs."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from twisted.application.service import IServiceMaker
from twisted.internet.defer import Deferred
from twisted.internet.error import CannotListenError
from twisted.internet.testing import MemoryReactorClock
from twisted.plugin import IPlugin
from twisted.python import usage
from twisted.trial.unittest import SynchronousTestCase
from zope.interface.verify import verifyObject

from kube_twisted import tap
from kube_twisted.config import Config, ConfigError
from kube_twisted.storage.interfaces import StoreUnusable
from kube_twisted.tap import APIServerService, Options, describe, exit_with_failure, makeService
from kube_twisted.util.starting import StartError


class Server:
    """A control plane that starts and stops when the test says so."""

    url = "https://127.0.0.1:6443"

    def __init__(self) -> None:
        self.started: Deferred[None] = Deferred()
        self.stopped: Deferred[None] = Deferred()
        self.stops = 0

    def start(self) -> Deferred[None]:
        return self.started

    def stop(self) -> Deferred[None]:
        self.stops += 1
        return self.stopped


def parsed(*arguments: str) -> Options:
    options = Options()
    options.parseOptions(list(arguments))
    return options


class OptionsTests(SynchronousTestCase):
    def test_defaults(self) -> None:
        """Without options every setting has its default."""
        self.assertEqual(parsed().load(), Config())

    def test_options(self) -> None:
        """Options replace the file's settings."""
        path = Path(self.mktemp())
        path.write_text("server: {securePort: 1, externalHostname: x}\ncontrollers: [namespace]\n")
        config = parsed("--config", str(path), "--data-dir", "d", "--bind-address", "127.0.0.1",
                        "--secure-port", "0", "--controllers=").load()
        self.assertEqual(config.data_directory, Path("d"))
        self.assertEqual((config.server.bind_address, config.server.secure_port), ("127.0.0.1", 0))
        self.assertEqual(config.server.external_hostname, "x")
        self.assertEqual(config.controllers, ())

    def test_controllers(self) -> None:
        """Controllers are separated by commas."""
        self.assertEqual(parsed("--controllers", "namespace, serviceaccount").load().controllers,
                         ("namespace", "serviceaccount"))

    def test_bad_values(self) -> None:
        """A bad value is explained as one of a file is."""
        self.assertEqual(str(self.assertRaises(ConfigError, parsed("-p", "abc").load)), "command line: "
                         'server.securePort: must be a whole number from 0 to 65535, not "abc"')
        self.assertRaises(usage.UsageError, parsed, "--no-such-option")


class MakeServiceTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.made: list[Config] = []

    def make(self, config: Config, reactor: Any) -> Server:
        self.made.append(config)
        return Server()

    def exit_of(self, options: Options, make: tap.MakeServer | None = None) -> Any:
        making = self.assertRaises(SystemExit, makeService, options, MemoryReactorClock(), make or self.make)
        return making.code

    def test_service(self) -> None:
        """The server is made from the configuration; nothing starts yet."""
        service = makeService(parsed("-p", "0"), MemoryReactorClock(), self.make)
        self.assertIsInstance(service, APIServerService)
        self.assertFalse(service.running)
        self.assertEqual([one.server.secure_port for one in self.made], [0])

    def test_bad_configuration(self) -> None:
        """It ends with one line, before a server is made."""
        self.assertEqual(self.exit_of(parsed("-c", "missing.yaml")),
                         "kapiserver: missing.yaml: No such file or directory")
        self.assertEqual(self.made, [])

    def test_start_errors_of_making(self) -> None:
        """What making the server finds out ends with one line as well."""
        def broken(config: Config, reactor: Any) -> Server:
            raise StartError("data/ca.crt: holds no PEM certificate")

        self.assertEqual(self.exit_of(parsed("-p", "0"), broken),
                         "kapiserver: data/ca.crt: holds no PEM certificate")

    def test_check_config(self) -> None:
        """Checking says ok with status 0, or the error, and makes no server."""
        output = io.StringIO()
        self.patch(sys, "stdout", output)
        self.assertEqual(self.exit_of(parsed("--check-config")), 0)
        self.assertEqual(output.getvalue(), "ok\n")
        bad = self.exit_of(parsed("--check-config", "--bind-address", "x"))
        self.assertIn("command line: server.bindAddress", bad)
        self.assertEqual(self.made, [])


class ServiceTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.server = Server()
        self.failures: list[str] = []
        self.told: list[str] = []
        self.service = APIServerService(self.server, self.failures.append, self.told.append)

    def test_life(self) -> None:
        """The supervisor is told when it is ready and when it stops; the end waits for the server's."""
        self.service.startService()
        self.assertEqual(self.told, [])
        self.server.started.callback(None)
        self.assertEqual(self.told, ["READY=1"])
        ended = self.service.stopService()
        self.assertEqual(self.told, ["READY=1", "STOPPING=1"])
        self.assertNoResult(ended)
        self.server.stopped.callback(None)
        self.successResultOf(ended)
        self.assertEqual(self.failures, [])

    def test_foreseen_failure(self) -> None:
        """A start error is one line without a traceback."""
        self.service.startService()
        self.server.started.errback(StoreUnusable("data/state.db: is locked"))
        self.assertEqual(self.failures, ["data/state.db: is locked"])
        self.assertEqual(self.told, [])
        self.assertEqual(self.flushLoggedErrors(), [])

    def test_unforeseen_failure(self) -> None:
        """Any other error is a line too, and its traceback is in the log."""
        self.service.startService()
        self.server.started.errback(KeyError("x"))
        self.assertEqual(self.failures, ["unexpected KeyError: 'x'; the log has the traceback"])
        self.assertEqual(len(self.flushLoggedErrors(KeyError)), 1)

    def test_stopped_while_starting(self) -> None:
        """Stopping cancels the start, which is no failure, and stops what has begun."""
        self.service.startService()
        self.service.stopService()
        self.assertTrue(self.server.started.called)
        self.assertEqual(self.server.stops, 1)
        self.assertEqual(self.failures, [])

    def test_describe(self) -> None:
        """A port that cannot be bound is described with address and reason."""
        in_use = OSError(98, "Address already in use")
        self.assertEqual(describe(CannotListenError("::1", 6443, in_use)),
                         "cannot listen on [::1]:6443: Address already in use")
        self.assertEqual(describe(CannotListenError("", 6443, in_use)),
                         "cannot listen on *:6443: Address already in use")
        self.assertIsNone(describe(ValueError("x")))


class ExitTests(SynchronousTestCase):
    def test_exit_with_failure(self) -> None:
        """The line goes to stderr, the reactor stops, and the interpreter's last act is status 1."""
        output = io.StringIO()
        last: list[Any] = []
        self.patch(sys, "__stderr__", output)
        self.patch(tap.atexit, "register", lambda *call: last.append(call))
        self.patch(os, "_exit", last.append)
        reactor = MemoryReactorClock()
        exit_with_failure(reactor, "no")
        self.assertEqual(output.getvalue(), "kapiserver: no\n")
        self.assertFalse(reactor.hasStopped)
        reactor.run()
        self.assertTrue(reactor.hasStopped)
        function, status = last.pop()
        function(status)
        self.assertEqual(last, [1])


class SignalTests(SynchronousTestCase):
    def test_signals(self) -> None:
        """The first signal stops the reactor, the second one ends the program."""
        handlers: dict[int, Any] = {}
        statuses: list[int] = []
        self.patch(signal, "signal", handlers.__setitem__)
        self.patch(os, "_exit", statuses.append)
        calls: list[Any] = []
        reactor = SimpleNamespace(callFromThread=calls.append, stop=object())
        tap.stop_on_signals(reactor)
        self.assertEqual(set(handlers), {signal.SIGTERM, signal.SIGINT})
        handlers[signal.SIGINT](signal.SIGINT, None)
        self.assertEqual((calls, statuses), ([reactor.stop], []))
        handlers[signal.SIGTERM](signal.SIGTERM, None)
        self.assertEqual(statuses, [1])


class PluginTests(SynchronousTestCase):
    def test_plugin(self) -> None:
        """twistd finds the service by the plugin."""
        from twisted.plugins.kapiserver_plugin import kapiserver

        verifyObject(IPlugin, kapiserver)
        self.assertTrue(IServiceMaker.providedBy(kapiserver))
        self.assertEqual(kapiserver.tapname, "kapiserver")
        self.assertIs(kapiserver.options, Options)
        self.assertIs(kapiserver.makeService, makeService)
