"""README says what is true: its examples run, its commands exist, its picture is ours."""

import doctest
import re
from pathlib import Path

from typer.testing import CliRunner

from kibitz import cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PICTURED = "3B4/1A6/3B4/1A3B2/8/2AA2B1/8/7B A 2,1 2,2 16 -"


def test_the_examples_run() -> None:
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted > 4
    assert found.failed == 0


def test_the_picture_is_what_our_renderer_draws(tmp_path: Path) -> None:
    drawn = tmp_path / "board.svg"
    touched = ["--touch", "sq-d3", "--touch", "sq-g3"]
    result = CliRunner().invoke(
        cli.app, ["draw", "kalamala", PICTURED, *touched, "--out", str(drawn)]
    )
    assert result.exit_code == 0
    assert drawn.read_text() == (ROOT / "docs/pictures/kalamala.svg").read_text()


def test_every_page_it_links_to_is_there() -> None:
    pages = [page for page in re.findall(r"\]\(([^)]+)\)", README) if "://" not in page]
    assert len(pages) > 8
    assert all((ROOT / page).exists() for page in pages)


def test_every_make_target_it_names_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^    make ([\w-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
