"""Many watchers of one collection, and one object in it that changes: how many events arrive, and how late."""

from __future__ import annotations

import re
import selectors
import socket
import ssl
import statistics
import time
from collections.abc import Iterator
from multiprocessing import get_context
from urllib.parse import urlsplit

from attrs import frozen

from tests.bench.load import LoadError
from tests.sockets.support.https import Client

WATCHERS, UPDATES = 100, 300
#: Seconds without any event after which no more are waited for.
_PATIENCE = 15.0
_SENT = re.compile(rb'"sent":"([\d.]+)"')


@frozen
class FanOut:
    """What arrived.

    :ivar rate: events a second, over all watchers.
    :ivar p50: milliseconds from sending the change to reading the event, for half of them.
    """

    rate: float
    p50: float
    p99: float


def fan_out(url: str, token: str, context: ssl.SSLContext, namespace: str) -> FanOut:
    """Watch, change, and count.

    :raises LoadError: when not all events arrive.
    """
    client = Client(url, token, context)
    made = client.request("POST", f"/api/v1/namespaces/{namespace}/configmaps", {
        "metadata": {"name": "watched"}, "data": {"payload": "x" * 1000, "sent": "0"}}).json()
    poll = selectors.DefaultSelector()
    for _ in range(WATCHERS):
        stream = _open(url, token, context, namespace, made["metadata"]["resourceVersion"])
        poll.register(stream, selectors.EVENT_READ, bytearray())
    writer = get_context("fork").Process(target=_change, args=(client, namespace))
    begin = time.time()
    writer.start()
    delays = sorted(_arrivals(poll, WATCHERS * UPDATES))
    elapsed = time.time() - begin
    writer.join()
    for key in list(poll.get_map().values()):
        key.fileobj.close()  # type: ignore[union-attr]
    if len(delays) < WATCHERS * UPDATES:
        raise LoadError(f"only {len(delays)} of {WATCHERS * UPDATES} events arrived")
    return FanOut(len(delays) / elapsed, 1e3 * statistics.median(delays), 1e3 * delays[len(delays) * 99 // 100])


def _open(url: str, token: str, context: ssl.SSLContext, namespace: str, version: str) -> ssl.SSLSocket:
    """A watch whose answer has begun."""
    parts = urlsplit(url)
    stream = context.wrap_socket(socket.create_connection((parts.hostname or "", parts.port or 0)),
                                 server_hostname=parts.hostname)
    stream.sendall(f"GET /api/v1/namespaces/{namespace}/configmaps?watch=1&resourceVersion={version} HTTP/1.1\r\n"
                   f"Host: bench\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    if b" 200 " not in stream.recv(65536):
        raise LoadError("a watch was refused")
    stream.setblocking(False)
    return stream


def _change(client: Client, namespace: str) -> None:
    """In a process of its own: one change after the other, each with the time."""
    client.close()
    for _ in range(UPDATES):
        client.request("PATCH", f"/api/v1/namespaces/{namespace}/configmaps/watched",
                       {"data": {"sent": f"{time.time():.6f}"}}, {"Content-Type": "application/merge-patch+json"})


def _arrivals(poll: selectors.BaseSelector, expected: int) -> Iterator[float]:
    """The delay of each event, in seconds."""
    arrived, last = 0, time.time()
    while arrived < expected and time.time() - last < _PATIENCE:
        for key, _ in poll.select(0.5):
            data = _read(key.fileobj)  # type: ignore[arg-type]
            now = time.time()
            lines, _, rest = (bytes(key.data) + data).rpartition(b"\n")
            key.data[:] = rest
            for sent in _SENT.findall(lines):
                arrived, last = arrived + 1, now
                yield now - float(sent)


def _read(stream: ssl.SSLSocket) -> bytes:
    """All that can be read now."""
    pieces = []
    try:
        while piece := stream.recv(262144):
            pieces.append(piece)
    except (ssl.SSLWantReadError, BlockingIOError):
        pass
    return b"".join(pieces)
