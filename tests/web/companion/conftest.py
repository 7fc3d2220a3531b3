"""Somebody with a phone, who keeps the book."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.browser.companion_player import Keeper

if TYPE_CHECKING:
    from web.conftest import Seated


@pytest.fixture
def keeper(seated: Seated) -> Keeper:
    return Keeper(seated(finger=True))
