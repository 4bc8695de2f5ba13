"""kubernetes#67284, python-client#953: a list in chunks whose snapshot is gone."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, ClusterTestCase


class ExpiredContinueTests(ClusterTestCase):
    def test_go_on(self) -> None:
        """410 Expired, with a token in its metadata that resumes after the same object on the newest state."""
        for name in "abc":
            self.config_map(name)
        token = self.ask("GET", f"{CONFIG_MAPS}?limit=1")["metadata"]["continue"]
        self.ask("DELETE", f"{CONFIG_MAPS}/b")
        self.config_map("d")
        self.compact()
        answer = self.send("GET", f"{CONFIG_MAPS}?limit=1&continue={token}")
        self.assertEqual((answer.code, answer.json["code"], answer.json["reason"]), (410, 410, "Expired"))
        self.assertTrue(answer.json["message"].startswith(
            "The provided continue parameter is too old to display a consistent list result."))
        fresh = answer.json["metadata"]["continue"]
        names = []
        while fresh:
            chunk = self.ask("GET", f"{CONFIG_MAPS}?limit=1&continue={fresh}")
            names += [one["metadata"]["name"] for one in chunk["items"]]
            fresh = chunk["metadata"].get("continue")
        self.assertEqual(names, ["c", "d"])
