"""The server that tells people of their turns by mail within seconds, and not within hours."""

from __future__ import annotations

from kibitz.server import mail

if __name__ == "__main__":
    mail.CHOICES = 3, 6, 9
    mail.USUAL = 3
    mail.WAITED = 1.0
    mail.ROUND = 0.2
    mail.AGAIN = 0.3, 1.0
    mail.ASKED_EVERY = 0.5
    from kibitz.server.run import main

    main()
