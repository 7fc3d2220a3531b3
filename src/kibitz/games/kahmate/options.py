"""The options of Kahmaté, agreed before a match (11)."""

from dataclasses import dataclass

from kibitz.core.options import Choice, Flag, WholeNumber, check_options, option


@dataclass(frozen=True, slots=True)
class Options:
    tries: int = option(1, WholeNumber(1, 3))
    """The number of tries that win the match."""
    start: str = option("R", Choice(("R", "B")))
    pass_shape: str = option("area", Choice(("area", "line")))
    kick_shape: str = option("area", Choice(("area", "line")))
    between: str = option("both", Choice(("both", "diag")))
    force_beyond: str = option("opponent", Choice(("opponent", "any", "exit")))
    force_down: str = option("yes", Choice(("yes", "no")))
    perfect: str = option("atleast", Choice(("atleast", "exact")))
    turn_limit: int = option(0, WholeNumber())
    """0 is no limit."""
    hold_limit: int = option(0, WholeNumber())
    """0 is no limit."""
    force_exit: str = option("must", Choice(("must", "may")))
    kick_in_goal: bool = option(False, Flag())
    placement: str = option("hidden", Choice(("hidden", "open")))

    def __post_init__(self) -> None:
        check_options(self)


DEFAULT = Options()
NAMED_PRESETS = {"french": {"force_beyond": "exit"}}
"""Where the French rule book differs from the English one in the rules themselves."""
PRESET = {"turn_limit": 200, "hold_limit": 8}
