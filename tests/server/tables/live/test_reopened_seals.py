"""No draw follows from what was published before a match was corrected or restored.

`tools/reopened_seals.py` plays more of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.server.db import connect
from support.reopened_seals import play_reopened
from support.server_process import IN_CLUSTER


@pytest.mark.skipif(IN_CLUSTER, reason="what is restored here is the backup of a file")
def test_nobody_can_know_the_draws_of_a_match_that_was_reopened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "HEARTBEAT_MAX_AGE_S", 0.0)
    for game, found in play_reopened(tmp_path, matches=1).items():
        assert found.draws >= 4, game
        assert found.guesses >= 7, game
        assert found.published_seeds == 0, game
        assert found.is_well, (game, found)
        assert found.records == 1, game
