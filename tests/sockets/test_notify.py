"""Telling systemd."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server.notify import READY, STOPPING, notify


class NotifyTests(SynchronousTestCase):
    def listen(self, address: str) -> socket.socket:
        receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(receiver.close)
        receiver.bind(address)
        receiver.setblocking(False)
        return receiver

    def test_sends_states(self) -> None:
        """The states arrive at the socket of the environment, one a line."""
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "notify")
            receiver = self.listen(path)
            self.assertTrue(notify({"NOTIFY_SOCKET": path}, READY, "STATUS=serving"))
            self.assertEqual(receiver.recv(100), b"READY=1\nSTATUS=serving")

    def test_abstract_socket(self) -> None:
        """An address that starts with @ lies in the abstract namespace."""
        receiver = self.listen("\0kube-twisted-test-notify")
        self.assertTrue(notify({"NOTIFY_SOCKET": "@kube-twisted-test-notify"}, STOPPING))
        self.assertEqual(receiver.recv(100), b"STOPPING=1")

    def test_without_supervisor(self) -> None:
        """Without a usable socket nothing is sent and nothing fails."""
        self.assertFalse(notify({}, READY))
        self.assertFalse(notify({"NOTIFY_SOCKET": "vsock:2:1"}, READY))
        self.assertFalse(notify({"NOTIFY_SOCKET": "/no/such/socket"}, READY))
