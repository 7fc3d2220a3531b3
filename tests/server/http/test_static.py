"""Scripts, styles and pictures: small on the way, asked for again only where they changed."""

from __future__ import annotations

import gzip
import re

import msgspec

from support.masked_links import masked_links, unmask
from support.server_process import Guest, Server


def test_files_travel_compressed_to_those_who_can_read_it(server: Server) -> None:
    client = Guest(server).client
    plain = client.get("/static/board/match_view.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with client.stream(
        "GET", "/static/board/match_view.js", headers={"Accept-Encoding": "br, gzip"}
    ) as sent:
        raw = b"".join(sent.iter_raw())
    assert sent.headers["content-encoding"] == "gzip"
    assert sent.headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 2


def test_what_has_not_changed_is_not_sent_again(server: Server) -> None:
    client = Guest(server).client
    tag = client.get("/static/lib/base.css").headers["etag"]
    again = client.get("/static/lib/base.css", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_a_file_under_its_digest_is_kept_for_ever(server: Server) -> None:
    """A page from before an update gets what is there now, and keeps it under no digest."""
    client = Guest(server).client
    found = re.search(r'href="(/assets/\w+/pages/home\.css)"', client.get("/").text)
    assert found
    sent = client.get(found[1])
    assert "immutable" in sent.headers["cache-control"]
    stale = client.get("/assets/0123456789abcdef/pages/home.css")
    assert stale.content == sent.content
    assert stale.headers["cache-control"] == "no-cache"
    assert client.get("/assets/0123456789abcdef/pages/nothing.css").status_code == 404


def test_pages_travel_compressed(server: Server) -> None:
    client = Guest(server).client
    plain = client.get("/", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with client.stream("GET", "/", headers={"Accept-Encoding": "gzip"}) as sent:
        raw = b"".join(sent.iter_raw())
    assert sent.headers["content-encoding"] == "gzip"
    assert sent.headers["vary"] == "Cookie, Accept-Encoding"
    assert int(sent.headers["content-length"]) == len(raw) < len(plain.content) / 4
    assert gzip.decompress(raw).startswith(b"<!doctype html>")


def test_links_in_a_page_are_masked(server: Server) -> None:
    """The same page twice has nothing in common where they are, and tells them all the same."""
    guest = Guest(server)
    table = guest.opens("kalamala", "friend")
    links = guest.links(table)
    masked = [masked_links(guest.client.get(table).text) for _ in range(2)]
    assert masked[0] != masked[1]
    for each in masked:
        assert msgspec.json.decode(unmask(each)) == links


def test_no_page_with_a_link_in_the_clear_is_compressed(server: Server) -> None:
    guest = Guest(server)
    table = guest.opens("kalamala", "friend")
    tokens = {link.rsplit("/", 1)[1] for link in guest.links(table).values()}
    assert tokens
    for path in ("/", table, f"{table}/result", f"{table}/seal", "/account", "/rules/kalamala"):
        page = guest.client.get(path)
        is_told = any(token in page.text for token in tokens)
        assert not (is_told and "content-encoding" in page.headers), path


def test_a_page_with_a_secret_in_it_goes_as_it_is(server: Server) -> None:
    guest, other = Guest(server), Guest(server)
    link = guest.links(guest.opens("kalamala", "friend"))["B"]
    page = other.client.get(link)
    assert page.status_code == 200
    assert "content-encoding" not in page.headers
    assert "no-transform" in page.headers["cache-control"]
