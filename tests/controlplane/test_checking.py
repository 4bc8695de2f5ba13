"""What ``--check-config`` finds out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config import load_config
from kube_twisted.controlplane.checking import check_config
from kube_twisted.util.starting import StartError


class CheckTests(SynchronousTestCase):
    def problem(self, **overrides: Any) -> str:
        config = load_config(overrides={key.replace("__", "."): value for key, value in overrides.items()})
        message = str(self.assertRaises(StartError, check_config, config))
        self.assertNotIn("\n", message)
        return message

    def test_good(self) -> None:
        """The defaults are good; nothing is made in the data directory."""
        directory = Path(self.mktemp())
        check_config(load_config(overrides={"dataDirectory": str(directory)}))
        self.assertFalse(os.path.lexists(directory))

    def test_names(self) -> None:
        """An API that does not exist can't be switched."""
        self.assertIn("apps/v9", self.problem(runtimeConfig={"apps/v9": True}))

    def test_missing_files(self) -> None:
        """Files that are spoken of must be there."""
        for setting in ("authentication__tokenFile", "authentication__clientCAFile"):
            self.assertIn("none.pem: No such file", self.problem(**{setting: "none.pem"}))
        self.assertEqual(self.problem(server__certificateFile="none.crt", server__keyFile="none.key"),
                         "none.crt: No such file or directory")

    def test_bad_files(self) -> None:
        """Files that are spoken of must hold what they are for."""
        path = Path(self.mktemp())
        path.write_text("hello\n")
        self.assertIn("at least 3 columns", self.problem(authentication__tokenFile=str(path)))
        self.assertIn("no PEM certificates", self.problem(authentication__clientCAFile=str(path)))
        self.assertIn("no PEM certificate",
                      self.problem(server__certificateFile=str(path), server__keyFile=str(path)))
