"""``twistd kapiserver``: the command line, and the service that twistd runs.

The only place with a default reactor. Whatever prevents the start is one line on stderr and exit status 1.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from twisted.application.service import Service
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.logger import Logger
from twisted.python import usage
from twisted.python.failure import Failure

from kube_twisted.config import Config, load_config
from kube_twisted.server.notify import READY, STOPPING, notify
from kube_twisted.util.files import make_private_directory
from kube_twisted.util.process import keep_bytecode, load, settle
from kube_twisted.util.starting import StartError

#: Option -> the setting that it replaces.
OPTION_KEYS = {
    "data-dir": "dataDirectory",
    "bind-address": "server.bindAddress",
    "secure-port": "server.securePort",
    "controllers": "controllers",
}


class Options(usage.Options):
    """What can be said on the command line; everything else is said in the configuration file."""

    optParameters = [
        ["config", "c", None, "The configuration file (YAML); without one, every setting has its default."],
        ["data-dir", "d", None, "Where the database, keys and certificates are kept [default: ./data]"],
        ["bind-address", None, None, "The address to listen on [default: 0.0.0.0]"],
        ["secure-port", "p", None, "The HTTPS port; 0 takes any free one [default: 6443]"],
        ["controllers", None, None, "Which small controllers run, separated by commas; empty for none"],
    ]
    optFlags = [["check-config", None, "Say whether the configuration is good, and exit."]]

    def overrides(self) -> dict[str, Any]:
        """The settings given on the command line, as YAML would give them."""
        return {OPTION_KEYS[option]: _as_yaml(option, text) for option, text in self.items()
                if option in OPTION_KEYS and text is not None}

    def load(self) -> Config:
        """The configuration that the options stand for. :class:`ConfigError`."""
        file = self["config"]
        return load_config(Path(file) if file is not None else None, self.overrides())


class ControlPlane(Protocol):
    """The server, as the service needs it."""

    @property
    def url(self) -> str:
        """Where it serves, once it has started."""

    def start(self) -> Deferred[None]:
        """Fires when it is ready to serve. A failure that is a :class:`StartError` needs no traceback."""

    def stop(self) -> Deferred[None]:
        """Fires when everything has ended; also after a start that failed or was cancelled half-way."""


#: From the configuration and the reactor to the server. :class:`StartError` for what it finds out at once.
MakeServer = Callable[[Config, Any], ControlPlane]


def makeService(options: Options, reactor: Any = None, make: MakeServer | None = None) -> Service:
    """The service for twistd.

    :param make: makes the server; the control plane's, unless a test says otherwise.
    :raises SystemExit: with a line for stderr, when the start fails so early that twistd is no daemon yet.
    """
    if reactor is None:
        from twisted.internet import reactor
    try:
        config = options.load()
        if options["check-config"]:
            _check(config)
            print("ok")
            raise SystemExit(0)
        probe_port(config.server.bind_address, config.server.secure_port)
        server = (make or _make_server)(config, reactor)
    except StartError as error:
        raise SystemExit(f"kapiserver: {error}") from None
    reactor.callWhenRunning(stop_on_signals, reactor)
    return APIServerService(server, partial(exit_with_failure, reactor), partial(notify, os.environ))


def _make_server(config: Config, reactor: Any) -> ControlPlane:
    try:
        make_private_directory(config.data_directory)
        keep_bytecode(config.data_directory.resolve() / "bytecode")
    except OSError:
        pass  # said better when the keys are made there
    else:
        probe_store(config)
    load()
    from kube_twisted.controlplane.server import make_server

    return make_server(config, reactor)


def _check(config: Config) -> None:
    from kube_twisted.controlplane.checking import check_config

    check_config(config)


class APIServerService(Service):
    """Starts and stops the server with twistd, and tells the service supervisor.

    :param fail: called with one line when the server does not start.
    :param tell: called with the states that the supervisor should know.
    """

    name = "kapiserver"
    _log = Logger()

    def __init__(self, server: ControlPlane, fail: Callable[[str], None],
                 tell: Callable[[str], object]) -> None:
        self._server = server
        self._fail = fail
        self._tell = tell
        self._starting: Deferred[None] | None = None

    def startService(self) -> None:
        super().startService()  # type: ignore[no-untyped-call]
        self._starting = maybeDeferred(self._server.start)
        self._starting.addCallbacks(self._started, self._failed)

    def stopService(self) -> Deferred[None]:
        super().stopService()  # type: ignore[no-untyped-call]
        self._tell(STOPPING)
        if self._starting is not None:
            self._starting.cancel()
        return maybeDeferred(self._server.stop)

    def _started(self, _: object) -> None:
        settle()
        self._log.info("serving on {url}", url=self._server.url)
        self._tell(READY)

    def _failed(self, failure: Failure) -> None:
        if not self.running:
            return
        error = failure.value
        line = describe(error)
        if line is None:
            self._log.failure("the server does not start", failure=failure)
            line = f"unexpected {type(error).__name__}: {error}; the log has the traceback"
        else:
            self._log.critical("cannot start: {line}", line=line)
        self._fail(line)


def describe(error: BaseException | None) -> str | None:
    """The one line that an operator needs about a start error; None for an error that nobody foresaw."""
    from twisted.internet.error import CannotListenError

    from kube_twisted.storage.interfaces import StoreUnusable

    if isinstance(error, CannotListenError):
        return cannot_listen(error.interface or "*", error.port, error.socketError)
    if isinstance(error, (StartError, StoreUnusable)):
        return str(error)
    return None


def probe_port(address: str, port: int) -> None:
    """Find out before anything else is done whether the port is free.

    :raises StartError: when it is not, or may not be used.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            raise StartError(cannot_listen(address, port, error)) from error


def probe_store(config: Config) -> None:
    """Find out before keys are made, and before twistd becomes a daemon, whether the store is free and readable.

    Nothing of it stays open: neither the lock nor the database would survive the fork well.

    :raises StartError: when it is not.
    """
    from kube_twisted.storage.backends import verify_backend
    from kube_twisted.storage.interfaces import StoreUnusable

    try:
        verify_backend(config)
    except StoreUnusable as error:
        raise StartError(str(error)) from error


def cannot_listen(address: str, port: int, error: OSError) -> str:
    host = f"[{address}]" if ":" in address else address
    return f"cannot listen on {host}:{port}: {error.strerror or error}"


def stop_on_signals(reactor: Any) -> None:
    """SIGTERM and SIGINT stop the reactor, and the program ends with status 0 once everything has ended.

    twistd would let itself be killed by the signal at its very end, which looks like a failure to whoever
    waits for it. A second signal ends it at once, with status 1; nothing acknowledged is lost then.
    """
    signals: list[int] = []

    def stop(number: int, _frame: object) -> None:
        signals.append(number)
        if len(signals) > 1:
            os._exit(1)
        reactor.callFromThread(reactor.stop)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)


def exit_with_failure(reactor: Any, line: str) -> None:
    """Write the line to stderr, stop the reactor, and have the program end with status 1.

    twistd ends with status 0 whenever the reactor stops, so the status is set at the interpreter's very end,
    when twistd has removed its pid file and closed its log.
    """
    print(f"kapiserver: {line}", file=sys.__stderr__, flush=True)
    atexit.register(_leave, 1)
    reactor.callWhenRunning(reactor.stop)


def _leave(status: int) -> None:
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            stream.flush()
    os._exit(status)


def _as_yaml(option: str, text: str) -> Any:
    if option == "controllers":
        return [one.strip() for one in text.split(",") if one.strip()]
    if option == "secure-port" and text.isdecimal():
        return int(text)
    return text
