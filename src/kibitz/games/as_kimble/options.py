"""The options of AS-Kimble, agreed before a game (15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from kibitz.core.message import Message, Refused, message
from kibitz.core.options import Choice, Flag, WholeNumber, check_options, option
from kibitz.games.as_kimble.board import TEAMS

MAX_AMOUNT = 10**15
"""Of anything that is counted: far beyond what any table needs."""
LITRES = {"units": 0, "soft": 0.165, "cans": 0.165, "wine": 0.12, "custom": 0}
"""Of one share, by the unit (11.3)."""
ALCOHOL = ("cans", "wine")
"""For adults; whoever wants something else has something else (11.4)."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The number of players of each team, in the order of colours."""

    def allows(self, value: object) -> bool:
        if not isinstance(value, tuple) or len(value) != len(TEAMS):
            return False
        return all(type(size) is int and 1 <= size < MAX_AMOUNT for size in value)

    @property
    def description(self) -> Message:
        return message("as-kimble.options-sizes")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, whole or not."""

    may_be_zero: bool

    def allows(self, value: object) -> bool:
        if type(value) not in (int, float):
            return False
        assert isinstance(value, int | float)
        return abs(value) < MAX_AMOUNT and (value > 0 or (value == 0 and self.may_be_zero))

    @property
    def description(self) -> Message:
        kind = "amount-or-none" if self.may_be_zero else "amount"
        return message(f"as-kimble.options-{kind}")


@dataclass(frozen=True, slots=True)
class Text:
    """Some words."""

    def allows(self, value: object) -> bool:
        return type(value) is str and bool(value)

    @property
    def description(self) -> Message:
        return message("as-kimble.options-text")


@dataclass(frozen=True, slots=True)
class OrUnset:
    """A kind of option that may also be left out."""

    allowed: Amount | Text

    def allows(self, value: object) -> bool:
        return value is None or self.allowed.allows(value)

    @property
    def description(self) -> Message:
        return self.allowed.description


@dataclass(frozen=True, slots=True)
class Options:
    mode: str = option("digital", Choice(("digital", "companion")))
    team_size: tuple[int, int, int, int] = option((1, 1, 1, 1), Sizes())
    raising: bool = option(True, Flag())
    raise_return: str = option("owner", Choice(("owner", "rearmost")))
    refusal: str = option("opportunity", Choice(("opportunity", "final")))
    finished: str = option("pop", Choice(("pop", "skip")))
    hembo: str = option("call", Choice(("call", "off")))
    pace: str = option("free", Choice(("free", "turn")))
    break_penalty: int = option(1, WholeNumber(maximum=99))
    """Owed by a team each time that it ignores a break around a real board (12.3)."""
    unit: str = option("units", Choice(tuple(LITRES)))
    unit_name: str | None = option(None, OrUnset(Text()))
    """Needed for a custom unit, and for no other."""
    unit_factor: float = option(1, Amount(may_be_zero=False))
    litres_per_share: float | None = option(None, OrUnset(Amount(may_be_zero=True)))
    """The unit's own where nothing is said."""
    die: str = option("fair", Choice(("fair", "naksu")))

    def __post_init__(self) -> None:
        check_options(self)
        if (self.unit == "custom") != (self.unit_name is not None):
            kind = "needed" if self.unit == "custom" else "unneeded"
            raise Refused(message(f"as-kimble.options-unit-name-{kind}"))

    def size_of(self, team: str) -> int:
        return self.team_size[TEAMS.index(team)]

    def litres(self, team: str, penalties: int) -> float:
        """The litres that so many penalties of a team come to (11.3)."""
        share = LITRES[self.unit] if self.litres_per_share is None else self.litres_per_share
        return penalties * self.size_of(team) * self.unit_factor * share


def options_from_json(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options as JSON gives them, as the dataclass wants them."""
    found = dict(given)
    for name in ("unit_name", "litres_per_share"):
        if name in found and found[name] is None:
            refusal = message(
                "options.value", name=name, value="null", allowed=UNSET_KINDS[name].description
            )
            raise Refused(refusal)
    if isinstance(found.get("team_size"), list):
        found["team_size"] = tuple(found["team_size"])
    return found


UNSET_KINDS: Mapping[str, Any] = {
    each.name: each.metadata["allowed"] for each in fields(Options) if each.default is None
}


def options_as_json(options: Options) -> dict[str, Any]:
    """The options as JSON, those that are not set left out."""
    found = {each.name: getattr(options, each.name) for each in fields(options)}
    found["team_size"] = list(options.team_size)
    return {name: value for name, value in found.items() if value is not None}


DEFAULT = Options()
PRESET = {"pace": "turn"}


def implied_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing hurries anybody beside an alcohol preset (11.4), or around a real board (11.1)."""
    is_free = given.get("unit") in ALCOHOL or given.get("mode") == "companion"
    return {"pace": "free"} if is_free else {}
