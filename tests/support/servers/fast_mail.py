"""The server that tells people of their turns by mail within seconds, and not within hours."""

from __future__ import annotations

from kibitz.server.accounts import turn_mail

if __name__ == "__main__":
    turn_mail.CHOICES = 3, 6, 9
    turn_mail.USUAL = 3
    turn_mail.WAITED = 1.0
    turn_mail.ROUND = 0.2
    turn_mail.AGAIN = 0.3, 1.0
    turn_mail.ASKED_EVERY = 0.5
    from kibitz.server.run import main

    main()
