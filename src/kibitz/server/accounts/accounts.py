"""Accounts on top of guests: a name and a password that open somebody's games on any device.

Whoever registers stays who they are; only what opens their games changes. Passwords are kept as
argon2 hashes, and tokens as hashes, too.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from anyio import CapacityLimiter, to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from kibitz.core.message import Message, message
from kibitz.server import wall_clock
from kibitz.server.accounts.common_passwords import is_common
from kibitz.server.db.queries import accounts as queries
from kibitz.server.db.queries.accounts import TOKEN_ID_LETTERS, AccessToken, Account, TokenKind
from kibitz.server.db.store import Store, WriteConflict
from kibitz.server.http.auth import TOKEN_PREFIX, Authenticator, token_hash
from kibitz.server.http.errors import HttpError
from kibitz.server.name_rules import is_reserved, skeleton
from kibitz.server.tables.registry import LiveTables
from kibitz.table.seating import Member, tidy_name

MIN_NAME_LETTERS, MAX_NAME_LETTERS = 3, 20
"""Of a name, in letters."""
MAX_MARKS_PER_LETTER = 2
"""That one letter may wear."""
PASSWORD_LENGTHS = range(8, 201)
MIN_DIFFERENT_LETTERS = 4
"""Letters of a password."""
LOOKALIKE_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")
"""Scripts whose letters look alike: a name has letters of one of them."""
MAX_DEVICES, MAX_BOT_TOKENS = 50, 20
RECOVERY_CODES, CODE_GROUP = 8, 4
CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
MAX_CONCURRENT_HASHES = 2
"""So many passwords are checked at once: each takes much memory, and a moment."""


class Login(NamedTuple):
    member: Member
    token: str


class Accounts:
    def __init__(self, store: Store, identity: Authenticator, tables: LiveTables) -> None:
        self._store, self._identity, self._tables = store, identity, tables
        self._hasher = PasswordHasher()
        self._hash_limiter = CapacityLimiter(MAX_CONCURRENT_HASHES)
        tables.on_person_change = identity.forget_member

    async def account_of(self, member: Member) -> Account | None:
        return await queries.account_of(self._store, member)

    # In and out

    async def register(
        self, member: Member, name: str, password: str, language: str, device: str = ""
    ) -> str:
        """An account for a guest, who keeps what is theirs; a token. Raises HttpError."""
        shown = checked_name(name)
        check_new_password(password, shown)
        if await self.account_of(member):
            raise HttpError(409, message("server.has-account"))
        if await queries.is_name_taken(self._store, skeleton(shown)):
            raise HttpError(409, message("server.name-taken", name=shown))
        token, now = new_token(), wall_clock.now()
        account = {
            "name": fold_name(shown),
            "display_name": shown,
            "skeleton": skeleton(shown),
            "member": member,
            "password_hash": await self._hash_password(password),
            "created_at": now,
            "language": language,
        }
        token_row = _token_row(token, member, "device", device, now)
        try:
            await queries.add_account(self._store, account, token_row)
        except WriteConflict:
            raise HttpError(409, message("server.name-taken", name=shown)) from None
        await self._invalidate_member(member)
        return token

    async def log_in(self, name: str, password: str, device: str = "") -> Login:
        """Raises HttpError; whether the name or the password is wrong, nobody is told."""
        member = await self._owner_of_password(
            await queries.password_hash(self._store, name=fold_name(name)), password
        )
        if member is None:
            raise HttpError(403, message("server.wrong-password"))
        token = new_token()
        token_row = _token_row(token, member, "device", device, wall_clock.now())
        await queries.add_token(self._store, token_row, MAX_DEVICES)
        return Login(member, token)

    async def set_language(self, member: Member, language: str) -> None:
        await queries.set_language(self._store, member, language)

    async def log_out(self, hashed: str) -> None:
        if member := await queries.delete_token(self._store, hashed):
            await self._invalidate_member(member)

    async def change_password(self, member: Member, old: str, new: str, keep: str = "") -> None:
        """Other devices have to log in again; `keep` is the hash of this one's token."""
        account = await self.check_password(member, old)
        check_new_password(new, account.display_name)
        hashed = await self._hash_password(new)
        await queries.change_password(self._store, member, hashed, keep)
        await self._invalidate_member(member)

    async def new_recovery_codes(self, member: Member, password: str) -> list[str]:
        """Eight codes, each of which sets a new password once; shown once. Raises HttpError."""
        await self.check_password(member, password)
        codes = [new_recovery_code() for _ in range(RECOVERY_CODES)]
        now = wall_clock.now()
        rows = [
            _token_row(normal_code(code), member, "recovery", f"{n}", now)
            for n, code in enumerate(codes)
        ]
        await queries.replace_recovery_tokens(self._store, member, rows)
        return codes

    async def recover(self, name: str, code: str, password: str) -> None:
        """Set a new password by a recovery code, which is used up; raises HttpError."""
        account = await queries.account_named(self._store, fold_name(name))
        check_new_password(password, account.display_name if account else name)
        hashed = token_hash(normal_code(code))
        if account is None or not await queries.spend_recovery_token(
            self._store, account.member, hashed
        ):
            raise HttpError(403, message("server.wrong-code"))
        await self.set_password(account.member, password)

    async def set_password(self, member: Member, password: str) -> None:
        """Set a password for somebody who has shown who they are; all devices have to log in."""
        hashed = await self._hash_password(password)
        await queries.change_password(self._store, member, hashed, "")
        await self._invalidate_member(member)

    async def check_password(self, member: Member, password: str) -> Account:
        """The account of somebody who knows its password; raises HttpError."""
        account = await self.account_of(member)
        if account is None:
            raise HttpError(403, message("server.no-account"))
        found = await queries.password_hash(self._store, member=member)
        if not await self._owner_of_password(found, password):
            raise HttpError(403, message("server.wrong-password-here"))
        return account

    # Tokens

    async def tokens(self, member: Member, kind: TokenKind) -> list[AccessToken]:
        return await queries.tokens_of(self._store, member, kind)

    async def new_bot_token(self, member: Member, name: str) -> tuple[AccessToken, str]:
        """A token for a program, shown once; raises HttpError."""
        called = tidy_name(name)
        if not called:
            raise HttpError(400, message("server.token-name"))
        if await self.account_of(member) is None:
            raise HttpError(403, message("server.no-account"))
        if len(await self.tokens(member, "bot")) >= MAX_BOT_TOKENS:
            raise HttpError(409, message("server.many-tokens", most=MAX_BOT_TOKENS))
        token = new_token()
        token_row = _token_row(token, member, "bot", called, wall_clock.now())
        await queries.add_token(self._store, token_row, MAX_BOT_TOKENS)
        return AccessToken(
            token_row["token_hash"][:TOKEN_ID_LETTERS], "bot", called, token_row["created_at"], None
        ), token

    async def revoke_token(self, member: Member, id: str) -> bool:
        """End a token of somebody's; True if there was such a one."""
        if len(id) != TOKEN_ID_LETTERS:
            return False
        has_ended = await queries.delete_token_by_id(self._store, member, id)
        await self._invalidate_member(member)
        return has_ended

    # The end

    async def delete_account(self, member: Member) -> None:
        """Delete all that is kept of somebody but what others played with them."""
        await queries.delete_account(self._store, member)
        await self._store.empty_write_ahead_log()
        await self._invalidate_member(member)

    # Within

    async def _invalidate_member(self, member: Member) -> None:
        """All workers look again who somebody is."""
        self._identity.forget_member(member)
        await self._tables.refresh_member(member)

    async def _owner_of_password(
        self, found: tuple[Member, str] | None, password: str
    ) -> Member | None:
        """The member whose password this is. It takes as long where there is nobody."""
        hashed = found[1] if found else await self._load_decoy_hash()
        is_right = await self._run_in_thread(self._is_right_password, hashed, password)
        if not found or not is_right:
            return None
        member = found[0]
        if self._hasher.check_needs_rehash(hashed):
            fresh = await self._hash_password(password)
            await queries.replace_hash(self._store, member, hashed, fresh)
        return member

    async def _hash_password(self, password: str) -> str:
        hashed: str = await self._run_in_thread(self._hasher.hash, _password_bytes(password))
        return hashed

    def _is_right_password(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, _password_bytes(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _load_decoy_hash(self) -> str:
        made: str = await self._run_in_thread(lambda: self._decoy_hash)
        return made

    @cached_property
    def _decoy_hash(self) -> str:
        return self._hasher.hash(secrets.token_hex(16))

    async def _run_in_thread(self, work: Any, *given: Any) -> Any:
        return await to_thread.run_sync(work, *given, limiter=self._hash_limiter)


def new_token() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def _token_row(
    token: str, member: Member, kind: TokenKind, name: str, now: float
) -> dict[str, Any]:
    return {
        "token_hash": token_hash(token),
        "member": member,
        "kind": kind,
        "name": name,
        "created_at": now,
        "used_at": now if kind == "device" else None,
    }


# Names and passwords


def fold_name(name: str) -> str:
    """The form that two names have in common which count as one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name.strip()).casefold())


def new_recovery_code() -> str:
    """Twelve letters and digits that nobody mistakes for others: enough that nobody guesses it."""
    letters = [secrets.choice(CODE_ALPHABET) for _ in range(3 * CODE_GROUP)]
    return "-".join(
        "".join(letters[n : n + CODE_GROUP]) for n in range(0, len(letters), CODE_GROUP)
    )


def normal_code(code: str) -> str:
    """A recovery code as it is kept, however it was typed."""
    return "recovery " + "".join(letter for letter in code.lower() if letter.isalnum())


def checked_name(name: str) -> str:
    """A name as it is shown; raises HttpError where it cannot be one."""
    shown = unicodedata.normalize("NFKC", name.strip())
    if wrong := _name_problem(shown):
        raise HttpError(400, wrong)
    if is_reserved(shown):
        raise HttpError(409, message("server.name-reserved", name=shown))
    return shown


def _name_problem(name: str) -> Message | None:
    is_fitting = MIN_NAME_LETTERS <= len(name) <= MAX_NAME_LETTERS
    if not is_fitting or len(fold_name(name)) > 2 * MAX_NAME_LETTERS:
        return message("server.name-length", least=MIN_NAME_LETTERS, most=MAX_NAME_LETTERS)
    kinds = [unicodedata.category(letter) for letter in name]
    if any(not (c in "-_" or k[0] in "LM" or k == "Nd") for c, k in zip(name, kinds, strict=True)):
        return message("server.name-letters")
    marks = "".join("m" if kind[0] == "M" else "x" for kind in kinds)
    has_too_many = marks.startswith("m") or "m" * (MAX_MARKS_PER_LETTER + 1) in marks
    if has_too_many or not any(kind[0] in "LN" for kind in kinds):
        return message("server.name-letters")
    if len({script for letter in name if (script := _script(letter)) in LOOKALIKE_SCRIPTS}) > 1:
        return message("server.name-mixed")
    return None


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0] if letter.isalpha() else ""


def check_new_password(password: str, name: str) -> None:
    """Raises HttpError, with what is wrong."""
    if len(password) < PASSWORD_LENGTHS.start:
        raise HttpError(400, message("server.password-short", least=PASSWORD_LENGTHS.start))
    if len(password) >= PASSWORD_LENGTHS.stop:
        raise HttpError(400, message("server.password-long", most=PASSWORD_LENGTHS.stop - 1))
    if fold_name(password) == fold_name(name):
        raise HttpError(400, message("server.password-name"))
    is_easy = len(set(password)) < MIN_DIFFERENT_LETTERS or _is_sequence(password)
    if is_easy or is_common(password):
        raise HttpError(400, message("server.password-easy"))


def _is_sequence(password: str) -> bool:
    """12345678, abcdefgh and the like."""
    return len({ord(after) - ord(before) for before, after in pairwise(password)}) == 1


def _password_bytes(password: str) -> bytes:
    """A password as bytes, however a keyboard puts accents together."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def device_name(agent: str) -> str:
    """The name by which people recognise a device, as far as it says what it is."""
    found = [_first_match(agent, BROWSERS), _first_match(agent, SYSTEMS)]
    return ", ".join(filter(None, found)) or tidy_name(agent.split("/")[0], 20)


BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)
"""The first that fits: most say that they are several."""


def _first_match(agent: str, known: Sequence[tuple[str, str]]) -> str:
    return next((name for sign, name in known if sign in agent), "")
