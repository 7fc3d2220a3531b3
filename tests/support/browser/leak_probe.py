"""What somebody could find out about another one's secret by looking at all there is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from support.browser.touch import Hand

LINES = {"R": "bc", "B": "kl"}
"""The files where the men of a side are set up."""
OWN = ("offers", "only", "buttons")
"""What a view says of the viewer's own choices."""


@contextmanager
def hidden_from(others: Sequence[Hand], hand: Hand) -> Iterator[None]:
    """What the hand does meanwhile, if it does it face down, is nowhere in what they have."""
    seat, done = hand.view["acting"], len(hand.done)
    before = [(other, other.wire.here, len(other.wire.answers), codes(other)) for other in others]
    offered = [other.choices for other in others]
    yield
    (offer,) = hand.done[done:]
    shape = secret_shape(offer["kind"], seat)
    if not shape or not is_hidden(hand, others[0]):
        return
    for (other, frames, answers, known), choices in zip(before, offered, strict=True):
        assert other.wire.here > frames, "that it was done is told"
        for frame in other.wire.frames[frames:]:
            assert told_in(frame, shape) == [], frame
        for address, body in other.wire.bodies(answers):
            assert not re.search(shape, body), address
        assert not codes(other) - known
        assert offer["kind"] == "card" or men_of(seat, other) == []
        assert offer["kind"] != "card" or card_in(other.position()) in ("?", "-")
        assert other.choices == choices


def secret_shape(kind: str, seat: str) -> str:
    """How what is done face down would look; nothing for what is done in the open."""
    if kind == "card":
        return r"card=\d"
    lines = LINES[seat]
    return rf"[STFCO]@[{lines}]\d|{man_on(lines)}" if kind in ("place", "lineup") else ""


def is_hidden(hand: Hand, other: Hand) -> bool:
    """Whether the hand is ahead with its cards, or the men of both are not all set up.

    Counted by what was done, as what the pages say of it is what is in doubt.
    """
    mine, theirs = done_face_down(hand), done_face_down(other)
    return mine["card"] > theirs["card"] or mine["man"] != theirs["man"] or mine["man"] % 6 != 0


def done_face_down(hand: Hand) -> Counter[str]:
    count = Counter[str]()
    for offer in hand.done:
        if offer["kind"] == "card":
            count["card"] += 1
        elif offer["kind"] in ("place", "lineup"):
            count["man"] += len(offer["actions"])
    return count


def card_in(position: str) -> str:
    """The card of the attacker as this text has it: face down, or not there yet."""
    return position.split()[2].rsplit(":", 1)[1]


def told_in(frame: str, shape: str) -> list[str]:
    """What looks like the secret in something that was sent, and what it turns over."""
    sent = {key: value for key, value in json.loads(frame).items() if key not in OWN}
    turned = [str(event["reveal"]) for event in sent.get("events", ()) if event["reveal"]]
    return [*re.findall(shape, json.dumps(sent)), *turned]


def codes(hand: Hand) -> Counter[str]:
    """What the page has of cards and men as a record spells them, and cards turned over."""
    return Counter(re.findall(r'card=\d|[STFCO]@[a-m]\d|class="face', hand.wire.page_text()))


def men_of(seat: str, hand: Hand) -> list[str]:
    """Men of this side in the drawing, where they are set up."""
    return re.findall(man_on(LINES[seat]), hand.wire.page_text())


def man_on(files: str) -> str:
    """How one is drawn, as it is written or as it is sent."""
    return rf'id=\\?"pc-sq-[{files}]\d'
