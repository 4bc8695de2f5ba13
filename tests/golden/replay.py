"""Replays a scenario against a server.

    python -m tests.golden.replay --server URL --token-file FILE --ca FILE SCENARIO.json ...
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import ssl
import time
from collections.abc import Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any

from attrs import frozen

from tests.golden.comparison import Difference, differences
from tests.golden.placeholders import fill_in, with_placeholders
from tests.golden.scenario import COMPARED_HEADERS, Scenario, Step, dig, load
from tests.sockets.support.https import Answer, Client

#: Part of the answers: fields are owned by "golden".
_USER_AGENT = "golden/1.0"
_BETWEEN_TRIES = 0.2
_SHOWN_DIFFERENCES = 12


@frozen
class StepResult:
    """What came of a step."""

    index: int
    step: Step
    differences: Sequence[Difference]

    def __str__(self) -> str:
        lines = [f"step {self.index}: {self.step.method} {self.step.path}"]
        lines += [f"    {one}" for one in self.differences[:_SHOWN_DIFFERENCES]]
        if len(self.differences) > _SHOWN_DIFFERENCES:
            lines.append(f"    and {len(self.differences) - _SHOWN_DIFFERENCES} more")
        return "\n".join(lines)


class Replay:
    """One scenario on one connection.

    :param run: distinguishes this replay from others on the same server; lower-case letters and digits.
    """

    def __init__(self, client: Client, scenario: Scenario, run: str) -> None:
        self._client = client
        client.defaults["User-Agent"] = _USER_AGENT
        self._scenario = scenario
        slug = re.sub(r"[^a-z0-9]+", "-", scenario.name.rpartition("/")[2].lower()).strip("-")[:40]
        self._variables = {"ns": f"g-{slug}-{run}", "run": run}

    def run(self) -> list[StepResult]:
        """All steps, each with its differences."""
        self._prepare()
        try:
            return [self._step(index, step) for index, step in enumerate(self._scenario.steps)]
        finally:
            self._clean_up()

    def _prepare(self) -> None:
        if self._scenario.namespaced:
            namespaces, name = "/api/v1/namespaces", self._variables["ns"]
            self._send("POST", namespaces, {"metadata": {"name": name}})
            # Pods need the account, which a controller would make.
            self._send("POST", f"{namespaces}/{name}/serviceaccounts", {"metadata": {"name": "default"}})

    def _clean_up(self) -> None:
        for path in reversed(self._scenario.cleanup):
            self._send("DELETE", fill_in(path, self._variables))
        if self._scenario.namespaced:
            self._send("DELETE", f"/api/v1/namespaces/{self._variables['ns']}")

    def _step(self, index: int, step: Step) -> StepResult:
        time.sleep(step.sleep)
        end = time.monotonic() + step.retry
        while True:
            found = self._once(step)
            if all(one.wording for one in found) or time.monotonic() >= end:
                return StepResult(index, step, found)
            time.sleep(_BETWEEN_TRIES)

    def _once(self, step: Step) -> list[Difference]:
        try:
            answer = self._ask(step)
        except (OSError, HTTPException) as error:
            return [Difference(("connection",), "an answer", repr(error))]
        document = _decoded(step, answer.body)
        self._capture(step, answer, document)
        kept = {name: answer.headers[name] for name in COMPARED_HEADERS if name in answer.headers}
        return differences(step, answer.status, with_placeholders(kept, self._variables),
                           with_placeholders(document, self._variables))

    def _ask(self, step: Step) -> Answer:
        variables = {**self._variables, "fill": "x" * step.fill} if step.fill else self._variables
        headers = {name.lower(): value for name, value in fill_in(step.headers, variables).items()}
        body = None
        if step.has_body:
            raw = step.raw is not None
            text = fill_in(step.raw if raw else step.body, variables)
            body = (text if raw else json.dumps(text)).encode()
        return self._send(step.method, fill_in(step.path, variables), body, headers)

    def _send(self, method: str, path: str, body: Any = None,
              headers: dict[str, Any] | None = None) -> Answer:
        """Ask; once more when the server closed the kept connection before it read the request."""
        try:
            return self._client.request(method, path, body, headers)
        except TimeoutError:
            raise
        except (OSError, HTTPException):
            return self._client.request(method, path, body, headers)

    def _capture(self, step: Step, answer: Answer, document: Any) -> None:
        for name, dotted in step.capture.items():
            try:
                if dotted.startswith("header:"):
                    value = answer.headers[dotted.removeprefix("header:")]
                else:
                    value = dig(document, dotted)
            except LookupError:
                continue  # the comparison tells
            self._variables[name] = str(value)


def _decoded(step: Step, data: bytes) -> Any:
    if step.stream:
        try:
            return [json.loads(line) for line in data.splitlines() if line.strip()]
        except ValueError:
            pass  # an error instead of a stream
    try:
        return json.loads(data)
    except ValueError:
        return {"<text>": data.decode("utf-8", "replace")}


def new_run() -> str:
    """A word that no earlier replay on the same server has used."""
    return secrets.token_hex(4)


def main() -> int:
    """Replay the files and show what differs; 1 when something does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--token-file", type=Path, required=True)
    parser.add_argument("--ca", required=True)
    parser.add_argument("scenarios", nargs="+", type=Path)
    arguments = parser.parse_args()
    client = Client(arguments.server, arguments.token_file.read_text().strip(),
                    ssl.create_default_context(cafile=arguments.ca))
    different = 0
    for path in arguments.scenarios:
        scenario = load(path)
        for result in Replay(client, scenario, new_run()).run():
            if result.differences:
                different += 1
                print(f"{scenario.name} {result}")
    print(f"{different} steps differ")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
