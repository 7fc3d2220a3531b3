"""The wheel: what is in it, and an installation of it into an empty environment of each Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

import kibitz
from kibitz.core.targets.sources import native_name
from kibitz.i18n import LANGUAGES
from support.packaging.wheels import build_wheel

ROOT = Path(__file__).parents[2]
MAX_WHEEL_BYTES = 5_000_000
MAX_DOWNLOAD_BYTES = 40_000_000
MAX_INSTALLED_BYTES = 160_000_000
"""Of all packages that `kibitz play` needs."""


def find_pythons() -> list[str]:
    """Every interpreter of 3.11 or later that is here, newest last."""
    found: dict[tuple[int, int], str] = {}
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/bin"]
    versions = Path.home() / ".pyenv" / "versions"
    folders += [str(path / "bin") for path in versions.glob("*")] if versions.exists() else []
    for folder in folders:
        for path in Path(folder).glob("python3.*"):
            name = re.fullmatch(r"python3\.(\d+)(\.exe)?", path.name)
            if name and int(name[1]) >= 11 and (3, int(name[1])) not in found and works(path):
                found[3, int(name[1])] = str(path)
    found.setdefault(sys.version_info[:2], sys.executable)
    return [found[version] for version in sorted(found)]


def works(python: Path) -> bool:
    """True if it runs: some are only names for a version that may not be chosen here."""
    asked = [str(python), "-c", "import ensurepip"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one for every platform."""
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def native_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one of this platform."""
    triples = build_hook().TRIPLES
    (platform,) = [tag for tag, triple in triples.items() if native_name(triple) == native_name()]
    return build_wheel(tmp_path_factory.mktemp("dist"), KIBITZ_WHEEL_PLATFORM=platform)


def test_the_wheel_is_small_and_has_the_version_of_the_package(wheel: Path) -> None:
    assert wheel.name == f"kibitz-{kibitz.__version__}-py3-none-any.whl"
    assert wheel.stat().st_size <= MAX_WHEEL_BYTES


def test_words_are_compiled_and_all_else_that_is_read_is_there(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    for language in LANGUAGES:
        for folder in ("i18n", "games/kahmate/words", "games/kalamala/words"):
            assert f"kibitz/{folder}/{language}.mo" in names
        assert f"kibitz/i18n/{language}.json" in names
    assert {
        "kibitz/docs/rules/kahmate.md",
        "kibitz/i18n/LICENSE.unicode",
        "kibitz/packaging/systemd/kibitz.service",
        "kibitz/web/templates/home.html",
        "kibitz/web/static/pages/home.js",
        "kibitz/py.typed",
    } <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]
    assert [name for name in names if name.endswith(".po")] == [
        "kibitz/cli/skeleton/src/game_package/words/en.po"
    ]


PLATFORMS = {
    "manylinux_2_17_x86_64": ("Linux", "x86_64"),
    "manylinux_2_17_aarch64": ("Linux", "aarch64"),
    "macosx_11_0_arm64": ("Darwin", "arm64"),
    "macosx_11_0_x86_64": ("Darwin", "x86_64"),
    "win_amd64": ("Windows", "AMD64"),
}
"""The names of system and machine that Python tells on each of them."""


def build_hook() -> ModuleType:
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_wheel_of_a_platform_brings_its_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the name by which it is looked for there. Building takes a while, and is left out."""
    hook = build_hook()
    built: list[tuple[Path, str]] = []
    monkeypatch.setattr(
        "kibitz.core.targets.build_native", lambda path, triple: built.append((path, triple))
    )
    for platform, triple in hook.TRIPLES.items():
        system, machine = PLATFORMS[platform]
        monkeypatch.setattr("platform.system", lambda system=system: system)
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        name = native_name()
        found = hook.native_library(ROOT / "src", tmp_path, platform)
        assert found == {str(tmp_path / name): f"kibitz/_native/{name}"}
        assert built[-1] == (tmp_path / name, triple)


def installed_bytes(python: Path) -> int:
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout
    files = (path for path in Path(folder.strip()).rglob("*") if "__pycache__" not in path.parts)
    return sum(path.stat().st_size for path in files if path.is_file())


@pytest.mark.long
def test_an_installation_is_a_small_download(native_wheel: Path, tmp_path: Path) -> None:
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(tmp_path)]
    subprocess.run([*download, str(native_wheel)], check=True)
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    print(f"{size / 1e6:.1f} MB to download")
    assert size <= MAX_DOWNLOAD_BYTES


@pytest.mark.long
@pytest.mark.parametrize("python", find_pythons())
def test_a_match_is_played_by_an_installation_of_the_wheel(
    native_wheel: Path, tmp_path: Path, python: str
) -> None:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    assert uv
    place = tmp_path / "bare"
    subprocess.run([uv, "venv", "--quiet", "--python", python, str(place)], check=True)
    inside = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [uv, "--system-certs", "pip", "install", "--quiet", "--python", str(inside)]
    subprocess.run([*install, str(native_wheel)], check=True)
    size = installed_bytes(inside)
    print(f"{python}: {size / 1e6:.0f} MB installed")
    assert size <= MAX_INSTALLED_BYTES
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    clean["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    asked = "from kibitz.core.targets import chosen_target; print(chosen_target())"
    target = subprocess.run([inside, "-c", asked], env=clean, cwd=tmp_path, capture_output=True)
    assert target.stdout.split() == [b"native"], target.stderr
    played = subprocess.run(
        [str(inside), str(ROOT / "tools" / "play_installed.py"), "level-5"],
        env=clean,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(r"first answer of level-5 .*; result \w", played.stdout), played.stderr
    print(f"{python}: {played.stdout.strip()}")
