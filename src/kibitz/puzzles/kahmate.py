"""Puzzles of Kahmaté: the one best card of a duel, by the theory of the hand game.

The proof is a saddle point in exact fractions: the card secures its lead against every card of the
defender, and every other card brings less against the defender's best mix. `figures` are the leads
that the solution and the next best card bring, in duels.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from msgspec.structs import replace

from kibitz.bots.api import SearchContext
from kibitz.bots.kahmate.levels import LEVELS
from kibitz.core.game import CHANCE
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.duels import Round, hand_game
from kibitz.games.kahmate.rules.duel import modifiers
from kibitz.games.kahmate.state import (
    CARDS,
    SEATS,
    Duelling,
    Hand,
    Playing,
    State,
    hand_of,
    other_side,
)
from kibitz.puzzles.puzzle import Puzzle, puzzle_id

OPTIONS: dict[str, Any] = {}
RULE = "8"
THEMES = {"T": "tackle", "F": "force", "I": "interception"}
HAND_SIZES = (2, 3, 4)
MIN_GAP = Fraction(1, 20)
"""Of a duel: what comes closer is no other choice to a person."""
MAX_TURNS, NODES_PER_TURN, DEALS_PER_DUEL = 40, 300, 24
FIRST_RATING, RATING_PER_CARD, MOST_FOR_CLOSENESS = 900, 150, 400


def puzzles_of_match(game: Any, seed: int) -> Iterator[Puzzle]:
    """Duels of a match that a bot plays with itself from any set-up, under other hands that may
    be left by then. Of each kind of duel there is one."""
    rng, seen = Random(seed), set[str]()
    for state in _played_states(game, rng):
        duel = state.phase
        if not isinstance(duel, Duelling) or duel.card or duel.round > 1 or duel.contest in seen:
            continue
        for _ in range(DEALS_PER_DUEL):
            if puzzle := puzzle_at(game, replace(state, hands=_dealt_hands(rng))):
                seen.add(duel.contest)
                yield puzzle
                break


def _played_states(game: Any, rng: Random) -> Iterator[State]:
    state = game.rules.start()
    while (actors := game.rules.to_act(state)) and state.turns < MAX_TURNS:
        actor = sorted(actors)[0]
        if actor == CHANCE:
            odds = game.rules.odds(state)
            action = rng.choices(list(odds), list(map(float, odds.values())))[0]
        elif isinstance(state.phase, Playing):
            think = SearchContext(game, actor, rng, nodes=NODES_PER_TURN)
            view = game.rules.view(state, actor, ())
            action = LEVELS[0](view, game.rules.turn_actions(state, actor), think)
        else:
            action = rng.choice(game.rules.turn_actions(state, actor))
        state = game.rules.resolve(state, actor, action).state
        yield state


def _dealt_hands(rng: Random) -> tuple[Hand, Hand]:
    size = rng.choice(HAND_SIZES)
    mine, theirs = (tuple(sorted(rng.sample(CARDS, size))) for _ in SEATS)
    return mine, theirs


def puzzle_at(game: Any, state: State) -> Puzzle | None:
    """The puzzle at a duel, proved; None where more than one card may be best."""
    duel = state.phase
    if not isinstance(duel, Duelling) or duel.card or duel.round > 1:
        return None
    hand, other_hand = hand_of(state, state.turn), hand_of(state, other_side(state.turn))
    attack, defence = modifiers(state.field, duel)
    found = hand_game(attack, defence, hand, other_hand)
    leads = card_leads(found, attack - defence, hand, other_hand)
    best = max(hand, key=lambda card: found.attacker[card])
    secured = min(leads[best, theirs] for theirs in other_hand)
    against_mix = {
        card: sum(found.defender[theirs] * leads[card, theirs] for theirs in other_hand)
        for card in hand
    }
    second = max(lead for card, lead in against_mix.items() if card != best)
    is_saddle = secured == against_mix[best] and secured - second >= MIN_GAP
    # That the highest card is good needs no puzzle.
    if not is_saddle or best == hand[-1]:
        return None
    answer = max(other_hand, key=lambda card: found.defender[card])
    start = game.notation.write_state(state)
    closeness = max(0, MOST_FOR_CLOSENESS - round(400 * (secured - second)))
    return Puzzle(
        id=puzzle_id(start),
        theme=THEMES[duel.contest],
        seat=state.turn,
        rating=FIRST_RATING + RATING_PER_CARD * len(hand) + closeness,
        start=start,
        solution=game.notation.write_action(Card(best)),
        then=(game.notation.write_action(Card(answer)),),
        figures=(f"{float(secured):.2f}", f"{float(second):.2f}"),
    )


def card_leads(
    found: Round, edge: int, hand: Hand, other_hand: Hand
) -> dict[tuple[int, int], Fraction]:
    """The lead of the attacker once two cards have met, by both cards: duels that he wins less
    those that he loses from then on, both captains at their best."""
    return {
        (mine, theirs): found.ties[mine, theirs].outlook.lead
        if (mine, theirs) in found.ties
        else _lead_after(mine + edge - theirs, _without(hand, mine), _without(other_hand, theirs))
        for mine in hand
        for theirs in other_hand
    }


def _lead_after(margin: int, hand: Hand, other_hand: Hand) -> Fraction:
    won = Fraction(1 if margin > 0 else -1)
    return won + hand_game(0, 0, hand, other_hand).outlook.lead if hand else won


def _without(hand: Hand, card: int) -> Hand:
    return tuple(other for other in hand if other != card)
