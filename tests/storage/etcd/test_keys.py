"""Keys as etcd has them."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.etcd.keys import Keys


class KeysTests(SynchronousTestCase):
    def test_plain(self) -> None:
        """By default keys are the same."""
        keys = Keys()
        self.assertEqual(keys.stored("/registry/pods/\u00e9"), "/registry/pods/\u00e9".encode())
        self.assertEqual(keys.shown(b"/registry/pods/a"), "/registry/pods/a")
        self.assertEqual(keys.range("/registry/pods/"), (b"/registry/pods/", b"/registry/pods0"))
        self.assertEqual(keys.range("/registry/pods/", "/registry/pods/b"), (b"/registry/pods/b", b"/registry/pods0"))
        self.assertEqual(keys.range("/registry/pods/", "/a"), (b"/registry/pods/", b"/registry/pods0"))
        self.assertEqual(keys.everything(), (b"\0", b"\0"))

    def test_prefix(self) -> None:
        """Another prefix stands in the place of /registry; what does not begin with it is not ours."""
        keys = Keys("/east/k8s")
        self.assertEqual(keys.stored("/registry/pods/a"), b"/east/k8s/pods/a")
        self.assertEqual(keys.shown(b"/east/k8s/pods/a"), "/registry/pods/a")
        self.assertEqual(keys.range("/registry/pods/"), (b"/east/k8s/pods/", b"/east/k8s/pods0"))
        self.assertEqual([keys.shown(key) for key in (b"/east/k8sx/a", b"/registry/a", b"compact_rev_key")], [None] * 3)
        self.assertEqual(keys.everything(), (b"/east/k8s/", b"/east/k8s0"))

    def test_foreign(self) -> None:
        """A key that is no text is nobody's."""
        self.assertIsNone(Keys().shown(b"\xff\xfe"))
