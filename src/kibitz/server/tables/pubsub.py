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

from kibitz.server import metrics, wall_clock
from kibitz.table.seating import Member

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

Kind: TypeAlias = Literal["table", "people", "person", "seat", "chat"]
"""A table is at `n`; somebody came to or went from it; somebody is called otherwise; somebody has
another seat; something was said at a table."""

CHANNEL = "kibitz"
HERE = "kibitz:here:"
ROUND, DEAF = 5.0, 1.0
"""How often a worker looks for itself, while it hears the others and while not, in seconds."""
SEEN = 4 * ROUND
"""What a worker said of who is there counts for so long, as it may have ended without a word."""
MOST_WAITING = 10_000
"""More to say than that is not said: whoever misses it looks for themselves."""


class News(NamedTuple):
    worker: str
    kind: Kind
    about: str
    n: int = 0


class _Seen(NamedTuple):
    at: float
    members: tuple[Member, ...]


_news, _seen = msgspec.json.Decoder(News), msgspec.json.Decoder(_Seen)


class Neighbours:
    """Without an address of Redis nothing is told: either there are none, or each looks."""

    def __init__(self, redis: str = "", is_alone: bool = False) -> None:
        self.worker = secrets.token_hex(6)
        self.is_alone = is_alone
        """Whether there can be no other worker."""
        self._redis: Redis | None = None
        self._lost: tuple[type[Exception], ...] = ()
        if redis:
            self._redis, self._lost = _connected(redis)
        self._to_say: asyncio.Queue[News] = asyncio.Queue(MOST_WAITING)
        self._hears = False
        self._woken = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def hears(self) -> bool:
        """Whether it would hear what the others tell."""
        return self._hears

    def begin(self, hear: Callable[[News], None]) -> None:
        if self._redis:
            metrics.HEARD.set(0)
            self._tasks = [
                asyncio.create_task(self._listen(self._redis, hear)),
                asyncio.create_task(self._speak(self._redis)),
            ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._redis:
            with suppress(*self._lost):
                await self._redis.aclose()

    def tell(self, kind: Kind, about: str, n: int = 0) -> None:
        if self._redis:
            with suppress(asyncio.QueueFull):
                self._to_say.put_nowait(News(self.worker, kind, about, n))

    async def pause(self) -> bool:
        """Until it is time to look for oneself; whether something may have been missed."""
        was_deaf = not self._hears
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), DEAF if was_deaf else ROUND)
        self._woken.clear()
        return was_deaf or not self._hears

    # Who is there

    async def say_who_is_here(self, here: Mapping[str, Iterable[Member]]) -> None:
        """At which tables this worker shows pages to whom; to nobody any more where none is."""
        if self._redis is None or not here:
            return
        with suppress(*self._lost):
            async with self._redis.pipeline(transaction=False) as said:
                for table_id, members in here.items():
                    seen = _Seen(wall_clock.now(), tuple(members))
                    if seen.members:
                        said.hset(HERE + table_id, self.worker, msgspec.json.encode(seen))
                        said.expire(HERE + table_id, round(2 * SEEN))
                    else:
                        said.hdel(HERE + table_id, self.worker)
                await said.execute()

    async def who_is_elsewhere(
        self, table_ids: Sequence[str]
    ) -> Mapping[str, frozenset[Member]] | None:
        """Who has a page at another worker, by table; None where nobody can say."""
        if self._redis is None or not table_ids:
            return {}
        try:
            async with self._redis.pipeline(transaction=False) as asked:
                for table_id in table_ids:
                    asked.hgetall(HERE + table_id)
                found = await asked.execute()
        except self._lost:
            return None
        return {
            table_id: frozenset(self._members(said))
            for table_id, said in zip(table_ids, found, strict=True)
        }

    def _members(self, said: Mapping[bytes, bytes]) -> Iterable[Member]:
        for worker, text in said.items():
            seen = _seen.decode(text)
            if worker.decode() != self.worker and seen.at > wall_clock.now() - SEEN:
                yield from seen.members

    # Talk

    async def _listen(self, redis: Redis, hear: Callable[[News], None]) -> None:
        while True:
            try:
                async with redis.pubsub(ignore_subscribe_messages=True) as heard:
                    await heard.subscribe(CHANNEL)
                    self._set_hearing(True)
                    while True:
                        # Asked for a sign of life in between: a line may be dead without a word.
                        message = await heard.get_message(timeout=ROUND)
                        if message is None:
                            await heard.ping()
                        elif message["type"] == "message":
                            self._hear(message["data"], hear)
            except self._lost as error:
                if self._hears:
                    log.warning("the other workers are not heard: %s", error)
                self._set_hearing(False)
            await asyncio.sleep(DEAF)

    def _hear(self, text: bytes, hear: Callable[[News], None]) -> None:
        try:
            news = _news.decode(text)
        except msgspec.DecodeError:  # Of a newer program, perhaps: then we look for ourselves.
            self._woken.set()
            return
        if news.worker != self.worker:
            hear(news)

    def _set_hearing(self, hears: bool) -> None:
        if hears and not self._hears:
            self._woken.set()
        self._hears = hears
        metrics.HEARD.set(int(hears))

    async def _speak(self, redis: Redis) -> None:
        while True:
            news = [await self._to_say.get()]
            while not self._to_say.empty():
                news.append(self._to_say.get_nowait())
            with suppress(*self._lost):
                async with redis.pipeline(transaction=False) as said:
                    for each in news:
                        said.publish(CHANNEL, msgspec.json.encode(each))
                    await said.execute()


def _connected(redis: str) -> tuple[Redis, tuple[type[Exception], ...]]:
    """And what its calls raise where it is away. Loaded where it is asked for: it takes a while."""
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

    found = Redis.from_url(redis, socket_timeout=5, socket_connect_timeout=5)
    return found, (RedisError, OSError)
