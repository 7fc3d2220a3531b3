"""The command `kibitz`.

Bad files, positions and options get one clear sentence on standard error and exit code 2.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from kibitz import __version__
from kibitz.cli.bot_commands import bot_app
from kibitz.cli.dataset_commands import dataset_app
from kibitz.cli.developer_commands import developer_app
from kibitz.cli.draw_command import draw_app
from kibitz.cli.language import Language, LanguageGroup
from kibitz.cli.match_commands import match_app
from kibitz.cli.play_commands import play_app
from kibitz.cli.puzzle_commands import puzzle_app
from kibitz.cli.usage import usage_message
from kibitz.core.message import Message, Refused, message
from kibitz.core.os_errors import os_error_reason
from kibitz.i18n.shell import refusal_sentence, shell_phrases
from kibitz.server.admin import cli as admin_cli

app = typer.Typer(
    name="kibitz",
    cls=LanguageGroup,
    help="Play and study three board games: Kahmaté, Kalamala and AS-Kimble.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
EXIT_INTERRUPTED = 130


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            code = app(prog_name="kibitz", standalone_mode=False)
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except Refused as refused:
        fail(refused.refusal)
    except TyperException as error:
        fail_at_usage(error)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        _discard_output()
        sys.exit(1)
    except OSError as error:
        _discard_output()
        fail(message("cli.cannot-go-on", why=os_error_reason(error)))
    else:
        sys.exit(code)


def _discard_output() -> None:
    """Send what is still to be written nowhere, so that Python does not try again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def fail(why: Message) -> None:
    print(f"kibitz: {refusal_sentence(why, shell_phrases())}", file=sys.stderr)
    sys.exit(2)


def fail_at_usage(error: Any) -> None:
    """Explain a line that cannot be read; who typed no command at all gets the help."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        sys.exit(error.exit_code)
    fail(usage_message(error))


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    language: Language = "",
) -> None:
    if show:
        print(f"kibitz {__version__}")
        raise typer.Exit


for commands in (play_app, match_app, draw_app, bot_app, dataset_app, puzzle_app, developer_app):
    app.add_typer(commands)
admin_cli.add_commands(app)
