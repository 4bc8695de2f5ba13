"""Reading plain data into a kind, as after strategic merges and applies."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import TestCase

from kube_twisted.schema.decode import DecodeError, decode
from kube_twisted.schema.unstructured import read
from tests.schema.shared_schema import struct

_DEPLOYMENT = struct("apps/v1", "Deployment")


def _container(**fields: Any) -> dict[str, Any]:
    return {"spec": {"template": {"spec": {"containers": [{"name": "c", **fields}]}}}}


class ReadTests(TestCase):
    def test_like_decoding(self) -> None:
        """What can be decoded is read in the same way."""
        value = {"metadata": {"name": "a", "labels": {"b": "c"}}, "spec": {"replicas": 0, "paused": None}}
        self.assertEqual(read(_DEPLOYMENT, value, []), decode(_DEPLOYMENT, value))

    def test_numbers(self) -> None:
        """A whole float is an integer, and an integer that is too big wraps round."""
        for given, expected in ((2.0, 2), (4294967299, 3), (2147483648, -2147483648), (-1, -1)):
            self.assertEqual(read(_DEPLOYMENT, {"spec": {"replicas": given}}, [])["spec"]["replicas"], expected)

    def test_errors(self) -> None:
        """What does not fit is refused in the words of the original's converter."""
        quantities = ("quantities must match the regular expression "
                      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
        rows: tuple[tuple[dict[str, Any], str], ...] = (
            ({"spec": "x"}, "cannot restore struct from: string"),
            ({"spec": [1]}, "cannot restore struct from: slice"),
            ({"metadata": {"labels": 1}}, "cannot restore map from int64"),
            ({"metadata": {"finalizers": {}}}, "cannot restore slice from map"),
            ({"spec": {"replicas": "two"}}, "unrecognized type: int32"),
            ({"spec": {"replicas": 1.5}}, "cannot convert float64 to int32"),
            ({"spec": {"paused": 1}}, "unrecognized type: bool"),
            ({"metadata": {"labels": {"a": 1}}}, "cannot convert int64 to string"),
            ({"metadata": {"labels": {"a": 1.5}}}, "unrecognized type: string"),
            ({"metadata": {"labels": {"a": True}}}, "unrecognized type: string"),
            (_container(imagePullPolicy=5), "cannot convert int64 to v1.PullPolicy"),
            (_container(resources={"limits": {"cpu": "x"}}), quantities),
            ({"metadata": {"creationTimestamp": 5}}, "json: cannot unmarshal number into Go value of type string"),
            ({"metadata": {"creationTimestamp": "x"}},
             'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'),
            ({"spec": {"strategy": {"rollingUpdate": {"maxSurge": True}}}},
             "json: cannot unmarshal bool into Go value of type int32"),
            ({"spec": {"strategy": {"rollingUpdate": {"maxSurge": 5000000000}}}},
             "json: cannot unmarshal number 5000000000 into Go value of type int32"))
        for value, expected in rows:
            with self.assertRaises(DecodeError) as caught:
                read(_DEPLOYMENT, value, [])
            self.assertEqual(str(caught.exception), expected)

    def test_bytes(self) -> None:
        """Bytes are text in base64."""
        secret = struct("v1", "Secret")
        for value, expected in (("*", "error decoding from json: illegal base64 data at input byte 0"),
                                (1, "cannot restore slice from int64")):
            with self.assertRaises(DecodeError) as caught:
                read(secret, {"data": {"a": value}}, [])
            self.assertEqual(str(caught.exception), expected)

    def test_unknown(self) -> None:
        """Unknown fields are listed in the order of their messages, also where numbers are made to fit."""
        for replicas in (1, 1.0):
            unknown: list[str] = []
            read(_DEPLOYMENT, {"spec": {"z": 1, "b": 1, "replicas": replicas}, "a": 1}, unknown)
            self.assertEqual(unknown, ['unknown field "a"', 'unknown field "spec.b"', 'unknown field "spec.z"'])
