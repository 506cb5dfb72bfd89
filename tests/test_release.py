"""Contents and claims of a release."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tools.release import changelog, sbom
from tools.release.wheel_test import EXTRAS, PRESETS, VERSIONS, extras

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "README.md").write_text("How.\n", encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something old.\n\n"
        "## [0.1.0] - 2026-01-01\n\n### Numbers changed\n\nNone.\n",
        encoding="utf-8",
    )
    return tmp_path


def change(project: Path, name: str, text: str) -> None:
    (project / "changes" / name).write_text(text, encoding="utf-8")


def test_entries_are_gathered_into_the_release(project: Path) -> None:
    change(project, "new-thing.added.md", "Something\nnew.\n")
    change(project, "an-edge.numbers.md", "An edge, since it was wrong.\n")
    assert changelog.main(["--release", "0.2.0"], project) == 0
    text = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(
        r"## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n"
        r"### Added\n\n- Something new\.\n- Something old\.\n\n"
        r"### Numbers changed\n\n- An edge, since it was wrong\.\n\n## \[0\.1\.0\]",
        text,
    )
    assert [page.name for page in (project / "changes").iterdir()] == ["README.md"]


def test_a_release_without_changed_numbers_says_so(project: Path) -> None:
    assert changelog.main(["--release", "0.2.0"], project) == 0
    part = (project / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## [")[2]
    assert part.startswith("0.2.0]")
    assert part.rstrip().endswith("### Numbers changed\n\nNone.")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("New thing.md", "x", "NAME.KIND.md"),
        ("new.better.md", "x", "KIND is one of added"),
        ("new.added.md", " \n", "the file is empty"),
        ("new.added.md", "- x", "remove the leading marker"),
    ],
)
def test_a_wrong_file_changes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, told: str
) -> None:
    before = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    change(project, name, text)
    assert changelog.main(["--release", "0.2.0"], project) == 1
    assert told in capsys.readouterr().err
    assert (project / "CHANGELOG.md").read_text(encoding="utf-8") == before


def test_a_version_is_three_numbers(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert changelog.main(["--release", "next"], project) == 1
    assert "such as 0.2.0" in capsys.readouterr().err


def test_our_own_change_files_are_valid() -> None:
    assert changelog.problems(ROOT / "changes") == []


def test_the_bill_of_materials_lists_everything_in_the_all_extra() -> None:
    bill = sbom.bill("1.2.3")
    names = {one["name"] for one in bill["components"]}
    assert {"numpy", "numba", "llvmlite", "sqlalchemy", "starlette", "svelte"} <= names
    assert not {"pytest", "sphinx", "ruff"} & names
    references = {one["bom-ref"] for one in bill["components"]}
    for one in bill["dependencies"]:
        assert set(one["dependsOn"]) <= references
    assert bill["metadata"]["component"]["version"] == "1.2.3"


def test_the_bill_of_materials_is_reproducible_and_contains_no_path() -> None:
    text = sbom.bill_text()
    assert text == sbom.bill_text()
    assert "://" not in text
    assert str(ROOT) not in text
    assert json.loads(text)["bomFormat"] == "CycloneDX"


def test_every_extra_is_tried_by_itself() -> None:
    assert set(extras()) == set(EXTRAS)


def test_every_preset_is_played_from_the_wheel() -> None:
    folder = ROOT / "src" / "ventiuna" / "rules" / "presets"
    assert set(PRESETS) == {path.stem for path in folder.glob("*.toml")}


def test_every_listed_python_is_tried() -> None:
    named = {
        found[1]
        for one in PROJECT["classifiers"]
        if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one))
    }
    assert named == set(VERSIONS)


def test_pinned_versions_support_every_python() -> None:
    """Checks each version's first patch release, because Debian and Ubuntu often stay on it."""
    pins = sbom.pinned()
    wrong = {
        f"{found.name} {found.version} is not for Python {python}.0"
        for found in distributions()
        for python in VERSIONS
        if pins.get(canonicalize_name(found.name)) == found.version
        and f"{python}.0" not in SpecifierSet(str(found.metadata.json.get("requires_python", "")))
    }
    assert not wrong
