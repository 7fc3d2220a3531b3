"""The keys of the phrases that scripts say, read from the scripts themselves.

A script says a phrase with `say("key", values)`. Every string in the first argument is a key, so a
script that chooses between phrases names all of them there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kibitz.server.static_files import script_modules, static_file

_CALL = re.compile(r"(?<!function )\bsay\(")
_TOKEN = re.compile(r'"([^"\n]*)"|`|[(\[{]|[)\]}]|,')


@lru_cache
def phrase_keys(script: str) -> tuple[str, ...]:
    """The keys of all phrases that a script says, or what it imports; a path below `/static`."""
    loaded = (script, *script_modules(script))
    return tuple(sorted({key for each in loaded for keys in phrase_calls(each) for key in keys}))


def phrase_calls(script: str) -> Iterator[tuple[str, ...]]:
    """The keys of each call of `say` in one script.

    Raises ValueError where a call names none, or puts one together.
    """
    file = static_file(script)
    assert file is not None, script
    code = file.read_text("utf-8")
    for call in _CALL.finditer(code):
        keys, depth = [], 0
        for token in _TOKEN.finditer(code, call.end()):
            if token[1] is not None:
                keys.append(token[1])
            elif token[0] in "([{":
                depth += 1
            elif token[0] in ")]}":
                depth -= 1
            if token[0] == "`" or depth < 0 or (token[0] == "," and not depth):
                break
        if not keys or token[0] == "`":
            line = code.count("\n", 0, call.start()) + 1
            raise ValueError(f"{script}:{line}: say(...) has to name its phrases")
        yield tuple(keys)
