"""Changelog entries: one small file per change, collected for a release.

    python -m tools.release.changelog                    preview the next release
    python -m tools.release.changelog --check            report invalid files
    python -m tools.release.changelog --release 0.2.0    update CHANGELOG.md, remove the files

A file is `changes/NAME.KIND.md`: NAME is any name of lowercase letters, digits and hyphens; KIND is
one of added, changed, deprecated, removed, fixed, security or numbers. It contains one entry,
exactly as it will appear. No two changes edit the same file, so parallel changes never conflict.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
KINDS = {
    "added": "Added",
    "changed": "Changed",
    "deprecated": "Deprecated",
    "removed": "Removed",
    "fixed": "Fixed",
    "security": "Security",
    "numbers": "Numbers changed",
}
NO_NUMBERS = "None."
UNRELEASED = "## [Unreleased]"
_WIDTH = 110
_NAME = re.compile(rf"[a-z0-9]+(?:-[a-z0-9]+)*\.({'|'.join(KINDS)})\.md")
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")


def fragments(folder: Path) -> list[Path]:
    return sorted(page for page in folder.glob("*.md") if page.name != "README.md")


def problems(folder: Path) -> list[str]:
    """Return one sentence for each invalid file."""
    found = []
    for page in fragments(folder):
        if not _NAME.fullmatch(page.name):
            found.append(
                f"{page.name}: name it NAME.KIND.md, where KIND is one of {', '.join(KINDS)}."
            )
        elif not page.read_text(encoding="utf-8").strip():
            found.append(f"{page.name}: the file is empty; describe the change for users.")
        elif page.read_text(encoding="utf-8").lstrip().startswith(("- ", "* ", "#")):
            found.append(f"{page.name}: remove the leading marker; the text becomes one entry.")
    return found


def gathered(folder: Path) -> dict[str, list[str]]:
    """Return the entries by heading, in the changelog's order."""
    found: dict[str, list[str]] = {heading: [] for heading in KINDS.values()}
    for page in fragments(folder):
        text = " ".join(page.read_text(encoding="utf-8").split())
        found[KINDS[page.name.split(".")[1]]].append(_entry(text))
    return {heading: entries for heading, entries in found.items() if entries}


def _entry(text: str) -> str:
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def with_entries(changelog: str, entries: dict[str, list[str]]) -> str:
    """Return the changelog with these entries at the top of its unreleased section."""
    start = changelog.index(UNRELEASED) + len(UNRELEASED)
    end = changelog.find("\n## [", start)
    end = len(changelog) if end < 0 else end
    parts = _parts(changelog[start:end])
    for heading, new in entries.items():
        old = parts.get(heading, "")
        parts[heading] = "\n".join([*new, *([old] if old and old != NO_NUMBERS else [])])
    order = [*KINDS.values(), *(one for one in parts if one not in KINDS.values())]
    body = "".join(f"\n### {one}\n\n{parts[one]}\n" for one in order if parts.get(one))
    return f"{changelog[:start]}\n{body}{changelog[end:]}"


def _parts(text: str) -> dict[str, str]:
    pieces = re.split(r"^### (.+)$", text, flags=re.MULTILINE)[1:]
    return {heading: body.strip() for heading, body in zip(pieces[::2], pieces[1::2], strict=True)}


def released(changelog: str, version: str, day: str) -> str:
    """Turn the unreleased section into this version's, with a note if no numbers changed."""
    start = changelog.index(UNRELEASED)
    end = changelog.find("\n## [", start + 1)
    end = len(changelog) if end < 0 else end
    if f"### {KINDS['numbers']}" not in changelog[start:end]:
        none = f"\n### {KINDS['numbers']}\n\n{NO_NUMBERS}\n"
        changelog = f"{changelog[:end].rstrip()}\n{none}{changelog[end:]}"
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n\n## [{version}] - {day}", 1)


def main(arguments: Sequence[str] | None = None, project: Path = PROJECT) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release.changelog", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only check the files")
    parser.add_argument(
        "--release", metavar="VERSION", default="", help="version to release, such as 0.2.0"
    )
    options = parser.parse_args(arguments)
    folder, page = project / "changes", project / "CHANGELOG.md"
    wrong = problems(folder)
    if options.release and not _VERSION.fullmatch(options.release):
        wrong.append(f"--release {options.release}: give a version such as 0.2.0 or 0.2.0rc1.")
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    if options.check:
        return 0
    entries = gathered(folder)
    if not options.release:
        for heading, lines in entries.items():
            print(f"### {heading}\n", *lines, "", sep="\n")
        return 0
    text = with_entries(page.read_text(encoding="utf-8"), entries)
    day = datetime.now(UTC).date().isoformat()
    page.write_text(released(text, options.release, day), encoding="utf-8")
    for fragment in fragments(folder):
        fragment.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
