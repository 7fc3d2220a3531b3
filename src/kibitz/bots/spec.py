"""The text that names a bot, as somebody types it:

    NAME               one of our bots: greedy
    FILE.py:FUNCTION   a Python function of your own, choose(view, actions, think)
    run:COMMAND        a program of your own (subprocess_bot.py)

and how long it may think about a choice: `@0.5s` after it for seconds, `@2000n` for nodes.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import FrameType, ModuleType
from typing import Any

from kibitz.bots.api import Bot, SearchContext
from kibitz.bots.player import Forfeit, Player
from kibitz.bots.registry import BOTS
from kibitz.bots.subprocess_bot import SubprocessBot, split_command
from kibitz.core.game import Game, Seat
from kibitz.core.message import Refused, Say, message

DEFAULT_TIMEOUT_S = 10.0
"""Seconds for a choice where the budget has none."""
GRACE_S = 1.0
"""Seconds beyond a budget until an answer is late."""
RUN_PREFIX = "run:"
_BUDGET_PATTERN = re.compile(r"(.+)@(?:(\d{1,5}(?:\.\d{1,6})?)s|(\d{1,12})n)")
_FUNCTION_PATTERN = re.compile(r"(.+\.py):([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class Spec:
    """The typed text, taken apart."""

    text: str
    who: str
    seconds: float | None = None
    nodes: int | None = None

    @property
    def timeout_s(self) -> float:
        """Seconds after which an answer is late."""
        return DEFAULT_TIMEOUT_S if self.seconds is None else self.seconds + GRACE_S

    def search_context(
        self, game: Game[Any, Any, Any], seat: Seat, rng: Random, match: str = ""
    ) -> SearchContext:
        return SearchContext(game, seat, rng, self.seconds, self.nodes, match=match)


def read_spec(text: str) -> Spec:
    """Raises Refused where there is no such bot, file, function or program."""
    spec = _split_budget(text)
    if spec.who.startswith(RUN_PREFIX):
        _find_program(spec.who.removeprefix(RUN_PREFIX))
    elif found := _FUNCTION_PATTERN.fullmatch(spec.who):
        _load_function(found[1], found[2])
    elif spec.who.endswith(".py"):
        raise Refused(message("bot.which-function", file=spec.who[:200]))
    elif "@" in spec.who and spec.who.partition("@")[0] in BOTS:
        raise Refused(message("bot.budget", text=spec.who.partition("@")[2][:60]))
    elif spec.who not in BOTS:
        raise Refused(message("cli.bot", bot=spec.who[:60], bots=", ".join(BOTS)))
    return spec


def player_for(spec: Spec, say: Say) -> Player:
    """Return a player for one match; `say` words what a program is told of its mistakes."""
    if spec.who.startswith(RUN_PREFIX):
        program = SubprocessBot(spec.who.removeprefix(RUN_PREFIX), spec.timeout_s, say)
        return Player(program.choose, program.observe, program.end)
    if found := _FUNCTION_PATTERN.fullmatch(spec.who):
        return Player(_guard_bot(_load_function(found[1], found[2]), spec.timeout_s))
    return Player(_guard_bot(BOTS[spec.who], None))


def _split_budget(text: str) -> Spec:
    found = _BUDGET_PATTERN.fullmatch(text)
    if found is None:
        return Spec(text, text)
    who, seconds, nodes = found.groups()
    if not float(seconds or nodes):
        raise Refused(message("bot.budget", text=(seconds or nodes)))
    return Spec(text, who, float(seconds) if seconds else None, int(nodes) if nodes else None)


def _find_program(command: str) -> None:
    try:
        words = split_command(command)
    except ValueError:
        words = []
    if not words:
        raise Refused(message("bot.no-command", text=command[:60]))
    if shutil.which(words[0]) is None:
        raise Refused(message("bot.no-program", text=words[0][:60]))


@lru_cache
def _load_function(file: str, name: str) -> Bot:
    """Its folder is looked through for what it imports, as it is when Python runs a file."""
    path = Path(file).expanduser().resolve()
    if not path.is_file():
        raise Refused(message("bot.no-file", file=file[:200]))
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    try:
        found = getattr(_load_module(path), name, None)
    except Exception as error:
        raise Refused(
            message("bot.cannot-load", file=file[:200], why=_error_text(error))
        ) from error
    if not callable(found):
        raise Refused(message("bot.no-function", file=file[:200], name=name[:60]))
    bot: Bot = found
    return bot


def _load_module(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _guard_bot(bot: Bot, limit: float | None) -> Bot:
    """The bot, which forfeits where it fails, is late or chooses wrongly."""

    def choose(view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
        try:
            with _time_limit(limit):
                chosen = bot(view, actions, think)
        except _TimeUp:
            raise Forfeit(message("bot.late", seconds=limit or 0.0)) from None
        except Exception as error:
            raise Forfeit(message("bot.failed", why=_error_text(error))) from error
        if chosen not in actions:
            raise Forfeit(message("bot.chose-wrongly", text=repr(chosen)[:60]))
        return chosen

    return choose


class _TimeUp(BaseException):
    """Nothing that a bot would catch by accident."""


def _error_text(error: Exception) -> str:
    if isinstance(error, Refused):
        return error.refusal.id
    return f"{type(error).__name__}: {error}"[:200]


@contextmanager
def _time_limit(limit: float | None) -> Iterator[None]:
    """Interrupt what takes longer; only a process's main thread can be interrupted.

    Windows has no alarm clock: there, a bot that is late is stopped between two steps of Python.
    """
    if limit is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    if not hasattr(signal, "setitimer"):
        with _time_limit_by_thread(limit):
            yield
        return
    before = signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _time_limit_by_thread(limit: float) -> Iterator[None]:
    bot_thread, lock, is_done = threading.get_ident(), threading.Lock(), False

    def interrupt() -> None:
        with lock:
            if not is_done:
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(ctypes.c_ulong(bot_thread), ctypes.py_object(_TimeUp))

    timer = threading.Timer(limit, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            is_done = True
        timer.cancel()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _TimeUp
