"""Settings of whoever runs the server (docs/hosting.md)."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from platformdirs import user_data_path

from kibitz.bots.guest_bots import read_guest_bots
from kibitz.core.message import Message, Refused, message
from kibitz.server.lan import WILDCARD_HOSTS
from kibitz.server.networks import LOOPBACK, Networks
from kibitz.server.smtp import SmtpServer, read_password, smtp_from

DATABASE_FILE = "kibitz.db"
SECRET_FILE = "secret"
"""The two files of a data folder."""
LOG_FORMATS = ("text", "json")
MAX_DEFAULT_BOT_PROCESSES = 4
"""Unless somebody asks for more: each takes 200 MB of memory."""

MAX_PAGE_CONNECTIONS = 1024
"""Connections beside those of tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    """0 is any that is free."""
    insists_on_port: bool = False
    """Rather not start than take another port."""
    lan: bool = False
    """True to tell the address that others on this network have to type."""
    open_browser: bool = True
    log: str = "text"
    is_verbose: bool = False
    """Log what is well, too, not only what is wrong."""
    log_requests: bool = False
    has_rate_limits: bool = True
    max_connections: int = 4096
    max_connections_per_address: int = 64
    """From one address."""
    workers: int = 1
    database: str = ""
    """Where PostgreSQL is; else the data folder has all."""
    redis: str = ""
    """Where workers talk to each other."""
    secret: Path | None = None
    """A file with it; else one in the data folder."""
    prefix: str = ""
    """The path under which the server is; empty where the site is its own."""
    proxies: Networks = field(default_factory=lambda: Networks(LOOPBACK))
    """The proxies whose word counts for where a request comes from."""
    metrics: Networks = field(default_factory=lambda: Networks(LOOPBACK))
    """The networks that may read what is measured."""
    backups: Path | None = None
    """Where backups are put, for whoever looks whether there is one of late."""
    bots: Mapping[str, str] = field(default_factory=dict)
    """Those of others, by name, as they are typed (bots.spec)."""
    bot_processes: int = 1
    """Processes for bots to think in, at most."""
    prepares_bots: bool = True
    """Compile the bots' engines beside the running server, where that is not done yet."""
    smtp: SmtpServer | None = None
    """The mail server; None, and then no mail is offered."""
    url: str = ""
    """Where people find us, for links in mail, without the path: https://example.org."""


def settings_from(environment: Mapping[str, str] = os.environ, lan: bool = False) -> Settings:
    """Settings by the environment; every KIBITZ_ variable is read here, and nowhere else."""
    log = environment.get("KIBITZ_LOG", "text")
    return Settings(
        data=_data_folder(environment),
        host=environment.get("KIBITZ_HOST", WILDCARD_HOSTS[0] if lan else "127.0.0.1"),
        port=_read_number(environment, "KIBITZ_PORT", 8000, least=0, most=65535),
        insists_on_port="KIBITZ_PORT" in environment,
        lan=lan,
        open_browser=_read_switch(environment, "KIBITZ_OPEN_BROWSER", True),
        log=checked_log(log, "KIBITZ_LOG"),
        log_requests=_read_switch(environment, "KIBITZ_LOG_REQUESTS", False),
        has_rate_limits=_read_switch(environment, "KIBITZ_RATE_LIMITS", True),
        max_connections=_read_number(environment, "KIBITZ_MAX_CONNECTIONS", 4096),
        max_connections_per_address=_read_number(
            environment, "KIBITZ_MAX_CONNECTIONS_PER_ADDRESS", 64
        ),
        workers=_read_number(environment, "KIBITZ_WORKERS", 1, most=64),
        database=checked_database(
            environment.get("KIBITZ_DATABASE_URL", ""), "KIBITZ_DATABASE_URL"
        ),
        redis=_read_address(environment, "KIBITZ_REDIS_URL", ("redis", "rediss", "unix")),
        secret=_read_path(environment, "KIBITZ_SECRET_FILE"),
        prefix=_read_prefix(environment, "KIBITZ_PATH_PREFIX"),
        proxies=_read_networks(environment, "KIBITZ_TRUSTED_PROXIES"),
        metrics=_read_networks(environment, "KIBITZ_METRICS_ALLOW"),
        backups=_read_path(environment, "KIBITZ_BACKUPS"),
        bots=read_guest_bots(environment.get("KIBITZ_BOTS", "").splitlines()),
        bot_processes=_read_number(
            environment, "KIBITZ_BOT_PROCESSES", default_bot_processes(), most=64
        ),
        prepares_bots=_read_switch(environment, "KIBITZ_PREPARE_BOTS", True),
        **_mail_settings(environment),
    )


def unknown_variables(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The KIBITZ_ variables that are set and that no setting is read from."""
    recorder = _ReadRecorder(environment)
    settings_from(recorder)
    return tuple(
        sorted(n for n in environment if n.startswith("KIBITZ_") and n not in recorder.names)
    )


class _ReadRecorder(Mapping[str, str]):
    """An environment that remembers which names were looked up."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment, self.names = (
            environment,
            {"KIBITZ_SMTP_PASSWORD_FILE", "KIBITZ_LANGUAGE", "KIBITZ_TARGET"},
        )

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return self._environment[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._environment)

    def __len__(self) -> int:
        return len(self._environment)


def default_bot_processes() -> int:
    """One process per core: more would only share them."""
    return min(MAX_DEFAULT_BOT_PROCESSES, os.cpu_count() or 1)


def checked_log(log: str, name: str) -> str:
    if log not in LOG_FORMATS:
        raise Refused(
            _setting_error(name, log, message("server.setting-log", known=", ".join(LOG_FORMATS)))
        )
    return log


def _data_folder(environment: Mapping[str, str]) -> Path:
    if chosen := environment.get("KIBITZ_DATA"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return user_data_path("kibitz", appauthor=False)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "kibitz"
    shared = environment.get("XDG_DATA_HOME", "")
    home = Path(shared) if Path(shared).is_absolute() else Path.home() / ".local" / "share"
    return home / "kibitz"


def checked_workers(settings: Settings) -> Settings:
    """Raises Refused where several workers could not share a port or hear of each other."""
    if settings.workers > 1 and not hasattr(os, "fork"):
        raise Refused(message("server.workers-need-fork"))
    if settings.workers > 1 and not settings.redis:
        raise Refused(message("server.workers-need-redis"))
    return settings


def checked_database(text: str, name: str) -> str:
    return _checked_address(text.strip(), name, ("postgresql", "postgres"))


def _read_address(environment: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str:
    return _checked_address(environment.get(name, "").strip(), name, schemes)


def _checked_address(text: str, name: str, schemes: tuple[str, ...]) -> str:
    """Of a database or the like; it may hold a password, so it is not repeated."""
    scheme = text.partition("://")[0]
    if text and scheme not in schemes:
        known = message("server.setting-address", example=f"{schemes[0]}://...")
        raise Refused(_setting_error(name, f"{scheme}..." if scheme != text else "...", known))
    return text


class _MailSettings(TypedDict):
    smtp: SmtpServer | None
    url: str


def _mail_settings(environment: Mapping[str, str]) -> _MailSettings:
    """Links in mail have to lead here: nobody who asks may say where that is."""
    text, url = (
        environment.get("KIBITZ_SMTP_URL", "").strip(),
        environment.get("KIBITZ_PUBLIC_URL", ""),
    )
    if url and not re.fullmatch(r"https?://[\w.:\[\]-]+/?", url):
        raise Refused(_setting_error("KIBITZ_PUBLIC_URL", url, message("server.setting-url")))
    if not text:
        return {"smtp": None, "url": url.rstrip("/")}
    file, password = _read_path(environment, "KIBITZ_SMTP_PASSWORD_FILE"), ""
    try:
        password = read_password(file) if file else ""
    except (OSError, UnicodeDecodeError):
        known = message("server.setting-password-file")
        raise Refused(_setting_error("KIBITZ_SMTP_PASSWORD_FILE", str(file), known)) from None
    try:
        smtp = smtp_from(text, password)
    except ValueError:
        raise Refused(
            _setting_error("KIBITZ_SMTP_URL", "...", message("server.setting-smtp"))
        ) from None
    if not url:
        raise Refused(message("server.smtp-needs-url"))
    return {"smtp": smtp, "url": url.rstrip("/")}


def _read_path(environment: Mapping[str, str], name: str) -> Path | None:
    text = environment.get(name, "")
    return Path(text).expanduser() if text else None


def _read_prefix(environment: Mapping[str, str], name: str) -> str:
    text = environment.get(name, "").rstrip("/")
    if text and not re.fullmatch(r"(/[A-Za-z0-9_.~-]*[A-Za-z0-9_~-])+", text):
        raise Refused(_setting_error(name, text, message("server.setting-prefix")))
    return text


def _read_networks(environment: Mapping[str, str], name: str) -> Networks:
    text = environment.get(name, LOOPBACK)
    try:
        return Networks(text)
    except ValueError:
        raise Refused(_setting_error(name, text, message("server.setting-networks"))) from None


def _read_number(
    environment: Mapping[str, str], name: str, usual: int, least: int = 1, most: int = 10**6
) -> int:
    text = environment.get(name, str(usual))
    if text.isascii() and text.isdecimal() and len(text) < 8 and least <= int(text) <= most:
        return int(text)
    raise Refused(
        _setting_error(name, text, message("server.setting-number", least=least, most=most))
    )


def _read_switch(environment: Mapping[str, str], name: str, usual: bool) -> bool:
    text = environment.get(name, "on" if usual else "off")
    if text in ("1", "on"):
        return True
    if text in ("0", "off"):
        return False
    raise Refused(_setting_error(name, text, message("server.setting-switch")))


def _setting_error(name: str, text: str, known: Message) -> Message:
    return message("server.setting", name=name, text=text[:60], known=known)
