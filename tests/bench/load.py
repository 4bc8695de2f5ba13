"""Load from wrk (https://github.com/wg/wrk): many requests at once over connections that stay open."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from attrs import frozen

_MILLISECONDS = {"us": 1e-3, "ms": 1.0, "s": 1e3}
_BYTES = {"B": 1.0, "KB": 1e3, "MB": 1e6, "GB": 1e9}


class LoadError(Exception):
    """Load could not be made, or was not answered as expected."""


@frozen
class Measured:
    """What came of a load.

    :ivar rate: answers a second.
    :ivar transfer: bytes a second.
    :ivar p99: 99 of 100 answers came within so many milliseconds.
    """

    rate: float
    transfer: float
    p99: float


class Wrk:
    """Makes load.

    :param folder: where scripts can be written.
    :raises LoadError: when there is no wrk.
    """

    def __init__(self, token: str, seconds: int, folder: Path) -> None:
        found = shutil.which("wrk")
        if found is None:
            raise LoadError("wrk is not installed (Debian: apt install wrk)")
        self._command = [found, "-t1", f"-d{seconds}s", "--latency", "--timeout", "30s",
                         "-H", f"Authorization: Bearer {token}"]
        self._script = folder / "load.lua"

    def read(self, url: str, connections: int) -> Measured:
        """GET one address over and over."""
        return self._run(url, connections)

    def post(self, url: str, connections: int, body: object) -> Measured:
        """POST one body over and over."""
        self._script.write_text(f"wrk.method = 'POST'\nwrk.body = {_quoted(json.dumps(body))}\n"
                                "wrk.headers['Content-Type'] = 'application/json'\n")
        return self._run(url, connections, "-s", str(self._script))

    def merge_patch(self, url: str, path: str, count: int, connections: int) -> Measured:
        """PATCH the objects ``path`` + 0 .. ``count`` - 1 in turn, each time with new data."""
        self._script.write_text(f"""
wrk.method = 'PATCH'
wrk.headers['Content-Type'] = 'application/merge-patch+json'
local n = 0
request = function()
  n = n + 1
  return wrk.format(nil, {_quoted(path)} .. (n % {count}), nil, '{{"data":{{"n":"' .. n .. '"}}}}')
end
""")
        return self._run(url, connections, "-s", str(self._script))

    def _run(self, url: str, connections: int, *options: str) -> Measured:
        done = subprocess.run([*self._command, f"-c{connections}", *options, url], capture_output=True, text=True)
        output = done.stdout
        if done.returncode or "Non-2xx" in output or "Socket errors" in output:
            raise LoadError(f"{url}: {output}{done.stderr}")
        size, size_unit = _found(r"Transfer/sec:\s+([\d.]+)(\w+)", output)
        late, late_unit = _found(r"99%\s+([\d.]+)(us|ms|s)", output)
        rate, = _found(r"Requests/sec:\s+([\d.]+)", output)
        return Measured(float(rate), float(size) * _BYTES[size_unit], float(late) * _MILLISECONDS[late_unit])


def _found(pattern: str, output: str) -> tuple[str, ...]:
    found = re.search(pattern, output)
    if found is None:
        raise LoadError(f"wrk said something else: {output}")
    return found.groups()


def _quoted(text: str) -> str:
    """As a Lua string."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
