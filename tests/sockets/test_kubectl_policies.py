"""kubectl with admission policies: what it is refused, warned of and shown."""

from __future__ import annotations

from tests.sockets.support.kubectl import KubectlTestCase
from tests.sockets.support.process import ROOT

EXAMPLE = str(ROOT / "examples" / "admission-policy.yaml")
POLICY, BINDING = "validatingadmissionpolicy", "validatingadmissionpolicybinding"


class PolicyCase(KubectlTestCase):
    """With the policies of the example at work in the test's namespace."""

    controllers = ("validatingadmissionpolicy-status",)

    def setUp(self) -> None:
        super().setUp()
        self.kubectl("apply", "-f", EXAMPLE)
        self.addCleanup(self.kubectl, "delete", "-f", EXAMPLE)
        self.kubectl("label", "namespace", self.namespace, "checked=yes")


class ExampleTests(PolicyCase):
    def test_refused(self) -> None:
        """An image without a tag is refused, in the words of the policy; others are labelled."""
        self.assertEqual(self.error("run", "a", "--image=busybox"), (
            "The pods \"a\" is invalid: : ValidatingAdmissionPolicy 'tagged-images' with binding 'tagged-images' "
            "denied request: images without a tag: busybox"))
        for name, image in (("a", "busybox:1"), ("b", "registry:5000/x@sha256:" + "a" * 64)):
            self.kubectl("run", name, f"--image={image}")
        self.assertIn("untagged", self.error("run", "c", "--image=registry:5000/untagged"))
        self.assertEqual(self.kubectl("get", "pods", f"--selector=checked-for={self.namespace}", "--output=name"),
                         "pod/a\npod/b")

    def test_dry_run(self) -> None:
        """A dry run is checked and changed too."""
        self.assertIn("denied request", self.error("run", "a", "--image=busybox", "--dry-run=server"))
        self.assertIn(f"checked-for: {self.namespace}", self.kubectl(
            "run", "a", "--image=busybox:1", "--dry-run=server", "--output=yaml"))

    def test_shown(self) -> None:
        """Lists tell how many validations there are, and descriptions what the types say."""
        self.assertEqual(self.lines("get", POLICY, "tagged-images")[0], "NAME VALIDATIONS PARAMKIND AGE")
        self.assertTrue(self.lines("get", POLICY, "tagged-images")[1].startswith("tagged-images 1 <unset>"))
        self.assertTrue(self.lines("get", BINDING, "tagged-images")[1].startswith(
            "tagged-images tagged-images <unset>"))
        self.kubectl("wait", POLICY, "tagged-images", "--for=jsonpath={.status.observedGeneration}=1", "--timeout=10s")
        self.assertEqual(self.get_json(POLICY, "tagged-images")["status"]["typeChecking"], {})


class ChangeTests(PolicyCase):
    def test_warned(self) -> None:
        """A binding that only warns lets the write through, and kubectl says why it should not be."""
        self.kubectl("patch", BINDING, "tagged-images", "--type=merge",
                     '--patch={"spec": {"validationActions": ["Warn"]}}')
        done = self.run_kubectl(("run", "a", "--image=busybox"))
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "pod/a created"))
        self.assertIn("Warning: Validation failed for ValidatingAdmissionPolicy 'tagged-images' with binding "
                      "'tagged-images': images without a tag: busybox", done.stderr)

    def test_applied(self) -> None:
        """What a policy adds is no conflict for who applies, and comes back with each apply."""
        manifest = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
                    "spec": {"containers": [{"name": "c", "image": "i:1"}]}}
        for manager in ("one", "two"):
            self.kubectl("apply", "--server-side", f"--field-manager={manager}", "-f", "-", stdin=manifest)
        self.assertEqual(self.get_json("pod", "a")["metadata"]["labels"], {"checked-for": self.namespace})

    def test_invalid(self) -> None:
        """An expression that does not compile is refused when it is written."""
        policy = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
                  "metadata": {"name": "bad"}, "spec": {
                      "matchConstraints": {"resourceRules": [{
                          "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["pods"]}]},
                      "validations": [{"expression": "object.spec."}]}}
        self.assertIn("spec.validations[0].expression: Invalid value: \"object.spec.\": compilation failed",
                      self.error("create", "-f", "-", stdin=policy))
