"""Links in a page, with their masks taken off."""

from __future__ import annotations

import re
from base64 import b64decode

MASKED = re.compile(r'(?<=id="links">")[^"]*')


def masked_links(page: str) -> str:
    """The links of a page under their mask, which is another one each time."""
    return str(MASKED.findall(page)[0])


def unmask(masked: str) -> str:
    """The text under a mask (lib/unmask.js does the same)."""
    content = b64decode(masked)
    half = len(content) // 2
    return bytes(a ^ b for a, b in zip(content[:half], content[half:], strict=True)).decode()


def without_masks(page: str) -> str:
    return MASKED.sub(lambda found: unmask(found[0]), page)
