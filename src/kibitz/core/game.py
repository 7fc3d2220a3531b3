"""The game as a value: pure functions over frozen states, in six parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, cast

import msgspec
from msgspec.structs import replace

from kibitz.core.drawing import Drawing, Figure, Look
from kibitz.core.message import Message, Refusal, Say
from kibitz.core.story import Count, Moment
from kibitz.core.values import FrozenValue

if TYPE_CHECKING:
    from kibitz.core.offer_rows import OfferRow
    from kibitz.core.record import ReplayStep
    from kibitz.core.summary import Summary

Seat: TypeAlias = str
"""A side at the table, by the letter its notation uses."""
Actor: TypeAlias = str
"""An author of actions: a seat, CHANCE, or a role such as REFEREE."""
Viewer: TypeAlias = str
"""Somebody who looks on: a seat, or SPECTATOR for everybody else, referees included."""
Place: TypeAlias = str
"""Something a finger can touch, by the name of its element in the drawing: `sq-e4`.

`btn-end` and the like are buttons: every shell shows them in its own way, beside the drawing.
"""
BUTTON = "btn-"

CHANCE: Actor = "chance"
REFEREE: Actor = "referee"
TABLE: Actor = "table"
"""All seats together, once each of them has agreed."""
SPECTATOR: Viewer = "spectator"
PRESS_DIE = ""
"""Stands among texts and actions for letting chance speak, where a seat may do that or act."""

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)
View = TypeVar("View", bound=Hashable)


class Motion(FrozenValue, frozen=True):
    """A piece went from one place to another, or something happened to it where it is."""

    origin: Place
    target: Place
    via: Place = ""
    """Where its way ends before it comes to its target: over an edge, or on a mine."""
    through: tuple[Place, ...] = ()
    """The places on the way there, in order, for a piece that goes from place to place."""
    how: str = "step"
    """One of the ways to move that a page knows (docs/protocol.md)."""


class RevealedCard(FrozenValue, frozen=True):
    """A card that a seat had put down in secret, and its total."""

    seat: Seat
    place: Place
    """Where the piece stands that it was put down for."""
    name: Message
    card: str
    sum: Message
    """The sum behind the total: 4 - 1."""
    total: int
    has_won: bool


class Reveal(FrozenValue, frozen=True):
    """Cards that lay face down are turned over together: a moment of its own on a page."""

    title: Message
    sides: tuple[RevealedCard, RevealedCard]
    verdict: Message
    """The verb between the two: beats."""
    margin: Message
    """And by how much."""


class Event(FrozenValue, frozen=True):
    """Something that happened, what moved by it, and who witnesses it; None is everybody."""

    message: Message
    motions: tuple[Motion, ...] = ()
    witnesses: frozenset[Viewer] | None = None
    reveal: Reveal | None = None
    """The cards it turned over, if any. Like all of an event they are told once it has happened."""
    place: Place = ""
    """Where it happened, if none of its motions says so."""
    marks: tuple[Mark, ...] = ()
    """Drawn on the board for as long as a page shows what was done last."""


def moves_in(events: Iterable[Event]) -> tuple[Motion, ...]:
    """The motions of these events from one place to another, less those on the spot."""
    return tuple(m for event in events for m in event.motions if m.origin != m.target)


def visible_to(events: Iterable[Event], viewer: Viewer) -> tuple[Event, ...]:
    """The events that this viewer witnesses: all but those meant for others."""
    events = tuple(events)
    for event in events:
        if event.witnesses is not None:
            break
    else:
        return events
    return tuple(
        event if event.witnesses is None else replace(event, witnesses=None)
        for event in events
        if event.witnesses is None or viewer in event.witnesses
    )


class Step(FrozenValue, Generic[State, Action], frozen=True):
    """All that an action leads to."""

    action: Action
    """As the record spells it, however it was put."""
    state: State
    events: tuple[Event, ...]
    is_reveal: bool = False
    """Everything committed in secret so far is now open."""
    seat_changes: Mapping[Seat, Seat] = msgspec.field(default_factory=dict)
    """The player of the one seat sits at the other from now on."""


class Outcome(FrozenValue, frozen=True):
    """The end of a finished game."""

    result: Any
    """As the record writes it: JSON."""
    payoffs: tuple[int, ...]
    """In the order of the seats."""
    why: Message


class Mark(FrozenValue, frozen=True):
    """Something drawn on the board while an offer is being chosen (docs/protocol.md).

    `after` is how many elements of the offer's path have been touched when it shows.
    """

    kind: str
    places: tuple[Place, ...]
    text: str = ""
    after: int = 0


class Offer(FrozenValue, frozen=True):
    """One thing a page can offer: touch the places of `path`, and `actions` are sent as one.

    Several offers may lead to one action, each by its own path and spelling.
    """

    actions: tuple[str, ...]
    """As the notation writes them; none: let chance speak."""
    path: tuple[Place, ...]
    kind: str
    label: Message
    """The deed, as a verb on a button: Pull to e3."""
    prompts: tuple[Message, ...] = ()
    """The prompts after one, two, ... touches; the last is shown when the path is complete."""
    marks: tuple[Mark, ...] = ()
    needs_confirmation: bool = False
    """Never sent without a word to be sure: what cannot be taken back, or costs dearly."""
    can_be_undone: bool = False
    """True if its player may take it back at once: a finger plays it without a word to be sure."""
    is_urgent: bool = False
    """True if it is due now, to be said by somebody."""
    is_always_shown: bool = False
    """There whoever's turn it is: its button is the first, and has the same size at all times."""
    key: str = ""
    """A key of a keyboard for the first place of the path, one that the page has no use for."""

    @property
    def rule(self) -> str:
        return self.label.paragraph


class Edit(FrozenValue, frozen=True):
    """One way to change a position by hand."""

    label: Message
    """The effect: Red Fast, from c3; Empty; Blue to play."""
    position: str
    """The position text that comes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Generic[State, Action, View]):
    """The rules under one set of options: pure functions over frozen states."""

    start: Callable[[], State]
    to_act: Callable[[State], frozenset[Actor]]
    """The authors of turn actions now: one seat; several, who comes first; CHANCE; or nobody.

    CHANCE beside seats means that each of them may act or let the die fall.
    """
    turn_actions: Callable[[State, Actor], tuple[Action, ...]]
    anytime_actions: Callable[[State, Actor], tuple[Action, ...]] = lambda state, actor: ()
    """The actions allowed whoever's turn it is. Both lists are complete and canonical."""
    role_actions: Callable[[State, Actor], tuple[Action, ...]] = lambda state, actor: ()
    """Events by role that need no further words: resign by a seat, void by the referee.

    A menu may show them; they are in no list of legal actions. What needs words (a reason,
    a position) is accepted by `why_not` and listed nowhere.
    """
    secret_actions: Callable[[State, Seat, tuple[Action, ...]], tuple[Action, ...]] = (
        lambda state, seat, committed: ()
    )
    """The actions that a seat may commit face down now, after the given ones of its own.

    The state follows the order of the record. A seat whose place in it has not
    come may commit early; the table holds that and plays it when its place comes.
    """
    actor_of: Callable[[State, Action], Actor]
    """The author of this action, where a record has only its text."""
    why_not: Callable[[State, Actor, Action], Refusal | None]
    """Why the rules refuse this action; None if they allow it. It tells nothing hidden."""
    resolve: Callable[[State, Actor, Action], Step[State, Action]]
    """Everything an action leads to; raises Refused where `why_not` has a reason."""
    odds: Callable[[State], Mapping[Action, Fraction]] = lambda state: {}
    """The probability of each of CHANCE's turn actions; exact; empty when it has none."""
    presser: Callable[[State, Action], Seat | None] = lambda state, action: None
    """The seat that lets the die fall for this action of CHANCE, where each seat does so for
    itself; None where it does not matter who."""
    outcome: Callable[[State], Outcome | None]
    view: Callable[[State, Viewer, tuple[Action, ...]], View]
    """All that a viewer may know: the state as it looks from there, and what it committed early."""
    imagine: Callable[[View, Random], State]
    """Some full state that this view could be a view of."""
    hides_nothing: bool = False
    """True if all see the whole of every position, and nothing is ever committed face down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation(Generic[State, Action, View]):
    """Positions and actions as text. Reading raises Refused; writing gives one spelling."""

    write_state: Callable[[State], str]
    """The position. How a match was ended by an event may be kept beside it."""
    read_state: Callable[[str], State]
    write_view: Callable[[View], str]
    """The position as this viewer may see it; output only."""
    write_action: Callable[[Action], str]
    read_action: Callable[[str], Action]
    filter_extras: Callable[[State, tuple[str, ...]], Mapping[str, Any]] = lambda state, played: {}
    """Its additions to an answer of `kibitz rules`, given the canonical actions played."""


def _reminds_of_nothing(view: View) -> View:
    return view


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminders(Generic[View]):
    """Reminders of a duty that a player should remember: a house rule of the table says who sees
    them. They are a matter of screens; positions and records stay as they are."""

    events: frozenset[str] = frozenset()
    """The events that remind of it, by the ids of their messages."""
    without: Callable[[View], View] = _reminds_of_nothing
    """The view for somebody who is not reminded: equal, whether or not anything is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface(Generic[State, Action, View]):
    """A game on a screen: its drawing, what can be touched, and what is said around it."""

    offers: Callable[[View, Sequence[Action]], tuple[Offer, ...]]
    offer_rows: Callable[[View, Sequence[Action]], Sequence[OfferRow]] | None = None
    """The same offers as rows, where a game makes them so (core.offer_rows)."""
    intent: Callable[[View, Seat, tuple[Place, ...]], Action | Refusal]
    """The action that a seat had in mind which touched these places and found no offer."""
    advice: Callable[[Offer], Message] = lambda offer: offer.label
    """An offer as advice that needs no board beside it: Push d6 one square to d7."""
    hint: Callable[[View, Viewer], Message]
    """The prompt for this viewer: what there is to do, or what is being waited for."""
    status: Callable[[View], tuple[Message, ...]]
    """The lines always shown beside the board, the turn first: how far it is, the score."""
    draw: Callable[[View, Look], Drawing]
    draw_text: Callable[[View, Say], str]
    glyph: Callable[[Seat], str]
    """A small picture that stands for a seat."""
    has_long_turns: bool = False
    """True if a turn has several actions: the list of moves heads each turn by its status."""
    figures: Mapping[Seat, Figure] = field(default_factory=dict)
    """The same in short, for characters."""
    colours: Mapping[Seat, str] = field(default_factory=dict)
    """The colour that a seat's pieces have, by its name (core.colours)."""
    sounds: Mapping[str, str] = field(default_factory=dict)
    """The sound of an event, by the id of its message (docs/protocol.md).

    `won` and `lost` are as the seat named by the message hears it; other seats hear the contrary.
    """
    reminders: Reminders[View] | None = None
    """None where nothing has to be remembered."""
    edits: Callable[[State, Place], tuple[Edit, ...]] = lambda state, place: ()
    """Changes of a position by hand, by touching this place; with no place, `""`, what
    concerns the whole: whose turn it is, an empty board, the start."""
    scoreboard: Callable[[View], Mapping[str, Any]] = lambda view: {}
    """Figures that a screen may show large, as JSON: few, public, by names of the game's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story(Generic[State]):
    """A match told afterwards: its moments, its score, its tallies (core.story)."""

    moments: Mapping[str, Moment] = field(default_factory=dict)
    """The events worth telling, by the ids of their messages."""
    score: Callable[[State], tuple[float, ...]] = lambda state: ()
    """The score of each seat, in their order, by what is public; its word is `<game>.course`.
    Nothing where seats cannot be compared."""
    tallies: Mapping[str, tuple[Count, ...]] = field(default_factory=dict)
    """The counts per seat, in the order they are shown: `<game>.tally-<name>` says what each is."""
    asides: frozenset[str] = frozenset()
    """The events that go without saying where there are others to tell."""
    join: Callable[[Message, Message], Message | None] = lambda one, next: None
    """One message for two events in a row, where that says the same in short."""
    motto: Callable[[State], Message | None] = lambda state: None
    """The last word on a finished match, if there is one."""


def _same_game(moved: Mapping[Seat, Seat]) -> None:
    return None


def _same_size(seat: Seat, before: int, after: int) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePolicy(Generic[State, Action]):
    """The customs of a game at a table, beside its rules."""

    takebacks: bool = True
    """True if an action may be taken back at all, but for the referee."""
    host_rules: bool = False
    """True if the host rules where no referee is named."""
    has_teams: bool = False
    """True if a seat is a team: several people play it together, and others may join them."""
    has_chance: bool = True
    """True if chance ever speaks by itself."""
    plays_forced_moves: bool = False
    """True if a page plays the only legal move by itself, unless its reader chose otherwise."""
    die_delay: Callable[[Any, Sequence[Event]], float] | None = None
    """The seconds that chance should wait before it speaks: somebody may have to be quicker. None
    where nobody ever has to.

    By the view that all at the table have, and the events since it last spoke: where they are not
    reminded, a pause tells nothing either."""
    default_answers: Callable[[State], Mapping[Seat, Action]] = lambda state: {}
    """Where seats owe an answer: what counts for each that is missing when time runs out."""
    needs_everybody: Callable[[Action], bool] = lambda action: False
    """True if it takes the consent of all seats and of the referee, or of the host where none is
    named. Whoever does not answer in time agrees."""
    forfeit: Callable[[State, Seat], Action | None] = lambda state, seat: None
    """The referee's action against a seat whose time has run out, where the game knows of such."""
    is_statement: Callable[[Action], bool] = lambda action: False
    """True if a seat only says so, whatever happens on the board: a call, a note."""
    seat_letter: Callable[[State, Seat], str] = lambda state, seat: seat
    """The letter a seat goes by now, where that changes; its word in the catalogue follows it."""
    reseated_game: Callable[[Mapping[Seat, Seat]], Game[State, Action, Any] | None] = _same_game
    """The game for the same people at other seats, where its options speak of seats; None where
    it stays as it is."""
    resized_game: Callable[[Seat, int, int], Game[State, Action, Any] | None] = _same_size
    """The game once a seat has this number of people and no longer that one, where its options
    speak of it; None where it stays as it is."""
    sized_game: Callable[[Seat, int], Game[State, Action, Any] | None] = lambda seat, size: None
    """The game in which a seat has this number of people, where its options speak of it; raises
    Refused for a number that none can have."""
    pending_options: Callable[[State], frozenset[str]] = lambda state: frozenset()
    """The options that mean nothing yet: a record leaves them out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion(Generic[State, Action]):
    """A match on a real board: what happens there is told by people, who keep a book of it."""

    summary: Callable[[State, Sequence[ReplayStep[State, Action]], Sequence[float]], Summary]
    """Its summary, from its first state, what was played and when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[State, Action, View]):
    """One game under one set of options.

    A game never rolls, reads, prints, waits or remembers. All it knows of a match is the state
    it is given; all it does is answer questions about it. A learner needs `rules` and
    `notation`, a page `ui`.
    """

    name: str
    version: str
    """Of its rules: a record names the one it was played under."""
    options: Mapping[str, Any]
    seats: tuple[Seat, ...]
    rules: Rules[State, Action, View]
    notation: Notation[State, Action, View]
    ui: Interface[State, Action, View]
    story: Story[State] = field(default_factory=Story)
    policy: TablePolicy[State, Action] = field(default_factory=TablePolicy)
    companion: Companion[State, Action] | None = None
    """For a match on a real board; None where it is played here."""


def view_without_reminders(game: Game[Any, Any, View], view: View) -> View:
    return game.ui.reminders.without(view) if game.ui.reminders else view


def without_reminders(game: Game[Any, Any, Any], events: Iterable[Event]) -> tuple[Event, ...]:
    """The events that somebody is told who is not reminded of anything."""
    if game.ui.reminders is None:
        return tuple(events)
    hidden = game.ui.reminders.events
    return tuple(event for event in events if event.message.id not in hidden)


def odds_of_press(
    game: Game[State, Action, Any], state: State, seat: Seat | None
) -> Mapping[Action, Fraction]:
    """The odds of what the die shows when this seat lets it fall; None where nobody has to."""
    odds, presser = game.rules.odds(state), game.rules.presser
    own = {each: share for each, share in odds.items() if presser(state, each) in (None, seat)}
    whole = sum(own.values())
    return odds if len(own) == len(odds) else {each: own[each] / whole for each in own}


def write_choice(game: Game[Any, Action, Any], choice: Action | str) -> str:
    """The text of an action, or of PRESS_DIE."""
    return PRESS_DIE if choice == PRESS_DIE else game.notation.write_action(cast(Action, choice))


def read_choice(game: Game[Any, Action, Any], text: str) -> Action | str:
    return PRESS_DIE if text == PRESS_DIE else game.notation.read_action(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionSetup:
    """The page on which a book for a real board is opened: a template of the game's own."""

    context: Mapping[str, Any]
    """The template's values beside seats and options."""
    own_options: frozenset[str] = frozenset()
    """Options that the page asks for in its own way, or that a real board answers."""


def _no_implied_options(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """A game on the shelf, its options not yet chosen."""

    name: str
    version: str
    game: Callable[[Mapping[str, Any]], Game[Any, Any, Any]]
    """The game under these options; unknown names and wrong values raise Refused."""
    options: type
    """The dataclass of its options (core.options)."""
    preset: Mapping[str, Any]
    """The suggestion to a new table with people; random play must end under it."""
    bots_preset: Mapping[str, Any]
    """The suggestion to a table where only bots play each other."""
    named_presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Options that go together, by a name whose word is `<game>.preset-<name>`."""
    starts: Mapping[str, str] = field(default_factory=dict)
    """The beginnings that a table may choose from, the usual one first: positions, or `start`, by
    a name whose word is `<game>.beginning-<name>`; none where there is but one."""
    words: Path
    """The folder of its catalogues, one file a language: en.po."""
    showcase: str
    """A position that shows what the game is like, or `start`."""
    vignette: str
    """The part of its drawing shown on a card: a viewBox."""
    rule_book: Path | None = None
    """The folder of its rule book, `<game>.md` and `fr/<game>.md`, where that is not docs/rules."""
    tutorial: Path | None = None
    """Its tutorial (core.tutorial), where it has one."""
    pictures: Path | None = None
    """The pictures of its rules page (core.rule_pictures), where it has some."""
    web: Path | None = None
    """The folder of scripts and styles for pages of its own, served below `/static`."""
    templates: Path | None = None
    """The folder of templates for these pages."""
    companion: CompanionSetup | None = None
    """The opening of a book for a match on a real board, where there can be one."""
    extras: Mapping[str, str] = field(default_factory=dict)
    """Modules that know more of it, by part, as dotted names: `kernel`, `bots`, `calls`, `report`,
    `analysis` (docs/adding-a-game.md). They are imported when somebody asks for the part."""
    implied_options: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _no_implied_options
    """Its suggestion beside options that somebody has chosen."""

    def suggested_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a new table with people, once they have chosen these."""
        return {**self.preset, **self.implied_options(given), **given}

    def start_position(self, text: str) -> str:
        """The position that a beginning is the name of; any other text as it is."""
        return self.starts.get(text, text)
