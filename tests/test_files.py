"""Files are written completely or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from ventiuna.files import check_file, make_folder, write_file


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_file_replaces_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    write_file(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    path.chmod(0o640)
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert names_in(tmp_path) == ["data.json"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old", encoding="utf-8")
    link = tmp_path / "link"
    link.symlink_to("real")
    write_file(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8") == "new"


def test_an_error_includes_the_file_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.json"
    path.write_text("old", encoding="utf-8")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_file(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text(encoding="utf-8") == "old"
    assert names_in(tmp_path) == ["data.json"]


@pytest.mark.parametrize("name", ["missing/data.json", ".", "x" * 300])
def test_an_unwritable_file_is_detected_in_advance(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with pytest.raises(OSError, match=r"directory|too long") as caught:
        check_file(path)
    assert caught.value.filename == str(path)
    assert not names_in(tmp_path)


def test_a_check_leaves_nothing(tmp_path: Path) -> None:
    check_file(tmp_path / "data.json")
    assert not list(tmp_path.iterdir())
    make_folder(tmp_path / "a" / "b")
    assert not list((tmp_path / "a" / "b").iterdir())
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(OSError, match="file"):
        make_folder(tmp_path / "file" / "b")


def test_a_path_that_isnt_a_regular_file_is_written_directly() -> None:
    write_file(Path(os.devnull), "nothing")
    assert Path(os.devnull).exists()


def test_writers_of_one_file_dont_interfere(tmp_path: Path) -> None:
    path = tmp_path / "data"
    contents = [bytes([letter]) * 20_000 for letter in b"abcd"]
    write_file(path, contents[0])

    def write(content: bytes) -> None:
        for _ in range(20):
            write_file(path, content)

    writers = [threading.Thread(target=write, args=(content,)) for content in contents]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert path.read_bytes() in contents
    for writer in writers:
        writer.join()
    assert names_in(tmp_path) == ["data"]
