"""Go's words for documents that are no JSON."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.codec.scanner import JSONSyntaxError, read
from kube_twisted.schema.tree import Members, Number

END = "unexpected end of JSON input"
ERRORS = [
    (b"", END),
    (b"  ", END),
    (b"{", END),
    (b'{"a"', END),
    (b'{"a":', END),
    (b"[1,", END),
    (b'"abc', END),
    (b'"abc\\', END),
    (b'"\\u12', END),
    (b"tru", END),
    (b"-", END),
    (b"1.", END),
    (b"1e+", END),
    (b"{not json", "invalid character 'n' looking for beginning of object key string"),
    (b'{"a":1,}', "invalid character '}' looking for beginning of object key string"),
    (b'{"a" 1}', "invalid character '1' after object key"),
    (b'{"a":1 "b"', "invalid character '\"' after object key:value pair"),
    (b"[1 2]", "invalid character '2' after array element"),
    (b"[1,]", "invalid character ']' looking for beginning of value"),
    (b"apiVersion: v1", "invalid character 'a' looking for beginning of value"),
    (b"'a'", "invalid character '\\'' looking for beginning of value"),
    (b'{"metadata":{"name":"t"}} trailing', "invalid character 't' after top-level value"),
    (b"{}{}", "invalid character '{' after top-level value"),
    (b"01", "invalid character '1' after top-level value"),
    (b"tru3", "invalid character '3' in literal true (expecting 'e')"),
    (b"nil", "invalid character 'i' in literal null (expecting 'u')"),
    (b"-x", "invalid character 'x' in numeric literal"),
    (b"1.x", "invalid character 'x' after decimal point in numeric literal"),
    (b"1ex", "invalid character 'x' in exponent of numeric literal"),
    (b"1e+x", "invalid character 'x' in exponent of numeric literal"),
    (b'"\n"', "invalid character '\\n' in string literal"),
    (b'"\x01"', "invalid character '\\x01' in string literal"),
    (b'"\\x"', "invalid character 'x' in string escape code"),
    (b'"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"),
    (b"\xff", "invalid character 'ÿ' looking for beginning of value"),
    (b"[" * 20_000, "exceeded max depth"),
]


class ScannerTests(SynchronousTestCase):
    """Reading exactly."""

    def test_errors(self) -> None:
        """The offending character and what was expected there are named."""
        for body, message in ERRORS:
            error = self.assertRaises(JSONSyntaxError, read, body)
            self.assertEqual(str(error), message, body[:40])

    def test_nothing_is_lost(self) -> None:
        """Duplicates stay, numbers stay as they were written."""
        self.assertEqual(
            read(b' {"a" : [1.0, -2e3, true, null], "a":"x\\n"} '),
            Members([("a", [Number("1.0"), Number("-2e3"), True, None]), ("a", "x\n")]),
        )

    def test_empty_values(self) -> None:
        """Empty objects and lists may hold white space."""
        self.assertEqual(read(b"[{ }, [ ]]"), [Members([]), []])
