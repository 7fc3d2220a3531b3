"""The ids of all that scripts of pages say."""

from __future__ import annotations

from kibitz.server.script_phrases import phrase_calls
from kibitz.server.static_files import static_folders


def script_ids() -> set[str]:
    scripts = [
        path.relative_to(folder).as_posix()
        for folder in static_folders()
        for path in folder.rglob("*.js")
    ]
    return {f"page.{key}" for each in scripts for keys in phrase_calls(each) for key in keys}
