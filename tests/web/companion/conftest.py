"""Somebody with a phone, who keeps the book."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.browser.companion_player import Keeper

if TYPE_CHECKING:
    from web.conftest import Seated


@pytest.fixture
def keeper(seat_player: Seated) -> Keeper:
    return Keeper(seat_player(finger=True))
