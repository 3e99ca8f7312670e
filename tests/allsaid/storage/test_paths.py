"""What --input names: plain letters in names, links, what is no data and what can't be read; empty files."""

from __future__ import annotations

import gzip
import os
import socket
from pathlib import Path

import pytest

from allsaid.storage import files
from allsaid.storage.paths import _GLOB_PART, _to_regex, expand
from allsaid.storage.streams import with_content
from schemas.errors import UserError

NAMES = (
    "Preise [2026].csv",
    "a*b.csv",
    "what?.csv",
    "[!x].csv",
    "50% #1 'new' \"x\".csv",
    "~.csv",
    "-o.csv",
    "größe ✓.csv",
)


def fill(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def found(*patterns: Path | str) -> list[str]:
    return expand([str(pattern) for pattern in patterns]).paths


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_file_or_folder_is_plain_letters(tmp_path: Path, name: str) -> None:
    fill(tmp_path, name, "2.csv", "axb.csv", "whatx.csv", f"folder {name}/in.csv", "folder 2/in.csv")
    assert found(tmp_path / name) == [f"{tmp_path}/{name}"]
    assert found(tmp_path / f"folder {name}") == [f"{tmp_path}/folder {name}/in.csv"]
    assert found(tmp_path / f"folder {name}" / "*.csv") == [f"{tmp_path}/folder {name}/in.csv"]
    assert found(tmp_path / f"folder {name}" / "**.csv") == [f"{tmp_path}/folder {name}/in.csv"]
    assert files.below(str(tmp_path / f"folder {name}")) == ["in.csv"]


@pytest.mark.parametrize(
    "pattern",
    ["**", "a**b", "**?.csv", "x[!a-c]*", "[^a]", "[]]a", "[!]]a", "[]", "[!]", "[a", r"a\b", r"[\d]", "f(1)+", "\n*"],
)
def test_globs_mean_what_they_mean_in_a_store(pattern: str) -> None:
    from apache_beam.io.filesystem import FileSystem

    assert rf"(?ms){_GLOB_PART.sub(_to_regex, pattern)}\Z" == FileSystem.translate_pattern(pattern)


def test_globs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, "a1.csv", "a2.csv", "b1.csv", "sub/a3.csv", "sub/deep/a4.csv", "a1.txt")
    monkeypatch.chdir(tmp_path)
    assert found("a[12].csv") == found("a?.csv") == ["a1.csv", "a2.csv"]
    assert found("*.csv") == ["a1.csv", "a2.csv", "b1.csv"]
    assert found("**/a*.csv") == ["a1.csv", "a2.csv", "sub/a3.csv", "sub/deep/a4.csv"]
    assert found("sub/**/a*.csv") == ["sub/a3.csv", "sub/deep/a4.csv"]
    assert found("**a?.csv") == ["a1.csv", "a2.csv", "sub/a3.csv", "sub/deep/a4.csv"]
    assert found("s*") == ["sub/a3.csv", "sub/deep/a4.csv"]
    assert len(found(".")) == len(found(tmp_path)) == 6


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, "a.csv", "b.csv")
    monkeypatch.chdir(tmp_path)
    assert [Path(path).name for path in found("a.csv", "./a.csv", tmp_path / "*.csv")] == ["a.csv", "b.csv"]


def test_linked_folders_are_read_once_and_circles_end(tmp_path: Path) -> None:
    fill(tmp_path, "dumps/2026/a.csv", "elsewhere/b.csv", "elsewhere/deep/c.csv")
    (tmp_path / "dumps/latest").symlink_to("2026")
    (tmp_path / "dumps/far").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/self").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/deep/up").symlink_to("..")
    (tmp_path / "one.csv").symlink_to("elsewhere/b.csv")
    names = ["2026/a.csv", "far/b.csv", "far/deep/c.csv"]
    for pattern in ("dumps", "dumps/*", "dumps/**"):
        assert found(tmp_path / pattern) == [f"{tmp_path}/dumps/{name}" for name in names]
    assert found(tmp_path / "one.csv") == [f"{tmp_path}/one.csv"]


def test_what_systems_and_programs_leave_is_no_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = (".DS_Store", "._a.csv", "Thumbs.db", "~$catalogue.xlsx", ".~lock.a.csv#", "sub/desktop.ini", ".git/config")
    fill(tmp_path, "a.csv", "sub/b.csv", *left)
    os.mkfifo(tmp_path / "pipe.csv")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket.csv"))
        assert found(tmp_path) == [f"{tmp_path}/a.csv", f"{tmp_path}/sub/b.csv"]
    told = capsys.readouterr().err
    assert f"Skipped, since they hold no data: {tmp_path}/.DS_Store, {tmp_path}/._a.csv, {tmp_path}/.git, " in told
    assert "and 4 more." in told
    assert found(tmp_path / ".git" / "config") == [f"{tmp_path}/.git/config"], "what is named is read"


def test_unreadable_files_are_losses_or_faults(tmp_path: Path) -> None:
    fill(tmp_path, "a.csv")
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    (tmp_path / "round").symlink_to("round")
    (tmp_path / os.fsdecode(b"Gem\xfcse.csv")).touch()
    inputs = expand([str(tmp_path)])
    losses = [
        f"{tmp_path}/Gem\\xfcse.csv can't be read, since its name is not UTF-8 text. Rename it.",
        f"{tmp_path}/gone.csv is a broken link. Fix it, or remove it.",
        f"{tmp_path}/round is a broken link. Fix it, or remove it.",
    ]
    assert inputs.paths == [f"{tmp_path}/a.csv"]
    assert sorted(inputs.losses) == losses
    for name, loss in zip((b"Gem\xfcse.csv", b"gone.csv", b"round"), losses, strict=True):
        with pytest.raises(UserError) as raised:
            expand([str(tmp_path / os.fsdecode(name))])
        assert str(raised.value) == loss


def test_nothing_to_read_is_a_fault(tmp_path: Path) -> None:
    fill(tmp_path, "a.csv", "out/runs/1.parquet", "hidden/.x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "bare").mkdir()
    folder = "is a folder without a file to read. Put your files there, or name others."
    twice = f"{tmp_path}/out lies in --output {tmp_path}/out. Give another folder for one of the two."
    for pattern, said in {
        "": "--input is given without a path. Name a file, a folder or a glob.",
        f"{tmp_path}/b.csv": f"--input {tmp_path}/b.csv matches no file. Check the path, and quote the pattern.",
        "b.csv": f"--input b.csv matches no file in {Path.cwd()}. Check the path, and quote the pattern.",
        f"{tmp_path}/a.csv/x": f"--input {tmp_path}/a.csv/x matches no file. Check the path, and quote the pattern.",
        f"{tmp_path}/hidden": f"--input {tmp_path}/hidden {folder}",
        f"{tmp_path}/bare": f"--input {tmp_path}/bare {folder}",
        f"{tmp_path}/bare/*": f"--input {tmp_path}/bare/* matches no file. Check the path, and quote the pattern.",
        f"{tmp_path}/out": f"--input {twice}",
        f"{tmp_path}/pipe": f"{tmp_path}/pipe is not a regular file, and can't be read twice. Write its content "
        "to a file first.",
    }.items():
        with pytest.raises(UserError) as raised:
            expand([pattern], str(tmp_path / "out"))
        assert str(raised.value) == said
    with pytest.raises(UserError, match=r"x can't be read: .*File name too long"):
        expand([f"{tmp_path}/{'x' * 300}"])
    assert expand([str(tmp_path)], str(tmp_path / "out")).paths == [f"{tmp_path}/a.csv"]


def test_an_empty_file_among_others_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contents = {"a": b"x", "b": b"", "c": gzip.compress(b" \r\n"), "d": b"\xef\xbb\xbf\n", "e": gzip.compress(b"x")[:5]}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    paths = [f"{tmp_path}/{name}" for name in contents]
    assert with_content(paths) == [paths[0], paths[4]], "what is cut off is no empty file"
    assert [line.split(" ")[0] for line in capsys.readouterr().err.splitlines()] == paths[1:4]
    with pytest.raises(UserError, match=r"b is empty\. Give a file that has content\.$"):
        with_content(paths[1:4])
