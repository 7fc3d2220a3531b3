"""The page about duels shows what its commands print."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from typer.testing import CliRunner

from kibitz.cli import main as cli

PAGE = Path(__file__).parents[2] / "docs" / "duels.md"


def test_the_page_about_duels_shows_what_comes_out() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 4
    assert found.failed == 0
    shown = re.findall(r"```text\n\$ kibitz (.*)\n([^`]*)```", PAGE.read_text())
    assert len(shown) == 1
    for command, output in shown:
        assert CliRunner().invoke(cli.app, command.split()).output == output
