"""`ventiuna verify`: checks a shoe's record, for people and programs."""

import json
import subprocess
from pathlib import Path

from tests.cli.running import PROGRAM, good, program, run

GOLDEN = Path(__file__).parent.parent / "golden" / "shoe_record.json"


def spoilt(folder: Path) -> str:
    """A file with one card changed."""
    file = folder / "record.json"
    file.write_text(GOLDEN.read_text("utf-8").replace('"card": 51', '"card": 50', 1), "utf-8")
    return str(file)


def test_a_valid_record_lists_the_checks() -> None:
    lines = good("verify", str(GOLDEN)).splitlines()
    assert lines[0].startswith("Shoe 1 of table t1 in house h1: 1 deck of the standard pack, rules")
    assert "5 to 9  57 cards from 3 rounds in the right place, reshuffled once" in map(
        str.rstrip, lines
    )
    assert lines[-1] == "The record checks out. Compare its cards with the ones you saw."
    assert max(map(len, lines)) <= 80


def test_a_wrong_record_is_one_sentence_and_exit_code_one(tmp_path: Path) -> None:
    done = run("verify", spoilt(tmp_path))
    assert done.code == 1
    assert done.err == ""
    assert " ".join(done.out.split()).endswith(
        "Wrong: Round 17, card 6, card 6 of the shoe: the record has Kh, but the shoe "
        "has Ks (step 8)."
    )


def test_json_for_programs(tmp_path: Path) -> None:
    data = run("verify", str(GOLDEN), "--json").data
    assert data["holds"] is True
    assert data["fault"] is None
    assert len(data["checked"]) == 5
    assert (data["table"], data["shoe"], data["source"]) == ("t1", 1, "os")
    assert data["commitment"] == json.loads(GOLDEN.read_text("utf-8"))["commitment"]
    done = run("verify", spoilt(tmp_path), "--json")
    assert done.code == 1
    assert done.data["holds"] is False
    assert done.data["fault"].startswith("Round 17, card 6")
    assert [check["steps"] for check in done.data["checked"]] == ["1, 2", "3", "4"]


def test_standard_input() -> None:
    done = subprocess.run(
        [*PROGRAM, "verify", "-"], input=GOLDEN.read_bytes(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"The record checks out." in done.stdout


def test_a_test_shoe_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(GOLDEN.read_text("utf-8").replace('"os"', '"test"'), "utf-8")
    assert "This shoe was dealt for a test. Its order isn't random." in good("verify", str(file))


def test_damaged_files_get_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    for content, sentence in (
        (b"", "the record isn't valid JSON"),
        (b"\xff\xfe", "the record isn't UTF-8 text."),
        (b"{}", "format is missing from the record."),
        (b" " * 4_000_001, "The record is longer than 4,000,000 bytes."),
    ):
        file.write_bytes(content)
        done = run("verify", str(file))
        assert done.code == 2
        assert done.out == ""
        assert done.err.startswith(f"error: {file}: {sentence}")
        assert done.err.count("\n") == 1
    assert run("verify", str(tmp_path / "none")).err.endswith("none: No such file or directory\n")


def test_an_endless_file_is_not_read_forever() -> None:
    done = program("verify", "/dev/zero")
    assert done.code == 2
    assert done.err == "error: /dev/zero: The record is longer than 4,000,000 bytes.\n"
