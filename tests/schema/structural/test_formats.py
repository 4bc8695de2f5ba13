"""Tests for kube_twisted.schema.structural.formats and addresses."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.structural.formats import FORMATS

#: Format: what has it, what has not.
CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "bsonobjectid": (("507f1f77bcf86cd799439011",), ("507f1f77bcf86cd79943901", "zz7f1f77bcf86cd799439011")),
    "byte": (("aGk=", "aGkx"), ("***", "", "aGk")),
    "cidr": (("10.0.0.0/8", "fd00::/64", "010.0.0.0/08"), ("10.0.0.0/99", "10.0.0.0", "x/8", "10.0.0.0/-1")),
    "creditcard": (("4111 1111 1111 1111", "5555555555554444"), ("4111111111111112", "1")),
    "date": (("2024-02-29", "0000-02-29"), ("2023-02-29", "2024-2-9", "2024-02-29T")),
    "datetime": (("2024-02-29T10:00:00Z", "2024-02-29t10:00:00.5+02:00"),
                 ("yesterday", "2024-02-29T24:00:00Z", "2024-02-29T10:00:00", "2024-02-30T10:00:00Z")),
    "duration": (("1h30m", "22 ns", "2 days", "5 Hours", "-1.5h", "0"), ("soon", "5 parsecs", "", "12")),
    "email": (("a@example.com", "Ann <a@example.com>", '"a b"@c', "a@[10.0.0.1]", "é@ü.de"),
              ("nope", "a@", "@b", "a b@c", "a@b@c", "<a@b", "a@b,c@d")),
    "hexcolor": (("#fff", "A0b1C2"), ("#zzz", "#ffff")),
    "hostname": (("a.example.com", "localhost", "1", "bücher.example", "☃.net", "a-", "xn--a.b.co"),
                 ("-bad-", "a..b", "example.c", "a." + "b" * 64, "example.☃☃", "under_score", "a.b.1")),
    "ipv4": (("10.1.2.3", "010.001.2.3", "::ffff:1.2.3.4"), ("300.1.1.1", "1.2.3", "::1", "1.2.3.4.5")),
    "ipv6": (("fd00::1", "::ffff:1.2.3.4"), ("10.0.0.1", "fe80::1%eth0", ":::")),
    "isbn": (("0321751043", "978-0321751041", "0-8044-2957-X"), ("x", "0321751044", "978-0321751042")),
    "isbn10": (("0321751043",), ("978-0321751041",)),
    "isbn13": (("978-0321751041",), ("0321751043",)),
    "k8slongname": (("a.b-c.d", "a" * 253), ("A", "a..b", "-a", "a" * 254)),
    "k8sshortname": (("a-b", "a" * 63), ("a.b", "a" * 64, "")),
    "mac": (("02:00:5e:10:00:01", "02-00-5e-10-00-01", "0200.5e10.0001", "02:00:5e:10:00:00:00:01"),
            ("zz", "02:00:5e:10:00", "02:00-5e:10:00:01", "02005e100001")),
    "password": (("x", ""), ()),
    "rgbcolor": (("rgb(1, 2,255)", "rgb(0,0,0)"), ("rgb(1,2)", "rgb(256,0,0)", "rgb(01,0,0)")),
    "ssn": (("123-45-6789", "123 45 6789"), ("123456789", "123-456789", "")),
    "uri": (("https://example.com/x?y#z", "/a/b", "mailto:a@b", "http://u:p@h:80/", "http://[::1]:8080/", "*"),
            (":::", "", "a/b", "http://a b/", "/%zz", "http://h:port/", "/a\n", "1a:b", "//%zz")),
    "uuid": (("6f0d3a2c-1111-4222-8333-1234567890ab", "6F0D3A2C111142228333 1234567890ab".replace(" ", "")),
             ("123", "6f0d3a2c-1111-4222-8333-1234567890ag")),
    "uuid3": (("6f0d3a2c-1111-3222-0333-1234567890ab",), ("6f0d3a2c-1111-4222-8333-1234567890ab",)),
    "uuid4": (("6f0d3a2c-1111-4222-8333-1234567890ab",), ("6f0d3a2c-1111-4222-7333-1234567890ab",)),
    "uuid5": (("6f0d3a2c-1111-5222-b333-1234567890ab",), ("6f0d3a2c-1111-4222-8333-1234567890ab",)),
}


class TestFormats(SynchronousTestCase):
    def test_every_format_is_tried(self) -> None:
        """There is a case for each."""
        self.assertEqual(set(CASES), set(FORMATS))

    def test_cases(self) -> None:
        """Each format takes what has it, and nothing that looks a bit like it."""
        for name, (good, bad) in CASES.items():
            for text in good:
                self.assertTrue(FORMATS[name](text), (name, text))
            for text in bad:
                self.assertFalse(FORMATS[name](text), (name, text))
