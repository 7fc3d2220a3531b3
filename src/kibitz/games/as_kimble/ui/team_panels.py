"""The plates of the teams beside the board: what is owed and done, and all that is up with them.

Before colours are chosen they are the plates of the four chairs, with what each has popped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from kibitz.core.drawing import FONT, Box, Look, Part
from kibitz.core.game import Seat
from kibitz.core.message import Message, Say, message
from kibitz.games.as_kimble.board import SEAT_LETTERS, TEAMS
from kibitz.games.as_kimble.rules.book import moral_victors
from kibitz.games.as_kimble.rules.hembo import OWING_MARK, SAID_MARK
from kibitz.games.as_kimble.rules.preparation import seats_due
from kibitz.games.as_kimble.state import (
    Book,
    Choosing,
    Colours,
    GameOver,
    Lots,
    Popping,
    Returning,
    State,
    Voting,
    book_of,
    mark_of,
    side_of,
)
from kibitz.games.as_kimble.ui.lettering import text_markup, text_width
from kibitz.games.as_kimble.ui.pieces import die, emblem, sign
from kibitz.games.as_kimble.ui.track import Layout, layout_for

MAX_TOKENS = 11
"""The number that have room on a plate."""


class Sign(NamedTuple):
    """Something that is up with a team, by name; its picture and its colours."""

    name: str
    picture: str
    fill: str
    ink: str

    def short_text(self, say: Say) -> str:
        """On a chip."""
        return say(message(f"as-kimble.draw-sign-{self.name}"))

    def spoken_text(self, say: Say) -> str:
        """To somebody who does not see it."""
        return say(message(f"as-kimble.draw-says-{self.name}"))


TURN = Sign("turn", "dot", "accent-soft", "accent-2")
ASKS = Sign("asks", "ask", "accent", "on-accent")
VOTES = Sign("votes", "ask", "accent", "on-accent")
AGREES = Sign("agrees", "tick", "ok-soft", "ok")
GIVES = Sign("gives", "back", "accent", "on-accent")
OWES = Sign("owes", "call", "spark", "outline")
CALLED = Sign("called", "tick", "ok-soft", "ok")
RAISED = Sign("raised", "up", "accent-soft", "accent-2")
WINS = Sign("wins", "crown", "Y", "on-Y")
MORAL = Sign("moral", "flag", "accent-soft", "accent-2")
POPS = Sign("pops", "dot", "accent", "on-accent")
CHOOSES = Sign("chooses", "ask", "accent", "on-accent")
BEGINS = Sign("begins", "flag", "accent-soft", "accent-2")


def turn_of(state: State) -> Seat | None:
    match state.phase:
        case Popping(team) | Choosing(team) | Voting(team) | Returning(team):
            return team
    return None


def signs_of(state: State, team: Seat) -> Iterator[Sign]:
    """The most urgent first."""
    if mark_of(state, team) == OWING_MARK:
        yield OWES
    match state.phase:
        case Voting(proposer, agreed):
            yield ASKS if team == proposer else AGREES if team in agreed else VOTES
        case Returning(pending=pending) if team in pending:
            yield GIVES
        case GameOver(winner):
            if team == winner:
                yield WINS
            if team in moral_victors(state):
                yield MORAL
    if mark_of(state, team) == SAID_MARK:
        yield CALLED
    if team in state.raises.teams:
        yield RAISED


def seat_signs_of(phase: Lots | Colours, chair: str) -> Iterator[Sign]:
    if isinstance(phase, Lots):
        if chair in seats_due(phase):
            yield POPS
        return
    if chair == phase.lowest:
        yield CHOOSES
    if chair == phase.highest:
        yield BEGINS


def plates(state: State, look: Look, layout: Layout) -> list[Part]:
    phase = state.phase
    if isinstance(phase, Lots | Colours):
        made = [_seat_plate(phase, chair, look, layout) for chair in SEAT_LETTERS]
    else:
        made = [_plate(state, team, look) for team in TEAMS]
    return [Part(f"<g {FONT}>"), *map(Part, made), Part("</g>")]


def _plate(state: State, team: Seat, look: Look) -> str:
    book, home = book_of(state, team), side_of(state, team).home
    signs, is_on = tuple(signs_of(state, team)), team == turn_of(state)
    return _team_plate(team, book, home, signs, is_on, look)


@lru_cache(maxsize=1 << 10)
def _team_plate(
    team: Seat, book: Book, home: int, signs: tuple[Sign, ...], is_on: bool, look: Look
) -> str:
    """Drawn once for as long as it stays as it is."""
    layout, say = layout_for(look.is_tall), look.say
    box, name = layout.plates[team], message(f"as-kimble.draw-team-{team}")
    ring = "Y" if WINS in signs else "accent" if is_on else ""
    who = look.name_of(team)
    lines = (who, who) if who else (say(name), say(message("as-kimble.draw-who", seat=team)))
    done = say(message("as-kimble.draw-done", n=book.done))
    owed = say(message("as-kimble.draw-owed"))
    if layout.is_tall:
        owes = "" if who else say(message("as-kimble.draw-owes"))
        below = (f"{owed} · {done}", done) if who else (done,)
        inside = _small_plate(box, team, book.owed, lines[0], owes, below, signs)
    else:
        head = _head(box, team, *lines, look, is_on)
        inside = head + _ledger(box, team, book.owed, owed, done)
        inside += _tokens(box, look.prefix, team, book.owed, book.done)
        inside += "".join(_chips(box, signs, look))
    said = _team_label(team, book, home, (TURN, *signs) if is_on else signs, say)
    said = f"{who}, {said}" if who else said
    return _card(look, team, box, team, ring, said, inside, layout.is_tall)


def _team_label(team: Seat, book: Book, home: int, signs: Iterable[Sign], say: Say) -> str:
    """All that is on the plate of a team."""
    name, at_home = (message(f"as-kimble.draw-{id}") for id in (f"team-{team}", f"home-{home}"))
    said = message("as-kimble.draw-plate", team=name, home=at_home, owed=book.owed, done=book.done)
    return ", ".join([say(said), *(each.spoken_text(say) for each in signs)])


def _card(
    look: Look, id: str, box: Box, colour: str, ring: str, said: str, inside: str, tall: bool
) -> str:
    """A card with a broad edge in the colour of its team, and a ring around it in its turn."""
    x, y, width, height = box
    radius = 13 if tall else 15
    edge, card = Box(x, y, width, 34), Box(x, y + 6, width, height - 6)
    if tall:
        edge, card = Box(x, y, 34, height), Box(x + 6, y, width - 6, height)
    around = ""
    if ring:
        far = 1.3 if tall else 2
        rim = Box(x - far, y - far, width + 2 * far, height + 2 * far)
        around = (
            f'<rect {rim} rx="{radius + far:g}" fill="none" stroke="var(--{ring})"'
            f' stroke-width="{2.6 if tall else 3.4}"/>'
        )
    return (
        f'<g id="{look.prefix}plate-{id}" class="plate" role="img" aria-label="{escape(said)}">'
        f'<rect {edge} rx="{radius}" fill="var(--{colour})"/>'
        f'<rect {card} rx="{radius}" fill="var(--card)" stroke="var(--line)"/>{around}{inside}</g>'
    )


# In characters


def plate_lines(state: State, say: Say) -> Mapping[Seat, tuple[str, ...]]:
    """The plates in lines: the book, or what a chair has popped; then what is up."""
    lines = {}
    for team, chair in zip(TEAMS, SEAT_LETTERS, strict=True):
        if isinstance(phase := state.phase, Lots | Colours):
            line, signs = _seat_line(phase, chair), seat_signs_of(phase, chair)
        else:
            line, signs = _book_line(state, team), signs_of(state, team)
        texts = say(line) if line else "", ", ".join(each.short_text(say) for each in signs)
        lines[team] = tuple(filter(None, texts))
    return lines


def plate_labels(state: State, say: Say) -> Mapping[Seat, str]:
    """All that is on the plates, to somebody who does not see them."""
    if isinstance(phase := state.phase, Lots | Colours):
        chairs = zip(TEAMS, SEAT_LETTERS, strict=True)
        return {team: _seat_label(phase, chair, say) for team, chair in chairs}
    labels = {}
    for team in TEAMS:
        on_turn = (TURN,) if team == turn_of(state) else ()
        signs = (*on_turn, *signs_of(state, team))
        book, home = book_of(state, team), side_of(state, team).home
        labels[team] = _team_label(team, book, home, signs, say)
    return labels


def _book_line(state: State, team: Seat) -> Message:
    book = book_of(state, team)
    return message("as-kimble.draw-line-book", owed=book.owed, done=book.done)


def _seat_line(phase: Lots | Colours, chair: str) -> Message | None:
    if isinstance(phase, Colours):
        return None
    pops = " ".join(map(str, _seat_pops(phase, chair))) or "-"
    return message("as-kimble.draw-line-chair", pops=pops)


# Beside the board


def _head(box: Box, team: Seat, name: str, who: str, look: Look, is_on: bool) -> str:
    """The team, whoever plays it if that is another name, and, if there is room, its turn."""
    x, y, room = box.x + 42, box.y, box.width - 52
    chip = ""
    text = TURN.short_text(look.say)
    wide = min(text_width(text, 12) + 16, 60)
    # The ring says it, too: a name is not cut for it.
    if is_on and text_width(name, 16) <= room - wide - 5:
        chip = _chip(Box(box.right - 9 - wide, y + 13, wide, 20), TURN, text)
        room -= wide + 5
    drawn = emblem(team, box.x + 23, y + 30, 10.5) + chip
    if who == name:
        return drawn + text_markup(name, x, y + 35.5, 16, "ink", room=room, weight=800)
    drawn += text_markup(name, x, y + 29, 16, "ink", room=room, weight=800)
    return drawn + text_markup(who, x, y + 43, 12, "ink-2", room=box.width - 52)


def _ledger(box: Box, team: Seat, owed: int, owed_said: str, done_said: str) -> str:
    """The debt in large, and what is done of it."""
    x, y, number = box.x + 13, box.y, str(owed)
    size = 40 if len(number) < 3 else 30 if len(number) < 4 else 20
    beside = x + text_width(number.replace("1", "0"), size) * 1.04 + 9
    room = box.right - 8 - beside
    text = text_markup(number, x, y + 89, size, f"{team}-deep", weight=800)
    drawn = _count(text, team, owed, (box.right - 22, y + 73))
    drawn += text_markup(owed_said, beside, y + 73, 14, "ink", room=room, weight=800)
    return drawn + text_markup(done_said, beside, y + 88, 12.5, "ink-2", room=room)


def _count(text: str, team: Seat, owed: int, beside: tuple[float, float]) -> str:
    """A page that shows what moves shows by how much this has changed, too: beside it."""
    at = f"{beside[0]:g} {beside[1]:g}"
    return f'<g class="count" data-count="{owed}" data-seat="{team}" data-at="{at}">{text}</g>'


def _tokens(box: Box, prefix: str, team: Seat, owed: int, done: int) -> str:
    """Filled for what is owed, empty for what is done, as far as there is room."""
    counts = min(owed, MAX_TOKENS), min(owed + done, MAX_TOKENS)
    looks = f'fill="var(--{team})" stroke="var(--outline)"', 'fill="none" stroke="var(--line-2)"'
    drawn = ""
    for first, last, look in zip((0, counts[0]), counts, looks, strict=True):
        tokens = "".join(
            f'<use href="#{prefix}token" x="{11.6 * i:g}"/>' for i in range(first, last)
        )
        drawn += f"<g {look}>{tokens}</g>" if tokens else ""
    return f'<g transform="translate({box.x + 13.5:g} {box.y + 97:g})">{drawn}</g>'


def _chips(box: Box, signs: Sequence[Sign], look: Look) -> Iterator[str]:
    """In a row; where words have no room their pictures stand alone."""
    x, y, left = box.x + 11, box.y + box.height - 26, len(signs)
    for each in signs:
        left -= 1
        text = each.short_text(look.say)
        wide = text_width(text, 12) + 28
        if x + wide + 23 * left > box.right - 7:
            text, wide = "", 20
        yield _chip(Box(x, y, wide, 20), each, text)
        x += wide + 4


def _chip(box: Box, sign_: Sign, text: str) -> str:
    x, y, width, height = box
    middle = y + height / 2
    drawn = f'<rect {box} rx="{height / 2:g}" fill="var(--{sign_.fill})"/>'
    if not text:
        return drawn + sign(sign_.picture, x + width / 2, middle, 6, sign_.ink)
    if sign_ == TURN:
        return drawn + text_markup(
            text, x + width / 2, middle + 4.2, 12, TURN.ink, room=width - 10, anchor="middle"
        )
    words = text_markup(text, x + 20, middle + 4.2, 12, sign_.ink, room=width - 24, weight=700)
    return drawn + sign(sign_.picture, x + 11, middle, 5.6, sign_.ink) + words


# Above and below the board


def _small_plate(
    box: Box,
    team: Seat,
    owed: int,
    name: str,
    owes: str,
    below: tuple[str, ...],
    signs: Sequence[Sign],
) -> str:
    """The first text that has room stands below, else the last."""
    x, middle = box.x, box.y + box.height / 2
    number = str(owed)
    size = 24 if len(number) < 3 else 18 if len(number) < 4 else 13
    wide = max(text_width(number.replace("1", "0"), size), 13)
    beside, end = x + 39 + wide + 8, box.right - 7 - 21 * len(signs)
    room = end - beside
    after = owes if text_width(f"{name} {owes}", 13.5) < room else ""
    under = next((text for text in below if text_width(text, 13) <= room), below[-1])
    is_free_above = text_width(f"{name} {after}", 13.5) < text_width(under, 13)
    drawn = emblem(team, x + 23, middle, 9.5)
    text = text_markup(number, x + 39, middle + size * 0.36, size, f"{team}-deep", weight=800)
    drawn += _count(text, team, owed, (end - 17, middle - 2.5 if is_free_above else middle + 13))
    drawn += text_markup(
        name, beside, middle - 2.5, 13.5, "ink", room=room, weight=800, after=(after, "ink-2")
    )
    drawn += text_markup(under, beside, middle + 13, 13, "ink-2", room=room)
    for i, each in enumerate(reversed(signs)):
        at = box.right - 15 - 21 * i
        drawn += f'<circle cx="{at:g}" cy="{middle:g}" r="9.5" fill="var(--{each.fill})"/>'
        drawn += sign(each.picture, at, middle, 5.6, each.ink)
    return drawn


# Before there are teams


def _seat_plate(phase: Lots | Colours, chair: str, look: Look, layout: Layout) -> str:
    team = TEAMS[SEAT_LETTERS.index(chair)]
    box, say = layout.plates[team], look.say
    pops, signs = _seat_pops(phase, chair), [*seat_signs_of(phase, chair)]
    name = say(message("as-kimble.draw-chair", chair=chair))
    who = look.name_of(team) or say(message("as-kimble.draw-who", seat=team))
    ring = "accent" if {POPS, CHOOSES} & {*signs} else ""
    if layout.is_tall:
        inside = _small_seat_plate(box, look.name_of(team) or name, pops, signs, look)
    else:
        room = box.width - 28
        inside = text_markup(name, box.x + 15, box.y + 31, 16, "ink", room=room, weight=800)
        if who != name:
            inside += text_markup(who, box.x + 15, box.y + 45, 12, "ink-2", room=room)
        inside += "".join(_lots(box.x + 15, box.y + 57, pops, room, 32))
        inside += "".join(_chips(box, signs, look))
    said = _seat_label(phase, chair, say)
    return _card(look, team, box, "line-2", ring, said, inside, layout.is_tall)


def _seat_pops(phase: Lots | Colours, chair: str) -> tuple[int, ...]:
    return phase.pops[SEAT_LETTERS.index(chair)] if isinstance(phase, Lots) else ()


def _seat_label(phase: Lots | Colours, chair: str, say: Say) -> str:
    name = say(message("as-kimble.draw-chair", chair=chair))
    popped = [say(message("as-kimble.draw-popped", number=n)) for n in _seat_pops(phase, chair)]
    return ", ".join(
        [name, *popped, *(each.spoken_text(say) for each in seat_signs_of(phase, chair))]
    )


def _small_seat_plate(
    box: Box, name: str, pops: tuple[int, ...], signs: list[Sign], look: Look
) -> str:
    middle, x = box.y + box.height / 2, box.x + 16
    texts = [each.short_text(look.say) for each in signs]
    drawn = text_markup(name, x, middle + 4.8, 14, "ink", room=78, weight=800)
    right = box.right - 8
    for each, text in zip(signs, texts, strict=True):
        wide = min(text_width(text, 12) + 28, 84)
        if text != texts[0]:
            text, wide = "", 20
        right -= wide
        drawn += _chip(Box(right, middle - 10, wide, 20), each, text)
        right -= 4
    after = x + min(text_width(name, 14) * 1.06, 78) + 8
    return drawn + "".join(_lots(after, middle - 11, pops, right - after, 22))


def _lots(x: float, y: float, pops: tuple[int, ...], room: float, size: float) -> Iterator[str]:
    """The pops, the latest last; of very many only the latest."""
    most = max(1, int((room + 5) // (size * 0.8 + 5)))
    size = size if len(pops) * (size + 5) <= room + 5 else size * 0.8
    for i, face in enumerate(pops[-most:]):
        yield die(face, x + size / 2 + i * (size + 5), y + size / 2, size, 0)
