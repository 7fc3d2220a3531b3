"""Metrics for Prometheus; nothing about anybody.

Several workers on one machine write to files in one folder, so that whichever of them is asked
tells of all. Where nobody began to measure, as in the bots' process, nothing is counted.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.core.extras import import_extra

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

MULTIPROC_DIR_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that tells prometheus_client where that folder is."""
TIME_BUCKETS_S = 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0
SIZE_BUCKETS = 1, 2, 4, 8, 16, 32, 64, 128, 256


class Metric:
    """One thing that is measured; `labels` say what kind of it."""

    def __init__(
        self, kind: str, name: str, about: str, labels: Sequence[str] = (), **more: Any
    ) -> None:
        self._kind, self._name, self._about = kind, f"kibitz_{name}", about
        self._labels, self._more = labels, more
        self._collector: Any = None
        METRICS.append(self)

    def register(self, prometheus: Any) -> None:
        made = getattr(prometheus, self._kind)
        self._collector = made(self._name, self._about, self._labels, **self._more)

    def count(self, much: float = 1, /, **labels: str) -> None:
        """Add to a counter or a gauge."""
        if self._collector is not None:
            (self._collector.labels(**labels) if labels else self._collector).inc(much)

    def observe(self, value: float, /, **labels: str) -> None:
        if self._collector is not None:
            (self._collector.labels(**labels) if labels else self._collector).observe(value)

    def set(self, value: float, /) -> None:
        if self._collector is not None:
            self._collector.set(value)


METRICS: list[Metric] = []
LIVE_SUM = {"multiprocess_mode": "livesum"}

REQUESTS = Metric("Counter", "requests", "Requests answered.", ("route", "status"))
SOCKETS = Metric("Gauge", "sockets", "Connections to tables.", **LIVE_SUM)
HANDOVERS = Metric("Counter", "handovers", "Connections handed over to the worker of their table.")
TABLES = Metric("Gauge", "tables", "Tables in memory.", **LIVE_SUM)
ACTIONS = Metric("Counter", "actions", "Rows on the disk and acknowledged.")
REFUSALS = Metric("Counter", "refusals", "Actions that the rules or the table refused.")
APPEND_SECONDS = Metric(
    "Histogram", "append_seconds", "Until rows are on the disk.", buckets=TIME_BUCKETS_S
)
WRITE_GROUP_SIZES = Metric(
    "Histogram", "group_size", "Writes that share a transaction.", buckets=SIZE_BUCKETS
)
BOT_THINKING_SECONDS = Metric(
    "Histogram", "bot_thinking_seconds", "Until a bot has chosen.", buckets=TIME_BUCKETS_S
)
BOT_QUEUE = Metric("Gauge", "bot_thinking_waiting", "Bots that think or wait to.", **LIVE_SUM)
REDIS_CONNECTED = Metric(
    "Gauge", "redis_connected", "Whether all workers hear the others.", multiprocess_mode="livemin"
)
DATABASE_RETRIES = Metric("Counter", "database_waits", "Times the database had to be asked again.")
RATE_LIMITED = Metric("Counter", "limited", "Told to come again later.", ("bucket",))
FORWARDED_REQUESTS = Metric(
    "Counter", "forwarded", "Requests that a proxy forwarded.", ("trusted",)
)


def start_metrics() -> None:
    """From now on it is measured, in this process; not where the extra `host` is missing."""
    try:
        import prometheus_client
    except ImportError:
        return
    for meter in METRICS:
        meter.register(prometheus_client)
    REDIS_CONNECTED.set(1)


def share_folder(folder: Path) -> None:
    """Let the processes that are started from now on write to a folder. Before `start_metrics`."""
    os.environ[MULTIPROC_DIR_VARIABLE] = str(folder)


def forget_process(process: int) -> None:
    """A process has ended: it holds no sockets and no tables any more."""
    if MULTIPROC_DIR_VARIABLE in os.environ:
        with suppress(ImportError):
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(process)  # type: ignore[no-untyped-call]


def metrics_text() -> bytes:
    """All of it, as Prometheus reads it. Raises Refused where its client is not installed."""
    import_extra("prometheus_client", "host", wanted_by="/metrics")
    from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = REGISTRY
    if MULTIPROC_DIR_VARIABLE in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


class MetricsMiddleware:
    """Counts requests by kind of page, not by page, and how many sockets are open."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        status, is_open = 0, False

        async def send_counted(message: Message) -> None:
            nonlocal status, is_open
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status, is_open = 101, True
                SOCKETS.count(1)
            elif message["type"] == "websocket.close" and not is_open:
                status = 403
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            if is_open:
                SOCKETS.count(-1)
            route = str(scope.get("path_template") or "-")
            REQUESTS.count(route=route, status=str(status or 500))


class Timer:
    """A context whose duration is measured."""

    def __init__(self, meter: Metric) -> None:
        self._meter = meter

    def __enter__(self) -> None:
        self._started_at = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        self._meter.observe(time.perf_counter() - self._started_at)
