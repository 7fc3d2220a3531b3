"""A server whose first page fails, with a secret in its hands; it is also told some by others."""

import logging

from kibitz.cli.main import main
from kibitz.server.pages import home


def fails(*given: object, **more: object) -> None:
    raise RuntimeError("no page for /join/s3cret, whose cookie: kibitz-0a1b2c3d=s3cret")


def talks(record: logging.LogRecord) -> bool:
    """As a filter of our own lines, so that they are said once the log is set up."""
    log = logging.getLogger("somebody.else")
    log.warning("GET %s", "/join/s3cret?x=1", extra={"headers": "s3cret"})
    log.warning("headers %s", [(b"cookie", b"a=s3cret; b=s3cret"), (b"host", b"x")])
    log.warning("headers %s", {"Authorization": "Bearer s3cret"})
    log.warning("Cookie: a=s3cret; b=s3cret")
    log.warning("Referer: http://localhost/join%2Fs3cret")
    return True


if __name__ == "__main__":
    home.game_cards = fails  # type: ignore[assignment]
    logging.getLogger("kibitz.server.run").addFilter(talks)
    main()
