"""Times as Go reads them."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.gotime import canonical_micro_time, canonical_time

LAYOUT = "2006-01-02T15:04:05Z07:00"
MICRO = "2006-01-02T15:04:05.000000Z07:00"


class TimeTests(SynchronousTestCase):
    """``metav1.Time``."""

    def test_canonical_form(self) -> None:
        """Out comes UTC with whole seconds."""
        for text, expected in [
            ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
            ("2026-01-02T03:04:05.999Z", "2026-01-02T03:04:05Z"),
            ("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05Z"),
            ("2026-01-01T00:30:00-00:45", "2026-01-01T01:15:00Z"),
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
            ("2026-01-02T3:04:05Z", "2026-01-02T03:04:05Z"),
        ]:
            self.assertEqual(canonical_time(text), expected, text)

    def test_the_zero_time_is_nothing(self) -> None:
        """Year one is what Go writes as null."""
        self.assertIsNone(canonical_time("0001-01-01T00:00:00Z"))

    def test_errors_name_what_does_not_fit(self) -> None:
        """The rest of the text and the part of the layout are named."""
        for text, rest, part in [
            ("yesterday", "yesterday", "2006"),
            ("2026", "", "-"),
            ("2026-1-02T00:00:00Z", "1-02T00:00:00Z", "01"),
            ("2026-01-02", "", "T"),
            ("2026-01-02 03:04:05Z", " 03:04:05Z", "T"),
            ("2026-01-02T03:04:05", "", "Z07:00"),
            ("2026-01-02T03:04:05+0200", "+0200", "Z07:00"),
        ]:
            error = self.assertRaises(ValueError, canonical_time, text)
            self.assertEqual(
                str(error), f'parsing time "{text}" as "{LAYOUT}": cannot parse "{rest}" as "{part}"'
            )

    def test_numbers_out_of_range(self) -> None:
        """A number that no clock or calendar has is named."""
        for text, why in [
            ("2026-13-02T03:04:05Z", "month out of range"),
            ("2026-02-30T03:04:05Z", "day out of range"),
            ("2026-01-02T24:04:05Z", "hour out of range"),
            ("2026-01-02T03:60:05Z", "minute out of range"),
            ("2026-01-02T03:04:60Z", "second out of range"),
            ("2026-01-02T03:04:05+25:00", "time zone offset hour out of range"),
            ("2026-01-02T03:04:05Zx", 'extra text: "x"'),
        ]:
            error = self.assertRaises(ValueError, canonical_time, text)
            self.assertEqual(str(error), f'parsing time "{text}": {why}')

    def test_other_than_ascii_is_shown_as_bytes(self) -> None:
        """Quotes and what is not printable ASCII are escaped."""
        error = self.assertRaises(ValueError, canonical_time, 'é"')
        self.assertIn('parsing time "\\xc3\\xa9\\""', str(error))


class MicroTimeTests(SynchronousTestCase):
    """``metav1.MicroTime``."""

    def test_canonical_form(self) -> None:
        """Out come UTC and six digits."""
        self.assertEqual(canonical_micro_time("2026-01-02T03:04:05.123456Z"), "2026-01-02T03:04:05.123456Z")
        self.assertEqual(
            canonical_micro_time("2026-01-02T03:04:05.000001+01:00"), "2026-01-02T02:04:05.000001Z"
        )

    def test_the_fraction_must_be_there(self) -> None:
        """A time without fraction, or with a shorter or longer one, is refused."""
        for text, rest, part in [
            ("2026-01-02T03:04:05", "", ".000000"),
            ("2026-01-02T03:04:05Z", "Z", ".000000"),
            ("2026-01-02T03:04:05.123456789Z", "789Z", "Z07:00"),
        ]:
            error = self.assertRaises(ValueError, canonical_micro_time, text)
            self.assertEqual(
                str(error), f'parsing time "{text}" as "{MICRO}": cannot parse "{rest}" as "{part}"'
            )
