"""What the stream process says of itself to Prometheus; counted here, as nobody else can know it."""

from datetime import UTC, datetime
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_LAGS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Figures:
    """Open streams by kind, what was sent, how late, and whether hints are heard."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry(auto_describe=False)
        self.open = Gauge("taki_streams_open", "Open streams and waiting polls.", ["kind"], registry=registry)
        self._sent = Counter("taki_stream_events", "Events of games that were sent.", registry=registry)
        self._lag = Histogram(
            "taki_stream_lag_seconds",
            "From an event's time to its sending, for streams that keep up.",
            buckets=_LAGS,
            registry=registry,
        )
        self.refused = Counter("taki_streams_refused", "Streams that were not opened.", ["status"], registry=registry)
        self.followed = Gauge("taki_stream_subjects", "Games that are followed.", registry=registry)
        self.hints = Gauge("taki_stream_hints", "Hints that were heard since the start.", registry=registry)
        self.listening = Gauge("taki_stream_listening", "1 while hints are heard.", registry=registry)
        self.reads = Gauge("taki_stream_reads", "Statements that read moves since the start.", registry=registry)

    def sent(self, count: int) -> None:
        """So many events went to one client."""
        self._sent.inc(count)

    def lag(self, recorded_at: datetime) -> None:
        """An event of this time is being sent."""
        self._lag.observe(max(0.0, (datetime.now(UTC) - recorded_at).total_seconds()))

    def exposition(self) -> bytes:
        """The figures in Prometheus' text form."""
        return generate_latest(self._registry)
