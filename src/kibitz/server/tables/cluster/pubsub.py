"""The other workers of this server: what they tell each other, and who is at which table there.

They never tell what happened, only where: "table t is at n". Whoever hears it reads the log. What
is not heard is not lost: after a gap a worker looks for itself, and while it hears nothing it does
so every second.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import msgspec

from kibitz.core.extras import import_extra
from kibitz.server import metrics, wall_clock
from kibitz.table.seating import Member

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

MessageKind: TypeAlias = Literal["table", "people", "person", "seat", "chat", "limit"]
"""A table is at `n`; somebody came to or went from it; somebody is called otherwise; somebody has
another seat; something was said at a table; somebody did something of which there is a limit."""

CHANNEL = "kibitz"
PRESENCE_KEY_PREFIX = "kibitz:here:"
CONNECTED_POLL_S, DISCONNECTED_POLL_S = 5.0, 1.0
"""The seconds between two looks of a worker for itself, while it hears the others and while not."""
PRESENCE_TTL_S = 4 * CONNECTED_POLL_S
"""A worker's word on who is there counts for so long, as it may have ended without another."""
MAX_QUEUED_MESSAGES = 10_000
"""More to say than that is not said: whoever misses it looks for themselves."""


class PubSubMessage(NamedTuple):
    worker: str
    kind: MessageKind
    about: str
    n: int = 0


class _Presence(NamedTuple):
    at: float
    members: tuple[Member, ...]


_message_decoder = msgspec.json.Decoder(PubSubMessage)
_presence_decoder = msgspec.json.Decoder(_Presence)


class PubSub:
    """Without an address of Redis nothing is told: either there are none, or each looks."""

    def __init__(self, redis: str = "", is_alone: bool = False) -> None:
        self.worker = secrets.token_hex(6)
        self.is_single_worker = is_alone
        """True if there can be no other worker."""
        self._redis: Redis | None = None
        self._redis_errors: tuple[type[Exception], ...] = ()
        if redis:
            self._redis, self._redis_errors = _connect_redis(redis)
        self._outbox: asyncio.Queue[PubSubMessage] = asyncio.Queue(MAX_QUEUED_MESSAGES)
        self._is_connected = False
        self._poll_now = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def is_connected(self) -> bool:
        """True if it would hear what the others tell."""
        return self._is_connected

    def start(self, on_message: Callable[[PubSubMessage], None]) -> None:
        if self._redis:
            metrics.REDIS_CONNECTED.set(0)
            self._tasks = [
                asyncio.create_task(self._listen_loop(self._redis, on_message)),
                asyncio.create_task(self._publish_loop(self._redis)),
            ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._redis:
            with suppress(*self._redis_errors):
                await self._redis.aclose()

    def publish(self, kind: MessageKind, about: str, n: int = 0) -> None:
        if self._redis:
            with suppress(asyncio.QueueFull):
                self._outbox.put_nowait(PubSubMessage(self.worker, kind, about, n))

    async def wait_for_poll(self) -> bool:
        """Until it is time to look for oneself; whether something may have been missed."""
        was_disconnected = not self._is_connected
        with suppress(TimeoutError):
            await asyncio.wait_for(
                self._poll_now.wait(), DISCONNECTED_POLL_S if was_disconnected else CONNECTED_POLL_S
            )
        self._poll_now.clear()
        return was_disconnected or not self._is_connected

    # Who is there

    async def publish_presence(self, here: Mapping[str, Iterable[Member]]) -> None:
        """At which tables this worker shows pages to whom; to nobody any more where none is."""
        if self._redis is None or not here:
            return
        with suppress(*self._redis_errors):
            async with self._redis.pipeline(transaction=False) as pipeline:
                for table_id, members in here.items():
                    seen = _Presence(wall_clock.now(), tuple(members))
                    if seen.members:
                        pipeline.hset(
                            PRESENCE_KEY_PREFIX + table_id, self.worker, msgspec.json.encode(seen)
                        )
                        pipeline.expire(PRESENCE_KEY_PREFIX + table_id, round(2 * PRESENCE_TTL_S))
                    else:
                        pipeline.hdel(PRESENCE_KEY_PREFIX + table_id, self.worker)
                await pipeline.execute()

    async def remote_presence(
        self, table_ids: Sequence[str]
    ) -> Mapping[str, frozenset[Member]] | None:
        """Those who have a page at another worker, by table; None where nobody can say."""
        if self._redis is None or not table_ids:
            return {}
        try:
            async with self._redis.pipeline(transaction=False) as pipeline:
                for table_id in table_ids:
                    pipeline.hgetall(PRESENCE_KEY_PREFIX + table_id)
                found = await pipeline.execute()
        except self._redis_errors:
            return None
        return {
            table_id: frozenset(self._remote_members(presences))
            for table_id, presences in zip(table_ids, found, strict=True)
        }

    def _remote_members(self, presences: Mapping[bytes, bytes]) -> Iterable[Member]:
        for worker, text in presences.items():
            seen = _presence_decoder.decode(text)
            if worker.decode() != self.worker and seen.at > wall_clock.now() - PRESENCE_TTL_S:
                yield from seen.members

    # Talk

    async def _listen_loop(self, redis: Redis, on_message: Callable[[PubSubMessage], None]) -> None:
        while True:
            try:
                async with redis.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL)
                    self._set_connected(True)
                    while True:
                        # Asked for a sign of life in between: a line may be dead without a word.
                        message = await channel.get_message(timeout=CONNECTED_POLL_S)
                        if message is None:
                            await channel.ping()
                        elif message["type"] == "message":
                            self._handle_message(message["data"], on_message)
            except self._redis_errors as error:
                if self._is_connected:
                    log.warning("the other workers are not heard: %s", error)
                self._set_connected(False)
            await asyncio.sleep(DISCONNECTED_POLL_S)

    def _handle_message(self, text: bytes, on_message: Callable[[PubSubMessage], None]) -> None:
        try:
            news = _message_decoder.decode(text)
        except msgspec.DecodeError:  # Of a newer program, perhaps: then we look for ourselves.
            self._poll_now.set()
            return
        if news.worker != self.worker:
            on_message(news)

    def _set_connected(self, is_connected: bool) -> None:
        if is_connected and not self._is_connected:
            self._poll_now.set()
        self._is_connected = is_connected
        metrics.REDIS_CONNECTED.set(int(is_connected))

    async def _publish_loop(self, redis: Redis) -> None:
        while True:
            news = [await self._outbox.get()]
            while not self._outbox.empty():
                news.append(self._outbox.get_nowait())
            with suppress(*self._redis_errors):
                async with redis.pipeline(transaction=False) as pipeline:
                    for each in news:
                        pipeline.publish(CHANNEL, msgspec.json.encode(each))
                    await pipeline.execute()


def _connect_redis(redis: str) -> tuple[Redis, tuple[type[Exception], ...]]:
    """And what its calls raise where it is away. Loaded where it is asked for: it takes a while.

    Raises Refused where the client is not installed.
    """
    import_extra("redis", "host", wanted_by="KIBITZ_REDIS_URL")
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

    found = Redis.from_url(redis, socket_timeout=5, socket_connect_timeout=5)
    return found, (RedisError, OSError)
