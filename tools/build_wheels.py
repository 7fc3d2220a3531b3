"""Build the wheels of all platforms on this machine, into dist/: one with the compiled kernels of
each platform, and one for all others.

    .venv/bin/python tools/build_wheels.py              all of them
    .venv/bin/python tools/build_wheels.py pure         some of them, by platform tag

Those with compiled kernels need the extra `wheels` (Numba and Zig).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parents[1]
HOOK = run_path(str(ROOT / "hatch_build.py"))
PLATFORM_VARIABLE: str = HOOK["PLATFORM_VARIABLE"]
TRIPLES: dict[str, str] = HOOK["TRIPLES"]
PURE = "pure"
MAX_WHEEL_BYTES = 5_000_000


def build_wheel(platform: str, folder: Path) -> Path:
    """Build the wheel of a platform; raises SystemExit if it is too large."""
    before = {*folder.glob("*.whl")}
    clean = {name: value for name, value in os.environ.items() if name != PLATFORM_VARIABLE}
    chosen = {} if platform == PURE else {PLATFORM_VARIABLE: platform}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        env=clean | chosen,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    made = {*folder.glob("*.whl")} - before or before
    wheel = max(made, key=lambda path: path.stat().st_mtime)
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size / 1e6:.2f} MB", flush=True)
    if size > MAX_WHEEL_BYTES:
        raise SystemExit(f"{wheel.name} is larger than {MAX_WHEEL_BYTES / 1e6:.0f} MB")
    return wheel


def main() -> None:
    for platform in sys.argv[1:] or (PURE, *TRIPLES):
        if platform not in (PURE, *TRIPLES):
            raise SystemExit(f"{platform} is none of {', '.join((PURE, *TRIPLES))}")
        build_wheel(platform, ROOT / "dist")


if __name__ == "__main__":
    main()
