"""The server that tells people of their turns by mail within seconds, and not within hours."""

from __future__ import annotations

from kibitz.server.accounts import turn_mail

if __name__ == "__main__":
    turn_mail.INTERVALS_S = 3, 6, 9
    turn_mail.DEFAULT_INTERVAL_S = 3
    turn_mail.MIN_WAIT_S = 1.0
    turn_mail.POLL_S = 0.2
    turn_mail.RETRY_RANGE_S = 0.3, 1.0
    turn_mail.CONFIRM_INTERVAL_S = 0.5
    from kibitz.server.run import main

    main()
