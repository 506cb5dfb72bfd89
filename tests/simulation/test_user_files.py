"""Invalid chart and count files, and their error messages."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ventiuna.files import LARGEST_TEXT
from ventiuna.simulation.settings import find_count
from ventiuna.strategy.chart import load_chart, user_text
from ventiuna.strategy.counting import load_count
from ventiuna.strategy.protocol import PlanError

FOLDER = Path(load_count.__code__.co_filename).parent
CHART = (FOLDER / "charts" / "spanish-21-h17.toml").read_text(encoding="utf-8")
COUNT = (FOLDER / "counts" / "level-one.toml").read_text(encoding="utf-8")
HUGE = "9" * 5000
HUGE_HEX = "0x" + "f" * 5000
DEEP = "[" * 5000 + "]" * 5000
NESTED = "[" * 600 + "]" * 600

VALUES = ("nan", "-inf", "1e400", HUGE, HUGE_HEX, DEEP, NESTED, '"\\u001b[2J"', "true", "{}", "''")


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize(
    "key",
    [
        "title",
        "start",
        "insurance_at",
        "tags",
        "bets",
        "tags.5",
        "tags.A",
        "plays",
        "extra",
        "count",
    ],
)
def test_a_nonsense_count_gets_one_sentence(tmp_path: Path, key: str, value: str) -> None:
    path = tmp_path / "mine.toml"
    kept = '"5" = 1\n' if not key.startswith("tags") else ""
    path.write_text(f"{key} = {value}\n[tags]\n{kept}" if kept else f"{key} = {value}\n")
    fine = {("title", "''"), ("tags", "{}"), ("bets", "[]")}
    if (key, value) in fine:
        load_count(path)
        return
    with pytest.raises(PlanError) as caught:
        load_count(path)
    assert len(str(caught.value)) < 2000
    assert str(caught.value).isprintable() or "\n" in str(caught.value)


@pytest.mark.parametrize("row", ["at = nan", "at = 1e99", f"at = {HUGE_HEX}", "at = '1'"])
def test_numbers_of_bets_and_plays_are_read_the_same_way(tmp_path: Path, row: str) -> None:
    path = tmp_path / "mine.toml"
    for part in (f"[[bets]]\n{row}\nwagers = 2\n", PLAY + f"{row}\n"):
        path.write_text(f'[tags]\n"5" = 1\n{part}', encoding="utf-8")
        with pytest.raises(PlanError, match=r"(bets|plays)\.at"):
            load_count(path)


PLAY = '[[plays]]\nhand = "hard 16"\nup = "10"\nplay = "S"\n'


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("key", ["title", "source", "insurance", "hard", "pairs", f"'{HUGE}'"])
def test_a_nonsense_chart_gets_one_sentence(tmp_path: Path, key: str, value: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"{key} = {value}\n", encoding="utf-8")
    with pytest.raises(PlanError):
        load_chart(path)


@pytest.mark.parametrize(("text", "load"), [(CHART, load_chart), (COUNT, load_count)])
def test_random_damage_gets_one_sentence(tmp_path: Path, text: str, load: object) -> None:
    path = tmp_path / "mine.toml"
    random = Random(8)
    assert callable(load)
    for _ in range(300):
        content = bytearray(text.encode())
        for _ in range(random.choice((1, 2, 8))):
            place = random.randrange(len(content))
            piece = random.choice((b"nan", b"=", b'"', b"[[", b"9" * 4400, b"\xff", b"\n", b"-1"))
            content[place : place + random.randrange(4)] = piece
        path.write_bytes(content)
        try:
            load(path)
        except PlanError:
            continue


def test_rows_that_overlap_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    row = '"H H H H H H H H H H"'
    for more in (f"[pairs]\nA = {row}\n1 = {row}\n", f"[pairs]\n2-8 = {row}\n8 = {row}\n"):
        path.write_text(more, encoding="utf-8")
        with pytest.raises(PlanError, match=r"already has a row\. Keep one"):
            load_chart(path)
    path.write_text(CHART.replace("[hard]", f"[hard]\n4-21 = {row}", 1), encoding="utf-8")
    with pytest.raises(PlanError, match=r"already has a row\. Keep one"):
        load_chart(path)


def test_two_bets_for_one_count_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    bets = "[[bets]]\nat = 2\nwagers = 4\n[[bets]]\nat = 2.0\nwagers = 8\n"
    path.write_text(f'[tags]\n"5" = 1\n{bets}', encoding="utf-8")
    with pytest.raises(PlanError, match="two bets have this count"):
        load_count(path)


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ('[[plays]]\nhand = "hard 16"\nup = "9"\nplay = "S"\nat = 2\nbonuss = "none"', "bonuss"),
        ("[[bets]]\nat = 2\nwagers = 4\nspots = 2", "spots"),
        ("[[sides]]\nweigth = 2\n[sides.tags]\n7 = 1", "weigth"),
    ],
)
def test_an_unknown_part_of_a_row_is_reported(tmp_path: Path, row: str, place: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'[tags]\n"5" = 1\n{row}\n', encoding="utf-8")
    with pytest.raises(PlanError, match=rf"{place}.*no such field in a row of \w+.*Choose from"):
        load_count(path)


def test_an_endless_file_is_not_read_forever(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"#" * (LARGEST_TEXT + 1))
    with pytest.raises(PlanError, match="longer than 4 MB"):
        load_count(path)


def test_an_endless_number_is_reported_in_our_words(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"insurance_at = {HUGE}\n", encoding="utf-8")
    with pytest.raises(PlanError, match=r"it contains a number that is too long\. Correct it"):
        load_count(path)


def test_a_value_that_cannot_be_shown_is_described_by_its_type() -> None:
    assert user_text(1.5) == "1.5"
    assert user_text(16**5000) == "a int that is too long to show"


def test_the_built_in_counts_are_still_read() -> None:
    assert find_count("level-one").tags[2] == 1
