"""`make screens` and the guides that show its pictures cannot rot."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
TOOL = ROOT / "tools/screens.py"
GUIDES = sorted((ROOT / "docs/guide").glob("*.md"))
PICTURES = ROOT / "docs/guide/pictures"
MOST = 1_500_000


def screens(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), *arguments], capture_output=True, text=True, check=False
    )


def test_a_screen_is_taken_at_all_sizes_in_both_themes(tmp_path: Path) -> None:
    done = screens("kalamala-pull", "--out", str(tmp_path), "--language", "fi")
    assert done.returncode == 0, done.stderr
    taken = {each.name: Image.open(each) for each in tmp_path.glob("*.png")}
    assert {name.split("-", 1)[1]: image.size for name, image in taken.items()} == {
        "kalamala-pull-phone-light.png": (360, 740),
        "kalamala-pull-phone-dark.png": (360, 740),
        "kalamala-pull-desk-light.png": (1280, 800),
        "kalamala-pull-desk-dark.png": (1280, 800),
        "kalamala-pull-landscape-light.png": (844, 390),
        "kalamala-pull-landscape-dark.png": (844, 390),
        "kalamala-pull-narrow-light.png": (320, 640),
        "kalamala-pull-narrow-dark.png": (320, 640),
    }
    by_theme = {
        name: image.convert("L").resize((1, 1)).tobytes()[0] for name, image in taken.items()
    }
    assert all(("dark" in name) == (grey < 128) for name, grey in by_theme.items())
    sheet = (tmp_path / "index.html").read_text("utf-8")
    assert set(re.findall(r'<img src="([^"]+)"', sheet)) == taken.keys()


def test_a_name_that_no_screen_has_is_refused(tmp_path: Path) -> None:
    done = screens("nonsense", "--out", str(tmp_path))
    assert done.returncode == 1
    assert "kahmate-run" in done.stderr


def test_the_guides_show_what_is_there_and_no_picture_is_left_over() -> None:
    shown: set[str] = set()
    assert len(GUIDES) == 4
    for guide in GUIDES:
        text = guide.read_text("utf-8")
        pages = re.findall(r'\]\(([^)#]+)\)|src="([^"]+)"', text)
        for page in (one or other for one, other in pages):
            assert (guide.parent / page).exists(), (guide.name, page)
        shown |= set(re.findall(r"pictures/([\w-]+\.png)", text))
    files = {each.name: each.stat().st_size for each in PICTURES.iterdir()}
    assert shown == files.keys()
    assert sum(files.values()) < MOST


def test_the_guide_is_made_of_these_screens() -> None:
    listed = TOOL.read_text("utf-8").split("GUIDE_PICTURES = {")[1].split("\n}")[0]
    assert {f"{name}.png" for name in re.findall(r'"([\w-]+)": \(', listed)} == {
        each.name for each in PICTURES.iterdir()
    }
