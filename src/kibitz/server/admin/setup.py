"""`kibitz setup`: an environment file and systemd units for a server, from five answers."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kibitz.core.message import Refused, Say, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.settings import settings_from

PACKAGE = Path(__file__).parents[2]
UNIT_FOLDERS = (PACKAGE / "packaging" / "systemd", PACKAGE.parents[1] / "packaging" / "systemd")
"""In an installed package, and in a checkout."""
ENV_FILE = "kibitz.env"
UNITS = ("kibitz.service",)
BACKUP_UNITS = ("kibitz-backup.service", "kibitz-backup.timer")
UNIT_DATA, UNIT_BACKUPS = Path("/var/lib/kibitz"), Path("/var/backups/kibitz")
UNIT_PROGRAM = "/opt/kibitz/.venv/bin/kibitz"
"""As the units have them."""
PROXY, NETWORK = "proxy", "network"
REACHES = (PROXY, NETWORK)
Ask = Callable[[str, str], str]
"""Asks for an answer to a sentence; the second is what counts for an empty one."""


@dataclass(frozen=True, slots=True)
class Answers:
    reach: str = PROXY
    port: str = "8000"
    data: Path = UNIT_DATA
    url: str = ""
    backups: Path | None = UNIT_BACKUPS

    @property
    def environment(self) -> dict[str, str]:
        """The settings that these answers come to."""
        found = {
            "KIBITZ_HOST": "127.0.0.1" if self.reach == PROXY else "0.0.0.0",
            "KIBITZ_PORT": self.port,
            "KIBITZ_DATA": str(self.data),
            "KIBITZ_PUBLIC_URL": self.url,
            "KIBITZ_BACKUPS": str(self.backups or ""),
        }
        return {name: value for name, value in found.items() if value}


def ask_questions(ask: Ask, complain: Callable[[str], None], say: Say) -> Answers:
    """The five answers; a question is asked again where an answer cannot be."""

    def ask_until_valid(question: str, default: str, variable: str = "") -> str:
        while True:
            answer = ask(say(message(f"server.setup-{question}")), default).strip()
            try:
                if variable:
                    settings_from({variable: answer} if answer else {})
                elif answer not in REACHES:
                    raise Refused(message("server.setup-which", known=", ".join(REACHES)))
            except Refused as refused:
                complain(say(refused.refusal))
            else:
                return answer

    usual = Answers()
    reach = ask_until_valid("reach", usual.reach)
    port = ask_until_valid("port", usual.port, "KIBITZ_PORT") or usual.port
    data = ask_until_valid("data", str(usual.data), "KIBITZ_DATA") or str(usual.data)
    url = ask_until_valid("url", "", "KIBITZ_PUBLIC_URL")
    backups = ask_until_valid("backups", str(usual.backups), "KIBITZ_BACKUPS")
    return Answers(reach, port, _whole_path(data), url, _whole_path(backups) if backups else None)


def _whole_path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def write_files(answers: Answers, folder: Path, force: bool = False) -> list[Path]:
    """Write the environment file and the units. Raises Refused if one of them is there already."""
    texts = {ENV_FILE: env_text(answers.environment)}
    for name in (*UNITS, *(BACKUP_UNITS if answers.backups else ())):
        texts[name] = unit_text(name, answers)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in texts:
            if (folder / name).exists() and not force:
                raise Refused(message("server.setup-exists", file=str(folder / name)))
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
            # It may come to hold passwords.
            (folder / name).chmod(0o600 if name == ENV_FILE else 0o644)
    except OSError as error:
        why = os_error_reason(error)
        raise Refused(message("server.setup-cannot-write", folder=str(folder), why=why)) from None
    return [folder / name for name in texts]


def env_text(environment: Mapping[str, str]) -> str:
    return "".join(f"{name}={value}\n" for name, value in environment.items())


def unit_text(name: str, answers: Answers) -> str:
    """A unit of ours with the folders and the program of this machine."""
    file = next(each / name for each in UNIT_FOLDERS if (each / name).exists())
    text = file.read_text("utf-8").replace(UNIT_PROGRAM, program_path())
    if answers.data != UNIT_DATA:
        # What is no state directory of systemd's has to be allowed to be written to.
        text = text.replace("StateDirectory=kibitz\n", f"ReadWritePaths={answers.data}\n")
        text = text.replace("StateDirectoryMode=0700\n", "")
    text = text.replace(str(UNIT_DATA), str(answers.data))
    return text.replace(str(UNIT_BACKUPS), str(answers.backups))


def install_lines(answers: Answers, folder: Path) -> list[str]:
    """The commands that install what was written, and start it."""
    home = "useradd --system --home-dir /var/lib/kibitz --shell /usr/sbin/nologin kibitz"
    lines = [home, f"install -m 600 {folder / ENV_FILE} /etc/kibitz.env"]
    if answers.data != UNIT_DATA:
        lines.append(f"install -d -o kibitz -g kibitz -m 700 {answers.data}")
    units, started = [*UNITS], [*UNITS]
    if answers.backups:
        lines.append(f"install -d -o kibitz -g kibitz -m 700 {answers.backups}")
        units, started = [*units, *BACKUP_UNITS], [*started, BACKUP_UNITS[-1]]
    lines.append(f"cp {' '.join(str(folder / unit) for unit in units)} /etc/systemd/system/")
    return [*lines, "systemctl daemon-reload", f"systemctl enable --now {' '.join(started)}"]


def program_path() -> str:
    """The command `kibitz` that is running."""
    beside = Path(sys.executable).with_name("kibitz")
    return str(beside) if beside.exists() else shutil.which("kibitz") or UNIT_PROGRAM
