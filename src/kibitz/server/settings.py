"""What whoever runs the server can choose (docs/hosting.md)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.bots.visiting import named
from kibitz.core.message import Message, Refused, message
from kibitz.server.lan import EVERYWHERE

DATABASE = "kibitz.db"
SECRET = "secret"
"""The two files of a data folder."""
LOGS = ("text", "json")
MOST_THINKERS = 4
"""Unless somebody asks for more: each takes 200 MB of memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    """0 is any that is free."""
    insists_on_port: bool = False
    """Rather not start than take another port."""
    lan: bool = False
    """Whether to tell the address that others on this network have to type."""
    open_browser: bool = True
    log: str = "text"
    tells_more: bool = False
    """Log what is well, too, not only what is wrong."""
    log_requests: bool = False
    limits: bool = True
    most_sockets: int = 4096
    most_sockets_each: int = 64
    """From one address."""
    bots: Mapping[str, str] = field(default_factory=dict)
    """Those of others, by name, as they are typed (bots.spec)."""
    thinkers: int = 1
    """Processes for bots to think in, at most."""


def settings_from(environment: Mapping[str, str] = os.environ, lan: bool = False) -> Settings:
    """What the environment says; every KIBITZ_ variable is read here, and nowhere else."""
    log = environment.get("KIBITZ_LOG", "text")
    return Settings(
        data=_data_folder(environment),
        host=environment.get("KIBITZ_HOST", EVERYWHERE[0] if lan else "127.0.0.1"),
        port=_number(environment, "KIBITZ_PORT", 8000, least=0, most=65535),
        insists_on_port="KIBITZ_PORT" in environment,
        lan=lan,
        open_browser=_switch(environment, "KIBITZ_OPEN", True),
        log=checked_log(log, "KIBITZ_LOG"),
        log_requests=_switch(environment, "KIBITZ_LOG_REQUESTS", False),
        limits=_switch(environment, "KIBITZ_LIMITS", True),
        most_sockets=_number(environment, "KIBITZ_SOCKETS", 4096),
        most_sockets_each=_number(environment, "KIBITZ_SOCKETS_EACH", 64),
        bots=named(environment.get("KIBITZ_BOTS", "").splitlines()),
        thinkers=_number(environment, "KIBITZ_THINKERS", usual_thinkers(), most=64),
    )


def usual_thinkers() -> int:
    """One a core: more would only share them."""
    return min(MOST_THINKERS, os.cpu_count() or 1)


def checked_log(log: str, name: str) -> str:
    if log not in LOGS:
        raise Refused(_wrong(name, log, message("server.setting-log", known=", ".join(LOGS))))
    return log


def _data_folder(environment: Mapping[str, str]) -> Path:
    if chosen := environment.get("KIBITZ_DATA"):
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "kibitz"
    shared = environment.get("XDG_DATA_HOME", "")
    home = Path(shared) if Path(shared).is_absolute() else Path.home() / ".local" / "share"
    return home / "kibitz"


def _number(
    environment: Mapping[str, str], name: str, usual: int, least: int = 1, most: int = 10**6
) -> int:
    text = environment.get(name, str(usual))
    if text.isascii() and text.isdecimal() and len(text) < 8 and least <= int(text) <= most:
        return int(text)
    raise Refused(_wrong(name, text, message("server.setting-number", least=least, most=most)))


def _switch(environment: Mapping[str, str], name: str, usual: bool) -> bool:
    text = environment.get(name, "on" if usual else "off")
    if text in ("1", "on"):
        return True
    if text in ("0", "off"):
        return False
    raise Refused(_wrong(name, text, message("server.setting-switch")))


def _wrong(name: str, text: str, known: Message) -> Message:
    return message("server.setting", name=name, text=text[:60], known=known)
