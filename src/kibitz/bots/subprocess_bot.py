"""A bot that is a program of its own, in any language: JSON lines in and out (docs/bots.md).

It is told everything by its standard input, so it sees what its seat may see and nothing else. One
that is late, ends or talks nonsense is killed, and has forfeited.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import shlex
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from threading import Thread
from typing import IO, Any, TypeVar, cast

from kibitz.bots.api import PRESS, Think, Thoughts
from kibitz.bots.player import Ending, Forfeit, Heard
from kibitz.core.message import Message, Refused, Say, message
from kibitz.core.record import read_json

PROTOCOL = 1
READY_WITHIN = 10.0
"""Seconds that it may take to start."""
ENDS_WITHIN = 1.0
"""Seconds that it gets to end by itself once a match is over."""
LONGEST_LINE = 1 << 20
KEPT_LINES = 200
"""Of what it writes for its author, the latest."""
SHOWN = 60
"""Letters of what it wrote that a sentence about it has."""
T = TypeVar("T")


class Program:
    """One process for one seat and one match. It starts when it has its first choice to make."""

    def __init__(self, command: str, limit: float, say: Say) -> None:
        """`limit` is how many seconds it has for an answer; `say` puts errors into words."""
        self._command, self._limit, self._say = shlex.split(command), limit, say
        self._talk: _Talk | None = None
        self._heard: list[Heard] | None = None

    def choose(self, view: Any, actions: Sequence[Any], think: Think) -> Any:
        game = think.game
        texts = [PRESS if each == PRESS else game.write_action(each) for each in actions]
        asked = {
            "is": "choose",
            "view": game.write_view(view),
            "to_act": sorted(game.to_act(game.imagine(view, Random(0)))),
            "actions": texts,
            "seconds": think.seconds,
            "nodes": think.nodes,
            **self._log(),
        }
        if self._talk is None:
            self._talk = _Talk(self._command)
            self._ask(self._talk, _hello(think), _ready, READY_WITHIN)
        chosen, think.thoughts = self._ask(
            self._talk, asked, lambda line: _answer(line, texts), self._limit
        )
        return actions[texts.index(chosen)]

    def hear(self, heard: Sequence[Heard]) -> None:
        self._heard = [*(self._heard or ()), *heard]

    def end(self, ending: Ending | None) -> tuple[str, ...]:
        """Say how it ended, if it did, and let it go."""
        if self._talk is None:
            return ()
        if ending is not None:
            self._talk.take_leave({"is": "over", **ending, **self._log()})
        self._talk.kill()
        return tuple(self._talk.aside)

    def _log(self) -> dict[str, Any]:
        """What was witnessed since it was told last, where somebody tells it."""
        if self._heard is None:
            return {}
        heard, self._heard = self._heard, []
        return {"log": heard}

    def _ask(
        self, talk: _Talk, question: Mapping[str, Any], read: Callable[[str], T], within: float
    ) -> T:
        """The answer to a question; where it cannot be read, the one that comes after it."""
        deadline = time.monotonic() + within
        try:
            talk.send(question, deadline)
            try:
                return read(talk.line(deadline, within))
            except Refused as refused:
                talk.send({"is": "error", "why": self._say(refused.refusal)}, deadline)
                return read(talk.line(deadline, within))
        except Refused as refused:
            talk.kill()
            raise Forfeit(message("bot.wrong-again", why=refused.refusal)) from None
        except BaseException:
            talk.kill()
            raise


class _Talk:
    """A running process and its pipes. Nothing here waits beyond a deadline."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # Out of reach of Ctrl-C, and killed with all that it starts itself.
                start_new_session=True,
                # Who prints a line in Python means it to be read.
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        except OSError as error:
            why = error.strerror or str(error)
            raise Forfeit(message("bot.cannot-start", why=why)) from None
        _running.add(self)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._to, self._from, self._beside = cast("tuple[IO[bytes], ...]", pipes)
        os.set_blocking(self._to.fileno(), False)
        self._came = b""
        self.aside: deque[str] = deque(maxlen=KEPT_LINES)
        self._listening = Thread(target=self._listen, daemon=True)
        self._listening.start()

    def send(self, said: Mapping[str, Any], deadline: float) -> None:
        left = json.dumps(said, ensure_ascii=False).encode() + b"\n"
        while left:
            _, can, _ = select.select([], [self._to], [], max(0.0, deadline - time.monotonic()))
            if not can:
                raise Forfeit(message("bot.does-not-read"))
            try:
                left = left[os.write(self._to.fileno(), left) :]
            except BlockingIOError:
                continue
            except OSError:
                raise Forfeit(self._ended()) from None

    def line(self, deadline: float, within: float) -> str:
        while b"\n" not in self._came:
            if len(self._came) > LONGEST_LINE:
                raise Forfeit(message("bot.too-long", most=LONGEST_LINE))
            can, _, _ = select.select([self._from], [], [], max(0.0, deadline - time.monotonic()))
            if not can:
                raise Forfeit(message("bot.late", seconds=within))
            if not (more := os.read(self._from.fileno(), 1 << 16)):
                raise Forfeit(self._ended())
            self._came += more
        line, _, self._came = self._came.partition(b"\n")
        return line.decode(errors="replace")

    def take_leave(self, said: Mapping[str, Any]) -> None:
        if self._process.poll() is None:
            with suppress(Forfeit, subprocess.TimeoutExpired):
                self.send(said, time.monotonic() + ENDS_WITHIN)
                self._to.close()
                self._process.wait(ENDS_WITHIN)

    def kill(self) -> None:
        _running.discard(self)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._listening.join(ENDS_WITHIN)
        self._to.close()
        self._from.close()

    def _listen(self) -> None:
        """So that it is never held up by what nobody reads."""
        with self._beside as lines:
            while line := lines.readline(LONGEST_LINE):
                self.aside.append(line.decode(errors="replace").rstrip())

    def _ended(self) -> Message:
        """By which exit code, and what it said last."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDS_WITHIN)
        self._listening.join(ENDS_WITHIN)
        code = str(self._process.poll())
        if not self.aside:
            return message("bot.ended", code=code)
        return message("bot.ended-saying", code=code, text=self.aside[-1][: 4 * SHOWN])


_running: set[_Talk] = set()


@atexit.register
def end_all() -> None:
    """Whoever started programs takes them along."""
    for talk in tuple(_running):
        talk.kill()


def _hello(think: Think) -> dict[str, Any]:
    game = think.game
    return {
        "is": "hello",
        "protocol": PROTOCOL,
        "game": game.name,
        "rules": game.rules,
        "options": dict(game.options),
        "seats": list(game.seats),
        "seat": think.seat,
        "seed": think.rng.randrange(1 << 53),
    }


def _ready(line: str) -> None:
    if _read(line).get("is") != "ready":
        raise Refused(message("bot.not-ready", text=line[:SHOWN]))


def _answer(line: str, texts: Sequence[str]) -> tuple[str, Thoughts]:
    found = _read(line)
    chosen = found.get("action")
    if not isinstance(chosen, str):
        raise Refused(message("bot.no-action", text=line[:SHOWN]))
    if chosen not in texts:
        raise Refused(message("bot.not-offered", text=chosen[:SHOWN]))
    return chosen, _thoughts(found.get("thoughts"))


def _read(line: str) -> dict[str, Any]:
    try:
        found = read_json(line)
    except Refused:
        found = None
    if not isinstance(found, dict):
        raise Refused(message("bot.not-json", text=line[:SHOWN]))
    return found


def _thoughts(told: object) -> Thoughts:
    """What can be understood of them: they are for people, and cost nobody a match."""
    given = told if isinstance(told, dict) else {}
    value, nodes, depth = (given.get(name, 0) for name in ("value", "nodes", "depth"))
    is_chance = "value" in given and isinstance(value, int | float) and 0 <= value <= 1
    return Thoughts(
        value=float(value) if is_chance else None,
        nodes=nodes if type(nodes) is int else 0,
        depth=depth if type(depth) is int else 0,
    )
