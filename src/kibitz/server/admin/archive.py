"""A zip file that is there whole or not at all, and that only its owner may read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

from kibitz.core.message import Refused, message
from kibitz.core.os_errors import os_error_reason

T = TypeVar("T")


def write_zip(file: Path, overwrite: bool, write: Callable[[ZipFile, Path], T]) -> T:
    """Let `write` fill it; it is also given a folder for what it needs meanwhile.

    It is written under another name first: what is there under its name is complete.
    Raises Refused where something is there that may not be replaced, or it cannot be written.
    """
    if not overwrite and os.path.lexists(file):
        raise Refused(message("server.backup-exists", file=str(file)))
    try:
        with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as folder:
            beside, whole = Path(folder), Path(folder) / "zip"
            with open(whole, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
                with ZipFile(out, "w", ZIP_DEFLATED) as archive:
                    written = write(archive, beside)
                out.flush()
                os.fsync(out.fileno())
            _move_into_place(whole, file, overwrite)
        return written
    except FileExistsError:
        raise Refused(message("server.backup-exists", file=str(file))) from None
    except OSError as error:
        why = os_error_reason(error)
        raise Refused(message("cli.cannot-write", file=str(file), why=why)) from None


def _move_into_place(whole: Path, file: Path, overwrite: bool) -> None:
    """A link, unlike a new name, is refused where somebody else was quicker.

    Some disks know no links.
    """
    try:
        if not overwrite:
            file.hardlink_to(whole)
    except FileExistsError:
        raise
    except OSError:
        overwrite = True
    if overwrite:
        whole.replace(file)
    sync_folder(file.parent)


def sync_folder(path: Path) -> None:
    """Back when the disk knows the names in it. Windows opens no folders; it sees to that."""
    if os.name == "nt":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
