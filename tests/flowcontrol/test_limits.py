"""How seats are shared out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.flowcontrol.limits import Demand, Limits, current_limits, limits_of
from tests.flowcontrol.objects import EXEMPT, level


class LimitsTests(SynchronousTestCase):
    def test_shares(self) -> None:
        """Nominal seats go by shares, rounded up; an exempt level has none unless it says so."""
        specs = {"a": level("a", 30)["spec"], "b": level("b", 15)["spec"], "exempt": EXEMPT["spec"]}
        limits = limits_of(specs, 100)
        self.assertEqual([limits[name].nominal for name in specs], [67, 34, 0])

    def test_lending_and_borrowing(self) -> None:
        """What can be lent is not kept in any case; without a limit, all of the server's seats can be borrowed."""
        specs = {"a": level("a", lendablePercent=25)["spec"], "b": level("b", borrowingLimitPercent=10)["spec"]}
        limits = limits_of(specs, 100)
        self.assertEqual(limits["a"], Limits(50, 37, 150))
        self.assertEqual(limits["b"], Limits(50, 50, 55))

    def test_no_shares(self) -> None:
        """Levels of which none has shares have no seats."""
        self.assertEqual(limits_of({"a": level("a", 0)["spec"]}, 100)["a"].nominal, 0)


class CurrentLimitTests(SynchronousTestCase):
    def test_idle(self) -> None:
        """While nobody needs more, all seats are given away, to each in proportion to what it keeps in any case."""
        demands = [Demand(Limits(60, 40, 160), 0), Demand(Limits(40, 40, 140), 0)]
        self.assertEqual(current_limits(demands, 100, 0), [50, 50])

    def test_borrowing(self) -> None:
        """A busy level gets what an idle one can lend."""
        busy, idle = Demand(Limits(50, 25, 150), 80, 80.0), Demand(Limits(50, 10, 150), 0)
        self.assertEqual(current_limits([busy, idle], 100, 0), [89, 11])

    def test_borrowing_limit(self) -> None:
        """No level gets more than its upper limit."""
        busy, idle = Demand(Limits(50, 50, 60), 300, 300.0), Demand(Limits(50, 10, 150), 0)
        self.assertEqual(current_limits([busy, idle], 100, 0), [60, 40])

    def test_exempt_requests_take_first(self) -> None:
        """What exempt levels use is taken from what others use of their own, and last from what they keep."""
        demands = [Demand(Limits(50, 20, 150), 50), Demand(Limits(50, 20, 150), 50)]
        self.assertEqual(current_limits(demands, 100, 30), [35, 35])
        self.assertEqual(current_limits(demands, 100, 90), [20, 20])

    @given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100), st.integers(0, 300), st.floats(0, 300)),
                    min_size=1, max_size=6))
    def test_bounds(self, drawn: list[tuple[int, int, int, float]]) -> None:
        """Whatever levels want, each gets at least what it keeps, at most what it may have, and all get about all."""
        demands = [Demand(Limits(nominal, nominal - nominal * lent // 100, nominal + 600), peak, smoothed)
                   for nominal, lent, peak, smoothed in drawn]
        seats = sum(one.limits.nominal for one in demands)
        found = current_limits(demands, seats, 0)
        for limit, demand in zip(found, demands, strict=True):
            self.assertGreaterEqual(limit, demand.limits.lower)
            self.assertLessEqual(limit, demand.limits.upper)
        self.assertLessEqual(abs(sum(found) - seats), len(demands))
