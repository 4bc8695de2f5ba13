"""Times and durations."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api import timefmt

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


class TimeTests(SynchronousTestCase):
    """RFC 3339."""

    def test_zone(self) -> None:
        """Times are brought to UTC; fractions are kept to the microsecond."""
        self.assertEqual(timefmt.parse_time("2024-05-01T14:00:00.5+02:00"),
                         datetime(2024, 5, 1, 12, 0, 0, 500000, UTC))
        self.assertEqual(timefmt.parse_time("2024-05-01T12:00:00.123456789Z").microsecond, 123456)

    def test_format(self) -> None:
        """Time has whole seconds, MicroTime always six digits, years always four."""
        moment = datetime(2024, 5, 1, 12, 0, 0, 500000, UTC)
        self.assertEqual(timefmt.format_time(moment), "2024-05-01T12:00:00Z")
        self.assertEqual(timefmt.format_micro_time(moment), "2024-05-01T12:00:00.500000Z")
        self.assertEqual(timefmt.format_time(datetime(1, 1, 1, tzinfo=UTC)), "0001-01-01T00:00:00Z")

    def test_bad(self) -> None:
        """What is no time is refused."""
        for bad in ("yesterday", "2024-05-01", "2024-13-01T00:00:00Z", "2024-02-30T00:00:00Z",
                    "2024-05-01T12:00:00", ""):
            self.assertRaises(ValueError, timefmt.parse_time, bad)

    def test_since(self) -> None:
        """An age is in seconds."""
        self.assertEqual(timefmt.seconds_since("1970-01-01T00:00:10Z", 15.5), 5.5)


class HumanDurationTests(SynchronousTestCase):
    """Ages for humans."""

    def test_steps(self) -> None:
        """An age gets coarser as it grows; a zero second unit is left out."""
        for seconds, text in ((-2, "<invalid>"), (-1.9, "0s"), (0.9, "0s"), (119, "119s"), (120, "2m"),
                              (599, "9m59s"), (600, "10m"), (3 * _HOUR - 1, "179m"), (3 * _HOUR, "3h"),
                              (8 * _HOUR - 1, "7h59m"), (8 * _HOUR, "8h"), (48 * _HOUR - 1, "47h"),
                              (2 * _DAY, "2d"), (2 * _DAY + 4 * _HOUR, "2d4h"), (8 * _DAY, "8d"),
                              (730 * _DAY - 1, "729d"), (730 * _DAY, "2y"), (780 * _DAY, "2y50d"),
                              (8 * 365 * _DAY, "8y"), (9 * 365 * _DAY + 5 * _DAY, "9y")):
            self.assertEqual(timefmt.human_duration(seconds), text, seconds)


class DurationTests(SynchronousTestCase):
    """Go durations."""

    def test_parse(self) -> None:
        """Units may follow one another, with fractions and one sign."""
        for text, seconds in (("30s", 30), ("1h5m", 3900), ("1.5h", 5400), ("-1m.5s", -60.5), ("0", 0),
                              ("250ms", 0.25), ("1h0m0s", 3600)):
            self.assertEqual(timefmt.parse_duration(text), seconds, text)

    def test_errors(self) -> None:
        """Errors are worded as Go's."""
        for text, message in (("", 'time: invalid duration ""'), ("abc", 'time: invalid duration "abc"'),
                              ("1", 'time: missing unit in duration "1"'),
                              ("-", 'time: invalid duration "-"'),
                              ("1d", 'time: unknown unit "d" in duration "1d"'),
                              (".s", 'time: invalid duration ".s"'),
                              ("3000000h", 'time: invalid duration "3000000h"'),
                              ("1" * 5000 + "s", f'time: invalid duration "{"1" * 5000}s"')):
            error = self.assertRaises(ValueError, timefmt.parse_duration, text)
            self.assertEqual(str(error), message)

    def test_format(self) -> None:
        """Durations are written as Go does."""
        for nanoseconds, text in ((0, "0s"), (1, "1ns"), (1500, "1.5µs"), (250_000_000, "250ms"),
                                  (1_500_000_000, "1.5s"), (3_900_000_000_000, "1h5m0s"),
                                  (-60_000_000_000, "-1m0s")):
            self.assertEqual(timefmt.format_duration(nanoseconds), text)

    @given(st.integers(-(1 << 63) + 1, (1 << 63) - 1))
    def test_round_trip(self, nanoseconds: int) -> None:
        """What is written is read back as the same."""
        text = timefmt.format_duration(nanoseconds)
        self.assertEqual(timefmt.parse_duration_nanoseconds(text), nanoseconds)
