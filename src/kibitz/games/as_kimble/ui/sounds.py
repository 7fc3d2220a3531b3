"""Sounds by the message of an event (docs/protocol.md)."""

from collections.abc import Mapping

SOUNDS: Mapping[str, str] = {
    "as-kimble.warmed": "dome",
    "as-kimble.lot": "dome",
    "as-kimble.popped": "dome",
    "as-kimble.stray": "dome",
    "as-kimble.stray-in-break": "dome",
    "as-kimble.reset": "dome",
    "as-kimble.not-reset": "dome",
    "as-kimble.entered": "hop",
    "as-kimble.moved": "hop",
    "as-kimble.moved-in-goal": "hop",
    "as-kimble.reached-goal": "hop",
    "as-kimble.split": "hop",
    "as-kimble.doubled": "hop",
    "as-kimble.raised": "won",
    "as-kimble.returned": "hop",
    "as-kimble.eaten": "eat",
    "as-kimble.into-mine": "mine",
    "as-kimble.hembo-due": "horn",
    "as-kimble.hembo-missed": "horn",
    "as-kimble.hembo-needless": "horn",
    "as-kimble.over-won": "win",
    "as-kimble.over-truly": "win",
    "as-kimble.booked-won": "win",
    "as-kimble.booked-truly": "win",
}
