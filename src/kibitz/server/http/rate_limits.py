"""Rate limits per address and guest, and limits on open connections.

People never meet these limits; a program that asks without pause does, and is told when to
come again.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Literal, NamedTuple, TypeAlias, cast

from kibitz.server import metrics

Bucket: TypeAlias = Literal[
    "pages",
    "open",
    "join",
    "act",
    "ask",
    "chat",
    "connect",
    "rename",
    "export",
    "analysis",
    "think",
    "login",
    "login-name",
    "look",
    "mail",
]


class Rate(NamedTuple):
    per_second: float
    burst: float
    """So much at once after a rest."""

    def times(self, share: float) -> Rate:
        return Rate(self.per_second * share, self.burst * share)


RATES: Mapping[Bucket, Rate] = {
    "pages": Rate(20, 100),
    "open": Rate(1 / 3, 10),
    "join": Rate(1, 20),
    "act": Rate(5, 60),
    "ask": Rate(20, 60),
    "chat": Rate(1 / 3, 6),
    "connect": Rate(2, 40),
    "rename": Rate(1 / 5, 5),
    "export": Rate(2, 20),
    "analysis": Rate(10, 60),
    "think": Rate(2, 30),
    "login": Rate(1 / 10, 6),
    "login-name": Rate(1 / 60, 20),
    "look": Rate(120, 2000),
    "mail": Rate(1 / (6 * 60 * 60), 3),
}
"""`act`, `ask`, `chat` and `rename` are counted by guest and by address, the others by address
alone: a guest costs nothing. `login-name` is counted by the name that strangers try, `mail` by
where it goes to, as many accounts may name one address, and `look` in KB that a page is sent
because it looks again. A commit costs the disk 3 KB or more, and all of
these together let one guest have 2 MB written in a minute; `act` has most of it."""
SHARED_BUCKETS: tuple[Bucket, ...] = ("login", "login-name", "open", "chat", "think", "mail")
"""Those that workers tell each other of: what one of them allows counts at all."""
LASTING_BUCKETS: tuple[Bucket, ...] = ("mail",)
"""Those that hold where a server has no limits, too: they guard somebody else."""
ADDRESS_SHARES: Mapping[Bucket, float] = {"act": 10, "ask": 10, "chat": 2, "rename": 10}
"""The factor by which all guests of an address may do more than one of them."""
SITE_SHARE = 16
"""The factor by which a whole site of IPv6 networks may do more than one of them."""
ACT_COST_BYTES = 128
"""So many bytes of actions cost as much as another action."""
MAX_CACHED_ADDRESSES = 1 << 12
"""So many of the latest addresses are not taken apart again with every message."""
MAX_REMEMBERED = 50_000
"""In a bucket. Beyond it whoever was away longest is forgotten, that is, rested: strangers are
never refused because there are many of them."""


ROUNDING_ERROR = 1e-9
"""A little more, so that somebody who waits exactly as long as told is not told to wait again."""


class RateLimitStatus(NamedTuple):
    """The remaining tokens of a bucket."""

    bucket: Bucket
    rate: Rate
    remaining: float

    @property
    def headers(self) -> dict[str, str]:
        """The burst and how long it takes to rest after it, and what is left of both."""
        per_second, burst = self.rate
        window, rest = ceil(burst / per_second), ceil((burst - self.remaining) / per_second)
        return {
            "RateLimit-Policy": f'"{self.bucket}";q={burst:.0f};w={window}',
            "RateLimit": f'"{self.bucket}";r={int(self.remaining + ROUNDING_ERROR)};t={rest}',
        }


class _Level(NamedTuple):
    remaining: float
    at: float


Sharers: TypeAlias = Sequence[tuple[str, float]]
"""Those something is counted for, each with how much more they may do than one alone."""


def act_cost(texts: Sequence[str]) -> float:
    """The cost of sending these together: writing much is dear, in however few requests."""
    return max(1, len(texts)) + sum(len(text.encode()) for text in texts) // ACT_COST_BYTES


class RateLimiter:
    """Token buckets. A bucket without a rate has no limit."""

    def __init__(
        self, rates: Mapping[Bucket, Rate], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rates = dict(rates)
        self._clock = clock
        self._levels: defaultdict[tuple[Bucket, float], OrderedDict[str, _Level]]
        self._levels = defaultdict(OrderedDict)
        self.publish: Callable[[str, int], None] | None = None
        """Tells the other workers what was taken, in thousandths; None where there are none."""

    def take(self, bucket: Bucket, who: str, cost: float = 1.0) -> float:
        """Seconds to wait before asking again; 0.0 where it is allowed, and then it is counted.

        What costs more than a burst is allowed after a full rest.
        """
        return self.take_all(bucket, ((who, 1.0),), cost)

    def take_all(self, bucket: Bucket, sharers: Sharers, cost: float = 1.0) -> float:
        """Take it from all of these, if all have room; seconds to wait else."""
        rate = self._rates.get(bucket)
        if rate is None:
            return 0.0
        now, cost = self._clock(), min(cost, rate.burst)
        left, wait = list[float](), 0.0
        sharers = [(_level_key(bucket, who), share) for who, share in sharers]
        for who, share in sharers:
            each = _remaining_tokens(self._levels[bucket, share].get(who), rate.times(share), now)
            left.append(each)
            if each < cost - ROUNDING_ERROR:
                wait = max(wait, (cost - each) / rate.times(share).per_second)
        if wait:
            return wait
        for (who, share), each in zip(sharers, left, strict=True):
            levels = self._levels[bucket, share]
            levels[who] = _Level(each - cost, now)
            levels.move_to_end(who)
            _evict_rested(levels, rate.times(share), now)
            self._tell_others(bucket, who, share, cost)
        return 0.0

    def take_remotely(self, about: str, thousandths: int) -> None:
        """Count what another worker allowed."""
        name, share, who = about.split(" ", 2)
        bucket = cast(Bucket, name)
        rate = self._rates.get(bucket)
        if rate is None:
            return
        levels, now = self._levels[bucket, float(share)], self._clock()
        scaled = rate.times(float(share))
        left = _remaining_tokens(levels.get(who), scaled, now)
        levels[who] = _Level(min(scaled.burst, max(0.0, left - thousandths / 1000)), now)
        levels.move_to_end(who)
        _evict_rested(levels, scaled, now)

    def _tell_others(self, bucket: Bucket, key: str, share: float, cost: float) -> None:
        if self.publish and bucket in SHARED_BUCKETS:
            self.publish(f"{bucket} {share:g} {key}", round(1000 * cost))

    def give_back(self, bucket: Bucket, sharers: Sharers) -> None:
        """Take back what was counted: it turned out to be harmless."""
        for who, share in sharers:
            key, levels = _level_key(bucket, who), self._levels[bucket, share]
            if level := levels.get(key):
                levels[key] = level._replace(remaining=level.remaining + 1)
                self._tell_others(bucket, key, share, -1.0)

    def status_of(self, bucket: Bucket, who: str) -> RateLimitStatus | None:
        """The tokens that somebody has left; None where there is no limit."""
        rate = self._rates.get(bucket)
        if rate is None:
            return None
        level = self._levels[bucket, 1.0].get(_level_key(bucket, who))
        left = _remaining_tokens(level, rate, self._clock())
        return RateLimitStatus(bucket, rate, left)

    def __len__(self) -> int:
        """The number of those who are remembered."""
        return sum(map(len, self._levels.values()))


def _level_key(bucket: Bucket, who: str) -> str:
    """The key under which somebody is counted; where others are told of it, it tells nobody who."""
    if bucket not in SHARED_BUCKETS:
        return who
    return hashlib.blake2b(who.encode(), digest_size=16).hexdigest()


def _remaining_tokens(level: _Level | None, rate: Rate, now: float) -> float:
    if level is None:
        return rate.burst
    return min(rate.burst, level.remaining + (now - level.at) * rate.per_second)


def _evict_rested(levels: OrderedDict[str, _Level], rate: Rate, now: float) -> None:
    """Forget those who have rested: they are as good as new.

    They are in the order of their last visit, and two are looked at for each one that came, so
    all are gone soon after a burst's time.
    """
    for _ in range(2):
        who, level = next(iter(levels.items()))
        if _remaining_tokens(level, rate, now) < rate.burst and len(levels) <= MAX_REMEMBERED:
            return
        del levels[who]
        if not levels:
            return


class ConnectionLimits:
    """The limits of one connection. For whom something is counted is found out once."""

    def __init__(self, limiter: RateLimiter, sharers_of: Callable[[Bucket], Sharers]) -> None:
        self._limiter, self._sharers_of = limiter, sharers_of
        self._known: dict[Bucket, Sharers] = {}

    def count_or_wait(self, bucket: Bucket, cost: float = 1.0) -> float:
        """Count something, or say for how many seconds not to ask again."""
        sharers = self._known.get(bucket)
        if sharers is None:
            sharers = self._known[bucket] = self._sharers_of(bucket)
        wait = self._limiter.take_all(bucket, sharers, cost)
        if wait:
            metrics.RATE_LIMITED.count(bucket=bucket)
        return wait


class ConnectionCounter:
    """Connections that are open at once, from one address and in all."""

    def __init__(self, each: int, everybody: int) -> None:
        self._max_per_address, self._max_total = each, everybody
        self._counts: Counter[str] = Counter()
        self._total = 0

    def enter(self, who: str) -> bool:
        """Count a connection, to be discounted by `leave`; False where there is no room."""
        if not self.has_room(who):
            return False
        self._counts[who] += 1
        self._total += 1
        return True

    def has_room(self, who: str) -> bool:
        return self._counts[who] < self._max_per_address and self._total < self._max_total

    def leave(self, who: str) -> None:
        if not self._counts[who]:
            raise ValueError("who leaves must have entered")
        self._counts[who] -= 1
        self._total -= 1
        if not self._counts[who]:
            del self._counts[who]

    def __len__(self) -> int:
        return self._total


@lru_cache(maxsize=MAX_CACHED_ADDRESSES)
def subnet_of(address: str) -> str:
    """The part of an address that one household shares: of IPv6, which has plenty, the network."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found) >> 64 << 64, 64)))


@lru_cache(maxsize=MAX_CACHED_ADDRESSES)
def site_of(address: str) -> str:
    """The whole of IPv6 networks that one site has; empty for other addresses."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address) or found.ipv4_mapped:
        return ""
    return str(ip_network((int(found) >> 80 << 80, 48)))
