"""The documentation site builds without a network, and every link in it leads somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NO_NETWORK = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
LOADED = r'<(?:script|img|iframe)[^>]*\bsrc="?([^">\s]+)|<link[^>]*\bhref="?([^">\s]+)'
BUILT = DOCS / "reference" / "http.md"
DRAWN = re.compile(r"rules/(?:\w+/)?pictures/[\w-]+\.svg$")
"""Pictures of the rules pages, which are drawn before the site is built."""


@pytest.fixture(scope="module")
def site() -> Path:
    """Built by the commands of `make docs`."""
    for command in (
        [sys.executable, "tools/http_reference.py", str(BUILT)],
        [sys.executable, "tools/rule_pictures.py", str(DOCS / "rules")],
        [str(Path(sys.executable).with_name("zensical")), "build", "--strict", "--clean"],
    ):
        environment = {**os.environ, **NO_NETWORK}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "site"


def pages() -> list[str]:
    return sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if page != BUILT)


def test_every_page_is_built(site: Path) -> None:
    for page in [*pages(), "reference/http.md"]:
        assert (site / page).with_suffix(".html").stat().st_size > 1000


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    built = list(site.rglob("*.html"))
    assert len(built) > 40
    for page in built:
        for found in re.finditer(LOADED, page.read_text(encoding="utf-8")):
            assert "//" not in (found[1] or found[2]), f"{page}: {found[0]}"


def test_the_references_show_the_code(site: Path) -> None:
    library = (site / "reference/library.html").read_text(encoding="utf-8")
    assert "kibitz.core.game" in library
    assert "turn_actions" in library
    http = (site / "reference/http.html").read_text(encoding="utf-8")
    assert "/tables/{table_id}/actions" in http


def test_the_rules_have_their_pictures(site: Path) -> None:
    """Each in the language of its page, for both themes, with a caption."""
    pages = sorted((site / "rules").rglob("*.html"))
    assert len(pages) == 12
    for page in pages:
        text = page.read_text(encoding="utf-8")
        found = re.findall(r'<p><img alt="([^"]+)" src="(pictures/[^"]+)"\s*/?>\s*<em>', text)
        assert len(found) >= 10, page
        for _, address in found:
            drawn = (page.parent / address).read_text(encoding="utf-8")
            assert "prefers-color-scheme:dark" in drawn
    english, finnish = (
        site / "rules" / each / "kahmate-duel.svg" for each in ("pictures", "fi/pictures")
    )
    assert english.read_text(encoding="utf-8") != finnish.read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    listed = re.findall(r"[\w/.-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted([*pages(), "reference/http.md"])


def linked_files(page: Path) -> Iterator[Path]:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            yield page.parent / target


@pytest.mark.parametrize("name", [*pages(), "../CONTRIBUTING.md", "../CHANGELOG.md"])
def test_every_file_a_page_links_to_is_there(name: str) -> None:
    """Pictures too, which the builder does not check."""
    missing = [
        file
        for file in linked_files(DOCS / name)
        if file != BUILT and not DRAWN.search(file.as_posix()) and not file.exists()
    ]
    assert not missing
