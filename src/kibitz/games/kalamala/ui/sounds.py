"""Sounds by the message of an event (docs/protocol.md)."""

from collections.abc import Mapping

SOUNDS: Mapping[str, str] = {
    "kalamala.placed": "step",
    "kalamala.pushed": "push",
    "kalamala.pushed-off": "push",
    "kalamala.pulled": "pull",
    "kalamala.lost": "plop",
    "kalamala.no_action": "win",
    "kalamala.resign": "win",
    "kalamala.forfeit": "win",
}
