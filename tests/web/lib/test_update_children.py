"""What a page shows is made anew without disturbing what stays."""

from __future__ import annotations

import pytest

from support.browser.player import Player

RENEWED = """async ([before, after]) => {
  const { updateChildren } = await import("./static/lib/update_children.js");
  const made = (names) => names.map((name) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.onclick = () => { host.dataset.said = `${name} of ${names}`; };
    return button;
  });
  const host = document.createElement("div");
  document.body.append(host);
  updateChildren(host, made(before));
  const stood = new Map([...host.children].map((each) => [each.textContent, each]));
  updateChildren(host, made(after));
  const stand = [...host.children].map((each) => each.textContent);
  const kept = stand.filter((name, i) => stood.get(name) === host.children[i]);
  const said = [...host.children].map((each) => { each.click(); return host.dataset.said; });
  return [stand, kept, said];
}"""


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("abc", "abc", "abc"),
        ("abc", "bc", "bc"),
        ("bc", "abc", "bc"),
        ("abc", "axc", "ac"),
        ("abc", "xabyc", "abc"),
        ("abc", "", ""),
        ("", "abc", ""),
        ("aab", "ab", "b"),
        ("abc", "cab", "c"),
    ],
)
def test_what_moves_up_or_down_is_the_same_element(
    player: Player, before: str, after: str, kept: str
) -> None:
    """A finger that is on it presses it; and what it does is what the new one would do."""
    player.page.goto(f"{player.address}/")
    stand, same, said = player.page.evaluate(RENEWED, [list(before), list(after)])
    assert "".join(stand) == after
    assert set(kept) <= set(same)
    assert said == [f"{each} of {','.join(after)}" for each in after]
