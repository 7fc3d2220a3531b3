"""The options of Kalamala, agreed before a match (6)."""

from dataclasses import dataclass

from kibitz.core.options import Choice, WholeNumber, check_options, option

REPETITION = ("none", "ko", "superko", "superko-situational")


@dataclass(frozen=True, slots=True)
class Options:
    repetition: str = option("superko", Choice(REPETITION))
    first: str = option("A", Choice(("A", "B")))
    turn_limit: int = option(0, WholeNumber())
    """0 is no limit."""

    def __post_init__(self) -> None:
        check_options(self)


DEFAULT = Options()
PRESET = {"turn_limit": 0}
BOTS_PRESET = {"turn_limit": 500}
