"""Commands for operators beside `kibitz serve`: copies of the data, and the doctor."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.core.message import Refused, Say, Value, fixed_decimal, message
from kibitz.i18n import FALLBACK, say_in
from kibitz.i18n.shell import shell_phrases

if TYPE_CHECKING:
    from kibitz.server.admin.fair_play import PlayerAgreement
    from kibitz.server.admin.restore import Loss
    from kibitz.server.settings import Settings

DATA_HELP = "Data folder (KIBITZ_DATA)."
Data = Annotated[Path | None, typer.Option("--data", metavar="FOLDER", help=DATA_HELP)]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
MAX_LOSSES_SHOWN = 50
"""Tables told one by one."""


def add_commands(app: typer.Typer) -> None:
    app.command()(backup)
    app.command()(restore)
    app.command()(export)
    app.command("import")(import_)
    app.command()(migrate)
    app.command()(doctor)
    app.command()(tidy)
    app.command("fair-play")(fair_play)
    app.command()(setup)


def tidy(
    older: Annotated[
        str, typer.Option(metavar="AGE", help="How old it has to be: 400d, 2y.")
    ] = "400d",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count it.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Delete old guests without a table, tables called off before the first action, and visits."""
    from kibitz.server.admin.tidy import read_age
    from kibitz.server.admin.tidy import tidy as tidy_up

    done = tidy_up(_load_settings(data), read_age(older), dry_run)
    if as_json:
        _print_json(**done._asdict())
        return
    kind = "server.tidy-would" if dry_run else "server.tidy-done"
    print(shell_phrases()(message(kind, **done._asdict())))


def fair_play(
    latest: Annotated[
        int, typer.Option(metavar="N", min=1, help="Of how many rated matches, the latest first.")
    ] = 20,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Print how often players of rated matches chose what our best bot would have chosen."""
    from kibitz.server.admin.fair_play import agreements

    found = agreements(_load_settings(data), latest)
    if as_json:
        _print_json(players=[_agreement_values(each) for each in found])
        return
    say, has_any = shell_phrases(), False
    for each in found:
        has_any = True
        told: dict[str, Value] = {
            "when": datetime.fromtimestamp(each.at).strftime("%Y-%m-%d %H:%M"),
            "game": message(f"{each.game}.title"),
            "table": each.table,
            "player": each.player,
            **each.figure._asdict(),
        }
        print(say(message("server.fair-play", **told)), flush=True)
    if not has_any:
        print(say(message("server.fair-play-none")))


def _agreement_values(each: PlayerAgreement) -> dict[str, object]:
    values = each._asdict()
    return {**values, **values.pop("figure")._asdict()}


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The zip file to write.")],
    data: Data = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Back up everything to one file, even while the server is running."""
    from kibitz.server.admin.backup import back_up

    settings = _load_settings(data)
    done = back_up(settings, file, force)
    if as_json:
        _print_json(file=str(file), tables=done.tables, bytes=done.size_bytes)
        return
    size = message("server.megabytes", value=fixed_decimal(done.size_bytes / 1e6, 3))
    print(shell_phrases()(message("server.backup-done", file=str(file), n=done.tables, size=size)))


def restore(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A backup; without one, the current data."),
    ] = None,
    at: Annotated[
        str, typer.Option(metavar="TIME", help="Restore the state at this time: 2026-05-01T20:15.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be lost.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Restore a backup, or the state at an earlier time. Stop the server first.

    The previous data is kept next to the data folder.
    """
    from kibitz.server.admin.restore import read_time
    from kibitz.server.admin.restore import restore_data as bring_back

    if file is None and not at:
        raise Refused(message("server.restore-what"))
    say = shell_phrases()
    done = bring_back(_load_settings(data), file, read_time(at) if at else None, dry_run)
    if as_json:
        _print_json(
            tables=done.tables,
            rows=done.rows,
            losses=[asdict(loss) for loss in done.losses],
            old_data_folder=str(done.old_data_folder) if done.old_data_folder else None,
        )
        return
    _print_losses(done.losses, say)
    kind = "server.restore-would" if dry_run else "server.restore-done"
    print(say(message(kind, n=done.tables, rows=done.rows)))
    if done.old_data_folder:
        print(say(message("server.restore-kept", folder=str(done.old_data_folder))))


def _print_losses(losses: Sequence[Loss], say: Say) -> None:
    for loss in losses[:MAX_LOSSES_SHOWN]:
        last = datetime.fromtimestamp(loss.last_row_at).astimezone().isoformat(" ", "seconds")
        told: dict[str, Value] = {
            "table": loss.table,
            "game": message(f"{loss.game}.title"),
            "n": loss.before - loss.after,
            "after": loss.after,
            "last": last,
        }
        kind = "server.restore-loses" if loss.after else "server.restore-loses-all"
        print(say(message(kind, **told)))
    if more := len(losses[MAX_LOSSES_SHOWN:]):
        print(say(message("server.restore-more", n=more)))
    if not losses:
        print(say(message("server.restore-loses-nothing")))


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The zip file to write.")],
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="ID", help="Export only this table; repeatable."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Export all tables (default).")] = False,
    data: Data = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Export tables, with their records, to a file that another host can import."""
    from kibitz.server.admin.export import export_tables as write

    if table and everything:
        raise Refused(message("server.export-which"))
    done = write(_load_settings(data), file, table or (), force)
    if as_json:
        size_bytes, unreadable = file.stat().st_size, done.unreadable_tables
        _print_json(file=str(file), tables=done.tables, bytes=size_bytes, unreadable=unreadable)
        return
    size = message("server.megabytes", value=fixed_decimal(file.stat().st_size / 1e6, 3))
    print(shell_phrases()(message("server.backup-done", file=str(file), n=done.tables, size=size)))
    if done.unreadable_tables:
        print(shell_phrases()(message("server.export-unreadable", n=done.unreadable_tables)))


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by kibitz export.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Import tables exported by another host: all of them or none."""
    from kibitz.server.admin.export import import_tables

    done = import_tables(_load_settings(data), file)
    if as_json:
        _print_json(tables=done.tables, rows=done.rows, known=done.known_tables)
        return
    told = message("server.import-done", n=done.tables, rows=done.rows, known=done.known_tables)
    print(shell_phrases()(told))


def migrate(
    url: Annotated[
        str, typer.Argument(metavar="[URL]", help="postgresql://..., or set KIBITZ_DATABASE_URL.")
    ] = "",
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Move everything from the data folder to an empty PostgreSQL database."""
    from kibitz.server.admin.copy_to_postgres import copy_database
    from kibitz.server.settings import checked_database

    settings, say = _load_settings(data), shell_phrases()
    target = checked_database(url, "URL") or settings.database
    if not target:
        raise Refused(message("server.migrate-where"))
    done = copy_database(settings.data, target)
    if as_json:
        _print_json(tables=done.tables, rows=done.rows)
        return
    print(say(message("server.migrate-done", n=done.tables, rows=done.rows)))
    print(say(message("server.migrate-then", folder=str(settings.data))))


def doctor(
    as_json: AsJson = False,
    backups: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Backup folder to check (KIBITZ_BACKUPS).")
    ] = None,
    data: Data = None,
) -> None:
    """Check this installation and explain what is wrong.

    Exit code: 0 if all is well, 1 for warnings, 2 if the server cannot work.
    """
    from kibitz.server.admin.doctor import Finding, exit_code, run_checks

    settings, say = _load_settings(data), say_in(FALLBACK) if as_json else shell_phrases()
    if backups:
        settings = replace(settings, backups=backups)
    found: list[Finding] = []
    for each in run_checks(settings):
        found.append(each)
        if not as_json:
            print(
                f"{say(message(f'server.doctor-{each.status}'))}  {say(each.sentence)}", flush=True
            )
    if as_json:
        listed = [
            {"about": f.about, "status": f.status, "sentence": say(f.sentence)} for f in found
        ]
        print(json.dumps({"verdict": exit_code(found), "findings": listed}, ensure_ascii=False))
    raise typer.Exit(exit_code(found))


def setup(
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for the files to write.")
    ] = Path("kibitz-setup"),
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing: use the defaults.")] = False,
    force: Force = False,
) -> None:
    """Set up a server as a service: answer five questions, get its files, check the rest.

    It writes a file of settings and units for systemd into a folder, prints the commands that
    install them, and runs the doctor. It changes nothing else.
    """
    from kibitz.server.admin import setup as files
    from kibitz.server.admin.doctor import run_checks
    from kibitz.server.settings import settings_from

    say = shell_phrases()

    def ask(question: str, default: str) -> str:
        return str(typer.prompt(question, default=default, show_default=bool(default)))

    answers = files.Answers() if yes else files.ask_questions(ask, print, say)
    written = files.write_files(answers, out, force)
    print(say(message("server.setup-written", files=", ".join(map(str, written)))))
    for each in run_checks(settings_from(answers.environment)):
        print(f"{say(message(f'server.doctor-{each.status}'))}  {say(each.sentence)}", flush=True)
    print(say(message("server.setup-then")))
    for line in files.install_lines(answers, out):
        print(f"    {line}")


def _print_json(**told: object) -> None:
    print(json.dumps(told, ensure_ascii=False))


def _load_settings(data: Path | None) -> Settings:
    from kibitz.server.settings import settings_from

    settings = settings_from()
    return replace(settings, data=data) if data else settings
