"""The functions of the libraries, one table of truths each, and their errors."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kube_twisted.cel.library.strings import STRINGS
from tests.cel.evaluating import ExpressionCase, issues, run

_QUANTITY_ERROR = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


class StandardTests(ExpressionCase):
    """Conversions and times."""

    def test_conversions(self) -> None:
        """Between numbers, texts and bytes."""
        self.assert_true("int('-5') == -5", "int(1.9) == 1", "int(timestamp('1970-01-01T00:01:00Z')) == 60",
                         "uint('5') == 5u", "double('1e3') == 1000.0", "string(1.5) == '1.5'",
                         "string(1e6) == '1e+06'", "string(123456.0) == '123456'", "string(0.00001) == '1e-05'",
                         "string(true) == 'true'", "string(b'a') == 'a'", "bytes('é') == b'\\xc3\\xa9'",
                         "bool('t')", "!bool('FALSE')", "string(-0.0) == '-0'", "double('Inf') > 1.0",
                         "string(duration('90.5s')) == '90.5s'", "type(dyn(1)) == int")
        for expression, message in {
                "int(x)": "type conversion error from 'string' to 'int'",
                "uint(x)": "type conversion error from 'string' to 'uint'",
                "duration(x)": "type conversion error from 'string' to 'google.protobuf.Duration'",
                "timestamp(x)": "type conversion error from 'string' to 'google.protobuf.Timestamp'",
                "bool(x)": "type conversion error from 'string' to 'bool'"}.items():
            self.assert_fails(expression, message, {"x": "abc"})
        self.assert_fails("int(x)", "integer overflow", {"x": 1e19})
        self.assert_fails("uint(x)", "unsigned integer overflow", {"x": -1})
        self.assert_fails("string(x)", "invalid UTF-8 in bytes, cannot convert to string", {"x": b"\xff"})
        self.assert_fails("int(x)", "no such overload: int(list)", {"x": []})

    def test_timestamps(self) -> None:
        """Parts of dates, in UTC unless a zone is given; months and days of the year start at 0."""
        moment = "timestamp('2024-05-01T23:30:15.250Z')"
        self.assert_true(*(f"{moment}.{call} == {value}" for call, value in {
            "getFullYear()": 2024, "getMonth()": 4, "getDate()": 1, "getDayOfMonth()": 0, "getDayOfWeek()": 3,
            "getDayOfYear()": 121, "getHours()": 23, "getMinutes()": 30, "getSeconds()": 15, "getMilliseconds()": 250,
            "getHours('Europe/Berlin')": 1, "getDate('+02:00')": 2, "getHours('-01:30')": 22,
            "getDate('Asia/Tokyo')": 2}.items()))
        self.assert_true(f"{moment} - duration('1h') < {moment}",
                         "timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')",
                         "string(timestamp('2024-05-01T00:00:00.25+02:00')) == '2024-05-01T00:00:00.25+02:00'",
                         "timestamp('2024-05-01T02:00:00+02:00') == timestamp('2024-05-01T00:00:00Z')")
        self.assert_fails(f"{moment}.getHours('Nowhere')", "unknown time zone Nowhere")

    def test_edges_of_time(self) -> None:
        """In some zones the first and the last moments are in years that have no timestamp."""
        self.assert_true("timestamp('9999-12-31T23:59:59Z').getFullYear('+05:30') == 10000",
                         "timestamp('9999-12-31T23:59:59Z').getDate('Europe/Berlin') == 1",
                         "timestamp('0001-01-01T00:00:00Z').getFullYear('-01:00') == 0",
                         "timestamp('0001-01-01T00:00:00Z').getHours('America/New_York') == 19",
                         "timestamp(0).getDate('+24:00') == 2", "timestamp(0).getHours('-25:30') == 22",
                         "timestamp(0).getSeconds('Local') == 0")

    def test_numbers_with_underscores(self) -> None:
        """Digits of doubles may be grouped as in Go."""
        self.assert_true("double(dyn('1_000.5')) == 1000.5", "double(dyn('0x_1p4')) == 16.0")
        for text in ("1__0", "_1", "1_", "1_e5", "x_1"):
            self.assert_fails("double(x) == 0.0", "type conversion error from 'string' to 'double'", {"x": text})

    def test_durations_as_text(self) -> None:
        """A duration is written in as many digits as a double has."""
        self.assert_true("string(duration('2562047h47m16.854775807s')) == '9223372036.854776s'",
                         "string(duration('-1ns')) == '-0.000000001s'", "string(duration('90m')) == '5400s'")

    def test_durations(self) -> None:
        """Lengths in whole units."""
        self.assert_true("duration('1h30m').getMinutes() == 90", "duration('-1.5h').getHours() == -1",
                         "duration('1.5s').getMilliseconds() == 1500", "duration('60s') == duration('1m')")


class TextTests(ExpressionCase):
    """Strings and regular expressions."""

    def test_strings(self) -> None:
        """Positions count characters."""
        self.assert_true("'tacocat'.charAt(3) == 'o'", "'tacocat'.charAt(7) == ''", "'héllo'.indexOf('l') == 2",
                         "'tacocat'.indexOf('ac', 3) == -1", "'tacocat'.lastIndexOf('ac') == 1",
                         "'tacocat'.lastIndexOf('at', 4) == -1", "'tacocat'.lastIndexOf('') == 7",
                         "'AbÉ'.lowerAscii() == 'abÉ'", "'abé'.upperAscii() == 'ABé'",
                         "'aaa'.replace('a', 'b', 2) == 'bba'", "'ab'.replace('', '-') == '-a-b-'",
                         "'a,b,c'.split(',') == ['a', 'b', 'c']", "'a,b,c'.split(',', 2) == ['a', 'b,c']",
                         "'abc'.split('') == ['a', 'b', 'c']", "'a'.split(',', 0) == []",
                         "'tacocat'.substring(4) == 'cat'", "'tacocat'.substring(0, 4) == 'taco'",
                         "' \\t a '.trim() == 'a'", "['a', 'b'].join('-') == 'a-b'", "['a', 'b'].join() == 'ab'",
                         "strings.quote('a\"\\n') == '\"a\\\\\"\\\\n\"'", "'héllo'.size() == 5")
        for expression, message in {
                "'a'.charAt(2)": "index out of range: 2", "'abc'.substring(2, 1)":
                "invalid substring range. start: 2, end: 1", "'a'.substring(1, 3)": "index out of range: 3",
                "'a'.indexOf('a', -1)": "index out of range: -1"}.items():
            self.assert_fails(expression, message)

    def test_format(self) -> None:
        """Each clause, and what can't be formatted by it."""
        self.assert_true("'%s %s %%'.format(['a', 'b']) == 'a b %'", "'%d'.format([5u]) == '5'",
                         "'%.2f'.format([1234.567]) == '1,234.57'", "'%x %X'.format([255, 255]) == 'ff FF'",
                         "'%b'.format([5]) == '101'", "'%o'.format([8]) == '10'", "'%x'.format(['a']) == '61'",
                         "'%s'.format([[1, 2]]) == '[1, 2]'", "'%s'.format([{'b': dyn('x'), 'a': dyn(null)}]) == "
                         "'{\"a\":null, \"b\":\"x\"}'", "'%s'.format([[1.5]]) == '[1.500000]'",
                         "'%s'.format([[duration('1s')]]) == '[duration(\"1s\")]'",
                         "'%e'.format([1052.032911275]) == '1.052033\\u00d710\\u2070\\u00b3'",
                         "'%.2e'.format([1.5]) == '%e'.format([1.5])", "'%.1f'.format([-0.0]) == '0.0'",
                         "'%s has %d'.format(['a', 1]) == 'a has 1'")
        self.assert_fails("'%d'.format([x])", "error during formatting: decimal clause can only be used on integers, "
                                              "was given string", {"x": "a"})

    def test_values_that_formats_lack(self) -> None:
        """A value that is not there is told before anything about the clause, unless that is seen without running."""
        self.assert_fails("x.format([])", "index 0 out of range", {"x": "%"})
        self.assert_fails("x.format([1])", "unexpected end of string", {"x": "%"})
        self.assertIn("unexpected end of string", issues("'%'.format([])"))
        self.assertIn('parsing "9223372036854775808": value out of range',
                      issues("'%.9223372036854775808f'.format([1.0])"))

    def test_long_texts(self) -> None:
        """Texts that would fill the memory aren't made."""
        long = "a" * 10_000
        self.assert_fails("x.replace('', x)", "text of 100020000 characters is too long", {"x": long})
        self.assert_fails("x.join(y)", "text of 100010000 characters is too long", {"x": ["a"] * 10_000, "y": long})

    @given(st.text(alphabet="ab,", max_size=20), st.sampled_from([",", "a", "ab"]))
    def test_split_and_join(self, text: str, separator: str) -> None:
        """Joining what was split gives the text again."""
        self.assertEqual(run("x.split(y).join(y)", {"x": text, "y": separator}).value, text)

    @given(st.text(max_size=20))
    def test_quote(self, text: str) -> None:
        """A quoted text is a literal of the text."""
        quoted = STRINGS["strings.quote"].implementations["strings_quote"](text)
        self.assertEqual(run(quoted).value, text)

    def test_regular_expressions(self) -> None:
        """Found anywhere, first, or all."""
        self.assert_true("'abc'.matches('b')", "!'abc'.matches('^b')", "matches('abc', '^a.c$')",
                         "!'a\\n'.matches('^a$')", "'is 42'.find('[0-9]+') == '42'", "'x'.find('[0-9]') == ''",
                         "'a1b2'.findAll('[0-9]') == ['1', '2']", "'a1b2'.findAll('[0-9]', 1) == ['1']")
        self.assert_fails("'a'.matches(x)", "error parsing regexp: missing closing ): `(`", {"x": "("})
        self.assert_fails("'a'.find(x)", "Illegal regex: error parsing regexp: missing closing ): `(`", {"x": "("})


class CollectionTests(ExpressionCase):
    """Lists and sets."""

    def test_lists_without_order(self) -> None:
        """Elements that can't be compared stay where they are, if the first one is of a type that has an order."""
        self.assert_true("[double('NaN'), 1.0].isSorted()", "[dyn(1), dyn('a')].max() == 1",
                         "'%s'.format([[1.0, double('NaN')].sort()]) == '[1.000000, \"NaN\"]'")
        self.assert_fails("[null].min() == null", "no such overload: min(list)")
        self.assert_fails("[null].isSorted()", "no such overload: isSorted(list)")
        self.assert_fails("[null].sort() == []", "list elements must be comparable")
        self.assert_fails("x.sort() == []", "no such overload: sort", {"x": {}})

    def test_lists(self) -> None:
        """Kubernetes' functions and those of cel-go."""
        self.assert_true("[1, 2, 2].isSorted()", "!['b', 'a'].isSorted()", "[1, 2].sum() == 3", "[1.5].sum() == 1.5",
                         "[duration('1s'), duration('2s')].sum() == duration('3s')", "[3, 1].min() == 1",
                         "['a', 'b'].max() == 'b'", "[1, 2, 1].indexOf(1) == 0", "[1, 2, 1].lastIndexOf(1) == 2",
                         "[1].indexOf(5) == -1", "[1, 2, 3].slice(1, 3) == [2, 3]",
                         "[[1], [2, 3]].flatten() == [1, 2, 3]",
                         "[dyn(1), dyn([2, 3])].flatten(1) == [1, 2, 3]", "lists.range(3) == [0, 1, 2]",
                         "[1, 2].reverse() == [2, 1]", "[1, 2, 1].distinct() == [1, 2]",
                         "['b', 'a'].sort() == ['a', 'b']")
        for expression, message in {
                "[1].slice(0, 2)": "cannot slice(0, 2), list is length 1",
                "[1].slice(1, 0)": "cannot slice(1, 0), start index must be less than or equal to end index",
                "[1].slice(-1, 0)": "cannot slice(-1, 0), negative indexes not supported",
                "[1].filter(x, x > 1).max()": "max called on empty list",
                "[[1]].flatten(-1)": "level must be non-negative"}.items():
            self.assert_fails(expression, message)

    def test_sets(self) -> None:
        """Order and repetitions don't matter."""
        self.assert_true("sets.contains([1, 2], [2, 2])", "!sets.contains([1], [2])",
                         "sets.equivalent([1, 2], [2, 1, 1])", "sets.intersects([1, 2], [2, 3])",
                         "!sets.intersects([1], [])")

    @given(st.lists(st.integers(0, 5), max_size=6), st.lists(st.integers(0, 5), max_size=6))
    def test_set_laws(self, first: list[int], second: list[int]) -> None:
        """The functions of sets agree with Python's sets."""
        one, two = set(first), set(second)
        for name, expected in (("contains", two <= one), ("equivalent", one == two), ("intersects", bool(one & two))):
            self.assertEqual(run(f"sets.{name}(x, y)", {"x": first, "y": second}).value, expected)


class KubernetesTests(ExpressionCase):
    """URLs, addresses, quantities, formats and versions."""

    def test_urls(self) -> None:
        """The parts of a URL, and what is none."""
        self.assert_true("url('https://example.com:80/p%20q?k=1&k=2#f').getScheme() == 'https'",
                         "url('https://example.com:80/').getHost() == 'example.com:80'",
                         "url('https://example.com:80/').getHostname() == 'example.com'",
                         "url('https://[::1]:80/').getHostname() == '::1'",
                         "url('https://example.com:80/').getPort() == '80'", "url('/a').getPort() == ''",
                         "url('https://e/a b').getEscapedPath() == '/a%20b'",
                         "url('https://e/?k=1&k=2').getQuery() == {'k': ['1', '2']}", "isURL('/a')",
                         "isURL('mailto:x')",
                         "!isURL('not a url')", "!isURL('../relative')", "!isURL('https://a:b/')",
                         "!isURL('http://%zz')")
        self.assert_fails("url('x')", 'URL parse error during conversion from string: parse "x": invalid URI for '
                                      "request")

    def test_addresses(self) -> None:
        """IPv4 and IPv6, without zones and mapped addresses."""
        self.assert_true("ip('10.0.0.1').family() == 4", "ip('::1').isLoopback()", "isIP('10.0.0.1')",
                         "!isIP('10.0.0.01')",
                         "!isIP('::ffff:1.2.3.4')", "!isIP('fe80::1%eth0')", "ip.isCanonical('::1')",
                         "!ip.isCanonical('0:0::1')", "ip('10.0.0.1').isGlobalUnicast()",
                         "ip('0.0.0.0').isUnspecified()",
                         "ip('224.0.0.1').isLinkLocalMulticast()", "ip('169.254.1.1').isLinkLocalUnicast()",
                         "string(ip('::1')) == '::1'", "ip('::1') == ip('0::1')")
        self.assert_fails("ip('::ffff:1.2.3.4')", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed')

    def test_networks(self) -> None:
        """What contains what."""
        self.assert_true("cidr('10.1.0.0/16').containsIP('10.1.2.3')",
                         "!cidr('10.1.0.0/16').containsIP(ip('10.2.0.0'))",
                         "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
                         "!cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))",
                         "cidr('10.1.2.3/16').masked() == cidr('10.1.0.0/16')",
                         "cidr('10.1.2.3/16').prefixLength() == 16",
                         "cidr('10.1.2.3/16').ip() == ip('10.1.2.3')", "string(cidr('::/64')) == '::/64'",
                         "!isCIDR('10.0.0.0')", "!isCIDR('10.0.0.0/33')", "!isCIDR('10.0.0.0/08')", "isCIDR('::/0')")

    def test_quantities(self) -> None:
        """Compared and added by amount."""
        self.assert_true("quantity('1Gi').isGreaterThan(quantity('100M'))", "quantity('1k') == quantity('1000')",
                         "quantity('50m').add(quantity('20m')) == quantity('70m')",
                         "quantity('2').sub(1).asInteger() == 1",
                         "quantity('1').compareTo(quantity('2')) == -1", "sign(quantity('-1')) == -1",
                         "!quantity('1.5').isInteger()", "quantity('1.5').asApproximateFloat() == 1.5",
                         "isQuantity('1Mi')", "!isQuantity('lots')")
        self.assert_fails("quantity('x')", _QUANTITY_ERROR)
        self.assert_fails("quantity('1.5').asInteger()", "cannot convert value to integer")

    def test_formats(self) -> None:
        """Complaints about a text, or nothing."""
        self.assert_true("!format.dns1123Label().validate('abc').hasValue()",
                         "format.dns1123Label().validate('A_b').value().size() == 1",
                         "format.named('uuid').value().validate('x').value() == ['does not match the UUID format']",
                         "!format.named('nosuch').hasValue()", "!format.uri().validate('https://a').hasValue()",
                         "format.date().validate('2024-02-30').value() == ['invalid date']",
                         "!format.datetime().validate('2024-02-03T10:00:00Z').hasValue()",
                         "format.byte().validate('?').value() == ['invalid base64']",
                         "format.labelValue() == format.named('labelValue').value()")

    def test_versions(self) -> None:
        """Semantic versions; pre-releases come first, builds don't matter."""
        self.assert_true("semver('1.9.0').isLessThan(semver('1.10.0'))",
                         "semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))",
                         "semver('1.0.0+a') == semver('1.0.0+b')", "semver('1.2.3').minor() == 2",
                         "!isSemver('v1.0.0')",
                         "isSemver('v1.0', true)", "semver('v01.2', true) == semver('1.2.0')", "!isSemver('1.0')",
                         "semver('1.0.0-2').isLessThan(semver('1.0.0-10'))", "!isSemver('01.0.0')")
        self.assert_fails("semver('1')", "No Major.Minor.Patch elements found")
