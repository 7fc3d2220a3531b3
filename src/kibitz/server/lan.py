"""The address by which others on the same network find this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest

PROBE_ADDRESS = "192.0.2.1", 9
"""Nobody's address. Nothing is sent there; the system only says by which way it would be."""
WILDCARD_HOSTS = "0.0.0.0", "::"
HALF_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
QR_BORDER_MODULES = 2


def lan_address() -> str | None:
    """This machine's address on its network, if it is on one."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(PROBE_ADDRESS)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found.startswith("127.") or found in WILDCARD_HOSTS else found


def web_address(host: str, port: int, prefix: str = "") -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}/"


def qr_text(text: str, in_colour: bool) -> str:
    """A QR code out of half blocks, two rows a line.

    Light is what is printed, as terminals are dark more often than not; colours make sure of it.
    """
    return "\n".join(f"\033[97;40m{line}\033[0m" if in_colour else line for line in _qr_lines(text))


def _qr_lines(text: str) -> Iterator[str]:
    import segno

    rows = [
        [not dark for dark in row]
        for row in segno.make_qr(text).matrix_iter(border=QR_BORDER_MODULES)
    ]
    for upper, lower in zip_longest(rows[::2], rows[1::2], fillvalue=[False] * len(rows)):
        yield "".join(HALF_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
