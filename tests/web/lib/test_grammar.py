"""Scripts put names into sentences by the same rules as the server."""

from __future__ import annotations

import pytest

from kibitz.i18n import LANGUAGES
from kibitz.i18n.grammar import END_ISOLATE, ISOLATE, RIGHT_TO_LEFT, RULES
from support.browser.player import Player
from support.languages.grammar_tables import FORMS, NUMBERS

MARYAM = "\u0645\u0631\u064a\u0645"
SAID = """async ([language, grammar, asked]) => {
  const write = (id, content) => {
    document.getElementById(id)?.remove();
    const element = document.createElement("script");
    Object.assign(element, { id, type: "application/json", textContent: JSON.stringify(content) });
    document.body.append(element);
  };
  write("grammar", grammar);
  write("words", Object.fromEntries(asked.map(([form], i) => [i, `{name${form && ":" + form}}.`])));
  const { say } = await import(`./static/lib/i18n.js?${language}`);
  return asked.map(([, name], i) => say(i, { name }));
}"""
"""Every name in its form, as a script says it."""


def phrases_of(player: Player, language: str, asked: list[tuple[str, str]]) -> list[str]:
    player.page.goto(f"{player.address}/")
    grammar = {"rules": RULES.get(language, {}), "right_to_left": RIGHT_TO_LEFT}
    return [str(each) for each in player.page.evaluate(SAID, [language, grammar, asked])]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_has_the_forms_it_has_on_the_server(player: Player, language: str) -> None:
    rows = [(form, name, made) for known, form, name, made in FORMS if known == language]
    made = phrases_of(player, language, [(form, name) for form, name, _ in rows])
    assert made == [f"{each}." for _, _, each in rows]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_verb_goes_with_the_number_of_a_name(player: Player, language: str) -> None:
    rows = [(name, is_plural) for known, name, is_plural in NUMBERS if known == language]
    made = phrases_of(player, language, [("one|several", name) for name, _ in rows])
    assert made == ["several." if is_plural else "one." for _, is_plural in rows]


def test_a_name_from_right_to_left_turns_nothing_around_it(player: Player) -> None:
    names = [("", MARYAM), ("", "Kettu"), ("", "2")]
    assert phrases_of(player, "en", names) == [f"{ISOLATE}{MARYAM}{END_ISOLATE}.", "Kettu.", "2."]


def test_a_page_has_the_grammar_of_its_language(player: Player) -> None:
    player.page.goto(f"{player.address}/analysis/kalamala")
    sent = player.page.evaluate("JSON.parse(document.getElementById('grammar').textContent)")
    assert sent["rules"]["gen"] == [list(rule) for rule in RULES["en"]["gen"]]
