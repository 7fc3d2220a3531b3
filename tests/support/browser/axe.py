"""What is in somebody's way on a page, by axe: names, contrast, roles."""

from __future__ import annotations

from importlib.resources import files

from playwright.sync_api import Page

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
BAD = ("serious", "critical")
SETTLED = 350
"""What changes its colour just now is not looked at; after so many milliseconds nothing does."""


def serious(page: Page, where: str = "document", settled: int = SETTLED) -> list[str]:
    """What is bad and which element it is, in each case."""
    page.wait_for_timeout(settled)
    page.evaluate(AXE)
    asked = f"axe.run({where}, {{ resultTypes: ['violations'] }}).then((found) => found.violations)"
    return [
        f"{each['id']}: {node['html'][:200]}\n{node['failureSummary']}"
        for each in page.evaluate(asked)
        if each["impact"] in BAD
        for node in each["nodes"]
    ]


def serious_but_drawings(page: Page, settled: int = SETTLED) -> list[str]:
    """Likewise, without what is drawn on a board: drawings are looked at where tables are."""
    return serious(page, "{ exclude: ['#stage svg'] }", settled)
