"""A bot that is a program of its own, in any language: JSON lines in and out (docs/bots.md).

It is told everything by its standard input, so it sees what its seat may see and nothing else. One
that is late, ends or talks nonsense is killed, and has forfeited.
"""

from __future__ import annotations

import atexit
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from random import Random
from threading import Thread
from typing import IO, Any, TypeVar, cast

from kibitz.bots.api import Evaluation, SearchContext
from kibitz.bots.player import Ending, Forfeit, WitnessedAction
from kibitz.core.game import write_choice
from kibitz.core.message import Message, Refused, Say, message
from kibitz.core.os_errors import os_error_reason
from kibitz.core.record import read_json

PROTOCOL_VERSION = 1
READY_TIMEOUT_S = 10.0
"""Seconds that it may take to start."""
EXIT_TIMEOUT_S = 1.0
"""Seconds that it gets to end by itself once a match is over."""
MAX_LINE_BYTES = 1 << 20
MAX_STDERR_LINES = 200
"""Of what it writes for its author, the latest."""
MAX_QUOTED_CHARS = 60
"""Letters of what it wrote that a sentence about it has."""
T = TypeVar("T")


class SubprocessBot:
    """One process for one seat and one match. It starts when it has its first choice to make."""

    def __init__(self, command: str, limit: float, say: Say) -> None:
        """`limit` is how many seconds it has for an answer; `say` puts errors into words."""
        self._command, self._limit, self._say = split_command(command), limit, say
        self._process: _BotProcess | None = None
        self._unsent_log: list[WitnessedAction] | None = None

    def choose(self, view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
        game = think.game
        texts = [write_choice(game, each) for each in actions]
        asked = {
            "type": "choose",
            "view": game.notation.write_view(view),
            "to_act": sorted(game.rules.to_act(game.rules.imagine(view, Random(0)))),
            "actions": texts,
            "seconds": think.seconds,
            "nodes": think.nodes,
            **self._log_field(),
        }
        if self._process is None:
            self._process = _BotProcess(self._command)
            self._ask(self._process, _hello_message(think), _check_ready, READY_TIMEOUT_S)
        chosen, think.evaluation = self._ask(
            self._process, asked, lambda line: _read_answer(line, texts), self._limit
        )
        return actions[texts.index(chosen)]

    def observe(self, heard: Sequence[WitnessedAction]) -> None:
        self._unsent_log = [*(self._unsent_log or ()), *heard]

    def end(self, ending: Ending | None) -> tuple[str, ...]:
        """Say how it ended, if it did, and let it go."""
        if self._process is None:
            return ()
        if ending is not None:
            self._process.close_gracefully({"type": "over", **ending, **self._log_field()})
        self._process.kill()
        return tuple(self._process.stderr_lines)

    def _log_field(self) -> dict[str, Any]:
        """The events since the last question, where somebody passes them on."""
        if self._unsent_log is None:
            return {}
        heard, self._unsent_log = self._unsent_log, []
        return {"log": heard}

    def _ask(
        self,
        talk: _BotProcess,
        question: Mapping[str, Any],
        read: Callable[[str], T],
        within: float,
    ) -> T:
        """The answer to a question; where it cannot be read, the one that comes after it."""
        deadline = time.monotonic() + within
        try:
            talk.send(question, deadline)
            try:
                return read(talk.read_line(deadline, within))
            except Refused as refused:
                talk.send({"type": "error", "message": self._say(refused.refusal)}, deadline)
                return read(talk.read_line(deadline, within))
        except Refused as refused:
            talk.kill()
            raise Forfeit(message("bot.wrong-again", why=refused.refusal)) from None
        except BaseException:
            talk.kill()
            raise


class _BotProcess:
    """A running process and its pipes. Nothing here waits beyond a deadline."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # Out of reach of Ctrl-C, and killed with all that it starts itself.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                # Who prints a line in Python means it to be read.
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        except OSError as error:
            why = os_error_reason(error)
            raise Forfeit(message("bot.cannot-start", why=why)) from None
        _running_processes.add(self)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = cast("tuple[IO[bytes], ...]", pipes)
        self.stderr_lines: deque[str] = deque(maxlen=MAX_STDERR_LINES)
        self._stderr_reader = Thread(target=self._read_stderr, daemon=True)
        self._stderr_reader.start()

    def send(self, said: Mapping[str, Any], deadline: float) -> None:
        line = json.dumps(said, ensure_ascii=False).encode() + b"\n"

        def write() -> None:
            self._stdin.write(line)
            self._stdin.flush()

        try:
            _call_until(deadline, write)
        except TimeoutError:
            raise Forfeit(message("bot.does-not-read")) from None
        except (OSError, ValueError):
            raise Forfeit(self._exit_message()) from None

    def read_line(self, deadline: float, within: float) -> str:
        try:
            line = _call_until(deadline, lambda: self._stdout.readline(MAX_LINE_BYTES + 1))
        except TimeoutError:
            raise Forfeit(message("bot.late", seconds=within)) from None
        if len(line) > MAX_LINE_BYTES:
            raise Forfeit(message("bot.too-long", most=MAX_LINE_BYTES))
        if not line.endswith(b"\n"):
            raise Forfeit(self._exit_message())
        return line.removesuffix(b"\n").decode(errors="replace")

    def close_gracefully(self, said: Mapping[str, Any]) -> None:
        if self._process.poll() is None:
            with suppress(Forfeit, subprocess.TimeoutExpired):
                self.send(said, time.monotonic() + EXIT_TIMEOUT_S)
                self._stdin.close()
                self._process.wait(EXIT_TIMEOUT_S)

    def kill(self) -> None:
        _running_processes.discard(self)
        _kill_with_children(self._process)
        self._process.wait()
        self._stderr_reader.join(EXIT_TIMEOUT_S)
        for pipe in (self._stdin, self._stdout):
            # There may be something left to write, and nobody to read it; or somebody who was
            # started by it, and got away, has the other end.
            with suppress(OSError, TimeoutError, RuntimeError):
                _call_until(time.monotonic() + EXIT_TIMEOUT_S, pipe.close)

    def _read_stderr(self) -> None:
        """So that it is never held up by what nobody reads."""
        with self._stderr as lines:
            while line := lines.readline(MAX_LINE_BYTES):
                self.stderr_lines.append(line.decode(errors="replace").rstrip())

    def _exit_message(self) -> Message:
        """By which exit code, and what it said last."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_TIMEOUT_S)
        self._stderr_reader.join(EXIT_TIMEOUT_S)
        code = str(self._process.poll())
        if not self.stderr_lines:
            return message("bot.ended", code=code)
        return message(
            "bot.ended-saying", code=code, text=self.stderr_lines[-1][: 4 * MAX_QUOTED_CHARS]
        )


def _call_until(deadline: float, call: Callable[[], T]) -> T:
    """Return the answer of a call that may take for ever, or raise TimeoutError in time.

    The call goes on in its thread until the process that it waits for is killed. A thread is all
    that works with pipes on every system.
    """
    answer: Future[T] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except Exception as error:
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    return answer.result(max(0.0, deadline - time.monotonic()))


def _kill_with_children(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, and all that it started."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/t", "/f", "/pid", str(process.pid)], capture_output=True)
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def split_command(command: str) -> list[str]:
    """The words of a command as somebody types it. Raises ValueError where a quote is not closed.

    On Windows a backslash belongs to a path.
    """
    if os.name == "posix":
        return shlex.split(command)
    return [word.strip("\"'") for word in shlex.split(command, posix=False)]


_running_processes: set[_BotProcess] = set()


@atexit.register
def kill_all_processes() -> None:
    """Kill all programs that this process has started."""
    for talk in tuple(_running_processes):
        talk.kill()


def _hello_message(think: SearchContext) -> dict[str, Any]:
    game = think.game
    return {
        "type": "hello",
        "protocol": PROTOCOL_VERSION,
        "game": game.name,
        "rules": game.version,
        "options": dict(game.options),
        "seats": list(game.seats),
        "seat": think.seat,
        "seed": think.rng.randrange(1 << 53),
    }


def _check_ready(line: str) -> None:
    if _read_object(line).get("type") != "ready":
        raise Refused(message("bot.not-ready", text=line[:MAX_QUOTED_CHARS]))


def _read_answer(line: str, texts: Sequence[str]) -> tuple[str, Evaluation]:
    found = _read_object(line)
    chosen = found.get("action")
    if not isinstance(chosen, str):
        raise Refused(message("bot.no-action", text=line[:MAX_QUOTED_CHARS]))
    if chosen not in texts:
        raise Refused(message("bot.not-offered", text=chosen[:MAX_QUOTED_CHARS]))
    return chosen, _read_evaluation(found.get("evaluation"))


def _read_object(line: str) -> dict[str, Any]:
    try:
        found = read_json(line)
    except Refused:
        found = None
    if not isinstance(found, dict):
        raise Refused(message("bot.not-json", text=line[:MAX_QUOTED_CHARS]))
    return found


def _read_evaluation(told: object) -> Evaluation:
    """The evaluation as far as it can be understood: it is for people, and costs nobody a match."""
    given = told if isinstance(told, dict) else {}
    value, nodes, depth = (given.get(name, 0) for name in ("value", "nodes", "depth"))
    is_chance = "value" in given and isinstance(value, int | float) and 0 <= value <= 1
    return Evaluation(
        value=float(value) if is_chance else None,
        nodes=nodes if type(nodes) is int else 0,
        depth=depth if type(depth) is int else 0,
    )
