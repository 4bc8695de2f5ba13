"""Reading expressions: precedence, literals, macros, and what is said of those that are none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.ast import Call, Comprehension, Ident, Literal, Node, Select, children
from kube_twisted.cel.errors import CompilationFailed
from kube_twisted.cel.parser import parse
from kube_twisted.cel.source import Source
from kube_twisted.cel.tokens import EOF, tokenize
from kube_twisted.cel.values import UInt

_ANY = ("{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, "
        "IDENTIFIER}")
#: text -> (column, complaint) of each syntax error
SYNTAX = {
    "self.a >": [(9, f"mismatched input '<EOF>' expecting {_ANY}")],
    "this is not cel": [(6, "mismatched input 'is' expecting <EOF>")],
    "object.spec.(": [(13, "no viable alternative at input '.('")],
    "object.spec.": [(13, "no viable alternative at input '.'")],
    "Object{": [(8, "mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}")],
    "a b": [(3, "extraneous input 'b' expecting <EOF>")],
    "f(a b)": [(5, "extraneous input 'b' expecting ')'")],
    "[1, 2": [(6, "mismatched input '<EOF>' expecting {']', ','}")],
    "{'a' 1}": [(6, "missing ':' at '1'")],
    "a.true": [(3, "mismatched input 'true' expecting IDENTIFIER")],
    "1 +* 2": [(4, f"extraneous input '*' expecting {_ANY}")],
    "(1": [(3, "missing ')' at '<EOF>'")],
    "a ? b": [(6, "mismatched input '<EOF>' expecting ':'")],
    "#a": [(1, "token recognition error at: '#'")],
    "x{?.": [(4, "mismatched input '.' expecting {IDENTIFIER, ESC_IDENTIFIER}")],
    "*@a | b": [(1, f"extraneous input '*' expecting {_ANY}"), (2, "token recognition error at: '@'"),
                (5, "token recognition error at: '| '"), (7, "extraneous input 'b' expecting <EOF>")],
    '"\\xFh"': [(1, "token recognition error at: '\"\\xFh'"), (6, "token recognition error at: '\"'"),
                (7, f"mismatched input '<EOF>' expecting {_ANY}")],
    "--": [(3, "no viable alternative at input '-'"), (3, f"mismatched input '<EOF>' expecting {_ANY}")],
    "t{>C}": [(3, "extraneous input '>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"),
              (5, "mismatched input '}' expecting ':'")],
}
#: text -> (column, complaint) of other errors
OTHERS = {
    "has(m)": (5, "invalid argument to has() macro"),
    "m.exists(v.f, true)": (11, "argument must be a simple name"),
    "m.map(1, true)": (7, "argument is not an identifier"),
    "m.all(x, x, true)": (10, "duplicate variable name: x"),
    "[1].all(__result__, true)": (9, "iteration variable overwrites accumulator variable"),
    "a.optMap(1, 2)": (10, "optMap() variable name must be a simple identifier"),
    "while": (1, "reserved identifier: while"),
    "9223372036854775808": (1, "invalid int literal"),
    "-0x8000000000000001": (1, "invalid int literal"),
    "18446744073709551616u": (1, "invalid uint literal"),
    "1e400": (1, "invalid double literal"),
    "'\\U00200000'": (1, "invalid unicode code point"),
    "a.`b`": (3, "unsupported syntax: '`'"),
}


def shape(node: Node) -> str:
    """The tree in brackets."""
    if isinstance(node, Literal):
        return repr(node.value)
    if isinstance(node, Ident):
        return node.name
    if isinstance(node, Select):
        return f"{shape(node.operand)}.{node.field}{'?' if node.test_only else ''}"
    name = node.function if isinstance(node, Call) else type(node).__name__
    return f"{name}({', '.join(map(shape, children(node)))})"


def tree(text: str) -> str:
    return shape(parse(Source(text)))

_SOME_TOKENS = ("a", "1", "'x'", "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "+", "-", "*", "!", "&&", "||", "==",
                "in", "true", "has", "r'")


class ParserTests(SynchronousTestCase):
    """Texts to trees."""

    def test_precedence(self) -> None:
        """Products bind tighter than sums, those than relations, then && and || and ?:; ?: is right associative."""
        self.assertEqual(tree("1 + 2 * 3 - 4"), "_-_(_+_(1, _*_(2, 3)), 4)")
        self.assertEqual(tree("a < b == c"), "_==_(_<_(a, b), c)")
        self.assertEqual(tree("a || b && c"), "_||_(a, _&&_(b, c))")
        self.assertEqual(tree("a ? b : c ? d : e"), "_?_:_(a, b, _?_:_(c, d, e))")
        self.assertEqual(tree("-a.b * !c"), "_*_(-_(a.b), !_(c))")

    def test_signs(self) -> None:
        """A minus in front of a number belongs to it; pairs of the same sign cancel out."""
        self.assertEqual(tree("-1"), "-1")
        self.assertEqual(tree("--1"), "1")
        self.assertEqual(tree("!!a"), "a")
        self.assertEqual(tree("---a"), "-_(a)")
        self.assertEqual(tree("-9223372036854775808"), "-9223372036854775808")

    def test_chains_are_balanced(self) -> None:
        """A long chain of && becomes a flat tree."""
        self.assertEqual(tree("a && b && c && d"), "_&&_(_&&_(a, b), _&&_(c, d))")

    def test_literals(self) -> None:
        """Numbers in both bases, escapes, raw and triple-quoted strings, and bytes."""
        for text, value in {"0x1F": 31, "5u": UInt(5), ".5": 0.5, "1e3": 1000.0, r"'\n\t\x41\101\u00e9'": "\n\tAAé",
                            r"r'\n'": r"\n", "'''a'b'''": "a'b", '"""a\r\nb"""': "a\nb", r"b'\xff\377é'":
                            b"\xff\xff\xc3\xa9", "null": None, "true": True}.items():
            node = parse(Source(text))
            assert isinstance(node, Literal)
            self.assertEqual((type(node.value), node.value), (type(value), value), text)

    def test_macros(self) -> None:
        """Macros of lists become folds; has() becomes a question about a field."""
        self.assertEqual(tree("has(a.b)"), "a.b?")
        for text in ("[1].all(x, x > 0)", "m.exists(k, v, v)", "l.map(x, x)", "l.transformMap(i, v, v)",
                     "l.filter(x, x)", "l.sortBy(x, x)", "l.exists_one(x, x)"):
            self.assertIsInstance(parse(Source(text)), Comprehension, text)
        self.assertEqual(tree("l.map(1, 2, 3, 4)"), "map(l, 1, 2, 3, 4)")

    def test_optional_syntax(self) -> None:
        """A question mark makes selections, indexes and elements optional."""
        self.assertEqual(tree("a.?b[?0]"), "_[?_](_?._(a, 'b'), 0)")
        self.assertEqual(tree("[?a, b]"), "ListLiteral(a, b)")

    def test_places_of_macros(self) -> None:
        """What a macro makes is at the place of its parenthesis."""
        node = parse(Source("l.all(x, x)"))
        self.assertEqual(node.at, 5)

    @given(st.text(max_size=30))
    def test_any_text_parses_or_is_refused(self, text: str) -> None:
        """No text makes the parser fail in another way, and the tokens end with the end."""
        self.assertEqual(tokenize(text)[0][-1].kind, EOF)
        try:
            parse(Source(text))
        except CompilationFailed as error:
            self.assertTrue(error.issues)

    @given(st.lists(st.sampled_from(_SOME_TOKENS), max_size=12))
    def test_any_tokens_parse_or_are_refused(self, tokens: list[str]) -> None:
        """Likewise for tokens in any order; what is refused has a complaint with a place."""
        try:
            parse(Source(" ".join(tokens)))
        except CompilationFailed as error:
            self.assertIn("ERROR: <input>:", str(error))


class SyntaxErrorTests(SynchronousTestCase):
    """What is said of texts that are no expressions."""

    def complaints(self, text: str) -> list[tuple[int, str]]:
        with self.assertRaises(CompilationFailed) as caught:
            parse(Source(text))
        return [(one.offset + 1, one.message) for one in caught.exception.issues]

    def test_syntax_errors(self) -> None:
        """Every error is told of as ANTLR does, with the tokens that it expected."""
        for text, expected in SYNTAX.items():
            self.assertEqual(self.complaints(text),
                             [(column, f"Syntax error: {message}") for column, message in expected], text)

    def test_other_errors(self) -> None:
        """Macros with wrong arguments, reserved names, and literals out of range."""
        for text, expected in OTHERS.items():
            self.assertEqual(self.complaints(text), [expected], text)

    def test_display(self) -> None:
        """The line is shown with a caret below; wide characters have wide dots."""
        with self.assertRaises(CompilationFailed) as caught:
            parse(Source("1 +\n'é' + $"))
        self.assertEqual(str(caught.exception).splitlines()[:3], [
            "ERROR: <input>:2:7: Syntax error: token recognition error at: '$'", " | 'é' + $", " | .\uff0e....^"])

    def test_limits(self) -> None:
        """Nesting deeper than 250 and more than 100000 characters are refused."""
        for text in ("(" * 251 + "1" + ")" * 251, "+".join("1" * 260), "[" * 300):
            self.assertEqual(self.complaints(text), [(0, "expression recursion limit exceeded: 250")])
        self.assertEqual(self.complaints("1" * 100001),
                         [(0, "expression code point size exceeds limit: size: 100001, limit 100000")])
