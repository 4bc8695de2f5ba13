"""Hand committed events to the subscriptions whose prefix they fall under."""

from __future__ import annotations

from collections.abc import Sequence

from twisted.logger import Logger
from zope.interface import implementer

from kube_twisted.storage.interfaces import Event, EventConsumer, ISubscription


@implementer(ISubscription)
class Subscription:
    """One watch: it holds live events back until :meth:`release`, so that past ones can go first.

    :ivar prefix: of the keys it is about.
    """

    _log = Logger()

    def __init__(self, dispatcher: Dispatcher, prefix: str, after_revision: int,
                 consumer: EventConsumer) -> None:
        self.prefix = prefix
        self._dispatcher = dispatcher
        self._after = after_revision
        self._consumer = consumer
        self._held: list[Event] | None = []
        self._stopped = False

    @property
    def stopped(self) -> bool:
        return self._stopped

    def offer(self, events: Sequence[Event]) -> None:
        """Take live events: now, or after the past ones. Those that it already knows are dropped."""
        if events[0].revision <= self._after:
            events = [event for event in events if event.revision > self._after]
        if self._held is None:
            self.deliver(events)
        else:
            self._held += events

    def deliver(self, events: Sequence[Event]) -> None:
        """Call the consumer. What it raises is logged, and keeps nobody else from their events."""
        if self._stopped or not events:
            return
        try:
            self._consumer(events)
        except Exception:
            self._log.failure("A consumer of events below {prefix} failed", prefix=self.prefix)

    def release(self) -> None:
        """The past is delivered: let the held events go, and hold no more."""
        while self._held:
            events, self._held = self._held, []
            self.deliver(events)
        self._held = None

    def stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            self._dispatcher.forget(self)


class Dispatcher:
    """All subscriptions of a store, found by the prefixes of a key.

    There are few different lengths of prefixes, so an event costs one dictionary look-up for each length.
    """

    def __init__(self) -> None:
        self._by_prefix: dict[str, list[Subscription]] = {}
        self._lengths: list[int] = []

    def subscribe(self, prefix: str, after_revision: int, consumer: EventConsumer) -> Subscription:
        """Begin to hold events after ``after_revision`` for ``consumer``; they flow once it is released."""
        subscription = Subscription(self, prefix, after_revision, consumer)
        self._by_prefix.setdefault(prefix, []).append(subscription)
        self._measure()
        return subscription

    def forget(self, subscription: Subscription) -> None:
        subscriptions = self._by_prefix[subscription.prefix]
        subscriptions.remove(subscription)
        if not subscriptions:
            del self._by_prefix[subscription.prefix]
            self._measure()

    def dispatch(self, events: Sequence[Event]) -> None:
        """Deliver the events of whole revisions; all subscribers of a prefix share one list."""
        shares: dict[str, list[Event]] = {}
        for event in events:
            for prefix in self._prefixes_of(event.key):
                shares.setdefault(prefix, []).append(event)
        for prefix, share in shares.items():
            for subscription in tuple(self._by_prefix.get(prefix, ())):
                subscription.offer(share)

    def stop(self) -> None:
        """End all subscriptions."""
        for subscriptions in list(self._by_prefix.values()):
            for subscription in list(subscriptions):
                subscription.stop()

    def _prefixes_of(self, key: str) -> list[str]:
        """The prefixes of ``key`` that somebody has subscribed to."""
        longest = len(key)
        return [prefix for length in self._lengths
                if length <= longest and (prefix := key[:length]) in self._by_prefix]

    def _measure(self) -> None:
        self._lengths = sorted({len(prefix) for prefix in self._by_prefix})
