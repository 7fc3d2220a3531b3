"""Try the image `kibitz` out: it starts, a match is played, it is killed, and goes on.

.venv/bin/python tools/try_image.py
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

PLAY = Path(__file__).with_name("play_installed.py")
NAME = "kibitz-trial"
RUN = f"docker run --detach --name {NAME} --read-only --tmpfs /tmp --publish 127.0.0.1::8000 kibitz"
MAX_HEALTHY_S = 60.0


def run(command: str) -> str:
    """The output of a command. Raises CalledProcessError."""
    return subprocess.run(command.split(), capture_output=True, text=True, check=True).stdout


def wait_until_healthy() -> str:
    """The address of the container, once it is well."""
    deadline = time.monotonic() + MAX_HEALTHY_S
    while run(f"docker inspect --format {{{{.State.Health.Status}}}} {NAME}").strip() != "healthy":
        if time.monotonic() > deadline:
            raise SystemExit(run(f"docker logs {NAME}"))
        time.sleep(0.5)
    return "http://" + run(f"docker port {NAME} 8000").split()[0]


def play(bot: str) -> None:
    subprocess.run([sys.executable, str(PLAY), bot, wait_until_healthy()], check=True)


def main() -> None:
    run(RUN)
    try:
        play("level-5")
        run(f"docker kill {NAME}")
        run(f"docker start {NAME}")
        play("level-1")
    finally:
        run(f"docker rm --force --volumes {NAME}")


if __name__ == "__main__":
    main()
