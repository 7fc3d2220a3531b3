"""Types that threads read: msgspec has to know them before there are threads."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from kibitz.server.tables.settings import read_settings

def note(frame, event, argument):
    if event == "call":
        print(frame.f_code.co_name)

sys.setprofile(note)
read_settings({"clock": {"kind": "days", "days": 2}, "teams": {"R": {"name": "Reds"}}})
"""


def test_the_types_of_settings_are_known_before_a_table_is_loaded() -> None:
    called = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    ).stdout.split()
    assert called == ["read_settings"], "msgspec looks at types by functions of Python"
