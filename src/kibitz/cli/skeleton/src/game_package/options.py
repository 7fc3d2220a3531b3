"""The options of a match."""

from dataclasses import dataclass

from kibitz.core.options import WholeNumber, check_options, option


@dataclass(frozen=True, slots=True)
class Options:
    stones: int = option(12, WholeNumber(4, 24))
    most: int = option(3, WholeNumber(2, 4))
    """The most that may be taken at once."""

    def __post_init__(self) -> None:
        check_options(self)


DEFAULT = Options()
PRESET = {"stones": 12}
