"""Reasons of the operating system, as messages where people often meet them."""

from __future__ import annotations

import errno

from kibitz.core.message import Value, message

NAMED_ERRORS = (
    "EACCES",
    "EADDRINUSE",
    "EADDRNOTAVAIL",
    "ECONNREFUSED",
    "EEXIST",
    "EISDIR",
    "ENOENT",
    "ENOSPC",
    "ENOTDIR",
    "EPERM",
    "EROFS",
)


def os_error_reason(error: OSError) -> Value:
    """A message for a common error; for any other the words of the system."""
    name = errno.errorcode.get(error.errno or 0, "")
    if name in NAMED_ERRORS:
        return message(f"cli.error-{name}")
    return error.strerror or str(error)
