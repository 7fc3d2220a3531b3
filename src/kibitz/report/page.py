"""The page: one HTML file that needs nothing else, and no script."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

import kibitz
from kibitz.bots.player import MAX_MATCH_ACTIONS
from kibitz.core.colours import LIGHT
from kibitz.core.message import fixed_decimal
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK
from kibitz.report.playout import ReportPlan, report_module
from kibitz.report.run import ReportRun, build_run
from kibitz.report.section import Section


@dataclass(frozen=True, slots=True)
class Report:
    html: str
    headlines: tuple[tuple[str, str], ...]


def build_report(plan: ReportPlan, summaries: Sequence[Any], language: str = FALLBACK) -> Report:
    run = build_run(plan, summaries, language)
    sections: Sequence[Section] = report_module(plan.game).sections(run)
    headlines = tuple(line for section in sections for line in section.headlines)
    return Report(_render_html(run, sections, headlines), headlines)


def _render_html(
    run: ReportRun, sections: Sequence[Section], headlines: tuple[tuple[str, str], ...]
) -> str:
    template = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=False
    ).from_string((Path(__file__).parent / "page.html").read_text("utf-8"))
    name = run.say(f"{run.game.name}.title")
    return template.render(
        t=run.say,
        language=run.language,
        colours=LIGHT,
        title=run.say("report.title", n=run.plan.games, game=name),
        command=report_command(run.plan),
        facts=tuple(_facts(run)),
        headlines=headlines,
        sections=sections,
    )


def report_command(plan: ReportPlan) -> str:
    """The command for these very games."""
    words = ["kibitz", "report", plan.game, "-n", str(plan.games), "--seed", str(plan.seed)]
    words += ["--bots", plan.bots[0] if plan.is_even else ",".join(plan.bots)]
    for name, chance in plan.rates.items():
        words += ["--rate", f"{name}={chance}"]
    preset = GAMES[plan.game].bots_preset
    for name, value in plan.options.items():
        if name not in preset or preset[name] != value:
            text = value if isinstance(value, str) else json.dumps(value)
            words += ["-o", f"{name}={text}"]
    return shlex.join(words)


def _facts(run: ReportRun) -> Iterator[tuple[str, str]]:
    plan = run.plan
    bots = zip(run.game.seats, plan.bots, strict=True)
    yield run.say("report.fact-bots"), ", ".join(f"{run.names[s]} {bot}" for s, bot in bots)
    for name, chance in plan.rates.items():
        yield run.say(f"report.fact-{name}"), str(chance)
    options = (f"{name} = {json.dumps(v)}" for name, v in run.game.options.items())
    yield run.say("report.fact-options"), ", ".join(options)
    yield run.say("report.fact-seed"), str(plan.seed)
    yield run.say("report.fact-version"), f"{kibitz.__version__}, {run.game.version}"
    if unfinished := sum(not match.result for match in run.summaries):
        told = run.say("report.unfinished", n=unfinished, actions=fixed_decimal(MAX_MATCH_ACTIONS))
        yield run.say("report.fact-unfinished"), told
