"""Tests for kube_twisted.util.regexp."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.regexp import RegexpError, compile_regexp

#: Expression, texts in which it is found, texts in which it is not.
FOUND: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("^a$", ("a",), ("a\n", "ba")),
    ("(?m)^a$", ("a\nb", "b\na"), ("ab",)),
    (r"\Aa\z", ("a",), ("a\n",)),
    ("a.b", ("axb",), ("a\nb",)),
    ("(?s)a.b", ("a\nb",), ()),
    (r"^\d+$", ("12",), ("٣",)),
    (r"^\w$", ("_",), ("é",)),
    (r"\bword\b", ("a word",), ("sword",)),
    (r"^\pL+$", ("éa",), ("1",)),
    (r"^\p{Lu}$", ("É",), ("é",)),
    (r"^[^\pN]$", ("a",), ("1",)),
    (r"^\P{L}$", ("1",), ("a",)),
    ("^[[:alpha:]]$", ("a",), ("1", "é")),
    ("^[[:^alpha:]]$", ("1", "é"), ("a",)),
    ("(?i)^abc|d$", ("ABC", "xD"), ("xab",)),
    ("^(?i:a)b$", ("Ab",), ("AB",)),
    ("^(a(?i)b|c)d$", ("aBd", "Cd"), ("abD", "Abd")),
    ("^a{,2}$", ("a{,2}",), ("aa",)),
    (r"^\Qa.b\E+$", ("a.bb",), ("axb",)),
    (r"^\x41\x{1F600}\101\n$", ("A\U0001f600A\n",), ()),
    ("^[]a]$", ("]", "a"), ("b",)),
    (r"^[\d-]+$", ("1-2",), ("a",)),
    ("^[--a]$", (".",), ("~",)),
    ("^(?P<x>a)(?<y>b)$", ("ab",), ()),
    ("^(?U)a+b$", ("aab",), ()),
    ("^a{2,3}?$", ("aa", "aaa"), ("a", "aaaa")),
    ("a|", ("b",), ()),
    (r"^(?P<n>a)|(?P<n>b)$", ("a",), ("ba",)),
    (r"^\p{Greek}$", ("α",), ("a",)),
    (r"\\C", ("\\C",), ("C",)),
    (r"\Q\C\E", ("\\C",), ("C",)),
    ("[[a&&b]", ("[", "&"), ("c",)),
)
#: What Go says about what is no expression.
REFUSED = {
    "(?=a)": "invalid or unsupported Perl syntax: `(?=`",
    "(?<=a)b": "invalid named capture: `(?<=a)b`",
    "(?<=a>b)": "invalid named capture: `(?<=a>`",
    "(?P<a b>c)": "invalid named capture: `(?P<a b>`",
    "(?P=n)": "invalid or unsupported Perl syntax: `(?P`",
    "(?>a)": "invalid or unsupported Perl syntax: `(?>`",
    "a**": "invalid nested repetition operator: `**`",
    "a*+": "invalid nested repetition operator: `*+`",
    "*a": "missing argument to repetition operator: `*`",
    "(?i)*": "missing argument to repetition operator: `*`",
    "a|{2}": "missing argument to repetition operator: `{2}`",
    "a{1001}": "invalid repeat count: `{1001}`",
    "a{2,1}": "invalid repeat count: `{2,1}`",
    "(a": "missing closing ): `(a`",
    "a)": "unexpected ): `a)`",
    "x[a": "missing closing ]: `[a`",
    "[a-": "missing closing ]: `[a-`",
    "[z-a]": "invalid character class range: `z-a`",
    "[[:foo:]]": "invalid character class range: `[:foo:]`",
    r"\pX": r"invalid character class range: `\pX`",
    r"\1": r"invalid escape sequence: `\1`",
    r"\Z": r"invalid escape sequence: `\Z`",
    r"\x{110000}": r"invalid escape sequence: `\x{110000`",
    r"(\C)": r"invalid escape sequence: `\C`",
    r"(\pL{1000}|\pN{1000}){1}": r"expression too large: `(\pL{1000}|\pN{1000}){1}`",
    r"((a{100}){100})": "invalid repeat count: `{100}`",
    "a\\": "trailing backslash at end of expression: ``",
}


class TestRegexp(SynchronousTestCase):
    def test_matches(self) -> None:
        """Expressions mean what they mean in Go."""
        for pattern, found, missing in FOUND:
            compiled = compile_regexp(pattern)
            for text in found:
                self.assertTrue(compiled.matches(text), (pattern, text))
            for text in missing:
                self.assertFalse(compiled.matches(text), (pattern, text))

    def test_finds(self) -> None:
        """A find has its text and its place in characters; finds do not overlap."""
        compiled = compile_regexp("a+(b?)")
        match = compiled.search("éaab")
        assert match is not None
        self.assertEqual((match.group(), match.start(), match.end()), ("aab", 1, 4))
        self.assertEqual([one.group() for one in compiled.finditer("ab aa")], ["ab", "aa"])
        self.assertIsNone(compiled.search("é"))

    def test_hostile_patterns(self) -> None:
        """What would keep a backtracking engine busy until the end of time is answered at once."""
        for pattern in ("(a+)+$", "(a|aa)+$", "(a*)*b", "(?:a?){30}a{30}$"):
            self.assertFalse(compile_regexp(pattern).matches("a" * 100_000 + "!"), pattern)

    def test_refusals(self) -> None:
        """What Go does not take is refused in its words."""
        for pattern, message in REFUSED.items():
            error = self.assertRaises(RegexpError, compile_regexp, pattern)
            self.assertEqual(str(error), f"error parsing regexp: {message}")

    @given(st.text(r"ab\[](){}*+?|.^$-:,2dpLQE<>i", max_size=12))
    def test_any_text(self, text: str) -> None:
        """Any text is an expression or is refused; nothing else happens."""
        try:
            compile_regexp(text).matches("ab")
        except RegexpError as error:
            self.assertTrue(str(error).startswith("error parsing regexp: "))

    @given(st.text(max_size=8), st.text("ab", max_size=2))
    def test_quoted_text(self, text: str, around: str) -> None:
        """Between ``\\Q`` and ``\\E`` a text stands for itself."""
        if "\\E" not in text and not text.endswith("\\"):
            pattern = compile_regexp(f"^{around}\\Q{text}\\E$")
            self.assertTrue(pattern.matches(around + text))
