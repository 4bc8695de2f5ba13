"""How quantities are held, and what the language says of them."""

from __future__ import annotations

from tests.cel.evaluating import ExpressionCase


class AmountTests(ExpressionCase):
    """Short numbers and big decimals."""

    def test_integers(self) -> None:
        """A number that is held as a big decimal or as a fraction is no integer, whatever its value."""
        self.assert_true(*(f"quantity('{text}').isInteger()" for text in (
            "1", "1Ki", "1k", "1e3", "999999999999999999")))
        self.assert_true(*(f"!quantity('{text}').isInteger()" for text in (
            "1.5Gi", "1000m", "9223372036854775807", "8Ei", "1e19", "0.1n")))
        self.assert_fails("quantity('1.5Gi').asInteger() == 0", "cannot convert value to integer")

    def test_sums(self) -> None:
        """A sum of short numbers is short if it fits, and takes the smaller exponent."""
        self.assert_true("quantity('1k').add(1).asInteger() == 1001",
                         "!quantity('1').add(quantity('1000m')).isInteger()",
                         "quantity('0').add(quantity('1Ki')).isInteger()",
                         "quantity('5').sub(quantity('5')).asInteger() == 0",
                         "!quantity('1').add(9223372036854775807).isInteger()",
                         "!quantity('1.5Gi').sub(quantity('0.5Gi')).isInteger()")

    def test_doubles(self) -> None:
        """A double is made of the number as it is held: big ones are billionths, unless they are the largest of all."""
        self.assert_true("quantity('12345678901234567890').asApproximateFloat() == 1.234567890123457e+19",
                         "quantity('8Ei').sub(quantity('1e18')).asApproximateFloat() == 8.223372036854776e+18",
                         "quantity('1500m').asApproximateFloat() == 1.5")

    def test_text_around(self) -> None:
        """There may be no space around a quantity."""
        self.assert_true("!isQuantity('1 ')", "!isQuantity(' 1')", "isQuantity('1')")


class AddressTests(ExpressionCase):
    """Complaints about texts that are no addresses."""

    COMPLAINTS = {
        "": "unable to parse IP", "%eth0": "missing IPv6 address", "1.2.3.4/24": 'unexpected character (at "/24")',
        "1..2.3": 'IPv4 field must have at least one digit (at ".2.3")', "1.2.3": "IPv4 address too short",
        "1.2.3.4.5": "IPv4 address too long", "01.2.3.4": "IPv4 field has octet with leading zero",
        "1.2.3.256": "IPv4 field has value >255", "1::2::3": 'multiple :: in address (at ":3")',
        "::1%": "zone must be a non-empty string", "1:2:3:4:5:6:7": "address string too short",
        "1:2:3:4:5:6:7:8:9": 'trailing garbage after address (at "9")', "1:": 'colon must be followed by more '
        'characters (at ":")', "::g": 'each colon-separated field must have at least one digit (at "g")',
        "1:2:3:4:5:6:7:8::": "the :: must expand to at least one field of zeros", "1:2 3::": 'unexpected '
        'character, want colon (at " 3::")', "12345::": 'each group must have 4 or less digits (at "12345::")',
        "1:2:3:1.2.3.4": 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")',
        "::1:2:3:4:5:6:7:1.2.3.4": 'too many hex fields to fit an embedded IPv4 at the end of the address (at '
        '"1.2.3.4")', "::1:2:3:4:5:6:7:8": "the :: must expand to at least one field of zeros"}

    def test_complaints(self) -> None:
        """The complaint tells where an address goes wrong."""
        for text, wanted in self.COMPLAINTS.items():
            self.assert_fails("string(ip(x)) == ''", f'IP Address "{text}" parse error during conversion from string: '
                                                     f'ParseAddr("{text}"): {wanted}', {"x": text})

    def test_no_address_in_a_network(self) -> None:
        """A text that is no address can't be looked for in a network."""
        self.assert_fails("cidr('10.0.0.0/8').containsIP(x)", "no such overload", {"x": "a"})


class OtherTests(ExpressionCase):
    """Versions and URLs at their limits."""

    def test_versions(self) -> None:
        """The dots are counted before pre-releases are looked for; the largest numbers are shown as negative ones."""
        self.assert_fails("semver(x).major() == 1", 'Invalid character(s) found in minor number "-2"', {"x": "1.-2.3"})
        self.assert_true("semver('18446744073709551615.0.0').major() == -1")

    def test_star(self) -> None:
        """The URL of ``OPTIONS *``."""
        self.assert_true("isURL('*')", "url('*').getEscapedPath() == '*'", "url('*').getHost() == ''")
