"""What holds for every game, as functions of a game and a source of randomness.

They are plain functions so that a faulty game can be held to them as well
(test_faults.py): a law that nothing can break says nothing.
"""

from __future__ import annotations

import re
from dataclasses import fields
from random import Random
from typing import Any, TypeAlias

import pytest

from kibitz.core.drawing import PIECE_LAYERS, Look, svg
from kibitz.core.game import (
    BUTTON,
    CHANCE,
    REFEREE,
    SPECTATOR,
    Game,
    Rulebook,
    Seat,
    Viewer,
    visible_to,
)
from kibitz.core.message import Message, Refusal, Refused
from kibitz.core.options import Choice, Flag, WholeNumber
from kibitz.core.record import read_record, replay, verify, write_record
from kibitz.table import Table, open_table, table_from_rows

AnyGame: TypeAlias = Game[Any, Any, Any]
AnyTable: TypeAlias = Table[Any, Any, Any]
LOOKS = (
    Look(str),
    Look(str, is_tall=True, has_labels=False, prefix="x-", near="B"),
    Look(str, is_coarse=True),
)


def what_is_written_reads_back(game: AnyGame, rng: Random) -> None:
    """But for how an event ended the match, which may be kept beside the position."""
    table = wander(game, rng)
    text = game.notation.write_state(table.state)
    again = game.notation.read_state(text)
    assert game.notation.write_state(again) == text
    assert again == table.state or (table.outcome and not game.rules.outcome(again))
    assert read_record(write_record(table.record)) == table.record
    for actor in actors(game):
        for action in (*listed_actions(table, actor), *game.rules.role_actions(table.state, actor)):
            assert game.notation.read_action(game.notation.write_action(action)) == action


def a_record_replays_and_a_table_reopens(game: AnyGame, rng: Random) -> None:
    table = wander(game, rng)
    # Where several may do a thing, the record does not tell who did.
    steps = [(played.before, played.step) for played in table.history]
    assert [(played.before, played.step) for played in replay(game, table.record)] == steps
    assert verify(game, table.record) is None
    assert table_from_rows(game, table.rows) == table


def exactly_those_to_act_have_turn_actions(game: AnyGame, rng: Random) -> None:
    state = wander(game, rng).state
    to_act = game.rules.to_act(state)
    assert to_act <= {*game.seats, CHANCE}
    is_over = game.rules.outcome(state) is not None
    assert not (is_over and to_act)
    # A game may rest, as long as somebody can end the break.
    assert is_over or to_act or any(game.rules.anytime_actions(state, who) for who in actors(game))
    for actor in actors(game):
        actions = game.rules.turn_actions(state, actor)
        assert not actions or actor in to_act
        # Beside CHANCE a seat may have nothing to do but let the die fall.
        assert actions or actor not in to_act or (CHANCE in to_act and actor != CHANCE)
        assert len(set(actions)) == len(actions)
    for seat in to_act - {CHANCE}:
        assert game.rules.secret_actions(state, seat, ()) in (
            (),
            game.rules.turn_actions(state, seat),
        )


def what_is_listed_is_accepted_and_nothing_else(game: AnyGame, rng: Random) -> None:
    """An unlisted one may still be another spelling of a listed one."""
    tables = evening(game, rng)
    table = rng.choice(tables)
    known = {
        action
        for t in rng.sample(tables, min(9, len(tables)))
        for actor in actors(game)
        for action in (*listed_actions(t, actor), *game.rules.role_actions(t.state, actor))
    }
    for actor in actors(game):
        now = (
            *game.rules.turn_actions(table.state, actor),
            *game.rules.anytime_actions(table.state, actor),
            *game.rules.role_actions(table.state, actor),
        )
        for action in known.union(now):
            if refusal := game.rules.why_not(table.state, actor, action):
                with pytest.raises(Refused) as refused:
                    game.rules.resolve(table.state, actor, action)
                assert refused.value.refusal == refusal
                assert refusal.paragraph
                assert action not in now
            else:
                entered = game.rules.resolve(table.state, actor, action).action
                assert entered in now
                # Some things several may do; a record names one of them.
                recorded = game.rules.actor_of(table.state, entered)
                assert game.rules.why_not(table.state, recorded, entered) is None


def odds_are_over_chances_actions_and_sum_to_one(game: AnyGame, rng: Random) -> None:
    state = wander(game, rng).state
    odds = game.rules.odds(state)
    assert set(odds) == set(game.rules.turn_actions(state, CHANCE))
    assert sum(odds.values()) == (1 if odds else 0)


def what_is_committed_in_secret_looks_alike_to_others(game: AnyGame, rng: Random) -> None:
    """Two tables on which one seat commits other things look the same until they are shown."""
    for secretive in game.seats:
        one = two = rng.choice((open_table(game), wander(game, rng)))
        for _ in range(40):
            if not (choices := moves(one)):
                break
            actor, text = other = rng.choice(choices)
            if actor == secretive and game.notation.read_action(text) in secrets(one, actor):
                other = actor, game.notation.write_action(rng.choice(secrets(two, actor)))
            entered = len(one.history)
            (one, told), (two, also_told) = one.act(actor, text), two.act(*other)
            if any(played.step.is_reveal for played in one.history[entered:]):
                two = one
            elif (one.record, one.commitments) != (two.record, two.commitments):
                for viewer in set(one.viewers) - {secretive}:
                    assert told[viewer] == also_told[viewer]
                    assert all_seen(one, viewer) == all_seen(two, viewer)


def who_hides_nothing_shows_all_to_everybody(game: AnyGame, rng: Random) -> None:
    """A game that says so has no view of its own for anybody, and nothing to commit."""
    if not game.rules.hides_nothing:
        return
    table = wander(game, rng)
    assert len({game.notation.write_view(table.view(each)) for each in table.viewers}) == 1
    assert not any(secrets(table, seat) for seat in game.seats)
    for played in table.history:
        assert len({visible_to(played.step.events, each) for each in table.viewers}) == 1


def commitments_come_in_any_order(game: AnyGame, rng: Random) -> None:
    table = wander(game, rng)
    choices = [
        (seat, game.notation.write_action(rng.choice(secrets(table, seat))))
        for seat in game.seats
        if secrets(table, seat)
    ]
    forwards = backwards = table
    for choice in choices:
        forwards, _ = forwards.act(*choice)
    for choice in reversed(choices):
        backwards, _ = backwards.act(*choice)
    assert forwards.record == backwards.record
    assert forwards.state == backwards.state
    assert all(
        forwards.commitments_of(seat) == backwards.commitments_of(seat) for seat in game.seats
    )
    assert len(forwards.history) + len(forwards.commitments) == (
        len(table.history) + len(table.commitments) + len(choices)
    )


def a_view_imagined_gives_that_view_again(game: AnyGame, rng: Random) -> None:
    table = wander(game, rng)
    for viewer in table.viewers:
        seen = table.view(viewer)
        imagined = game.rules.imagine(seen, rng)
        assert game.rules.view(imagined, viewer, table.commitments_of(viewer)) == seen
        assert game.rules.to_act(imagined) == game.rules.to_act(table.state)
        assert game.rules.turn_actions(imagined, viewer) == game.rules.turn_actions(
            table.state, viewer
        )


def offers_are_the_actions_and_can_be_touched(game: AnyGame, rng: Random) -> None:
    """Every action has an offer, and no offer leads elsewhere; runs of several come on top.

    Around a real board there is also what is in no list: the mishaps that people report.
    """
    table = wander(game, rng)
    for actor in actors(game):
        actions, offers = listed_actions(table, actor), table.offers(actor)
        reached = set()
        for offer in offers:
            if len(offer.actions) == 1:
                reached.add(entered_as(table, actor, game.notation.read_action(offer.actions[0])))
        assert reached == set(actions) or (game.companion is not None and reached > set(actions))
        places = {place for offer in offers for place in offer.path}
        places |= {place for o in offers for mark in o.marks for place in mark.places}
        places = {place for place in places if not place.startswith(BUTTON)}
        for look in LOOKS:
            assert places <= game.ui.draw(view_for(table, actor), look).places.keys()


def a_touch_is_answered(game: AnyGame, rng: Random) -> None:
    """Whatever is touched, by whomever, the answer is a sentence and nothing is played."""
    table = wander(game, rng)
    places = game.ui.draw(view_for(table, game.seats[0]), LOOKS[0]).places
    for seat in game.seats:
        for _ in range(20):
            path = tuple(rng.choice((*places, "nowhere")) for _ in range(rng.randrange(5)))
            answer = table.why_not(seat, path)
            assert isinstance(answer, Message)
            if answer.id == "table.allowed":
                action = game.ui.intent(table.view(seat), seat, path)
                assert action is not None
                assert entered_as(table, seat, action) in listed_actions(table, seat)


def drawings_are_safe_and_still_layers_stay(game: AnyGame, rng: Random) -> None:
    one, two = wander(game, rng), open_table(game)
    for viewer in one.viewers:
        for look in LOOKS:
            first, second = (game.ui.draw(table.view(viewer), look) for table in (one, two))
            assert first.view_box == second.view_box
            assert all(
                first.layers.get(name) == second.layers.get(name) for name in first.static_layers
            )
            drawn = svg(first)
            assert "style=" not in drawn
            assert "<script" not in drawn
            ids = [part.split('"')[0] for part in drawn.split(' id="')[1:]]
            assert len(set(ids)) == len(ids)


def a_drawing_says_what_is_in_it(game: AnyGame, rng: Random) -> None:
    """The places to touch and the pieces of the markup are those that it has as data."""
    table = wander(game, rng)
    for viewer in table.viewers:
        for look in (look for look in LOOKS if not look.is_coarse):
            drawing = game.ui.draw(table.view(viewer), look)
            hits = re.findall(r'<[^>]* data-el="([^"]*)"[^>]*>', drawing.layers["hit"])
            assert hits == [*drawing.places]
            for rect in re.finditer(r'<[^>]* data-el="([^"]*)"[^>]*>', drawing.layers["hit"]):
                spot = drawing.places[rect[1]]
                assert f" {spot.box} " in rect[0].replace("/>", " ")
                assert spot.is_round == (f' rx="{max(spot.box[2:]) / 2:g}"' in rect[0])
                assert spot.is_round == (' data-shape="round"' in rect[0])
            stand = "".join(drawing.layers.get(layer, "") for layer in PIECE_LAYERS)
            shown = re.findall(rf'id="{look.prefix}pc-([^"]*)"(?![^>]* opacity="0")', stand)
            assert sorted(shown) == sorted(piece.place for piece in drawing.pieces)
            round_ones = re.findall(rf'id="{look.prefix}pc-([^"]*)"[^>]* data-shape="round"', stand)
            pieces = {piece.place for piece in drawing.pieces if piece.figure.is_round}
            assert {*round_ones} & {*shown} == pieces
            others = set(drawing.layers) - PIECE_LAYERS
            assert not any(f'id="{look.prefix}pc-' in drawing.layers[name] for name in others)


def edits_are_positions(game: AnyGame, rng: Random) -> None:
    """Whatever is touched by hand, in whatever phase, a position comes of it, and another one."""
    state = wander(game, rng).state
    for place in rng.sample(known := places(game, state), min(20, len(known))):
        edits = game.ui.edits(state, place)
        texts, labels = [edit.position for edit in edits], [edit.label for edit in edits]
        for text in texts:
            assert game.notation.write_state(game.notation.read_state(text)) == text
        assert game.notation.write_state(state) not in texts
        assert len(set(texts)) == len(texts)
        assert len(set(labels)) == len(labels)


def random_play_ends(game: AnyGame, rng: Random) -> None:
    state = game.rules.start()
    for _ in range(10_000):
        listed = [
            (who, a)
            for who in sorted(game.rules.to_act(state))
            for a in game.rules.turn_actions(state, who)
        ]
        if not listed:
            break
        actor, action = rng.choice(listed)
        state = game.rules.resolve(state, actor, action).state
    assert game.rules.outcome(state)


def an_outcome_pays_every_seat(game: AnyGame, rng: Random) -> None:
    table = evening(game, rng)[-1]
    if over := table.outcome:
        assert len(over.payoffs) == len(game.seats)
        assert not any(game.rules.turn_actions(table.state, actor) for actor in actors(game))
        assert not any(game.rules.role_actions(table.state, actor) for actor in actors(game))


def a_table_tells_no_more_than_the_game(game: AnyGame, rng: Random) -> None:
    table = wander(game, rng)
    if not (choices := moves(table)):
        return
    after, told = table.act(*rng.choice(choices))
    steps = after.history[len(table.history) :]
    for viewer in after.viewers:
        witnessed = [event for p in steps for event in visible_to(p.step.events, viewer)]
        assert [e for e in told[viewer] if not e.message.id.startswith("table.")] == witnessed
        assert after.view(viewer) == game.rules.view(
            after.state, viewer, after.commitments_of(viewer)
        )


LAWS = (
    what_is_written_reads_back,
    a_record_replays_and_a_table_reopens,
    exactly_those_to_act_have_turn_actions,
    what_is_listed_is_accepted_and_nothing_else,
    odds_are_over_chances_actions_and_sum_to_one,
    what_is_committed_in_secret_looks_alike_to_others,
    who_hides_nothing_shows_all_to_everybody,
    commitments_come_in_any_order,
    a_view_imagined_gives_that_view_again,
    offers_are_the_actions_and_can_be_touched,
    a_touch_is_answered,
    drawings_are_safe_and_still_layers_stay,
    a_drawing_says_what_is_in_it,
    edits_are_positions,
    an_outcome_pays_every_seat,
    a_table_tells_no_more_than_the_game,
)
"""Under any options; `random_play_ends` holds under the preset."""


OTHERS: dict[str, tuple[Any, ...]] = {
    "team_size": ([1, 1, 1, 1], [2, 1, 4, 1]),
    "unit_factor": (1, 0.5),
}
"""Options of other kinds, by name."""


def some_options(rulebook: Rulebook, rng: Random) -> dict[str, Any]:
    """Options that the game allows, as likely as not the suggested ones."""
    if rng.random() < 0.5:
        return dict(rulebook.preset)
    while True:
        chosen = _any_options(rulebook, rng)
        try:
            rulebook.game(chosen)
        except Refused:  # Some do not go together.
            continue
        return chosen


def _any_options(rulebook: Rulebook, rng: Random) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for each in fields(rulebook.options):
        match each.metadata["allowed"]:
            case Choice(words):
                chosen[each.name] = rng.choice(words)
            case WholeNumber(least, most):
                chosen[each.name] = rng.randint(least, least + 60 if most is None else most)
            case Flag():
                chosen[each.name] = rng.random() < 0.5
            case _ if each.name in OTHERS:
                chosen[each.name] = rng.choice(OTHERS[each.name])
    return chosen


def wander(game: AnyGame, rng: Random) -> AnyTable:
    return rng.choice(evening(game, rng))


def evening(game: AnyGame, rng: Random) -> list[AnyTable]:
    """The tables of a random match, some of it played early, some out of turn, some ended."""
    tables = [open_table(game)]
    for _ in range(rng.choice((20, 150))):
        choices = moves(tables[-1])
        if rng.random() < 0.01:
            choices = role_moves(tables[-1]) or choices
        if choices:
            tables.append(tables[-1].act(*rng.choice(choices))[0])
    return tables


def moves(table: AnyTable) -> list[tuple[str, str]]:
    """All that anybody may send."""
    write = table.game.notation.write_action
    return [(actor, write(a)) for actor in actors(table.game) for a in listed_actions(table, actor)]


def role_moves(table: AnyTable) -> list[tuple[str, str]]:
    game = table.game
    return [
        (actor, game.notation.write_action(action))
        for actor in actors(game)
        for action in game.rules.role_actions(table.state, actor)
    ]


def listed_actions(table: AnyTable, actor: str) -> tuple[Any, ...]:
    return table.actions(actor) + table.game.rules.anytime_actions(table.state, actor)


def entered_as(table: AnyTable, actor: str, action: Any) -> Any:
    """The action as the record would spell it; early ones are held as they are."""
    if action in listed_actions(table, actor):
        return action
    return table.game.rules.resolve(table.state, actor, action).action


def places(game: AnyGame, state: Any) -> list[str]:
    """Whatever a finger can touch, the whole, and what is nowhere."""
    return ["", "nowhere", *game.ui.draw(game.rules.view(state, SPECTATOR, ()), LOOKS[0]).places]


def secrets(table: AnyTable, seat: Seat) -> tuple[Any, ...]:
    return table.game.rules.secret_actions(table.state, seat, table.commitments_of(seat))


def actors(game: AnyGame) -> tuple[str, ...]:
    return (*game.seats, CHANCE, REFEREE)


def view_for(table: AnyTable, actor: str) -> Any:
    return table.view(actor if actor in table.game.seats else SPECTATOR)


def all_seen(table: AnyTable, viewer: Viewer) -> tuple[Any, ...]:
    """All that a viewer is ever sent."""
    game, seen, actions = table.game, table.view(viewer), listed_actions(table, viewer)
    drawn = [game.ui.draw(seen, look) for look in LOOKS]
    written = game.notation.write_view(seen), game.ui.draw_text(seen, str)
    record, ready = table.record_for(viewer), table.ready_seats
    return (
        seen,
        actions,
        table.offers(viewer),
        drawn,
        written,
        record,
        ready,
        refusals(table, viewer),
    )


def refusals(table: AnyTable, viewer: Viewer) -> list[Refusal | None]:
    """What a viewer hears who tries everything anybody could do at the start."""
    tried = {
        action for seat in table.game.seats for action in secrets(open_table(table.game), seat)
    }
    return [
        table.game.rules.why_not(table.state, viewer, action)
        for action in sorted(tried, key=table.game.notation.write_action)
    ]
