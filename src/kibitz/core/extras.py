"""Packages that come with an extra of ours, `pip install "kibitz[host]"`, and may be missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kibitz.core.message import Refused, message


def import_extra(package: str, extra: str, wanted_by: str) -> Any:
    """The module of a package of an extra. Raises Refused, with what wants it, if it is missing."""
    try:
        return import_module(package)
    except ImportError:
        raise Refused(
            message(
                "cli.missing-package",
                what=wanted_by,
                package=package.partition(".")[0],
                extra=extra,
            )
        ) from None
