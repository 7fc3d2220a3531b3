"""Your turn, by mail: a real mail server, and people who are away."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from kibitz.core.message import Refused
from kibitz.server.admin.doctor import run_checks
from kibitz.server.settings import settings_from
from kibitz.server.smtp import SmtpServer, is_email_address, smtp_from
from support.accounts import logs_in, member, new_name, wrong
from support.cluster.servers import free_port
from support.server_process import IN_CLUSTER, Guest, Server, api, at_last

NEW_PASSWORD = "another staple entirely"
SITE = "https://play.example.org"
EVERY = 3
"""Seconds between two mails, at these servers."""
LINK = re.compile(r"https://play\.example\.org(/\S+)")


class Postbox:
    """A mail server that keeps what it is given."""

    def __init__(self) -> None:
        self.port = free_port()
        self.mails: list[EmailMessage] = []
        self.refusing = ""
        """What is answered to every mail, if anything."""
        self._controller: Controller | None = None

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.refusing:
            return self.refusing
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 taken"

    def opens(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def closes(self) -> None:
        if self._controller:
            self._controller.stop()
        self._controller = None

    @property
    def settings(self) -> dict[str, str]:
        address = f"smtp://127.0.0.1:{self.port}?from=kibitz@example.org&security=none"
        return {"KIBITZ_SMTP_URL": address, "KIBITZ_PUBLIC_URL": SITE}

    def to(self, email: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == email]

    def waits_for(self, email: str, many: int) -> EmailMessage:
        at_last(lambda: len(self.to(email)) >= many)
        return self.to(email)[many - 1]


@pytest.fixture(scope="module")
def post() -> Iterator[Postbox]:
    post = Postbox()
    post.opens()
    yield post
    post.closes()


@pytest.fixture(scope="module")
def office(post: Postbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(
        tmp_path_factory.mktemp("office"), "support.servers.fast_mail", **post.settings
    ) as server:
        yield server


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body
    return str(body.get_content())


def page_of(mail: EmailMessage) -> str:
    body = mail.get_body(("html",))
    assert body
    return str(body.get_content())


def links_in(mail: EmailMessage) -> list[str]:
    return LINK.findall(text_of(mail))


def gives(guest: Guest, email: str, every: int = EVERY) -> str:
    """An address; what the page says then."""
    answer = guest.client.post("/account/email", data={"email": email, "every": str(every)})
    if answer.status_code == 303:
        return guest.client.get(answer.headers["location"]).text
    return wrong(answer)


def confirms(guest: Guest, post: Postbox, email: str) -> None:
    (link,) = links_in(post.waits_for(email, 1))
    assert guest.client.post(link).status_code == 200


def reachable(server: Server, post: Postbox, name: str = "Rea") -> tuple[Guest, str]:
    """Somebody with an account and an address that is right."""
    guest, email = member(server, new_name(name)), f"{new_name(name).lower()}@example.org"
    gives(guest, email)
    confirms(guest, post, email)
    return guest, email


def opponents(one: Guest, **more: Any) -> tuple[Guest, str]:
    """Somebody without an address who waits for this one's turn."""
    other = Guest(one.server)
    other.calls_himself("Otso")
    table = other.begins("kalamala", {"A": "free", "B": "me"}, **more)
    assert one.joins(other.links(table)["A"]) == "A"
    return other, table


def acts(guest: Guest, table: str, text: str) -> None:
    answer = guest.client.post(api(table, "actions"), json={"key": "k" + text, "actions": [text]})
    assert answer.status_code == 200, answer.text


def test_an_address_is_confirmed_before_anything_else_is_sent(
    office: Server, post: Postbox
) -> None:
    guest, email = member(office), f"{new_name('ann').lower()}@example.org"
    opponents(guest)
    assert "Open the link in it" in gives(guest, email)
    mail = post.waits_for(email, 1)
    assert mail["Subject"] == "Confirm your email address for Kibitz"
    assert mail["From"] == "Kibitz <kibitz@example.org>"
    (link,) = links_in(mail)
    assert f'href="{SITE}{link}"' in page_of(mail)
    assert "not confirmed yet" in guest.client.get("/account").text
    stranger = Guest(office)
    assert "Send turn reminders" in stranger.client.get(link).text, "looking changes nothing"
    time.sleep(2 * EVERY)
    assert len(post.to(email)) == 1, "no turn is told of before"
    assert "Thank you" in stranger.client.post(link).text
    assert f"Reminders go to {email}" in guest.client.get("/account").text
    assert "Your turn at one table" in post.waits_for(email, 2)["Subject"]


def test_a_link_that_nobody_sent_confirms_nothing(office: Server, post: Postbox) -> None:
    guest, email = member(office), f"{new_name('bea').lower()}@example.org"
    gives(guest, email)
    (link,) = links_in(post.waits_for(email, 1))
    for other in (link[:-2] + "xx", link.replace("confirm", "stop"), "/mail/stop/x.y"):
        assert guest.client.post(other).status_code == 404
    time.sleep(0.6)
    gives(guest, "another-" + email)
    assert guest.client.post(link).status_code == 404, "the address is another one by now"
    assert "not confirmed yet" in guest.client.get("/account").text


def test_one_mail_tells_of_all_turns_and_of_each_once(office: Server, post: Postbox) -> None:
    guest, email = member(office), f"{new_name('cia').lower()}@example.org"
    gives(guest, email)
    one, first = opponents(guest)
    two, second = opponents(guest, settings={"clock": {"kind": "days", "days": 2}})
    acts(guest, second, "@a1")
    acts(two, second, "@h8")
    time.sleep(1.2)
    confirms(guest, post, email)
    mail = post.waits_for(email, 2)
    assert mail["Subject"] == "Your turn at 2 tables"
    assert {*links_in(mail)} >= {first, second}
    assert "Kalamala with Otso" in text_of(mail)
    assert "47 hours left" in text_of(mail)
    assert f'<a href="{SITE}{first}">' in page_of(mail)
    assert "/join/" not in text_of(mail) + page_of(mail)
    time.sleep(EVERY + 2)
    assert len(post.to(email)) == 2, "nothing new"

    acts(guest, first, "@a1")
    acts(one, first, "@h8")
    third = post.waits_for(email, 3)
    assert third["Subject"] == "Your turn at one table"
    assert first in links_in(third)
    assert second not in links_in(third)


@pytest.mark.long
def test_nobody_is_told_more_often_than_they_chose(office: Server, post: Postbox) -> None:
    guest, email = reachable(office, post)
    opponents(guest)
    post.waits_for(email, 2)
    told, (other, table) = time.monotonic(), opponents(guest)
    post.waits_for(email, 3)
    assert time.monotonic() - told > EVERY - 1.5
    acts(guest, table, "@a1")
    acts(other, table, "@h8")
    gives(guest, email, every=0)
    time.sleep(EVERY + 2)
    assert len(post.to(email)) == 3
    assert f"Reminders to {email}" in guest.client.get("/account").text


@pytest.mark.long
def test_who_wants_it_seldom_is_told_seldom(office: Server, post: Postbox) -> None:
    guest, email = reachable(office, post)
    gives(guest, email, every=3 * EVERY)
    opponents(guest)
    post.waits_for(email, 2)
    opponents(guest)
    time.sleep(2 * EVERY)
    assert len(post.to(email)) == 2
    post.waits_for(email, 3)


@pytest.mark.long
def test_a_turn_in_which_one_did_something_is_the_same_turn(office: Server, post: Postbox) -> None:
    guest, email = reachable(office, post)
    _, table = opponents(guest)
    post.waits_for(email, 2)
    acts(guest, table, "ask adjourn")
    time.sleep(EVERY + 2)
    assert len(post.to(email)) == 2


def test_it_is_in_the_language_of_the_account(office: Server, post: Postbox) -> None:
    guest = Guest(office)
    guest.client.headers["Accept-Language"] = "fr"
    guest.client.post("/account/register", data={"name": new_name("Lea"), "password": "un secret"})
    email = f"{new_name('lea').lower()}@example.org"
    gives(guest, email)
    assert post.waits_for(email, 1)["Subject"] == "Est-ce ton adresse\N{NO-BREAK SPACE}?"
    confirms(guest, post, email)
    opponents(guest)
    assert post.waits_for(email, 2)["Subject"] == "À toi de jouer à une table"


def test_one_click_ends_it_without_logging_in(office: Server, post: Postbox) -> None:
    guest, email = reachable(office, post)
    opponents(guest)
    mail = post.waits_for(email, 2)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>").removeprefix(SITE)
    assert link in links_in(mail)
    program = Guest(office)
    del program.client.headers["Origin"]
    assert "Stop turn reminders" in program.client.get(link).text
    assert f"Reminders go to {email}" in guest.client.get("/account").text, (
        "looking changes nothing"
    )
    answer = program.client.post(link, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert f"Reminders to {email}" in guest.client.get("/account").text
    opponents(guest)
    time.sleep(EVERY + 2)
    assert len(post.to(email)) == 2


def test_who_is_here_is_not_told(office: Server, post: Postbox) -> None:
    guest, email = reachable(office, post)
    _, table = opponents(guest)
    page = guest.sits_at(table)
    time.sleep(EVERY)
    assert len(post.to(email)) == 1
    page.leaves()
    post.waits_for(email, 2)


@pytest.mark.parametrize("kind", ["fast", "theirs", "alone", "adjourned"])
def test_only_who_is_waited_for_at_a_slow_table_is_told(
    office: Server, post: Postbox, kind: str
) -> None:
    guest, email = reachable(office, post)
    if kind == "fast":
        opponents(guest, settings={"clock": {"kind": "fischer", "minutes": 60}})
    elif kind == "theirs":
        _, table = opponents(guest)
        acts(guest, table, "@a1")
    elif kind == "alone":
        guest.begins("kalamala", {"A": "me", "B": "greedy"})
    else:
        other, table = opponents(guest)
        acts(guest, table, "ask adjourn")
        acts(other, table, "agree")
    time.sleep(EVERY)
    assert len(post.to(email)) == 1


def test_an_address_is_forgotten(office: Server, post: Postbox) -> None:
    guest, email = reachable(office, post)
    assert "Saved" in gives(guest, "")
    assert email not in guest.client.get("/account").text
    assert not office.read_rows("SELECT name FROM account WHERE email = :email", email=email)
    opponents(guest)
    time.sleep(EVERY)
    assert len(post.to(email)) == 1


@pytest.mark.parametrize("typed", ["nobody", "a b@example.org", "a@b\r\nBcc: c@d.org", "é@ex.org"])
def test_what_is_no_address_is_refused(office: Server, typed: str) -> None:
    assert gives(member(office), typed) == "That doesn't look like an email address."


def test_only_who_is_logged_in_gives_an_address(office: Server) -> None:
    answer = Guest(office).client.post("/account/email", data={"email": "a@example.org"})
    assert answer.status_code == 403


def test_where_no_mail_is_sent_none_is_offered(server: Server) -> None:
    guest = member(server)
    assert "by email" not in guest.client.get("/account").text
    answer = guest.client.post("/account/email", data={"email": "a@example.org"})
    assert answer.status_code == 404


@pytest.mark.long
def test_a_mail_server_that_was_away_is_asked_again(tmp_path: Path) -> None:
    post = Postbox()
    server = Server(tmp_path, "support.servers.fast_mail", **post.settings)
    guest, email = member(server), "ann@example.org"
    assert "Open the link in it" in gives(guest, email)
    time.sleep(0.5)
    post.opens()
    confirms(guest, post, email)
    post.closes()
    _, table = opponents(guest)
    time.sleep(2.5)
    guest.reads(table)
    post.opens()
    post.waits_for(email, 2)
    time.sleep(EVERY + 2)
    assert len(post.to(email)) == 2
    server.closing_time()
    complaints = server.stop().splitlines()
    post.closes()
    away = [line for line in complaints if "cannot be sent" in line]
    assert 1 <= len(away) <= (4 if IN_CLUSTER else 2), complaints
    assert any("is sent again" in line for line in complaints)
    assert not [line for line in complaints if "mail" not in line]


@pytest.mark.long
def test_who_does_not_take_mail_is_asked_anew(tmp_path: Path) -> None:
    post = Postbox()
    post.opens()
    server = Server(tmp_path, "support.servers.fast_mail", **post.settings)
    guest, email = reachable(server, post)
    post.refusing = f"550 5.1.1 <{email}>: no such person"
    opponents(guest)
    at_last(lambda: "not confirmed yet" in guest.client.get("/account").text)
    post.refusing = ""
    time.sleep(EVERY + 1)
    assert len(post.to(email)) == 1
    server.closing_time()
    said = server.stop()
    assert "no such person" in said
    assert email not in said
    post.closes()


@pytest.mark.parametrize(
    ("answer", "many"),
    [("451 try again", 2), pytest.param("554 not from you", 1, marks=pytest.mark.long)],
)
def test_what_is_not_taken_now_comes_later(tmp_path: Path, answer: str, many: int) -> None:
    post = Postbox()
    post.opens()
    server = Server(tmp_path, "support.servers.fast_mail", **post.settings)
    guest, email = reachable(server, post)
    other, another = reachable(server, post)
    post.refusing = answer
    opponents(guest)
    time.sleep(3)
    post.refusing = ""
    opponents(other)
    post.waits_for(another, 2)
    time.sleep(3)
    assert len(post.to(email)) == many
    assert f"Reminders go to {email}" in guest.client.get("/account").text
    server.closing_time()
    assert ("not from you" in server.stop()) == (many == 1)
    post.closes()


# Settings


def test_a_doctor_looks_whether_mail_is_taken(tmp_path: Path, post: Postbox) -> None:
    given = {"KIBITZ_DATA": str(tmp_path), "KIBITZ_PORT": "0", **post.settings}
    before = len(post.mails)
    assert mail_findings(given) == [("ok", "server.doctor-smtp")]
    assert len(post.mails) == before
    away = given["KIBITZ_SMTP_URL"].replace(str(post.port), str(free_port()))
    assert mail_findings({**given, "KIBITZ_SMTP_URL": away}) == [
        ("warning", "server.doctor-smtp-away")
    ]
    shut = away.replace("&security=none", "").replace("127.0.0.1", "me:word@127.0.0.1")
    assert mail_findings({**given, "KIBITZ_SMTP_URL": shut}) == [
        ("warning", "server.doctor-smtp-away")
    ]
    secret = given["KIBITZ_SMTP_URL"].replace("127.0.0.1", "me:word@127.0.0.1")
    assert ("warning", "server.doctor-smtp-open") in mail_findings(
        {**given, "KIBITZ_SMTP_URL": secret}
    )
    assert mail_findings({"KIBITZ_DATA": str(tmp_path), "KIBITZ_PORT": "0"}) == []


def mail_findings(environment: dict[str, str]) -> list[tuple[str, str]]:
    settings = settings_from(environment)
    return [
        (each.status, each.sentence.id) for each in run_checks(settings) if each.about == "mail"
    ]


def test_how_a_mail_server_is_named() -> None:
    given = "smtps://me%40example.org:p%2Fw@mail.example.org?from=kibitz@example.org"
    assert smtp_from(given) == SmtpServer(
        host="mail.example.org",
        port=465,
        sender="kibitz@example.org",
        user="me@example.org",
        password="p/w",
        security="tls",
    )
    assert smtp_from(given.replace("smtps", "smtp")).security == "starttls"
    assert smtp_from(given.replace("smtps", "smtp")).port == 587
    assert "p/w" not in repr(smtp_from(given))
    assert smtp_from(given, "other").password == "other"


@pytest.mark.parametrize(
    "given",
    [
        "mail.example.org",
        "http://mail.example.org?from=a@b.org",
        "smtp://mail.example.org",
        "smtp://?from=a@b.org",
        "smtp://mail.example.org?from=nobody",
        "smtp://mail.example.org:x?from=a@b.org",
        "smtp://mail.example.org?from=a@b.org&security=some",
        "smtp://mail.example.org?from=a@b.org&sender=x",
    ],
)
def test_what_names_no_mail_server_is_refused(given: str) -> None:
    with pytest.raises(Refused) as refused:
        settings_from({"KIBITZ_SMTP_URL": given, "KIBITZ_PUBLIC_URL": SITE})
    assert dict(refused.value.refusal.values)["name"] == "KIBITZ_SMTP_URL"


def test_links_need_an_address_and_a_password_may_be_in_a_file(tmp_path: Path) -> None:
    smtp = "smtp://me@mail.example.org?from=a@example.org"
    with pytest.raises(Refused) as refused:
        settings_from({"KIBITZ_SMTP_URL": smtp})
    assert refused.value.refusal.id == "server.smtp-needs-url"
    for url in ("example.org", "https://example.org/path", "javascript:alert(1)"):
        with pytest.raises(Refused):
            settings_from({"KIBITZ_SMTP_URL": smtp, "KIBITZ_PUBLIC_URL": url})
    file = tmp_path / "password"
    given = {
        "KIBITZ_SMTP_URL": smtp,
        "KIBITZ_PUBLIC_URL": SITE + "/",
        "KIBITZ_SMTP_PASSWORD_FILE": str(file),
    }
    with pytest.raises(Refused):
        settings_from(given)
    file.write_text("secret\n")
    settings = settings_from(given)
    assert settings.smtp
    assert (settings.smtp.password, settings.url) == ("secret", SITE)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("ann@example.org", True),
        ("ann+kibitz@mail.example.org", True),
        ("ann@localhost", True),
        ("ann@example", False),
        ("ann@@example.org", False),
        ("@example.org", False),
        ("ann@.org", False),
        ("ann@example..org", False),
        ("a" * 65 + "@example.org", False),
        ("ann@example.org\n", False),
        ("<ann@example.org>", False),
    ],
)
def test_what_an_address_is(text: str, is_one: bool) -> None:
    assert is_email_address(text) == is_one


def contents_of(link: str) -> str:
    """All that a link tells whoever reads it."""
    part = link.rsplit("/", 1)[1].split(".")[0]
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode()


def test_no_link_tells_a_name_or_an_address(office: Server, post: Postbox) -> None:
    """Links end up in the logs of proxies."""
    guest, email = reachable(office, post, "Una")
    opponents(guest)
    mails = [post.waits_for(email, n) for n in (1, 2)]
    told = [link for mail in mails for link in links_in(mail) if "/mail/" in link]
    assert {link.split("/")[2] for link in told} == {"confirm", "stop"}
    for link in told:
        assert "una" not in contents_of(link).lower()
        assert "example.org" not in contents_of(link)


def test_a_forgotten_password_is_set_anew_by_a_confirmed_address(
    office: Server, post: Postbox
) -> None:
    guest, email = reachable(office, post, "Vea")
    name = guest.client.get("/api/v1/me").json()["name"]
    stranger = Guest(office)
    for asked in (name, "nobody at all"):
        answer = stranger.client.post("/account/forgot", data={"name": asked})
        assert answer.headers["location"].endswith("done=reset-sent"), "nobody is told which is one"
    (link,) = links_in(post.waits_for(email, 2))
    assert stranger.client.get(link).status_code == 200
    assert stranger.client.post(link, data={"password": "password1"}).status_code == 400
    assert stranger.client.post(link, data={"password": NEW_PASSWORD}).status_code == 200
    assert stranger.client.post(link, data={"password": NEW_PASSWORD}).status_code == 404, "once"
    assert "/account/login" in guest.client.get("/account").text, "all devices are logged out"
    assert logs_in(Guest(office), name).status_code == 403
    assert logs_in(Guest(office), name, NEW_PASSWORD).status_code == 303


def test_many_accounts_cannot_mail_one_address(office: Server, post: Postbox) -> None:
    email = f"{new_name('victim').lower()}@example.org"
    told = [gives(member(office), email) for _ in range(5)]
    assert sum("Open the link in it" in each for each in told) == 3
    time.sleep(0.5)
    assert len(post.to(email)) == 3
