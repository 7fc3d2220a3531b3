"""Where the server listens and keeps its data."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    open_browser: bool = True


def settings_from(environment: Mapping[str, str] = os.environ) -> Settings:
    """What the environment says: KIBITZ_DATA, KIBITZ_PORT, KIBITZ_OPEN."""
    port = environment.get("KIBITZ_PORT", "8000")
    if not (port.isascii() and port.isdecimal() and len(port) < 6 and int(port) < 1 << 16):
        raise ValueError(f"KIBITZ_PORT must be a port number, not {port!r}")
    return Settings(
        data=_data_folder(environment),
        port=int(port),
        open_browser=environment.get("KIBITZ_OPEN", "1") != "0",
    )


def _data_folder(environment: Mapping[str, str]) -> Path:
    if chosen := environment.get("KIBITZ_DATA"):
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "kibitz"
    shared = environment.get("XDG_DATA_HOME", "")
    home = Path(shared) if Path(shared).is_absolute() else Path.home() / ".local" / "share"
    return home / "kibitz"
