"""Any mail server: where it is, and how a message is handed to it."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import parse_qs, unquote, urlsplit

Security: TypeAlias = Literal["tls", "starttls", "none"]
PORTS = {"smtp": 587, "smtps": 465}
TIMEOUT_S = 15.0
"""Seconds for every step."""
KNOWN_PARAMETERS = {"from", "security"}
ADDRESS_PATTERN = re.compile(r"\S+@\S+")
"""An address in the words of a mail server, which are logged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpServer:
    host: str
    port: int
    sender: str
    """The sender of mail."""
    user: str = ""
    password: str = field(default="", repr=False)
    security: Security = "starttls"

    def send_mail(self, mail: EmailMessage) -> None:
        """Raises MailUnavailable, MailDeferred or MailRejected; after any other error it is open
        whether it was taken."""
        with self.open_connection() as server:
            try:
                server.send_message(mail)
            except smtplib.SMTPRecipientsRefused as error:
                code, why = next(iter(error.recipients.values()))
                raise _smtp_error(code, why) from None
            except smtplib.SMTPResponseException as error:
                raise _smtp_error(error.smtp_code, error.smtp_error) from None

    @contextmanager
    def open_connection(self) -> Iterator[smtplib.SMTP]:
        """Logged in, where that is wished for; raises MailUnavailable."""
        try:
            server = self._connect()
        except (OSError, smtplib.SMTPException) as error:
            raise MailUnavailable(_error_text(error)) from None
        try:
            yield server
        finally:
            with suppress(OSError, smtplib.SMTPException):
                server.quit()

    def _connect(self) -> smtplib.SMTP:
        secure = ssl.create_default_context()
        server: smtplib.SMTP
        if self.security == "tls":
            server = smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT_S, context=secure)
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT_S)
        try:
            if self.security == "starttls":
                server.starttls(context=secure)
            if self.user:
                server.login(self.user, self.password)
        except Exception:
            server.close()
            raise
        return server


class MailUnavailable(Exception):
    """The mail server takes no mail at all now."""


class MailDeferred(Exception):
    """This one is not taken now."""


class MailRejected(Exception):
    """This one is not taken, now or later."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.is_unknown_address = why[:8].endswith("5.1.")
        """True if that is because there is no such address."""


def _smtp_error(code: int, why: bytes | str) -> MailDeferred | MailRejected:
    answer = why if isinstance(why, str) else why.decode(errors="replace")
    text = f"{code} {ADDRESS_PATTERN.sub('...', answer)}"
    return MailRejected(text) if 500 <= code < 600 else MailDeferred(text)


def _error_text(error: Exception) -> str:
    return ADDRESS_PATTERN.sub("...", " ".join(str(error).split())) or type(error).__name__


def smtp_from(address: str, password: str = "") -> SmtpServer:
    """`smtp://user:password@host:port?from=kibitz@example.org`; raises ValueError.

    `smtps` is encrypted from the first word on, `smtp` before anything is said that matters;
    not with `security=none`, for a server on the same machine.
    """
    parts = urlsplit(address)
    asked = parse_qs(parts.query, strict_parsing=bool(parts.query))
    sender = asked.get("from", [""])[-1]
    if parts.scheme not in PORTS or not parts.hostname or asked.keys() - KNOWN_PARAMETERS:
        raise ValueError(address)
    if not is_email_address(sender):
        raise ValueError(sender)
    security = asked.get("security", ["starttls"])[-1]
    if security not in ("starttls", "none"):
        raise ValueError(security)
    return SmtpServer(
        host=parts.hostname,
        port=parts.port or PORTS[parts.scheme],
        sender=sender,
        user=unquote(parts.username or ""),
        password=password or unquote(parts.password or ""),
        security="tls" if parts.scheme == "smtps" else "none" if security == "none" else "starttls",
    )


def read_password(file: Path) -> str:
    """Its first line; raises OSError."""
    return file.read_text("utf-8").partition("\n")[0].strip()


def is_email_address(text: str) -> bool:
    """True for text like the address of one person, in letters that every server takes."""
    name, at, host = text.rpartition("@")
    is_plain = text.isascii() and text.isprintable() and len(text) <= MAX_EMAIL_LETTERS
    is_whole = bool(name and at and host) and "@" not in name and len(name) <= 64
    is_host = host == "localhost" or ("." in host and ".." not in host)
    is_tidy = host.strip(".-") == host and not FORBIDDEN_LETTERS & {*text}
    return is_plain and is_whole and is_host and is_tidy


MAX_EMAIL_LETTERS = 254
FORBIDDEN_LETTERS = {*' <>"(),:;\\[]'}
