"""The native library, for tests that compare targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.core.targets import build_native, native_library, sources


@pytest.fixture(scope="session")
def library() -> Path:
    """The library of these sources; built now if nobody has."""
    if not native_library():
        build_native(sources.build_folder() / sources.native_name())
    found = native_library()
    assert found
    return found
