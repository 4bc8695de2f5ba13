"""More requests than a priority level has seats for, over real connections, and what kubectl shows of it."""

from __future__ import annotations

import threading
from typing import Any

from tests.sockets.support.https import Answer
from tests.sockets.support.kubectl import KubectlTestCase

_GROUP = "/apis/flowcontrol.apiserver.k8s.io/v1"
_CLIENTS, _REQUESTS = 8, 20


class FairnessTests(KubectlTestCase):
    def limit(self, response: dict[str, Any]) -> None:
        """Everything that a member of the group ``busy`` asks for gets one seat at a time."""
        name = self.namespace
        self.create(f"{_GROUP}/prioritylevelconfigurations", {"metadata": {"name": name}, "spec": {
            "type": "Limited", "limited": {"nominalConcurrencyShares": 0, "borrowingLimitPercent": 0,
                                           "limitResponse": response}}})
        self.create(f"{_GROUP}/flowschemas", {"metadata": {"name": name}, "spec": {
            "priorityLevelConfiguration": {"name": name}, "matchingPrecedence": 5, "rules": [{
                "subjects": [{"kind": "Group", "group": {"name": "busy"}}],
                "resourceRules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "namespaces": ["*"]}]}]}})
        for kind in ("flowschemas", "prioritylevelconfigurations"):
            self.addCleanup(self.client.request, "DELETE", f"{_GROUP}/{kind}/{name}")

    def flood(self) -> list[Answer]:
        """Create ConfigMaps from several connections at once."""
        answers: list[Answer] = []
        self.kubectl("create", "rolebinding", "busy", "--clusterrole=cluster-admin", "--group=busy")

        def send(sender: int) -> None:
            client = self.server.client()
            client.defaults |= {"Impersonate-User": f"user-{sender}", "Impersonate-Group": "busy"}
            for number in range(_REQUESTS):
                answers.append(client.request("POST", f"{self.path}/configmaps",
                                              {"metadata": {"name": f"m-{sender}-{number}"}}))
            client.close()

        threads = [threading.Thread(target=send, args=(sender,)) for sender in range(_CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def test_reject(self) -> None:
        """A level that does not queue turns away what comes at the same time, in plain words."""
        self.limit({"type": "Reject"})
        answers = self.flood()
        self.assertEqual({answer.status for answer in answers}, {201, 429})
        refusal = next(answer for answer in answers if answer.status == 429)
        self.assertEqual(refusal.body, b"Too many requests, please try again later.\n")
        self.assertEqual((refusal.headers["retry-after"], refusal.headers["content-type"]),
                         ("1", "text/plain; charset=utf-8"))
        uid = self.get_json("flowschema", self.namespace)["metadata"]["uid"]
        self.assertEqual({answer.headers["x-kubernetes-pf-flowschema-uid"] for answer in answers}, {uid})

    def test_queue(self) -> None:
        """A level that queues lets them begin one after the other; nobody else has to wait."""
        self.limit({"type": "Queue", "queuing": {"queues": 8, "handSize": 2, "queueLengthLimit": 50}})
        self.assertEqual([answer.status for answer in self.flood()], [201] * (_CLIENTS * _REQUESTS))
        waited = f'flow_schema="{self.namespace}",priority_level="{self.namespace}"'
        self.assertIn(f'apiserver_flowcontrol_request_wait_duration_seconds_count{{execute="true",{waited}}}',
                      self.kubectl("get", "--raw=/metrics"))

    def test_shown(self) -> None:
        """kubectl shows which schemas miss their level."""
        self.limit({"type": "Reject"})
        self.kubectl("delete", "prioritylevelconfiguration", self.namespace)

        def missing() -> dict[str, str]:
            return {line.split()[0]: line.split()[-1] for line in self.lines("get", "flowschemas")}

        self.server.wait_for(lambda: missing()[self.namespace] == "True", "the schema is shown as dangling")
        self.assertEqual(missing()["exempt"], "False")
