"""What may be agreed before a duel."""

from dataclasses import dataclass

from kibitz.core.options import Choice, WholeNumber, check_options, option


@dataclass(frozen=True, slots=True)
class Options:
    goal: int = option(6, WholeNumber(3, 20))
    die: str = option("falls", Choice(("falls", "pressed")))

    def __post_init__(self) -> None:
        check_options(self)


DEFAULT = Options()
PRESET = {"goal": 4, "die": "pressed"}
