"""Resource quantities."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.quantity import (
    BINARY_SI,
    FORMAT_ERROR,
    NUMERIC_ERROR,
    SUFFIX_ERROR,
    Quantity,
    canonical,
)

_TEXTS = st.from_regex(r"[+-]?[0-9]{1,12}(\.[0-9]{1,10})?(n|u|m|k|M|G|Ki|Mi|Gi|e[0-9]|E-[0-9])?",
                       fullmatch=True)


class CanonicalTests(SynchronousTestCase):
    """The one form of a quantity."""

    def test_forms(self) -> None:
        """The suffix is as large as it can be without a fraction; the kind of suffix is kept."""
        for text, form in (("0.1", "100m"), ("1048576Ki", "1Gi"), ("1e9", "1e9"), ("1000m", "1"),
                           ("1.5Gi", "1536Mi"), ("0.5Gi", "512Mi"), ("1e1", "10"), ("1000Mi", "1000Mi"),
                           ("2.50", "2500m"), ("1E", "1E"), ("1u", "1u"), ("1024Mi", "1Gi"), ("0", "0"),
                           ("100000m", "100"), ("0.5Ki", "512"), ("1Pi", "1Pi"), (" 5 ", "5"), ("-0", "0"),
                           ("-1500m", "-1500m"), ("-2048Ki", "-2Mi"), ("1e-3", "1e-3"), (".5", "500m")):
            self.assertEqual(canonical(text), form, text)

    def test_numbers(self) -> None:
        """JSON numbers are quantities too."""
        self.assertEqual(canonical(2147483648), "2147483648")
        self.assertEqual(canonical(1099511627776), "1099511627776")
        self.assertEqual(canonical(0.5), "500m")

    def test_kept(self) -> None:
        """A short text that cannot be shortened further is kept as it was written."""
        for text in ("+5", "05", "1.500", "5.", "1025Ki", "12e6"):
            self.assertEqual(canonical(text), text)

    def test_precision(self) -> None:
        """Less than a billionth is rounded up; a binary amount with a fraction is written in decimal."""
        self.assertEqual(canonical("0.1n"), "1n")
        self.assertEqual(canonical("-0.1n"), "-1n")
        self.assertEqual(canonical("1e-20"), "1e-9")
        self.assertEqual(canonical("0.3Ki"), "307200m")

    def test_largest_binary(self) -> None:
        """Binary amounts are capped at the largest 64-bit integer."""
        self.assertEqual(canonical("16Ei"), "9223372036854775807")

    def test_errors(self) -> None:
        """A text of the wrong form and an unknown suffix are told apart."""
        for text in ("", "1 core", "1gb", "1.5.5", "abc", "1Kib", "1\u0663"):
            self.assertEqual(str(self.assertRaises(ValueError, canonical, text)), FORMAT_ERROR, text)
        for text in ("1K", "1e", "1Mm", "--1", "1e99999999999"):
            self.assertEqual(str(self.assertRaises(ValueError, canonical, text)), SUFFIX_ERROR, text)
        self.assertEqual(str(self.assertRaises(ValueError, canonical, "1" * 5000)), NUMERIC_ERROR)

    @given(_TEXTS)
    def test_idempotent(self, text: str) -> None:
        """The canonical form stays itself, and stands for the same number."""
        form = canonical(text)
        self.assertEqual(canonical(form), form)
        self.assertEqual(Quantity.parse(form), Quantity.parse(text))


class ArithmeticTests(SynchronousTestCase):
    """Exact numbers."""

    def test_compare(self) -> None:
        """Quantities compare by number, whatever the notation."""
        self.assertEqual(Quantity.parse("1000m"), Quantity.parse("1"))
        self.assertEqual(hash(Quantity.parse("1Ki")), hash(Quantity.parse("1024")))
        self.assertLess(Quantity.parse("1Gi"), Quantity.parse("2G"))
        self.assertFalse(Quantity.parse("0Mi"))
        self.assertEqual([Quantity.parse(one).sign for one in ("-1", "0", "2")], [-1, 0, 1])

    def test_sums(self) -> None:
        """A sum is written like its first term, unless that is zero."""
        one, half = Quantity.parse("1Gi"), Quantity.parse("500m")
        self.assertEqual(str(one + one), "2Gi")
        self.assertEqual(str(Quantity.parse("0") + one), "1Gi")
        self.assertEqual(str(half + half), "1")
        self.assertEqual(str(half - one), "-1073741823500m")
        self.assertEqual(str(-half * 3), "-1500m")

    def test_rounding(self) -> None:
        """Ones and thousandths are rounded away from zero."""
        self.assertEqual(Quantity.parse("0.0001").milli(), 1)
        self.assertEqual(Quantity.parse("-1.5").value(), -2)
        self.assertEqual(Quantity.parse("1500m").value(), 2)
        self.assertEqual(str(Quantity.parse("1.0001").round_up_milli()), "1001m")
        self.assertFalse(Quantity.parse("1.5").is_whole())

    def test_made(self) -> None:
        """Quantities can be made of numbers."""
        self.assertEqual(str(Quantity.of(2048, BINARY_SI)), "2Ki")
        self.assertEqual(str(Quantity.of_milli(2500)), "2500m")
        self.assertEqual(float(Quantity.of_milli(2500)), 2.5)
