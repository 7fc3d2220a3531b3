"""People at one table, each at a browser of their own or sharing one, who play until it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from playwright.sync_api import expect

from kibitz.bots.registry import choose_action
from kibitz.core.game import PRESS_DIE
from kibitz.games import GAMES
from support.bots.bot_questions import question_at
from support.browser.captains import Captains
from support.browser.touch import Hand, Offer

Chooser: TypeAlias = Callable[[Hand], Offer]
"""Decides what a hand does."""
SEED = 7


class Evening:
    def __init__(self, chooser: Chooser, *hands: Hand) -> None:
        self.chooser, self.hands = chooser, hands

    def turns(self, most: int) -> Iterator[Hand]:
        """Gives whoever is next, and trusts that they act, until it is over."""
        for _ in range(most):
            if not (hand := self.next()):
                return
            yield hand
        raise AssertionError(f"not over after {most} actions")

    def acts(self, hand: Hand) -> None:
        """And everybody sees what came of it."""
        hand.chooses(self.chooser(hand))
        latest = hand.seq
        hand.waits_until(
            lambda: all(each.seq >= latest for each in self.hands), "somebody was told nothing"
        )

    def plays_to_the_end(self, most: int) -> None:
        for hand in self.turns(most):
            self.acts(hand)
        self.sees_the_end()

    def next(self) -> Hand | None:
        """Whoever may decide something, once all have seen what was done last, if anybody may."""
        somebody = self.hands[0]
        somebody.waits_until(lambda: bool(self.ready()) or self.is_over, "nobody may do anything")
        return None if self.is_over else self.ready()[0]

    @property
    def is_over(self) -> bool:
        return all(hand.is_over for hand in self.hands)

    def ready(self) -> list[Hand]:
        latest = max(hand.seq for hand in self.hands)
        if any(hand.seq < latest or hand.is_over for hand in self.hands):
            return []
        if self.bots_to_act():
            return []
        return [hand for hand in self.hands if hand.choices or hand.view.get("curtain")]

    def bots_to_act(self) -> set[str]:
        """Bots that may still end what somebody is asked, as a vote ends with the first no."""
        view = self.hands[0].view
        bots = {seat["seat"] for seat in view.get("seats", ()) if seat["bot"]}
        return bots & set(view.get("to_act", ()))

    def sees_the_end(self) -> None:
        """Everybody does, and it is the same for all."""
        outcome = self.hands[0].view["outcome"]
        for hand in self.hands:
            assert hand.view["outcome"]["winners"] == outcome["winners"]
            result = hand.page.locator("#sheet .result")
            expect(result).to_be_visible()
            expect(result).to_contain_text(hand.view["outcome"]["why"])


def greedy(name: str, **options: Any) -> Chooser:
    """Where nothing is hidden the position is all there is to know."""
    game = GAMES[name].game({**GAMES[name].preset, **options})

    def decide(hand: Hand) -> Offer:
        asked = question_at(game, hand.view["acting"], "greedy", hand.position(), seed=SEED)
        offers: Mapping[str, Offer] = {
            offer["actions"][0] if offer["actions"] else PRESS_DIE: offer
            for offer in hand.choices
            if not offer["actions"]
            or (len(offer["actions"]) == 1 and offer["actions"][0] in asked.texts)
        }
        return offers[choose_action(replace(asked, texts=tuple(offers)))]

    return decide


PLACED = ("k4", "k3", "k5", "k6", "l4", "l5")


def captain(captains: Captains) -> Chooser:
    """Kahmaté: the men, the cards, and all that is done in the open."""

    def decide(hand: Hand) -> Offer:
        hand.looks_on()
        offers = hand.choices
        kinds = {offer["kind"] for offer in offers}
        if "lineup" in kinds:
            return lines_up(hand, captains)
        if "card" in kinds:
            cards = {int(offer["actions"][0][-1]): offer for offer in offers}
            return cards[captains.card(hand.position(), cards)]
        wanted = captains.choose(hand.position())
        return next(
            offer
            for offer in offers
            if (offer["kind"], tuple(offer["path"])) == (wanted.kind, wanted.path)
        )

    return decide


def forcing(captains: Captains) -> Chooser:
    """The same, but straight into the first man there is."""
    otherwise = captain(captains)

    def decide(hand: Hand) -> Offer:
        through = [offer for offer in hand.choices if offer["kind"] == "force"]
        captains.done["force"] += bool(through)
        return through[0] if through and captains.done["force"] == 1 else otherwise(hand)

    return decide


def lines_up(hand: Hand, captains: Captains) -> Offer:
    """Red takes a line-up; Blue places man by man the first time."""
    if hand.view["acting"] == "B" and captains.done["placed"] < len(PLACED):
        captains.done["placed"] += 1
        square = f"sq-{PLACED[captains.done['placed'] - 1]}"
        return next(offer for offer in hand.choices if offer["path"] == [square])
    captains.done["line-up"] += 1
    ready = [offer for offer in hand.choices if offer["kind"] == "lineup"]
    return ready[captains.done["line-up"] % 3]
