"""The duel as it is drawn: who against whom, what each has put down, and the cards to choose from.

The panel lies among the pieces, above all men: so what the page draws over a card that is lit,
chosen or refused is seen on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from kibitz.core.drawing import (
    FONT,
    Box,
    Figure,
    Look,
    Part,
    Piece,
    Point,
    Spot,
    group,
    join_parts,
    panel_part,
    text_part,
)
from kibitz.core.game import Seat
from kibitz.core.message import Message, message
from kibitz.games.kahmate.board import name_of
from kibitz.games.kahmate.messages import letter_message
from kibitz.games.kahmate.rules import card_place, kind_message, modifiers
from kibitz.games.kahmate.state import CARDS, FACE_DOWN, SEATS, Duelling, Hand, View, other_side
from kibitz.games.kahmate.ui.field import Pitch, cell
from kibitz.games.kahmate.ui.pieces import card, card_back, icon, man, row_of_cards

PANEL_WIDTH, PANEL_MIDDLE = 364, 182
CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 48, 66, 8
CARDS_LEFT, CARDS_TOP = 18, 208
CARD_LIFT = 9
MINUS = "\N{EN DASH}"
"""Fonts without a minus sign are common."""


class Panel(NamedTuple):
    """The duel of a view, in units of its own, and where it lies on the pitch."""

    view: View
    duel: Duelling
    look: Look
    pitch: Pitch

    @property
    def captain(self) -> Seat | None:
        """The viewer's seat, if it is to choose a card."""
        return self.view.viewer if self.view.viewer in SEATS else None

    @property
    def chosen_card(self) -> int | None:
        """His own card, once he has put it down."""
        if self.captain == self.view.turn:
            return self.duel.card
        return self.view.early_card if self.captain else None

    @property
    def height(self) -> float:
        return 326 if self.captain else 262

    @property
    def scale(self) -> float:
        return 1 if self.pitch.is_tall else 1.1

    @property
    def box(self) -> Box:
        """Lying in the middle; upright in the half where the duel is not."""
        field, width, height = self.pitch.field, PANEL_WIDTH * self.scale, self.height * self.scale
        x, y = (field.width - width) / 2, (field.height - height) / 2
        if self.pitch.is_tall:
            men = (self.pitch.middle(at)[1] for at in (self.duel.attacker, self.duel.defender))
            y = 8 if sum(men) / 2 > field.height / 2 else field.height - height - 8
        return Box(x, y, width, height)

    def covers(self, square: int) -> bool:
        (x, y), box = self.pitch.middle(square), self.box
        across, down = x - box.x, y - box.y
        return -24 < across < box.width + 24 and -24 < down < box.height + 24

    def draw(self) -> Part:
        box, frame = self.box, f'width="{PANEL_WIDTH}" height="{self.height}" rx="22"'
        drawn = group(
            f'id="{self.look.prefix}duel" class="duel until-shown" role="group"'
            f' aria-label="{escape(self._duel_label())}" {FONT}'
            f' transform="translate({box.x:g} {box.y:g}) scale({self.scale})"',
            f'<rect y="4" {frame} fill="#000" opacity=".22"/>'
            f'<rect {frame} fill="var(--card)" stroke="var(--ink)" stroke-width="1.5"/>',
            self._title(),
            *self._sides(),
            self._status(),
            *self._cards(),
            at=(box.x, box.y),
            scale=self.scale,
        )
        return panel_part(box, "card", drawn)

    def hits(self) -> Part:
        """The cards of whoever looks, on a shield for the squares below."""
        prefix, box, cells = self.look.prefix, self.box, []
        for each in self._hand(self.captain) if self.captain else ():
            x, y = self._card_at(each)
            at = Box(
                box.x + self.scale * (x - CARD_WIDTH / 2),
                box.y + self.scale * (y - CARD_HEIGHT / 2),
                self.scale * CARD_WIDTH,
                self.scale * CARD_HEIGHT,
            )
            cells.append(cell(prefix, card_place(each), Spot(at, self._say("card", number=each))))
        row = group('role="row"', *cells) if cells else ""
        return join_parts(f'<rect class="shield" aria-hidden="true" {box}/>', row)

    def _say(self, id: str, **values: str | int | Message) -> str:
        return self.look.say_by_name(message(f"kahmate.draw-{id}", **values))

    def _contest(self) -> str:
        duel = self.duel
        target = duel.defender if duel.receiver is None else duel.receiver
        names = {"origin": name_of(duel.attacker), "target": name_of(target)}
        return self._say(f"contest-{duel.contest}", **names)

    def _hand(self, side: Seat) -> Hand:
        return self.view.hands[SEATS.index(side)]

    def _duel_label(self) -> str:
        attacker, defender = (self._man_label(at) for at in self._men())
        return f"{self._contest()}: {attacker} {self._say('against')} {defender}"

    def _men(self) -> tuple[int, int]:
        return self.duel.attacker, self.duel.defender

    def _man_label(self, at: int) -> str:
        who = self.view.field[at]
        assert who is not None
        id = "yours" if who.side == self.captain else "theirs"
        return self._say(id, seat=who.side, man=kind_message(who))

    def _short_label(self, at: int) -> str:
        """His colour says whose he is where that has no room."""
        who, label = self.view.field[at], self._man_label(at)
        assert who is not None
        has_room = shorten_text(label, 170, 13.5) == label
        return label if has_room else self.look.say(kind_message(who))

    def _title(self) -> Part:
        text = self._contest()
        if self.duel.round == 2:
            text = f"{text} · {self._say('second')}"
        return chip(
            PANEL_MIDDLE,
            27,
            shorten_text(text, 300, 12.5),
            "accent-soft",
            "accent-2",
            self.duel.contest,
        )

    def _sides(self) -> Iterator[Part]:
        attack, defence = modifiers(self.view.field, self.duel)
        yield self._side(self.duel.attacker, -1, "attack", attack)
        yield self._side(self.duel.defender, 1, "defence", defence)
        yield _words(self._say("against"), PANEL_MIDDLE, 83, 13, "ink-2")

    def _side(self, at: int, way: int, role: str, modifier: int) -> Part:
        """A man, his card, and below them his name and what he brings."""
        who, prefix = self.view.field[at], self.look.prefix
        assert who is not None
        x, middle = PANEL_MIDDLE + way * 127, PANEL_MIDDLE + way * 92
        shape = man(who, self.look.say(letter_message(who)), prefix)
        ball = ""
        if self.view.ball == at:
            turned = f"translate({x + 20} 96) rotate(-28) scale(1.2)"
            ball = f'<use href="#{prefix}ball" transform="{turned}"/>'
        look = "bad" if modifier < 0 else "ok"
        colours = (f"{look}-soft", look) if modifier else ("sunk", "ink-2")
        return join_parts(
            group(f'transform="translate({x} 78) scale(1.2)"', shape, at=(x, 78), scale=1.2),
            ball,
            self._slot(who.side, PANEL_MIDDLE + way * 60),
            _words(self._short_label(at), middle, 129, 13.5, "ink"),
            chip(middle, 147, self._say(role, modifier=_signed_text(modifier)), *colours),
        )

    def _slot(self, side: Seat, x: float) -> Part:
        """A captain's card as whoever looks may know it."""
        place = (x, 78.0, 44.0, 60.0)
        if side == self.captain and self.chosen_card:
            return card(*place, self.chosen_card)
        if side == self.view.turn and self.duel.card is not None:
            return card_back(*place, self.look.prefix)
        return card(*place, FACE_DOWN, "empty")

    def _status(self) -> Part:
        """The line that says what is being waited for."""
        turn, on_turn_has = self.view.turn, self.duel.card is not None
        if self.captain and self.chosen_card:
            text, look = self._say("waiting", seat=other_side(self.captain)), ("sunk", "ink-2", "")
        elif self.captain and on_turn_has:
            text, look = self._say("choose-too", seat=turn), ("ok-soft", "ok", "lock")
        elif self.captain:
            id = "choose" if self.duel.round == 1 else "choose-second"
            text, look = self._say(id), ("accent-soft", "accent-2", "")
        elif on_turn_has:
            text, look = self._say("chosen", seat=turn), ("ok-soft", "ok", "lock")
        else:
            text, look = self._say("both-choose"), ("sunk", "ink-2", "")
        return chip(PANEL_MIDDLE, 178, shorten_text(text, 306, 12.5), *look, width=328)

    def _cards(self) -> Iterator[Part | str]:
        if self.captain is None:
            yield from self._small_hand("R", 18, "start")
            yield from self._small_hand("B", 346, "end")
            return
        hand, prefix = self._hand(self.captain), self.look.prefix
        for each in CARDS:
            x, y = self._card_at(each)
            look = "up" if each == self.chosen_card else "held" if each in hand else "spent"
            drawn = card(x, y, CARD_WIDTH, CARD_HEIGHT, each, look)
            if each in hand:
                figure = Figure(False, "plate", letters=str(each))
                piece = Piece(card_place(each), (x, y), figure, self.captain)
                markup = f'<g id="{prefix}pc-{piece.place}" class="pc">{drawn.markup}</g>'
                yield Part(markup, pieces=(piece,))
            else:
                yield join_parts("<g>", drawn, "</g>")
        theirs = other_side(self.captain)
        y = CARDS_TOP + CARD_HEIGHT + 15
        label = shorten_text(self._say("cards", seat=theirs), 170, 12)
        letters = ' font-size="12" font-weight="600" fill="var(--ink-2)"'
        yield text_part(label, 18, y + 18, letters, "ink-2")
        yield row_of_cards(self._hand(theirs), 206, y, 20, 27, 4)

    def _card_at(self, number: int) -> Point:
        """The middle of a card of the hand; one that is chosen is lifted."""
        x = CARDS_LEFT + CARD_WIDTH / 2 + (CARD_WIDTH + CARD_GAP) * (number - 1)
        return x, CARDS_TOP + CARD_HEIGHT / 2 - (CARD_LIFT if number == self.chosen_card else 0)

    def _small_hand(self, side: Seat, x: float, anchor: str) -> Iterator[Part]:
        width, height, gap = 22.0, 30.0, 4.0
        left = x if anchor == "start" else x - 6 * width - 5 * gap
        label = shorten_text(self._say("cards", seat=side), 150, 12)
        look = f' font-size="12" font-weight="600" text-anchor="{anchor}" fill="var(--ink-2)"'
        yield text_part(label, x, 213, look, "ink-2", anchor)
        yield row_of_cards(self._hand(side), left, 220, width, height, gap)


def _signed_text(modifier: int) -> str:
    return f"{modifier:+d}".replace("-", MINUS) if modifier else "0"


def chip(
    x: float, y: float, text: str, fill: str, ink: str, sign: str = "", width: float = 0
) -> Part:
    """Words on a pill around a middle; as wide as they are, or as it is told."""
    long = len(text) * 6.5 + (18 if sign else 0)
    wide = width or long + 26
    drawn = icon(sign, x - long / 2 + 6, y, 14, ink) if sign else ""
    return join_parts(
        f'<rect {Box(x - wide / 2, y - 12, wide, 24)} rx="12" fill="var(--{fill})"/>{drawn}',
        _words(text, x + (9 if sign else 0), y + 4.3, 12.5, ink),
    )


def _words(text: str, x: float, y: float, size: float, ink: str) -> Part:
    """A text by the middle of its line."""
    look = f' text-anchor="middle" font-size="{size:g}" font-weight="700" fill="var(--{ink})"'
    return text_part(text, x, y, look, ink, "middle")


def shorten_text(text: str, width: float, size: float) -> str:
    """The part of a text that has room, as far as that is known without its letters' widths."""
    room = int(width / (size * 0.54))
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"
