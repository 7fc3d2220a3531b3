"""Every sentence of the rule books that needed one has a test or a ruling, and these exist."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
LANGUAGES = ("", "fr/", "fi/", "sv/")


def _load_tool() -> Any:
    path = ROOT / "tools" / "rulebook_sentences.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


TOOL = _load_tool()
LISTED = TOOL.read_sentences(TOOL.SENTENCES.read_text())


@cache
def function_names(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text())
    return {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}


def test_every_sentence_is_listed_once() -> None:
    listed = [number for each in LISTED.sentences for number in TOOL.expand_range(each.number)]
    assert sorted(listed) == sorted(LISTED.numbers)
    assert len(set(listed)) == len(listed)


def test_no_sentence_is_left_in_part_or_without_a_proof() -> None:
    for each in LISTED.sentences:
        assert each.kind in TOOL.KINDS, each
        assert each.rulings if each.kind == "ruling" else each.tests, each


@pytest.mark.parametrize("sentence", LISTED.sentences, ids=lambda each: each.number)
def test_its_tests_exist(sentence: Any) -> None:
    for test in sentence.tests:
        file, name = test.split("::")
        assert name in function_names(file), test


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sentence", LISTED.sentences, ids=lambda each: each.number)
def test_its_paragraph_and_rulings_are_on_the_rules_page(sentence: Any, language: str) -> None:
    page = (RULES / f"{language}{sentence.game}.md").read_text()
    assert re.search(rf"^##+ {re.escape(sentence.paragraph)} ", page, re.M), sentence.paragraph
    for ruling in sentence.rulings:
        assert f"\n| {ruling} | " in page, ruling
