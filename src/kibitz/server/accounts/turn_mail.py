"""Your turn, by mail: for those with an account who gave an address, and confirmed it.

One mail tells of all tables where somebody is waited for, at most so often as they chose, and of
each turn once. It is written down as sent before it is sent: where that cannot be known, nobody is
told twice. Without confirmation nothing is ever sent but the question whether the address is
right.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Coroutine
from contextlib import suppress
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from html import escape
from typing import Any, NamedTuple

from anyio import CapacityLimiter, to_thread
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from kibitz.core.message import Refused, message
from kibitz.i18n.grammar import join_names
from kibitz.server import wall_clock
from kibitz.server.db.queries import mail as queries
from kibitz.server.db.queries.accounts import Account, account_named, account_of, password_hash
from kibitz.server.db.store import Store, StoreError
from kibitz.server.http.errors import HttpError
from kibitz.server.http.rate_limits import RateLimiter
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.settings import Settings
from kibitz.server.smtp import MailDeferred, MailRejected, MailUnavailable, is_email_address
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.settings import Days, NoClock
from kibitz.table.seating import Member

log = logging.getLogger(__name__)

HOUR_S = 60 * 60
INTERVALS_S = (HOUR_S, 6 * HOUR_S, 24 * HOUR_S)
"""The shortest times between two mails that somebody may choose, in seconds."""
DEFAULT_INTERVAL_S = 6 * HOUR_S
MIN_WAIT_S = 10 * 60.0
"""For so many seconds somebody has been waited for who is told."""
POLL_S = 60.0
"""The time between two looks for who is to be told, in seconds."""
RETRY_RANGE_S = 60.0, 60 * 60.0
"""When a mail server that did not take something is asked again, at first and at most."""
MAX_CONFIRM_TRIES = 6
"""So often the question whether an address is right is sent anew, where nobody takes it."""
CONFIRM_VALID_S = 24 * HOUR_S
"""For so many seconds that question may be answered."""
RESET_VALID_S = HOUR_S
"""For so many seconds a link to a new password works, and once."""
CONFIRM_INTERVAL_S = 60.0
"""So many seconds are between two such questions to one account."""
MAX_CACHED = 10_000
"""So much is remembered of where nobody has to be told."""
MAX_TABLES_PER_MAIL = 20
"""So many are in a mail; of more it says so."""
SENT, DEFERRED, UNAVAILABLE, LOST = "sent", "later", "away", "lost"
"""The ends of a mail; one that is lost may have been sent, and is not again."""
INTERVAL_KEY, TURNS_KEY, ASKED_KEY = "interval_seconds", "turns", "confirmation_sent_at"
"""Keys of an account's `mail_state`."""


def _hash_state(hashed: str) -> str:
    """A mark of a password: another one has another."""
    return hashlib.sha256(hashed.encode()).hexdigest()[:16]


class TurnDigest(NamedTuple):
    """A member to be told, and the turns to tell of."""

    account: Account
    mailed_at: float | None
    mail_state: dict[str, Any]
    waiting: list[LiveTable]


class Mailer:
    def __init__(
        self,
        settings: Settings,
        store: Store,
        tables: LiveTables,
        secret: bytes,
        rate_limiter: RateLimiter,
    ) -> None:
        self._smtp, self._url = settings.smtp, settings.url
        self._store, self._tables = store, tables
        self._secret = secret
        self._questions = URLSafeTimedSerializer(secret, salt="email")
        self._stops = URLSafeSerializer(secret, salt="no-email")
        self._resets = URLSafeTimedSerializer(secret, salt="reset")
        self._rate_limiter = rate_limiter
        self._tasks: set[asyncio.Task[None]] = set()
        self._send_limiter = CapacityLimiter(1)
        self._retry_s = RETRY_RANGE_S[0]
        self._is_unavailable = False
        self._checked_seqs: dict[tuple[Member, str], int] = {}
        """At which row a table was looked at in vain."""

    @property
    def is_configured(self) -> bool:
        """True if mail can be sent at all."""
        return self._smtp is not None

    def start(self) -> None:
        if self._smtp:
            self._spawn_task(self._poll_forever())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # An address

    async def set_email(self, account: Account, email: str, every: int) -> bool:
        """Set an account's address and how often it wants mail; True if it has to be confirmed
        first.

        An empty address is none any more. Raises HttpError.
        """
        email = email.strip()
        told = (
            {**account.mail_state, INTERVAL_KEY: every}
            if every in INTERVALS_S
            else dict(account.mail_state)
        )
        if not email:
            await queries.update_account(
                self._store,
                account,
                email=None,
                confirmed_at=None,
                mail_digest=False,
                mail_state={},
            )
            return False
        if not is_email_address(email):
            raise HttpError(400, message("server.email"))
        if email == account.email and account.confirmed_at:
            await queries.update_account(
                self._store, account, mail_digest=every in INTERVALS_S, mail_state=told
            )
            return False
        if wall_clock.now() < told.get(ASKED_KEY, 0.0) + CONFIRM_INTERVAL_S:
            raise HttpError(429, message("server.email-recently-sent"))
        if self._rate_limiter.take("mail", email.casefold()):
            raise HttpError(429, message("server.email-recently-sent"))
        told |= {ASKED_KEY: wall_clock.now(), TURNS_KEY: {}}
        digest = every in INTERVALS_S
        await queries.update_account(
            self._store,
            account,
            email=email,
            confirmed_at=None,
            mail_digest=digest,
            mail_state=told,
        )
        self._spawn_task(self._send_confirmation(account, email))
        return True

    async def read_confirm_token(self, token: str) -> tuple[str, str]:
        """The account and the address that a question was about; raises HttpError."""
        try:
            who, mark = self._questions.loads(token, max_age=CONFIRM_VALID_S)
        except (BadSignature, ValueError, TypeError):
            raise HttpError(404, message("server.link-expired")) from None
        found = await self._find_addressed(str(who), str(mark))
        if found is None:
            raise HttpError(404, message("server.link-expired"))
        return found

    async def confirm_email(self, token: str) -> None:
        """That address is right; raises HttpError."""
        name, email = await self.read_confirm_token(token)
        if not await queries.confirm_email(self._store, name, email):
            raise HttpError(404, message("server.link-expired"))

    def _link_about(self, member: Member, email: str) -> list[str]:
        """The contents of a link: links end up in logs, so they tell neither name nor address."""
        mark = hmac.digest(self._secret, f"email {email}".encode(), "sha256").hex()[:16]
        return [member, mark]

    async def _find_addressed(self, who: str, mark: str) -> tuple[str, str] | None:
        """The name and the address of the account that a link is about; None where it has another
        address by now. Links from before carry both."""
        account = await account_of(self._store, who) or await account_named(self._store, who)
        if account is None or not account.email:
            return None
        is_right = mark in (account.email, self._link_about(account.member, account.email)[1])
        return (account.name, account.email) if is_right else None

    async def send_reset_link(self, name: str) -> None:
        """Send a link that sets a new password to a confirmed address, if there is such an account;
        whoever asks is told nothing."""
        account = await account_named(self._store, name)
        if account is None or not account.email or not account.confirmed_at:
            return
        if self._rate_limiter.take("mail", account.email.casefold()):
            return
        found = await password_hash(self._store, member=account.member)
        state = _hash_state(found[1] if found else "")
        token = self._resets.dumps([account.member, state])
        link = self._url + prefixed_path(f"/mail/reset/{token}")
        say = phrases_for(account.language)
        told = message("mail.reset", name=account.display_name, link=link)
        subject, text = say.t("mail.reset-subject"), say(told)
        mail = self._build_mail(account.email, subject, text, _html_with_link(text, link))
        self._spawn_task(self._send_reset(mail))

    async def _send_reset(self, mail: EmailMessage) -> None:
        await self._try_send(mail)

    async def read_reset_token(self, token: str) -> Member:
        """The one whose password a link sets; raises HttpError where it was used, or is old."""
        try:
            member, state = self._resets.loads(token, max_age=RESET_VALID_S)
        except (BadSignature, ValueError, TypeError):
            raise HttpError(404, message("server.link-expired")) from None
        found = await password_hash(self._store, member=str(member))
        if found is None or _hash_state(found[1]) != state:
            raise HttpError(404, message("server.link-expired"))
        return str(member)

    async def unsubscribe(self, token: str) -> None:
        """No more mail, whoever asks; raises HttpError."""
        name, email = await self.read_unsubscribe_token(token)
        await queries.unsubscribe(self._store, name, email)

    async def read_unsubscribe_token(self, token: str) -> tuple[str, str]:
        """The account and the address that a link to stop mail is about; raises HttpError."""
        try:
            who, mark = self._stops.loads(token)
        except (BadSignature, ValueError, TypeError):
            raise HttpError(404, message("server.no-page")) from None
        found = await self._find_addressed(str(who), str(mark))
        if found is None:
            raise HttpError(404, message("server.no-page"))
        return found

    async def _send_confirmation(self, account: Account, email: str) -> None:
        """Send a link that confirms an address; later, where the mail server is away."""
        say = phrases_for(account.language)
        token = self._questions.dumps(self._link_about(account.member, email))
        link = self._url + prefixed_path(f"/mail/confirm/{token}")
        told = message("mail.confirm", name=account.display_name, link=link)
        mail = self._build_mail(
            email, say.t("mail.confirm-subject"), say(told), _html_with_link(say(told), link)
        )
        rests = RETRY_RANGE_S[0]
        for _ in range(MAX_CONFIRM_TRIES):
            if await self._try_send(mail) in (SENT, LOST):
                return
            await asyncio.sleep(rests)
            rests = min(2 * rests, RETRY_RANGE_S[1])

    # Turns

    async def _poll_forever(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            try:
                is_well = await self._send_digests()
            except StoreError:  # As the store has said.
                continue
            except Exception:
                log.exception("nobody could be told of their turns")
                continue
            if is_well:
                self._retry_s = RETRY_RANGE_S[0]
            else:
                await asyncio.sleep(self._retry_s)
                self._retry_s = min(2 * self._retry_s, RETRY_RANGE_S[1])

    async def _send_digests(self) -> bool:
        """Send all reminders that are due; True if the mail server took all of them."""
        is_well = True
        for account, mailed in await self._due_accounts():
            digest = await self._build_digest(account, mailed)
            if not digest.waiting:
                continue
            mail, claimed = self._build_turns_mail(digest), wall_clock.now()
            if not await self._claim_digest(digest, claimed):
                continue
            fate = await self._try_send(mail)
            if fate in (DEFERRED, UNAVAILABLE):
                await self._release_digest(digest, claimed)
                is_well = False
            if fate == UNAVAILABLE:
                break
        return is_well

    async def _due_accounts(self) -> list[tuple[Account, float | None]]:
        """Those who may be told again."""
        now = wall_clock.now()
        entries = await queries.accounts_to_mail(self._store, now - min(INTERVALS_S))
        return [
            (account, mailed)
            for account, mailed in entries
            if mailed is None
            or mailed <= now - account.mail_state.get(INTERVAL_KEY, DEFAULT_INTERVAL_S)
        ]

    async def _build_digest(self, account: Account, mailed: float | None) -> TurnDigest:
        """The tables where somebody is waited for and was not told so."""
        turns: dict[str, int] = account.mail_state.get(TURNS_KEY, {})
        if len(self._checked_seqs) > MAX_CACHED:
            self._checked_seqs.clear()
        waiting, still = [], {}
        for table_id, seq in await queries.quiet_tables(
            self._store, account.member, wall_clock.now() - MIN_WAIT_S
        ):
            if table_id in turns:
                still[table_id] = turns[table_id]
            if seq in (turns.get(table_id), self._checked_seqs.get((account.member, table_id))):
                continue
            with suppress(Refused):
                live = await self._tables.find_table(table_id)
                if not live or not is_waited_for(live, account.member, turns.get(table_id)):
                    self._checked_seqs[account.member, table_id] = seq
                elif not await self._is_here(live, account.member):
                    waiting.append(live)
                    still[table_id] = live.seq
        return TurnDigest(account, mailed, {**account.mail_state, TURNS_KEY: still}, waiting)

    async def _is_here(self, live: LiveTable, member: Member) -> bool:
        await self._tables.refresh_presence(live)
        return live.presence.is_present(member)

    async def _claim_digest(self, digest: TurnDigest, now: float) -> bool:
        """True if this worker is the one to send it: of several, the first."""
        state = digest.mail_state
        return await queries.claim_mail(self._store, digest.account, digest.mailed_at, now, state)

    async def _release_digest(self, digest: TurnDigest, claimed: float) -> None:
        """It was not told after all, for sure."""
        await queries.release_mail(self._store, digest.account, claimed, digest.mailed_at)

    # Mail

    def _build_turns_mail(self, digest: TurnDigest) -> EmailMessage:
        account, waiting = digest.account, digest.waiting
        say = phrases_for(account.language)
        about = self._link_about(account.member, account.email or "")
        stop = self._url + prefixed_path(f"/mail/stop/{self._stops.dumps(about)}")
        subject = say.t("mail.turns-subject", n=len(waiting))
        told = [
            self._table_line(live, account.member, say) for live in waiting[:MAX_TABLES_PER_MAIL]
        ]
        more = len(waiting) - len(told)
        ending = say.t("mail.turns-end", link=stop)
        lines = [say.t("mail.turns", name=account.display_name), ""]
        lines += [f"- {text}\n  {link}" for text, link in told]
        lines += [say.t("mail.turns-more", n=more)] if more else []
        items = "".join(f'<li><a href="{link}">{escape(text)}</a></li>' for text, link in told)
        page = f"<p>{escape(lines[0])}</p><ul>{items}</ul>"
        page += f"<p>{escape(lines[-1])}</p>" if more else ""
        assert account.email
        text = "\n".join([*lines, "", ending])
        mail = self._build_mail(account.email, subject, text, page + _html_with_link(ending, stop))
        mail["List-Unsubscribe"] = f"<{stop}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return mail

    def _table_line(self, live: LiveTable, member: Member, say: Phrases) -> tuple[str, str]:
        others = live.people.all_members - {member}
        names = sorted(filter(None, (live.names.get(each, "") for each in others)))
        title = say.t(f"{live.game.name}.title")
        text = say.t("mail.turn-with", title=title, names=join_names(names)) if names else title
        running = [seat for seat in live.seats_of(member) if seat in live.table.seats_on_clock]
        if running and live.table.clock:
            hours = max(0, int(live.timer.clock_left(running[0]) // HOUR_S))
            text = say.t("mail.turn-left", text=text, n=hours)
        return text, self._url + prefixed_path(f"/t/{live.id}")

    def _build_mail(self, to: str, subject: str, text: str, page: str) -> EmailMessage:
        assert self._smtp
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = f"Kibitz <{self._smtp.sender}>", to, subject
        mail["Date"] = formatdate()
        mail["Message-ID"] = make_msgid(domain=self._smtp.sender.rpartition("@")[2])
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(text + "\n")
        mail.add_alternative(f"<!doctype html><meta charset=utf-8>{page}\n", subtype="html")
        return mail

    async def _try_send(self, mail: EmailMessage) -> str:
        """The state of a mail after a try. That nobody takes any is logged once, until somebody
        does."""
        assert self._smtp
        try:
            await to_thread.run_sync(self._smtp.send_mail, mail, limiter=self._send_limiter)
        except MailUnavailable as error:
            if not self._is_unavailable:
                log.warning("mail cannot be sent, and waits: %s", error)
            self._is_unavailable = True
            return UNAVAILABLE
        except MailDeferred as error:
            log.info("a mail is not taken now: %s", error)
            return DEFERRED
        except MailRejected as error:
            log.warning("a mail is refused, and not sent again: %s", error)
            if error.is_unknown_address:
                await self._unconfirm_email(str(mail["To"]))
            return LOST
        except Exception as error:
            log.warning("it is not known whether a mail was sent, so it is not again: %s", error)
            return LOST
        if self._is_unavailable:
            log.warning("mail is sent again")
        self._is_unavailable = False
        return SENT

    async def _unconfirm_email(self, email: str) -> None:
        """An address that nobody takes mail for has to be confirmed anew."""
        with suppress(StoreError):
            await queries.unconfirm_email(self._store, email)

    def _spawn_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def is_waited_for(live: LiveTable, member: Member, told: int | None = None) -> bool:
    """True if a match waits for a member who was not told so at row `told`."""
    table = live.table
    if table.is_over or table.is_adjourned or not live.people.is_full:
        return False
    acting = live.game.rules.to_act(table.state)
    if not _is_slow(live, member) or not any(seat in acting for seat in live.seats_of(member)):
        return False
    return told is None or any(row.member != member for row in table.rows[told:])


def _is_slow(live: LiveTable, member: Member) -> bool:
    """True if people come and go at a table: days for a turn, or no clock and others to wait."""
    others = live.people.all_members - {member}
    match live.settings.clock:
        case Days():
            return True
        case NoClock():
            return bool(others) and live.game.companion is None
    return False


def _html_with_link(text: str, link: str) -> str:
    """A paragraph for each part of a text, with a link where one stands in it."""
    anchor = f'<a href="{escape(link)}">{escape(link)}</a>'
    parts = [escape(part).replace(escape(link), anchor) for part in text.split("\n\n")]
    return "".join(f"<p>{part}</p>" for part in parts)
