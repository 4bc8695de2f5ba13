"""python-client#866, kubernetes#112425, dotnet-kube-client#63, ever-works#719: patches of the wrong type."""

from __future__ import annotations

from typing import Any

from tests.apiextensions.widgets import WIDGETS, CustomCase, version
from tests.inprocess import CONFIG_MAPS, ClusterTestCase

APPLY = "application/apply-patch+yaml"


class PatchTypeTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.config_map("a")

    def patch_error(self, content_type: str, query: str = "") -> Any:
        return self.refused("PATCH", f"{CONFIG_MAPS}/a{query}", {"data": {"x": "y"}}, content_type)

    def test_unknown_type(self) -> None:
        """``apply-patch+json`` is no type of patch: 415."""
        for content_type in ("application/apply-patch+json", "application/json", ""):
            error = self.patch_error(content_type)
            self.assertEqual((error.code, error.reason), (415, "UnsupportedMediaType"), content_type)

    def test_force_without_apply(self) -> None:
        """``force`` on another type of patch is 422, and the message says so."""
        error = self.patch_error("application/merge-patch+json", "?force=true")
        self.assertEqual(error.code, 422)
        self.assertIn("force: Forbidden: may not be specified for non-apply patch", error.message)

    def test_apply_without_a_manager(self) -> None:
        """An apply patch names its field manager."""
        error = self.patch_error(APPLY)
        self.assertEqual(error.code, 422)
        self.assertIn("fieldManager: Required value: is required for apply patch", error.message)

    def test_json_is_yaml(self) -> None:
        """JSON text in an apply patch is fine: every JSON text is a YAML text."""
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"x": "y"}}
        applied = self.ask("PATCH", f"{CONFIG_MAPS}/a?fieldManager=test", body, APPLY)
        self.assertEqual(applied["data"], {"x": "y"})


class CustomPatchTypeTests(CustomCase):
    def test_strategic_merge(self) -> None:
        """Custom kinds have no strategy to merge by: 415, and the message says which types there are."""
        self.define(version("v1", subresources={"status": {}}))
        self.widget("a")
        for path in (f"{WIDGETS}/a", f"{WIDGETS}/a/status", f"{WIDGETS}/missing"):
            error = self.refused("PATCH", path, {"spec": {"size": 1}}, "application/strategic-merge-patch+json")
            self.assertEqual((error.code, error.reason), (415, "UnsupportedMediaType"))
            self.assertEqual(error.message, (
                "the body of the request was in an unknown format - accepted media types include: "
                "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"))
