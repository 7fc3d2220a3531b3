"""The pictures of the rules pages: positions in notation, drawn by the games themselves."""

from kibitz.core.rule_pictures.declaration import Panel, RulePicture, read_pictures
from kibitz.core.rule_pictures.position import panel_positions
from kibitz.core.rule_pictures.sheet import draw_picture, themed_svg
from kibitz.core.rule_pictures.slim_svg import SlimSvg

__all__ = [
    "Panel",
    "RulePicture",
    "SlimSvg",
    "draw_picture",
    "panel_positions",
    "read_pictures",
    "themed_svg",
]
