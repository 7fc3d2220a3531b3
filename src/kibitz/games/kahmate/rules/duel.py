"""Duels and cards (8)."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Actor, Event, Reveal, RevealedCard, Seat
from kibitz.core.message import Message, Refusal, message
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.board import name_of, square_place
from kibitz.games.kahmate.messages import card_place, kind_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules.ball import settle_interception
from kibitz.games.kahmate.rules.force import settle_force
from kibitz.games.kahmate.rules.tackle import settle_tackle
from kibitz.games.kahmate.state import (
    ATTACK,
    CARDS,
    DEFENCE,
    Duelling,
    Field,
    State,
    hand_of,
    man_at,
    other_side,
)

# 8  Duels, cards, knock-outs


def modifiers(field: Field, duel: Duelling) -> tuple[int, int]:
    """Of the man who attacks and of the man who defends."""
    attacker, defender = field[duel.attacker], field[duel.defender]
    assert attacker is not None
    assert defender is not None
    return ATTACK[attacker.kind], DEFENCE[defender.kind]


def why_not_card(state: State, actor: Actor, action: Card) -> Refusal | None:
    hand = hand_of(state, actor)
    if action.card in hand:
        return None
    left = ", ".join(map(str, hand))
    return message(
        "kahmate.not-in-hand", "8", card=action.card, hand=left, at=card_place(action.card)
    )


def commit_card(state: State, duel: Duelling, card: int) -> tuple[State, list[Event]]:
    told = message("kahmate.card-down", "8", seat=state.turn)
    return replace(state, phase=replace(duel, card=card)), [Event(told)]


def reveal_cards(
    options: Options, state: State, duel: Duelling, answer: int
) -> tuple[State, list[Event]]:
    """Both cards are shown and spent; then the duel is decided or goes into its second round."""
    attack, defend = modifiers(state.field, duel)
    card = duel.card
    assert card is not None
    margin = card + attack - answer - defend
    spent = (card, answer) if state.turn == "R" else (answer, card)
    left = [
        tuple(each for each in hand if each != played)
        for hand, played in zip(state.hands, spent, strict=True)
    ]
    after = replace(state, hands=(left[0] or CARDS, left[1] or CARDS))
    shown = _cards_message(state.turn, card, attack, answer, defend)
    events = [Event(shown, reveal=_cards_reveal(state, duel, answer))]
    if not left[0]:
        events.append(Event(message("kahmate.refilled", "8")))
    if margin == 0 and duel.round == 1:
        again = replace(after, phase=replace(duel, round=2, card=None))
        return again, [*events, Event(message("kahmate.tie", "8"))]
    if margin == 0:
        events.append(Event(message("kahmate.second-tie", "8", seat=other_side(state.turn))))
    after, more = _settle_duel(options, after, duel, margin)
    return after, events + more


def _cards_message(side: Seat, card: int, attack: int, answer: int, defend: int) -> Message:
    return message(
        "kahmate.shown",
        "8",
        attack=_sum_message(side, card, attack),
        defence=_sum_message(other_side(side), answer, defend),
    )


def _sum_message(side: Seat, card: int, modifier: int) -> Message:
    values = {"card": card, "modifier": abs(modifier), "total": card + modifier}
    return message("kahmate.sum", "8", seat=side, sign=_sign_of(modifier), **values)


def _sign_of(modifier: int) -> str:
    return "\N{MINUS SIGN}" if modifier < 0 else "+"


def _cards_reveal(state: State, duel: Duelling, answer: int) -> Reveal:
    """Both cards, what they come to, and who has won by them."""
    attack, defend = modifiers(state.field, duel)
    card, target = duel.card or 0, duel.receiver
    margin = card + attack - answer - defend
    defended = margin < 0 or (margin == 0 and duel.round == 2)
    names = {
        "origin": name_of(duel.attacker),
        "target": name_of(duel.defender if target is None else target),
    }
    return Reveal(
        message(f"kahmate.draw-contest-{duel.contest}", "8", **names),
        (
            _revealed_card(state, duel.attacker, card, attack, margin > 0),
            _revealed_card(state, duel.defender, answer, defend, defended),
        ),
        *_verdict(margin, duel.round),
    )


def _revealed_card(state: State, square: int, card: int, modifier: int, won: bool) -> RevealedCard:
    man = man_at(state, square)
    return RevealedCard(
        seat=man.side,
        place=square_place(square),
        name=message("kahmate.draw-theirs", seat=man.side, man=kind_message(man)),
        card=str(card),
        sum=message(
            "kahmate.reveal-sum", card=card, sign=_sign_of(modifier), modifier=abs(modifier)
        ),
        total=card + modifier,
        has_won=won,
    )


def _verdict(margin: int, round: int) -> tuple[Message, Message]:
    if margin == 0:
        then = "again" if round == 1 else "defender"
        return message("kahmate.reveal-tie", "8"), message(f"kahmate.reveal-{then}", "8")
    id = "kahmate.reveal-beats" if margin > 0 else "kahmate.reveal-loses"
    return message(id, "8"), message("kahmate.reveal-by", "8", n=abs(margin))


def _settle_duel(
    options: Options, state: State, duel: Duelling, margin: int
) -> tuple[State, list[Event]]:
    """The attacker has won by the margin; by 0 or less he has lost."""
    match duel.contest:
        case "T":
            return settle_tackle(options, state, duel, margin)
        case "F":
            return settle_force(state, duel, margin)
        case "I":
            return settle_interception(state, duel, margin)
