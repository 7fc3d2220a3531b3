"""A match for a program: it changes as it is played, and its record grows."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from kibitz.core.game import CHANCE, PRESS_DIE, SPECTATOR, Game, Outcome
from kibitz.core.message import Refused, message
from kibitz.core.record import START, Record, write_record
from kibitz.games import GAMES, game_of
from kibitz.i18n.shell import phrases_for_seats, refusal_sentence
from kibitz.library.words import refusals_in_words
from kibitz.table import Table, open_table
from kibitz.table.sealed_dice import draw_action

AnyGame = Game[Any, Any, Any]


def game(name: str, **options: Any) -> AnyGame:
    """The game of this name under these options.

    >>> import kibitz
    >>> kibitz.game(name).seats == kibitz.Match(name).game.seats
    True
    >>> kibitz.game(name, no_such_option=1)
    Traceback (most recent call last):
    kibitz.core.message.Refused: ...
    """
    with refusals_in_words():
        if name not in GAMES:
            raise Refused(message("record.game", game=name[:60], games=", ".join(GAMES)))
        return GAMES[name].game(options)


class Match:
    """A match from its start, or from a position; everybody's actions go through here.

    >>> import kibitz
    >>> match = kibitz.Match(name, seed=7)
    >>> while not match.outcome:
    ...     if "chance" in match.to_act:
    ...         match.roll()
    ...     else:
    ...         seat = match.to_act[0]
    ...         match.play(seat, match.actions(seat)[0])
    ...     if len(match.record().actions) == 30:
    ...         break
    >>> len(match.record().actions)
    30
    >>> kibitz.Match.from_record(match.record()).position == match.position
    True
    >>> match.why_not(match.game.seats[0], "no such action") is None
    False
    """

    def __init__(self, game: AnyGame | str, seed: int | None = None, start: str = START) -> None:
        """`seed` is for the dice: with the same one they fall alike."""
        made = _find_game(game) if isinstance(game, str) else game
        seeded = token_hex(32) if seed is None else sha256(str(seed).encode()).hexdigest()
        self._seed = seeded
        with refusals_in_words():
            self._table: Table[Any, Any, Any] = open_table(made, start)

    @classmethod
    def from_record(cls, record: Record, at: int | None = None, seed: int | None = None) -> Match:
        """The match as it stood after so many actions, or after all of them."""
        if at is not None and not 0 <= at <= len(record.actions):
            raise IndexError(f"the record has {len(record.actions)} actions, not {at}")
        with refusals_in_words():
            match = cls(game_of(record), seed, record.start)
            for text in record.actions[:at]:
                action = match.game.notation.read_action(text)
                match._act(match.game.rules.actor_of(match.table.state, action), text)
        return match

    @property
    def game(self) -> AnyGame:
        return self._table.game

    @property
    def table(self) -> Table[Any, Any, Any]:
        """The match as the rest of Kibitz knows it: a value that stays as it is."""
        return self._table

    @property
    def position(self) -> str:
        """The whole truth, secrets included."""
        return self.game.notation.write_state(self._table.state)

    @property
    def to_act(self) -> tuple[str, ...]:
        """Everyone who can act now, in the order of the seats; `chance` comes last."""
        actors = self.game.rules.to_act(self._table.state)
        return tuple(each for each in (*self.game.seats, CHANCE) if each in actors)

    @property
    def outcome(self) -> Outcome | None:
        """The result, payoffs and reason, once it is over."""
        return self._table.outcome

    def actions(self, seat: str) -> tuple[str, ...]:
        """The legal actions of a seat, also those that it may commit ahead of its turn."""
        self._require_seat(seat)
        return tuple(map(self.game.notation.write_action, self._table.actions(seat)))

    def play(self, seat: str, action: str) -> None:
        """Play an action; an empty text lets chance speak. Raises Refused."""
        self._require_seat(seat)
        if action == PRESS_DIE:
            self.roll(seat)
        else:
            self._act(seat, action)

    def roll(self, seat: str | None = None) -> None:
        """Let chance speak: a die falls, cards are drawn."""
        state, seats = self._table.state, self.game.seats
        if CHANCE not in self.game.rules.to_act(state):
            raise ValueError("chance is not to act")
        seat = seat or next((each for each in self.to_act if each in seats), None)
        number = len(self._table.history)
        self._act(CHANCE, draw_action(self.game, state, self._seed, (), number, seat))

    def view(self, viewer: str = SPECTATOR) -> str:
        """The position as a seat, or a spectator, may see it."""
        if viewer != SPECTATOR:
            self._require_seat(viewer)
        return self.game.notation.write_view(self._table.view(viewer))

    def why_not(self, seat: str, action: str) -> str | None:
        """A sentence that says why a seat may not do this; None if it may."""
        self._require_seat(seat)
        try:
            self._table.act(seat, action)
        except Refused as refused:
            return refusal_sentence(refused.refusal, phrases_for_seats(self.game))
        return None

    def record(self) -> Record:
        """Everything that is needed to replay it."""
        return self._table.record

    def save(self, path: str | Path) -> None:
        """Write the record to a file that `kibitz.read` and `kibitz replay` read."""
        Path(path).write_text(write_record(self.record()) + "\n", encoding="utf-8")

    def _act(self, actor: str, text: str) -> None:
        with refusals_in_words(phrases_for_seats(self.game)):
            self._table, _ = self._table.act(actor, text)

    def _require_seat(self, seat: str) -> None:
        if seat not in self.game.seats:
            raise ValueError(f"the seats are {', '.join(self.game.seats)}, not {seat!r}")

    def __repr__(self) -> str:
        view = self._table.view(SPECTATOR)
        return self.game.ui.draw_text(view, phrases_for_seats(self.game))

    def _repr_svg_(self) -> str:
        from kibitz.library.drawings import draw

        return draw(self)


def _find_game(name: str) -> AnyGame:
    return game(name)
