"""The page has all sections, the right numbers and nothing from outside; the command writes it."""

from __future__ import annotations

import ast
import json
import re
import shlex
from functools import lru_cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from babel.messages.pofile import read_po
from typer.testing import CliRunner, Result

from kibitz.cli import main as cli
from kibitz.core.colours import LIGHT
from kibitz.core.message import Refused
from kibitz.i18n import LANGUAGES
from kibitz.i18n.shell import refusal_sentence, shell_phrases
from kibitz.report import page
from kibitz.report.page import Report, build_report, report_command
from kibitz.report.playout import ReportPlan, summaries
from support.languages.foreign_words import vocabulary, words_in

SOURCE = Path(cli.__file__).parents[1]
PLANS = {
    "as-kimble": ReportPlan(
        game="as-kimble",
        options={"pace": "free"},
        bots=("random",) * 4,
        games=8,
        rates={"done": 0.1, "raising": 0.5, "hembo": 0.5},
    ),
    "kahmate": ReportPlan(
        game="kahmate",
        options={"turn_limit": 60, "hold_limit": 8},
        bots=("greedy", "random"),
        games=4,
    ),
    "kalamala": ReportPlan(
        game="kalamala", options={"turn_limit": 80}, bots=("random",) * 2, games=8
    ),
}
SECTIONS = {
    "as-kimble": "length winners victories penalties raising multiplying hembo",
    "kahmate": "length winners ends duels scorers cards deeds",
    "kalamala": "length winners ends lost deeds",
}
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Reader(HTMLParser):
    """Sees that elements are closed as they were opened, and takes tables apart."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.section = ""
        self.rows: dict[str, list[list[str]]] = {}
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.append((tag, values))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "section":
            self.section = values["id"] or ""
        if tag == "tr":
            self.rows.setdefault(self.section, []).append([])
        if tag in ("td", "th"):
            self.rows[self.section][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[self.section][-1][-1] += data


@lru_cache
def play_games(name: str) -> tuple[Any, ...]:
    return tuple(summaries(PLANS[name]))


@lru_cache
def report_on(name: str) -> Report:
    return build_report(PLANS[name], play_games(name))


@lru_cache
def read(name: str) -> Reader:
    return Reader(report_on(name).html)


def cell(name: str, section: str, row: str, column: int) -> str:
    return next(r[column] for r in read(name).rows[section] if r[0] == row)


@pytest.mark.parametrize("name", PLANS)
def test_the_page_has_every_section_and_needs_nothing_else(name: str) -> None:
    found = read(name)
    sections = [values["id"] for tag, values in found.tags if tag == "section"]
    assert sections == SECTIONS[name].split()
    assert all(found.rows[section] for section in SECTIONS[name].split())
    assert sum(tag == "figure" for tag, _ in found.tags) >= len(sections) - 2
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in found.tags}
    for _, values in found.tags:
        assert not any(attribute.startswith("on") for attribute in values)
        links = [values[each] for each in ("href", "src", "xlink:href") if each in values]
        assert all((link or "").startswith("#") for link in links)
    ids = [values["id"] for _, values in found.tags if "id" in values]
    assert len(ids) == len(set(ids))
    assert "@import" not in report_on(name).html


@pytest.mark.parametrize("name", PLANS)
def test_a_side_has_its_colour_in_every_plot_that_names_it(name: str) -> None:
    html = report_on(name).html.lower()
    seats = PLANS[name].build_game().seats
    for seat in seats:
        colour = LIGHT[f"K{seat}" if name == "kalamala" else seat].lower()
        assert colour in html


@pytest.mark.parametrize("name", PLANS)
def test_lengths_and_wins_are_those_of_the_games(name: str) -> None:
    games = play_games(name)
    unit = "pops" if name == "as-kimble" else "turns"
    values = [getattr(game, unit) for game in games]
    mean, *_, longest = next(r for r in read(name).rows["length"] if r[0] == f"{unit} per game")[1:]
    assert float(mean.split()[0].replace(",", "")) == pytest.approx(fmean(values), abs=0.051)
    assert int(longest.replace(",", "")) == max(values)
    folded = [r for r in read(name).rows["length"] if "\N{EN DASH}" in r[0]]
    assert sum(int(count) for _, count in folded) == len(games)
    wins = [r for r in read(name).rows["winners"] if r[1] in ("random", "greedy")]
    assert [int(row[2]) for row in wins] == [
        sum(game.result == seat for game in games) for seat in PLANS[name].build_game().seats
    ]


def test_the_numbers_of_as_kimble() -> None:
    games = play_games("as-kimble")
    for at, team in enumerate(("Red", "Blue", "Yellow", "Green")):
        received = cell("as-kimble", "penalties", team, 1)
        assert float(received.split()[0]) == pytest.approx(
            fmean(game.penalties_received[at] for game in games), abs=0.051
        )
        missed = cell("as-kimble", "hembo", team, 2)
        assert float(missed.split()[0]) == pytest.approx(
            fmean(game.hembo_missed[at] for game in games), abs=0.051
        )
    raised = [game for game in games if any(game.raises)]
    assert int(cell("as-kimble", "raising", "games with a raise", 1)) == len(raised)
    doubles = sum(size == 2 for game in games for _, size in game.pieces_made)
    assert int(cell("as-kimble", "multiplying", "doubles made per game", 1)) == doubles
    bites = [
        float(row[3].split()[0])
        for row in read("as-kimble").rows["multiplying"]
        if " eats " in row[0]
    ]
    eaten = [sum(bite.penalties * n for bite, n in game.bites) for game in games]
    assert sum(bites) == pytest.approx(fmean(eaten), abs=0.2)


def test_the_numbers_of_kahmate_and_kalamala() -> None:
    tackles = [
        duel for match in play_games("kahmate") for duel in match.duels if duel.contest == "T"
    ]
    assert int(cell("kahmate", "duels", "tackles", 2)) == len(tackles)
    fast = sum(man == "F" for match in play_games("kahmate") for _, man in match.tries)
    assert int(cell("kahmate", "scorers", "Fast man", 1)) == fast
    lost = fmean(match.stones_lost[0] for match in play_games("kalamala"))
    assert float(cell("kalamala", "lost", "Rings", 1).split()[0]) == pytest.approx(lost, abs=0.051)


def test_a_game_that_is_broken_off_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.report.playout.MAX_MATCH_ACTIONS", 10)
    monkeypatch.setattr(page, "MAX_MATCH_ACTIONS", 10)
    plan = ReportPlan(game="kalamala", options={}, bots=("random",) * 2, games=2)
    html = build_report(plan, tuple(summaries(plan))).html
    assert "2 games were not over after 10 actions" in html


# The command


def kibitz(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, list(arguments))


@pytest.mark.parametrize("name", PLANS)
def test_the_command_on_the_page_plays_these_very_games(name: str, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    words = shlex.split(report_command(PLANS[name]))
    shown = re.search(r"<pre><code>(.*)</code></pre>", report_on(name).html)
    assert shown
    assert unescape(shown[1]) == shlex.join(words)
    result = kibitz(*words[1:], "--processes", "1", "--out", str(out))
    assert result.exit_code == 0, result.exception
    assert out.read_text() == report_on(name).html
    assert str(out) in result.stdout
    for what, number in report_on(name).headlines:
        assert re.search(rf"{re.escape(what)} +{re.escape(number)}", result.stdout)


def test_programs_get_the_headlines_in_english(tmp_path: Path) -> None:
    asked = ["report", "kalamala", "-n", "2", "--processes", "1", "--json"]
    found = []
    for language in ("en", "fr"):
        out = tmp_path / f"{language}.html"
        done = kibitz("--language", language, *asked, "--out", str(out))
        found.append(json.loads(done.stdout))
        assert f'<html lang="{language}"' in out.read_text()
        assert found[-1].pop("file") == str(out)
    assert found[0] == found[1]
    assert (found[0]["game"], found[0]["games"]) == ("kalamala", 2)
    assert found[0]["headlines"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("go", "no game called go"),
        ("kalamala --bots clever", "no bot called clever"),
        ("kalamala --bots random,random,random", "one for each of A, B, not 3"),
        ("kalamala -o komi=7", "no option komi"),
        ("kalamala --rate raising=0.5", "is not a rate for kalamala"),
        ("as-kimble -o pace=free", "set --rate done=… above 0"),
        ("as-kimble -o pace=free --rate done=0", "set --rate done=… above 0"),
        ("as-kimble --rate done=0.1", "--rate done=… needs -o pace=free"),
        ("as-kimble -o mode=companion", "mode=digital"),
        ("kalamala --out nowhere/report.html", "Cannot write nowhere/report.html"),
    ],
)
def test_what_cannot_be_gets_one_sentence(arguments: str, said: str) -> None:
    error = kibitz("report", *arguments.split()).exception
    assert isinstance(error, Refused), error
    assert said in refusal_sentence(error.refusal, shell_phrases())
    assert "\n" not in refusal_sentence(error.refusal, shell_phrases())


def test_rates_and_numbers_of_games_have_their_bounds() -> None:
    assert isinstance(kibitz("report", "as-kimble", "--rate", "raising=1.5").exception, Refused)
    assert kibitz("report", "kalamala", "-n", "0").exit_code == 2


def test_without_matplotlib_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.cli.bot_commands.find_spec", lambda name: None)
    error = kibitz("report", "kalamala").exception
    assert isinstance(error, Refused)
    assert 'pip install "kibitz[report]"' in refusal_sentence(error.refusal, shell_phrases())


def test_every_sentence_of_a_report_has_words() -> None:
    with (SOURCE / "i18n/en.po").open("rb") as file:
        known = {e.id[0] if isinstance(e.id, tuple) else e.id for e in read_po(file)}
    files = [*(SOURCE / "report").rglob("*.py"), *(SOURCE / "cli").rglob("*.py")]
    spoken = {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    ids = {each for each in spoken if re.fullmatch(r"report\.[\w-]*\w", each)}
    assert len(ids) > 50
    assert ids - {"report.html"} - known == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PLANS)
def test_the_page_is_in_one_language(name: str, language: str) -> None:
    """Names of options and bots, which are English everywhere, stand in the first table."""
    plan = PLANS[name]
    found = build_report(plan, play_games(name), language)
    assert f'<html lang="{language}">' in found.html
    aside = r"<style.*?</style>|<pre>.*?</pre>|<table class=.facts.>.*?</table>|<!--.*?-->|<[^>]*>"
    text = unescape(re.sub(aside, " ", found.html, flags=re.DOTALL))
    others = {word for each in LANGUAGES if each != language for word in vocabulary(each)}
    bots = words_in(" ".join(plan.bots))
    assert words_in(text) & others - vocabulary(language) - bots == set()
    numbers = "".join(value for _, value in found.headlines)
    assert ("," in numbers, "." in numbers) == (language != "en", language == "en")
