"""Sentences about a command line that cannot be read."""

from __future__ import annotations

import re
from typing import Any

from kibitz.core.message import Message, message


def usage_message(error: Any) -> Message:
    """The fault of the words typed, and where to read about them; `error` is from Typer."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "kibitz"
    match type(error).__name__:
        case "MissingParameter":
            name = error.param.metavar or error.param.name.upper()
            return message("cli.usage-missing", name=name, command=command)
        case "NoSuchOption":
            return message("cli.usage-no-option", name=error.option_name, command=command)
        case "BadOptionUsage":
            takes = "no-value" if "not take" in error.message else "needs-value"
            return message(f"cli.usage-{takes}", name=error.option_name, command=command)
        case "BadParameter":
            return message("cli.usage-value", name=error.param.opts[0], command=command)
    typed = re.search(r"'(.+)'|\(([^()]+)\)$", error.format_message())
    text = (typed[1] or typed[2])[:60] if typed else ""
    is_group = hasattr(context and context.command, "commands")
    kind = "no-command" if is_group else "extra"
    return message(f"cli.usage-{kind}", text=text, command=command)
