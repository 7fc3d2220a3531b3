"""Pages made from templates, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
from litestar import MediaType, Response
from litestar.datastructures import Cookie

from kibitz.core.mark_shapes import ICONS, MARK_SHAPES
from kibitz.i18n import LANGUAGES, template_in
from kibitz.i18n.formats import locale_data
from kibitz.i18n.grammar import RIGHT_TO_LEFT, RULES
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import Phrases

LANGUAGE_NAMES = tuple((each, locale_data(each).name.capitalize()) for each in LANGUAGES)
"""Every language, as those who speak it call it."""


class Templates:
    def __init__(
        self,
        folders: Iterable[Path],
        script_modules: Callable[[str], Sequence[str]],
        phrase_keys: Callable[[str], Sequence[str]],
    ) -> None:
        """`script_modules` finds all that a script imports, `phrase_keys` all that they say."""
        self._script_modules = script_modules
        self._phrase_keys = phrase_keys
        self._templates = jinja2.Environment(
            loader=jinja2.ChoiceLoader([*map(jinja2.FileSystemLoader, folders)]),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {"mark_shapes": MARK_SHAPES, "mark_icons": ICONS}

    def page(
        self,
        template: str,
        say: Phrases,
        cookies: Sequence[Cookie] = (),
        status: int = 200,
        **context: Any,
    ) -> Response[str]:
        made = self._templates.get_template(template).render(
            t=say.t,
            root=prefixed_path(""),
            words=partial(self._script_phrases, say.language),
            grammar={"rules": RULES.get(say.language, {}), "right_to_left": RIGHT_TO_LEFT},
            modules=self._script_modules,
            language=say.language,
            languages=LANGUAGE_NAMES,
            **{"back": "/", **context},
        )
        return Response(
            made,
            status_code=status,
            media_type=MediaType.HTML,
            cookies=cookies,
            headers={"Cache-Control": "private, no-cache"},
        )

    def _script_phrases(self, language: str, script: str) -> dict[str, str]:
        """The phrases of a script, with their values still to be filled in."""
        return {key: template_in(language, f"page.{key}") for key in self._phrase_keys(script)}
