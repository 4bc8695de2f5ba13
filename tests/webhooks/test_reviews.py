"""What kind a webhook's answer is of."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.webhooks.reviews import read_review

REVIEW = GroupVersionKind("g", "v1", "Review")


class ReadReviewTests(SynchronousTestCase):
    def wrong(self, body: bytes) -> str:
        return str(self.assertRaises(ValueError, read_review, body, REVIEW, ("v1", "v1beta1")))

    def test_review(self) -> None:
        """What the answer does not say of its kind is taken to be as asked for."""
        for body, read in ((b'{"kind":"Review","apiVersion":"g/v1","a":1}',
                            {"kind": "Review", "apiVersion": "g/v1", "a": 1}),
                           (b'{"a":1}', {"a": 1}), (b'{"kind":"Review"}', {"kind": "Review"}), (b"null", {})):
            self.assertEqual(read_review(body, REVIEW, ("v1",)), read)

    def test_no_json(self) -> None:
        """The answer is an object."""
        self.assertEqual(self.wrong(b"{hello"), "couldn't get version/kind; json parse error: "
                         "invalid character 'h' looking for beginning of object key string")
        self.assertTrue(self.wrong(b"hello").startswith("couldn't get version/kind; json parse error: "
                                                        "json: cannot unmarshal string into Go value of type struct"))
        self.assertTrue(self.wrong(b"[]").startswith("couldn't get version/kind; json parse error: "
                                                     "json: cannot unmarshal array into Go value of type struct"))

    def test_yaml(self) -> None:
        """It may be written in YAML."""
        self.assertEqual(read_review(b"kind: Review\na: 1\n", REVIEW, ("v1",)), {"kind": "Review", "a": 1})
        self.assertTrue(self.wrong(b"a: b: c").startswith("yaml: "))

    def test_other_kinds(self) -> None:
        """Another kind or version is none that can be used."""
        self.assertEqual(self.wrong(b'{"kind":"Status","apiVersion":"v1"}'),
                         "converting (v1.Status) to (v1.Review): unknown conversion")
        self.assertEqual(self.wrong(b'{"kind":"Review","apiVersion":"g/v1beta1"}'),
                         "converting (v1beta1.Review) to (v1.Review): unknown conversion")
        self.assertIn('no kind "Odd" is registered for version "g/v1" in scheme', self.wrong(b'{"kind":"Odd"}'))
        self.assertIn('no kind "Review" is registered for version "x/v1" in scheme',
                      self.wrong(b'{"kind":"Review","apiVersion":"x/v1"}'))
