"""An operator on kopf that admits what is written; what it does is in ``kopf_admission``."""

from __future__ import annotations

from typing import Any

from tests.sockets.test_kopf import OperatorCase

_CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/admission.example.com"


class KopfAdmissionTests(OperatorCase):
    operator_file = "kopf_admission.py"

    def setUp(self) -> None:
        super().setUp()
        self.maps = f"{self.path}/configmaps"
        self.wait_for(lambda: len((self.get(_CONFIGURATIONS) or {}).get("webhooks") or ()) == 2,
                      "the operator has configured its webhooks")

    def post(self, name: str, **data: str) -> Any:
        metadata = {"name": name, "labels": {"admitted": "yes"}}
        return self.client.request("POST", self.maps, {"metadata": metadata, "data": data})

    def test_admission(self) -> None:
        """Objects are changed, refused and kept as the operator says."""
        created = self.post("a")
        self.assertEqual((created.status, created.json()["data"]), (201, {"text": "added on CREATE"}), created.body)
        self.assertEqual(created.headers["warning"], '299 - "text was added"')
        refused = self.post("b", text="bad words")
        self.assertEqual((refused.status, refused.json()["message"]), (
            451, 'admission webhook "check-text.admission.example.com" denied the request: admin may not say that'))
        changed = self.client.request("PATCH", f"{self.maps}/a", [{"op": "remove", "path": "/data/text"}],
                                      {"Content-Type": "application/json-patch+json"})
        self.assertEqual(changed.json()["data"], {"text": "added on UPDATE"}, changed.body)
        kept = self.client.request("DELETE", f"{self.maps}/a?dryRun=All")
        self.assertEqual(kept.json()["message"],
                         'admission webhook "keep.admission.example.com" denied the request: it stays (dryrun=True)')
        self.client.request("PATCH", f"{self.maps}/a", {"metadata": {"labels": None}},
                            {"Content-Type": "application/merge-patch+json"})
