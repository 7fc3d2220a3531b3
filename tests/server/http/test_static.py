"""Scripts, styles and pictures: small on the way, asked for again only where they changed."""

from __future__ import annotations

import gzip

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
    tag = client.get("/tokens.css").headers["etag"]
    again = client.get("/tokens.css", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_a_page_with_links_in_it_is_not_compressed(server: Server) -> None:
    guest = Guest(server)
    table = guest.opens("kalamala", "friend")
    assert "content-encoding" not in guest.client.get(table).headers
