"""README and the page on duels tell the truth: examples run, commands exist, pictures are ours."""

import doctest
import re
from pathlib import Path

from typer.testing import CliRunner

from kibitz.cli import main as cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PICTURED = "3B4/1A6/3B4/1A3B2/8/2AA2B1/8/7B A 2,1 2,2 16 -"


def test_the_examples_run() -> None:
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted > 4
    assert found.failed == 0


def test_the_page_about_duels_shows_what_comes_out() -> None:
    page = ROOT / "docs/duels.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 4
    assert found.failed == 0
    shown = re.findall(r"```text\n\$ kibitz (.*)\n([^`]*)```", page.read_text())
    assert len(shown) == 1
    for command, output in shown:
        assert CliRunner().invoke(cli.app, command.split()).output == output


def test_the_picture_is_what_our_renderer_draws(tmp_path: Path) -> None:
    drawn = tmp_path / "board.svg"
    touched = ["--select", "sq-d3", "--select", "sq-g3"]
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
