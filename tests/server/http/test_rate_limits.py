"""Limits that people never meet, and programs in a loop do."""

from __future__ import annotations

from typing import get_args

import pytest

from kibitz.server.http.rate_limits import (
    RATES,
    Bucket,
    ConnectionCounter,
    Rate,
    RateLimiter,
    act_cost,
    site_of,
    subnet_of,
)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def count_allowed(limits: RateLimiter, bucket: Bucket, who: str, times: int) -> int:
    return sum(limits.take(bucket, who) == 0.0 for _ in range(times))


def test_after_a_burst_it_goes_on_at_the_rate(clock: Clock) -> None:
    limits = RateLimiter({"act": Rate(20, 60)}, clock)
    assert count_allowed(limits, "act", "ann", 100) == 60
    clock.now += 1
    assert count_allowed(limits, "act", "ann", 100) == 20
    clock.now += 3600
    assert count_allowed(limits, "act", "ann", 100) == 60


def test_whoever_is_refused_is_told_when_to_come_again(clock: Clock) -> None:
    limits = RateLimiter({"open": Rate(1 / 3, 2)}, clock)
    assert count_allowed(limits, "open", "ann", 2) == 2
    wait = limits.take("open", "ann")
    assert wait == pytest.approx(3)
    clock.now += wait - 0.01
    assert limits.take("open", "ann") == pytest.approx(0.01)
    clock.now += 0.01
    assert limits.take("open", "ann") == 0.0


def test_asking_in_vain_costs_nothing(clock: Clock) -> None:
    limits = RateLimiter({"join": Rate(1, 1)}, clock)
    limits.take("join", "ann")
    waits = {limits.take("join", "ann") for _ in range(50)}
    assert waits == {1.0}


def test_one_is_not_refused_for_another_nor_in_one_bucket_for_another(clock: Clock) -> None:
    limits = RateLimiter({"join": Rate(1, 3), "ask": Rate(1, 3)}, clock)
    assert count_allowed(limits, "join", "ann", 9) == 3
    assert count_allowed(limits, "join", "bob", 9) == 3
    assert count_allowed(limits, "ask", "ann", 9) == 3


def test_what_costs_more_takes_more(clock: Clock) -> None:
    limits = RateLimiter({"export": Rate(1, 10)}, clock)
    assert limits.take("export", "ann", 7) == 0.0
    assert limits.take("export", "ann", 7) == pytest.approx(4)
    clock.now += 20
    assert limits.take("export", "ann", 99) == 0.0


def test_without_rates_nothing_is_refused() -> None:
    assert count_allowed(RateLimiter({}), "open", "ann", 1000) == 1000
    assert len(RateLimiter({})) == 0


def test_the_rested_are_forgotten(clock: Clock) -> None:
    limits = RateLimiter({"connect": Rate(2, 40)}, clock)
    for n in range(5000):
        limits.take("connect", f"guest {n}")
    assert len(limits) == 5000
    clock.now += 21
    for _ in range(2600):
        clock.now += 1
        limits.take("connect", "ann")
    assert len(limits) == 1


def test_of_too_many_the_longest_away_are_forgotten(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.server.http.rate_limits.MAX_REMEMBERED", 100)
    limits = RateLimiter({"join": Rate(0.001, 1)}, clock)
    for n in range(1000):
        assert limits.take("join", f"guest {n}") == 0.0
        assert len(limits) <= 100
    assert limits.take("join", "guest 999") > 0
    assert limits.take("join", "guest 0") == 0.0


def test_who_comes_often_is_not_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.http.rate_limits.MAX_REMEMBERED", 100)
    limits = RateLimiter({"join": Rate(0.001, 2000)}, clock)
    for n in range(1000):
        assert limits.take("join", "ann") == 0.0
        limits.take("join", f"guest {n}")
    assert limits.take("join", "ann", 1500) > 0


@pytest.mark.parametrize("per_second", [0.1, 0.3, 1 / 3, 0.7, 3, 7, 11, 19])
def test_waiting_as_long_as_told_is_enough(clock: Clock, per_second: float) -> None:
    limits = RateLimiter({"ask": Rate(per_second, 3)}, clock)
    for _ in range(100):
        clock.now += limits.take("ask", "ann")
        clock.now += (wait := limits.take("ask", "ann"))
        assert not wait or limits.take("ask", "ann") == 0.0


def test_people_never_meet_the_limits(clock: Clock) -> None:
    """Somebody quick: five touches a second for a minute, a page every two seconds."""
    limits = RateLimiter(RATES, clock)
    for tick in range(300):
        clock.now += 0.2
        assert limits.take("act", "ann") == 0.0
        assert limits.take("ask", "ann") == 0.0
        if tick % 10 == 0:
            assert [limits.take("pages", "home") for _ in range(15)] == [0.0] * 15
            assert limits.take("connect", "home") == 0.0
        if tick % 50 == 0:
            assert limits.take("open", "home") == 0.0


def test_a_crowd_has_room_for_so_many_of_each_and_in_all() -> None:
    crowd = ConnectionCounter(each=2, everybody=3)
    assert [crowd.enter("ann") for _ in range(3)] == [True, True, False]
    assert [crowd.enter("bob"), crowd.enter("eve")] == [True, False]
    crowd.leave("ann")
    assert crowd.enter("eve")
    assert len(crowd) == 3
    for who in ("ann", "bob", "eve"):
        crowd.leave(who)
    assert len(crowd) == 0
    with pytest.raises(ValueError, match="entered"):
        crowd.leave("ann")


def test_a_household_is_one_address_or_one_network() -> None:
    assert subnet_of("192.0.2.7") == "192.0.2.7"
    assert subnet_of("2001:db8:1:2:3:4:5:6") == subnet_of("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert subnet_of("2001:db8:1:3::9") != subnet_of("2001:db8:1:2::9")
    assert subnet_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert subnet_of("testclient") == "testclient"


def test_every_bucket_has_a_rate_and_rests_within_a_minute() -> None:
    assert set(RATES) == set(get_args(Bucket))
    # Strangers who try one name wait longer, and so do mails that many accounts ask for.
    slow = {"login-name", "mail"}
    assert all(
        rate.burst / rate.per_second <= 60 for name, rate in RATES.items() if name not in slow
    )


def test_guests_of_one_address_share_what_it_may_do(clock: Clock) -> None:
    """A guest costs nothing: forty of them have no more room than their address has."""
    limits = RateLimiter({"chat": Rate(1 / 3, 6)}, clock)
    said = [
        limits.take_all("chat", ((f"guest {n % 40}", 1.0), ("192.0.2.1", 2.0))) for n in range(240)
    ]
    assert said.count(0.0) == 12
    assert limits.take_all("chat", (("guest 99", 1.0), ("192.0.2.2", 2.0))) == 0.0


def test_what_one_has_no_room_for_is_counted_for_nobody(clock: Clock) -> None:
    limits = RateLimiter({"chat": Rate(1, 2)}, clock)
    assert count_allowed(limits, "chat", "ann", 2) == 2
    assert limits.take_all("chat", (("bob", 1.0), ("ann", 1.0)))
    assert count_allowed(limits, "chat", "bob", 9) == 2


def test_what_turned_out_to_be_harmless_is_given_back(clock: Clock) -> None:
    limits = RateLimiter({"login": Rate(1 / 10, 6)}, clock)
    for _ in range(50):
        assert limits.take("login", "ann") == 0.0
        limits.give_back("login", (("ann", 1.0),))


def test_much_at_once_costs_more() -> None:
    assert act_cost([]) == act_cost(["@a1"]) == 1
    assert act_cost(["@a1"] * 6) == 6
    assert act_cost(['ref rule "' + "x" * 1000 + '"'] * 64) == 64 + 64 * 1011 // 128


def test_a_site_of_many_networks_has_a_count_of_its_own() -> None:
    assert site_of("2001:db8:1:2::1") == site_of("2001:db8:1:ffff::9") == "2001:db8:1::/48"
    assert site_of("2001:db8:2::1") != site_of("2001:db8:1::1")
    assert (site_of("192.0.2.1"), site_of("::ffff:192.0.2.1"), site_of("x")) == ("", "", "")


def test_workers_count_together_what_matters_most(clock: Clock) -> None:
    """What one allows, the other has heard of; who it was, it has not."""
    one, other = (RateLimiter({"login": Rate(1 / 10, 6), "act": Rate(1, 6)}, clock) for _ in "12")
    told = list[str]()

    def tell(about: str, n: int) -> None:
        told.append(about)
        other.take_remotely(about, n)

    one.publish = tell
    assert count_allowed(one, "login", "192.0.2.7", 4) == 4
    assert count_allowed(other, "login", "192.0.2.7", 9) == 2
    one.give_back("login", (("192.0.2.7", 1.0),))
    assert count_allowed(other, "login", "192.0.2.7", 9) == 1
    assert count_allowed(one, "act", "192.0.2.7", 6) == count_allowed(other, "act", "192.0.2.7", 6)
    assert told
    assert not any("192.0.2.7" in about for about in told)
