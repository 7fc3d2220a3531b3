"""Bots of one's own: functions and programs, and what becomes of those that misbehave."""

from __future__ import annotations

import json
import logging
import re
import shlex
import sys
import time
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kibitz.arena.match import play_match
from kibitz.arena.observer import Witness
from kibitz.arena.plan import ArenaPlan, schedule
from kibitz.bots import greedy, spec, subprocess_bot
from kibitz.bots.api import SearchContext
from kibitz.bots.guest_bots import GuestBot, read_guest_bots, register_guest_bots
from kibitz.bots.player import Forfeit, Player
from kibitz.bots.registry import BOTS, choose_action
from kibitz.bots.spec import player_for, read_spec
from kibitz.core.game import Seat
from kibitz.core.message import Refused
from kibitz.core.record import read_record, verify
from kibitz.games import GAMES, game_of
from kibitz.i18n import say_in
from kibitz.table import Table, open_table
from support.bots.bot_questions import question_at

EXAMPLES = Path(__file__).parents[2] / "examples"
SAY = say_in("en")
AnyTable = Table[Any, Any, Any]
READY = """
import json, os, sys, time
def say(text): print(text, flush=True)
sys.stdin.readline()
say('{"type": "ready"}')
"""


def program_of(tmp_path: Path, body: str, begins: str = READY) -> str:
    """A program in Python that says it is ready and then does this."""
    file = tmp_path / "bot.py"
    file.write_text(begins + body)
    return f"run:{shlex.quote(sys.executable)} -S {shlex.quote(str(file))}"


def function_of(tmp_path: Path, body: str) -> str:
    file = tmp_path / "function.py"
    file.write_text(f"def choose(view, actions, think):\n    {body}\n")
    return f"{file}:choose"


def answer_of(player: Player, table: AnyTable | None = None, seat: Seat = "A") -> str:
    """What it chooses."""
    table = table or open_table(GAMES["kalamala"].game({}))
    think = SearchContext(table.game, seat, Random(1), 0.3)
    action = player.choose(table.view(seat), table.actions(seat), think)
    return table.game.notation.write_action(action)


def forfeit_reason(text: str) -> str:
    """Why it forfeits."""
    player = player_for(read_spec(text), SAY)
    with pytest.raises(Forfeit) as lost:
        answer_of(player)
    player.end(None)
    return SAY(lost.value.why)


@pytest.fixture(autouse=True)
def nothing_stays_behind() -> Iterator[None]:
    yield
    assert not subprocess_bot._running_processes


# What a program is told, and what it may answer


def test_a_program_is_told_what_its_seat_may_know(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    body = f"""
with open({str(heard)!r}, "w") as file:
    for line in sys.stdin:
        file.write(line); file.flush()
        told = json.loads(line)
        if told["type"] == "choose":
            say(json.dumps({{"action": told["actions"][-1], "evaluation": {{"value": 0.6}}}}))
"""
    player = player_for(read_spec(program_of(tmp_path, body) + "@200n"), SAY)
    table = open_table(GAMES["kalamala"].game({}))
    think = SearchContext(table.game, "A", Random(1), nodes=200)
    chosen = player.choose(table.view("A"), table.actions("A"), think)
    assert chosen == table.actions("A")[-1]
    assert think.evaluation.value == 0.6
    player.end({"result": "A", "scores": {"A": 1.0, "B": 0.0}, "forfeit": None})
    choosing, over = map(json.loads, heard.read_text().splitlines())
    assert choosing == {
        "type": "choose",
        "view": table.game.notation.write_view(table.view("A")),
        "to_act": ["A"],
        "actions": [table.game.notation.write_action(action) for action in table.actions("A")],
        "seconds": None,
        "nodes": 200,
    }
    assert over == {
        "type": "over",
        "result": "A",
        "scores": {"A": 1.0, "B": 0.0},
        "forfeit": None,
    }


def test_the_first_line_introduces_the_match(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    begins = f"""
import sys
hello = sys.stdin.readline()
open({str(heard)!r}, "w").write(hello)
print('{{"type": "ready"}}', flush=True)
sys.stdin.readline()
print('{{"action": "@d4"}}', flush=True)
"""
    player = player_for(read_spec(program_of(tmp_path, "", begins)), SAY)
    assert answer_of(player) == "@d4"
    player.end(None)
    hello = json.loads(heard.read_text())
    assert isinstance(hello.pop("seed"), int)
    game = GAMES["kalamala"].game({})
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "game": "kalamala",
        "rules": "1",
        "options": dict(game.options),
        "seats": ["A", "B"],
        "seat": "A",
    }


WRONG = {
    'say("nonsense")': "A line must be one JSON object, not nonsense",
    'say("[1]")': "A line must be one JSON object, not [1]",
    'say("{}")': 'An answer must have an "action" that is a string: {}',
    "say('{\"action\": 3}')": 'An answer must have an "action" that is a string: {"action": 3}',
    'say(\'{"action": "z9"}\')': "z9 is not one of the actions that were offered.",
}


@pytest.mark.parametrize("answer", WRONG)
def test_a_wrong_answer_gets_one_clear_line_and_another_chance(tmp_path: Path, answer: str) -> None:
    heard = tmp_path / "heard"
    body = f"""
sys.stdin.readline()
{answer}
open({str(heard)!r}, "w").write(sys.stdin.readline())
say('{{"action": "@d4"}}')
"""
    player = player_for(read_spec(program_of(tmp_path, body)), SAY)
    assert answer_of(player) == "@d4"
    player.end(None)
    assert json.loads(heard.read_text()) == {"type": "error", "message": WRONG[answer]}


@pytest.mark.parametrize("answer", WRONG)
def test_a_second_wrong_answer_loses(tmp_path: Path, answer: str) -> None:
    body = f"while sys.stdin.readline(): {answer}"
    why = forfeit_reason(program_of(tmp_path, body))
    assert why == f"Two unusable answers in a row. {WRONG[answer]}"


MISBEHAVING = {
    "time.sleep(60)": "No answer within 1.2 s.",
    "sys.stdin.readline(); sys.exit(3)": "The bot exited (code 3).",
    "sys.stdin.readline(); 1 / 0": ("The bot exited (code 1): ZeroDivisionError: division by zero"),
    "os.kill(os.getpid(), 9)": "The bot exited (code -9).",
    "say('x' * 2**21)": "The bot sent a line of more than 1048576 bytes.",
    "while True: sys.stderr.write('x' * 9999)": "No answer within 1.2 s.",
}


@pytest.mark.parametrize("body", MISBEHAVING)
def test_a_program_that_misbehaves_loses_with_the_reason(tmp_path: Path, body: str) -> None:
    began = time.monotonic()
    assert forfeit_reason(program_of(tmp_path, body) + "@0.2s") == MISBEHAVING[body]
    assert time.monotonic() - began < 5


def test_a_program_that_is_never_ready_loses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hurry:
        hurry.setattr(subprocess_bot, "READY_TIMEOUT_S", 0.5)
        assert forfeit_reason(program_of(tmp_path, "", "import time; time.sleep(9)")) == (
            "No answer within 0.5 s."
        )
    begins = 'import sys\nwhile sys.stdin.readline(): print(\'{"type": "here"}\', flush=True)'
    assert 'with "type": "ready", not {"type": "here"}' in forfeit_reason(
        program_of(tmp_path, "", begins)
    )


def test_a_program_that_does_not_read_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spec, "GRACE_S", 0.3)
    player = player_for(read_spec(program_of(tmp_path, "time.sleep(60)") + "@0.2s"), SAY)
    assert player.observe
    player.observe([{"by": "A", "action": "x" * 1_000_000, "events": []}])
    with pytest.raises(Forfeit) as lost:
        answer_of(player)
    assert SAY(lost.value.why) == "The bot does not read its input."


def test_what_it_started_is_killed_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "GRACE_S", 0.4)
    mark = tmp_path / "mark"
    child = f"import time; time.sleep(1); open({str(mark)!r}, 'w')"
    body = f"""
import subprocess
subprocess.Popen([sys.executable, "-S", "-c", {child!r}])
time.sleep(60)
"""
    forfeit_reason(program_of(tmp_path, body) + "@0.1s")
    time.sleep(1.5)
    assert not mark.exists()


# Hidden information


def heard_by(tmp_path: Path, table: AnyTable, seat: Seat, witness: Witness) -> bytes:
    """All that a program at this seat is sent when it is asked now."""
    heard = tmp_path / "heard"
    begins = f"""
import json, sys
with open({str(heard)!r}, "w") as file:
    for line in sys.stdin:
        file.write(line); file.flush()
        told = json.loads(line)
        if told["type"] == "hello": print('{{"type": "ready"}}', flush=True)
        else: print(json.dumps({{"action": told["actions"][0]}}), flush=True)
"""
    player = player_for(read_spec(program_of(tmp_path, "", begins)), SAY)
    assert player.observe
    player.observe(witness.take_events())
    answer_of(player, table, seat)
    player.end(None)
    return heard.read_bytes()


def duel() -> tuple[AnyTable, list[str]]:
    """A match of Kahmaté in which somebody has to put down a card, and the cards."""
    game = GAMES["kahmate"].game({"turn_limit": 60})
    for seed in range(20):
        table, rng = open_table(game), Random(seed)
        while to_act := game.rules.to_act(table.state):
            (actor,) = to_act
            texts = [
                game.notation.write_action(action)
                for action in game.rules.turn_actions(table.state, actor)
            ]
            if texts[0].startswith("card="):
                return table, texts
            contests = [text for text in texts if text[2:3] in ("x", ">")]
            table, _ = table.act(actor, rng.choice(contests or texts))
    raise AssertionError("nobody tackles")


def test_what_is_sent_does_not_depend_on_what_others_put_down(tmp_path: Path) -> None:
    """A card, whichever it is: to the other seat every byte is the same."""
    table, cards = duel()
    assert len(cards) > 2
    (attacker,) = table.game.rules.to_act(table.state)
    (defender,) = set(table.game.seats) - {attacker}
    sent = set()
    for card in cards:
        witness, before = Witness(defender), open_table(table.game)
        for played in table.history:
            before, told = before.act(
                played.actor, table.game.notation.write_action(played.step.action)
            )
            witness.observe_action(before, told)
        after, told = before.act(attacker, card)
        witness.observe_action(after, told)
        sent.add(heard_by(tmp_path, after, defender, witness))
    assert len(sent) == 1
    (lines,) = sent
    last = json.loads(lines.splitlines()[-1])["log"][-1]
    assert (last["by"], last["action"]) == (attacker, None)


def test_line_ups_are_hidden_until_both_stand(tmp_path: Path) -> None:
    game = GAMES["kahmate"].game({})
    sent = set()
    for seed in range(3):
        table, witness, rng = open_table(game), Witness("B"), Random(seed)
        while game.rules.to_act(table.state) == {"R"}:
            text = game.notation.write_action(rng.choice(table.actions("R")))
            table, told = table.act("R", text)
            witness.observe_action(table, told)
        sent.add(heard_by(tmp_path, table, "B", witness))
    assert len(sent) == 1


def test_what_was_hidden_is_told_when_it_is_shown() -> None:
    game, rng = GAMES["kahmate"].game({}), Random(1)
    table, witness, placed = open_table(game), Witness("B"), []
    while not any(played.step.is_reveal for played in table.history):
        (actor,) = game.rules.to_act(table.state)
        text = game.notation.write_action(rng.choice(table.actions(actor)))
        placed += [text] if actor == "R" else []
        table, told = table.act(actor, text)
        witness.observe_action(table, told)
    heard = witness.take_events()
    texts = [entry["action"] for entry in heard if entry["by"] == "R"]
    assert texts == [None] * len(placed) + placed


# Specs


REFUSED = {
    "deep": "There is no bot called deep. The bots are: ",
    "greedy@fast": "fast is not a budget: write seconds as 0.5s or nodes as 2000n.",
    "greedy@0s": "0 is not a budget",
    "no/such.py:choose": "There is no file no/such.py.",
    "examples/my_bot.py": "Name the function to call as well, for example",
    "run:": "run: must be followed by a command, not .",
    "run:no-such-program --fast": "There is no program no-such-program.",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_there_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_spec(text)
    assert REFUSED[text] in SAY(refused.value.refusal)


def test_files_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("choose = 3\n")
    with pytest.raises(Refused) as refused:
        read_spec(f"{file}:choose")
    assert SAY(refused.value.refusal).endswith("mine.py has no function choose.")
    file.write_text("1 / 0\n")
    with pytest.raises(Refused) as refused:
        read_spec(f"{file}:choose")
    assert "cannot be loaded: ZeroDivisionError" in SAY(refused.value.refusal)


def test_a_budget_is_in_seconds_or_nodes() -> None:
    assert (read_spec("greedy@0.5s").seconds, read_spec("greedy@0.5s").nodes) == (0.5, None)
    assert (read_spec("random@2000n").seconds, read_spec("random@2000n").nodes) == (None, 2000)
    assert read_spec("greedy").timeout_s == spec.DEFAULT_TIMEOUT_S
    assert read_spec("greedy@2s").timeout_s == 2 + spec.GRACE_S


# Functions


def test_a_function_that_fails_forfeits(tmp_path: Path) -> None:
    assert forfeit_reason(function_of(tmp_path, "return 1 / 0")) == (
        "The bot failed: ZeroDivisionError: division by zero"
    )


def test_a_function_that_chooses_what_it_may_not_forfeits(tmp_path: Path) -> None:
    why = forfeit_reason(function_of(tmp_path, "return 'e4'"))
    assert why == "'e4' is not one of the actions the bot was given."


def test_a_function_that_never_answers_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spec, "GRACE_S", 0.1)
    body = """
    import time
    for _ in range(3):
        try: time.sleep(1)
        except Exception: pass
    return actions[0]
"""
    assert forfeit_reason(function_of(tmp_path, body) + "@0.2s") == "No answer within 0.3 s."


# The examples


@pytest.mark.parametrize("name", GAMES)
def test_twenty_lines_play_whole_games(name: str) -> None:
    """The examples of the documentation, against each other."""
    limit = {"turn_limit": 12} if name != "as-kimble" else {}
    program = f"run:{sys.executable} -S {EXAMPLES / 'my_program.py'}"
    plan = ArenaPlan(
        game=name,
        options={**GAMES[name].bots_preset, **limit},
        bots=(f"{EXAMPLES / 'my_bot.py'}:choose", program),
        games=1,
    )
    written = play_match(plan, next(schedule(plan)))
    record = read_record(written.record)
    assert record.result != "*"
    assert verify(game_of(record), record) is None
    assert "forfeit" not in record.extras["arena"]
    assert any(" got " in line for line in written.bot_output)


def test_the_examples_are_short_and_the_program_needs_nothing() -> None:
    for name in ("my_bot.py", "my_program.py"):
        lines = (EXAMPLES / name).read_text().split('"""', 2)[2].splitlines()
        assert sum(bool(line.strip()) for line in lines) <= 20
    assert "kibitz" not in (EXAMPLES / "my_program.py").read_text().split('"""', 2)[2]


def test_the_page_shows_the_examples() -> None:
    page = (EXAMPLES.parent / "docs" / "bots.md").read_text()
    shown = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    files = [(EXAMPLES / name).read_text() for name in ("my_bot.py", "my_program.py")]
    assert [each.strip() for each in shown] == [file.split('"""', 2)[2].strip() for file in files]


# At a table


@pytest.fixture
def bots() -> Iterator[MutableMapping[str, Any]]:
    before = dict(BOTS)
    yield BOTS
    BOTS.clear()
    BOTS.update(before)


def chosen_by(bot: str, match: str = "t") -> str:
    asked = question_at(GAMES["kalamala"].game({}), "A", bot, match=match)
    chosen = choose_action(asked)
    assert chosen in asked.texts
    return chosen


@pytest.mark.parametrize("body", ["sys.exit(1)", "time.sleep(60)", "say('x'); say('y')"])
def test_a_table_never_waits_for_a_visitor(
    tmp_path: Path,
    bots: MutableMapping[str, Any],
    body: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Greedy plays in its place, and the log says why."""
    register_guest_bots({"lizard": program_of(tmp_path, body) + "@0.1s"}, SAY)
    monkeypatch.setattr(greedy, "choose", lambda view, actions, think: actions[7])
    with caplog.at_level(logging.WARNING):
        assert chosen_by("lizard") == "@h1"
    assert any("lizard" not in line and "bot run:" in line for line in caplog.messages)


def test_a_visitor_has_one_program_for_each_match(tmp_path: Path) -> None:
    body = """
import itertools
for number in itertools.count():
    told = json.loads(sys.stdin.readline())
    say(json.dumps({"action": told["actions"][number]}))
"""
    visitor = GuestBot(program_of(tmp_path, body), SAY)
    game = GAMES["kalamala"].game({})
    actions = game.rules.turn_actions(game.rules.start(), "A")

    def number(match: str) -> int:
        think = SearchContext(game, "A", Random(1), match=match)
        return actions.index(visitor(game.rules.start(), actions, think))

    assert [number("s"), number("s"), number("t"), number("s")] == [0, 1, 0, 2]
    for match in range(10):
        number(str(match))
    assert number("s") == 0
    subprocess_bot.kill_all_processes()


def test_one_that_has_left_is_stood_in_for() -> None:
    assert chosen_by("gone-since") == chosen_by("greedy")


def test_visitors_stand_before_ours(tmp_path: Path, bots: MutableMapping[str, Any]) -> None:
    ours = list(bots)
    register_guest_bots(read_guest_bots([f"mine={EXAMPLES / 'my_bot.py'}:choose"]), SAY)
    assert list(bots) == ["mine", *ours]
    register_guest_bots({"mine": "greedy@0.5s"}, SAY)
    assert list(bots) == ["mine", *ours]


@pytest.mark.parametrize("text", ["greedy=random", "Mine=greedy", "mine", "mine=", "=greedy"])
def test_a_visitor_needs_a_name_of_its_own(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_guest_bots([text])
    assert refused.value.refusal.id == "bot.name"
