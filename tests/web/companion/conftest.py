"""Somebody with a phone, who keeps the book."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.browser.companion_player import CompanionPlayer

if TYPE_CHECKING:
    from web.conftest import Seated


@pytest.fixture
def bookkeeper(seat_player: Seated) -> CompanionPlayer:
    return CompanionPlayer(seat_player(finger=True))
