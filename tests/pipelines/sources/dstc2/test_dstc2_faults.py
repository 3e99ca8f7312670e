"""DSTC2's source on bad input: every fault with its reason and place, and the run goes on."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from pathlib import Path

import pytest
from small_dstc2 import (
    HELLO,
    SETTINGS,
    TABLE,
    call,
    dialogues,
    ingest,
    listed,
    machine,
    one_turn,
    pack,
    rejected,
    user,
    write_archive,
    write_tree,
)

from pipelines.source import KeptRecord, Unreadable
from pipelines.sources.dstc2 import archive as dstc2_archive
from pipelines.sources.dstc2 import source as dstc2
from schemas.errors import UserError
from schemas.runs.rejected import Rejected


def _bad_label(folder: str, content: bytes) -> dict[str, bytes]:
    return {**one_turn(folder), f"data/{folder}/label.json": content}


def test_bad_calls_are_rejected_with_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dstc2_archive, "MAX_FILE", 20_000)
    half = json.dumps({"session-id": "half", "turns": [], "x": "\ud83d"}).encode()
    bad = {
        "missing_log": {"data/d/missing_log/label.json": b"{}"},
        "missing_label": call("d/missing_label", [HELLO], None),
        "broken_json": _bad_label("d/broken_json", b'{"session-id": '),
        "deep": _bad_label("d/deep", b"[" * 10_000),
        "half": _bad_label("d/half", half),
        "bytes": _bad_label("d/bytes", b'{"session-id": "\xff"}'),
        "list": _bad_label("d/list", b"[]"),
        "keys": _bad_label("d/keys", b'{"session-id": "keys"}'),
        "number": one_turn("d/number", {**HELLO, "output": {"transcript": 5, "dialog-acts": []}}),
        "slots": one_turn(
            "d/slots", {**HELLO, "output": {"transcript": "", "dialog-acts": [{"act": "offer", "slots": [["a"]]}]}}
        ),
        "no_turns": call("d/no_turns", [], []),
        "turns_disagree": call("d/turns_disagree", [HELLO, HELLO], [user("")]),
        "machine_act": one_turn("d/machine_act", machine("hello", ("shout", {}))),
        "user_act": call("d/user_act", [HELLO], [user("hello", ("offer", {}))]),
        "other_session": _bad_label("d/other_session", b'{"session-id": "me"}'),
        "not_listed": one_turn("d/not_listed"),
        "too_large": _bad_label("d/too_large", b" " * 20_001),
    }
    files = {name: content for part in bad.values() for name, content in part.items()}
    files |= one_turn("d/good") | listed(train=[f"d/{name}" for name in [*bad, "good"] if name != "not_listed"])
    results = ingest(write_archive(tmp_path, files))
    found = {name: row.reason for name, row in rejected(results).items()}
    alike = {
        "deep": "broken_json",
        "half": "broken_json",
        "bytes": "broken_json",
        "list": "not_a_call",
        "keys": "not_a_call",
        "number": "not_a_call",
        "slots": "not_a_call",
        "machine_act": "unknown_act",
        "user_act": "unknown_act",
    }
    assert found == {name: alike.get(name, name) for name in bad}
    assert list(dialogues(results)) == ["good"]
    for name, row in rejected(results).items():
        assert row.detail.endswith(".")
        assert f"d/{name}" in row.detail
        assert row.offset > 0
    assert "turn 0 has an act 'shout'" in rejected(results)["machine_act"].detail
    assert not [result for result in results if isinstance(result, Unreadable)]


def test_a_call_counts_once(tmp_path: Path) -> None:
    files = one_turn("a/one") | one_turn("b/one") | listed(train=["a/one", "b/one"])
    results = ingest(write_archive(tmp_path, files))
    assert len(dialogues(results)) == 1
    assert rejected(results)["one"].reason == "double_call"
    loose = ingest(write_archive(tmp_path, files) + write_tree(tmp_path / "tree", one_turn("a/one"))[:-1])
    assert len(dialogues(loose)) == 1
    assert len([result for result in loose if isinstance(result, Rejected)]) == 2


def test_a_call_of_two_lists_is_held_out(tmp_path: Path) -> None:
    files = one_turn("d/one") | one_turn("d/two") | listed(dev=["d/one", "d/two"], test=["d/two"], train=["d/one"])
    splits = {
        x.rows["dialogues"][0].id: x.split for x in ingest(write_archive(tmp_path, files)) if isinstance(x, KeptRecord)
    }
    assert splits == {"one": "dev", "two": "test"}


def test_listed_calls_that_are_not_there(tmp_path: Path) -> None:
    results = ingest(write_archive(tmp_path, one_turn("d/one") | listed(train=["d/one", "d/two", "d/three"])))
    (lost,) = [result for result in results if isinstance(result, Unreadable)]
    assert lost.sentence.startswith("Calls that the list of train names but the input lacks: 2 of 3; the first is")
    assert "d/three" in lost.sentence


def damaged(tmp_path: Path, content: bytes) -> tuple[list[str], str]:
    """The calls kept of an archive, and what is said of the rest."""
    path = tmp_path / "calls.tar"
    path.write_bytes(content)
    lists = write_tree(tmp_path, listed(train=[f"d/{number}" for number in range(3)]))
    results = ingest([str(path), *lists])
    losses = [x.sentence for x in results if isinstance(x, Unreadable) and str(path) in x.sentence]
    return list(dialogues(results)), "".join(losses)


CALLS = {name: content for number in range(3) for name, content in one_turn(f"d/{number}").items()}


def test_a_whole_archive_loses_nothing(tmp_path: Path) -> None:
    assert damaged(tmp_path, pack(CALLS)) == (["0", "1", "2"], "")


def test_an_archive_without_calls_beside_a_good_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.tar").write_bytes(pack({"README": b"read me"}))
    paths = write_archive(tmp_path, CALLS | listed(train=[f"d/{number}" for number in range(3)]))
    found = ingest([*paths, str(tmp_path / "other.tar")])
    assert len(dialogues(found)) == 3
    assert [one for one in found if isinstance(one, Unreadable)] == [
        Unreadable(f"{tmp_path}/other.tar has no call and no list of DSTC2.")
    ]


def test_a_cut_archive(tmp_path: Path) -> None:
    kept, said = damaged(tmp_path, gzip.compress(pack(CALLS))[:-60])
    assert len(kept) < 3
    assert "is cut off" in said
    kept, said = damaged(tmp_path, pack(CALLS)[: 4 * 1024])  # between two members: tarfile takes it for the end
    assert kept == ["0", "1"]
    assert "can't be read" in said


def test_a_header_that_can_not_be_read(tmp_path: Path) -> None:
    content = bytearray(pack(CALLS))
    content[2048] ^= 0xFF  # the third member's name
    kept, said = damaged(tmp_path, bytes(content))
    assert kept == ["0"]
    assert "the rest is lost" in said


@pytest.mark.parametrize("style", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize(("kind", "size"), [(tarfile.REGTYPE, 1 << 40), (tarfile.GNUTYPE_LONGNAME, 1 << 20)])
def test_bombs_are_not_unpacked(tmp_path: Path, kind: bytes, size: int, style: int) -> None:
    member = tarfile.TarInfo("d/bomb")
    member.size, member.type = size, kind
    kept, said = damaged(tmp_path, pack(one_turn("d/0"))[:2048] + member.tobuf(style) + b"\0" * 4096)
    assert kept == ["0"]
    assert re.search(r"would have [\d,]+ bytes", said)


def test_links_and_paths_that_climb(tmp_path: Path) -> None:
    """Members are read in place by the end of their name; a link is no file."""
    stream = io.BytesIO()
    climbing = {f"../../{name}": content for name, content in one_turn("d/0").items()}
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in climbing.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("data/d/1/log.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        archive.addfile(link)
    before = sorted(path.name for path in tmp_path.parent.iterdir())
    assert damaged(tmp_path, stream.getvalue()) == (["0"], "")
    assert sorted(path.name for path in tmp_path.parent.iterdir()) == before


def test_input_that_is_no_dstc2(tmp_path: Path) -> None:
    archive, table = write_archive(tmp_path, one_turn("d/one"))
    with pytest.raises(UserError, match=r"--input restaurant-db\.json"):
        dstc2.DSTC2().plan([archive], SETTINGS)
    with pytest.raises(UserError, match="holds no call"):
        dstc2.DSTC2().plan([table], SETTINGS)
    second = tmp_path / "second.json"
    second.write_text(json.dumps(TABLE))
    with pytest.raises(UserError, match="several restaurant tables"):
        dstc2.DSTC2().plan([archive, table, str(second)], SETTINGS)
    other = tmp_path / "other.tar.gz"
    other.write_bytes(b"no archive at all")
    with pytest.raises(UserError, match="is no tar archive"):
        dstc2.DSTC2().plan([str(other), table], SETTINGS)
    other.write_bytes(Path(archive).read_bytes()[:15])
    with pytest.raises(UserError, match="is cut off"):
        dstc2.DSTC2().plan([str(other), table], SETTINGS)
    tree = [path for path in write_tree(tmp_path / "tree", one_turn("d/one")) if path.endswith("log.json")]
    with pytest.raises(UserError, match="no list that names their split"):
        dstc2.DSTC2().plan([*tree, table], SETTINGS)
