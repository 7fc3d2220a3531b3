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
from kibitz.server.http.page_compression import UNCHANGED, mask_text
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import Phrases

LANGUAGE_NAMES = tuple((each, locale_data(each).name.capitalize()) for each in LANGUAGES)
"""Every language, as those who speak it call it."""


class Templates:
    def __init__(
        self,
        folders: Iterable[Path],
        asset_path: Callable[[str], str],
        phrase_keys: Callable[[str], Sequence[str]],
    ) -> None:
        """`asset_path` finds the address of a static file, `phrase_keys` all that a script says."""
        self._asset_path = asset_path
        self._phrase_keys = phrase_keys
        self._templates = jinja2.Environment(
            loader=jinja2.ChoiceLoader([*map(jinja2.FileSystemLoader, folders)]),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {
            "mark_shapes": MARK_SHAPES,
            "mark_icons": ICONS,
            "masked": mask_text,
        }

    def page(
        self,
        template: str,
        say: Phrases,
        cookies: Sequence[Cookie] = (),
        status: int = 200,
        is_secret: bool = False,
        **context: Any,
    ) -> Response[str]:
        """`is_secret` is a page with a secret in it that is not masked: it goes as it is."""
        made = self._templates.get_template(template).render(
            t=say.t,
            root=prefixed_path(""),
            words=partial(self._script_phrases, say.language),
            grammar={"rules": RULES.get(say.language, {}), "right_to_left": RIGHT_TO_LEFT},
            asset=lambda path: prefixed_path(self._asset_path(path)),
            language=say.language,
            languages=LANGUAGE_NAMES,
            **{"back": "/", "preview": None, **context},
        )
        return Response(
            made,
            status_code=status,
            media_type=MediaType.HTML,
            cookies=cookies,
            headers={"Cache-Control": UNCHANGED} if is_secret else {},
        )

    def _script_phrases(self, language: str, script: str) -> dict[str, str]:
        """The phrases of a script, with their values still to be filled in."""
        return {key: template_in(language, f"page.{key}") for key in self._phrase_keys(script)}
