"""What `allsaid fetch` tells, records and verifies, with files from a real server."""

from __future__ import annotations

import fcntl
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from dump_server import CONTENT, QUICK, SHA256, Handler, Server, bring, corpus_at, serve

from pipelines.fetching import corpora
from pipelines.fetching.corpora import CORPORA
from pipelines.fetching.corpus import Download
from pipelines.fetching.fetch import LOCK_NAME, Locked, _record, fetch, fetch_corpus, read_lock
from schemas.errors import UserError


def test_the_first_download_shows_the_licence(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bring(server, tmp_path / "new" / "folder") == CONTENT
    said = capsys.readouterr().err
    assert "Licence: Creative Commons Attribution-ShareAlike 3.0" in said
    assert said.index("Please cite: Rémi Lebret, David Grangier and Michael Auli (2016).") < said.index("unverified")
    assert "@inproceedings{lebret-etal-2016-neural," in said
    assert f"Next: allsaid ingest wikibio --input {tmp_path}/new/folder/box.zip --output DIR" in said
    assert read_lock(tmp_path / "new" / "folder") == {
        "box.zip": Locked(f"{server.address}/box.zip", len(CONTENT), SHA256, verified=False)
    }

    assert bring(server, tmp_path / "new" / "folder") == CONTENT
    again = capsys.readouterr().err
    assert "exists already; its SHA-256 is the expected one" in again
    assert "unverified" not in again
    assert "Licence" not in again
    assert len(server.asked) == 1


def test_a_known_hash_is_verified(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bring(server, tmp_path, size=len(CONTENT), sha256=SHA256) == CONTENT
    assert "unverified" not in capsys.readouterr().err
    assert read_lock(tmp_path)["box.zip"].verified


def test_a_file_of_another_size_than_known_is_not_downloaded(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has 512,000 bytes, but 5 are expected"):
        bring(server, tmp_path, size=5, sha256=SHA256)
    assert (tmp_path / "box.zip.part").read_bytes() == b""


def test_what_does_not_match_is_kept_aside(server: Server, tmp_path: Path) -> None:
    damaged = CONTENT[:-1] + b"\0"
    server.content = damaged
    with pytest.raises(UserError, match=rf"but {SHA256} is known for it\. It is damaged or has changed"):
        bring(server, tmp_path, size=len(CONTENT), sha256=SHA256)
    assert (tmp_path / "box.zip.rejected").read_bytes() == damaged
    assert sorted(child.name for child in tmp_path.iterdir()) == ["box.zip.rejected"]
    server.content = CONTENT
    fetch_corpus(corpus_at(server, sha256=SHA256), str(tmp_path), QUICK)
    assert (tmp_path / "box.zip").read_bytes() == CONTENT


def test_what_another_download_recorded_meanwhile_stays(server: Server, tmp_path: Path) -> None:
    """Two corpora go into one folder: the one that ends last must not forget the other's files."""

    def serve_late(handler: Handler) -> None:
        _record(tmp_path, "quick.bin", Locked("http://example.org/quick.bin", 1, SHA256, False))
        serve(handler)

    server.script = [serve_late]
    fetch_corpus(corpus_at(server), str(tmp_path), QUICK)
    assert read_lock(tmp_path).keys() == {"quick.bin", "box.zip"}


def test_later_downloads_must_match_the_lock_file(server: Server, tmp_path: Path) -> None:
    bring(server, tmp_path)
    lock = (tmp_path / LOCK_NAME).read_bytes()
    (tmp_path / "box.zip").unlink()
    server.content, server.etag = CONTENT[1:], '"two"'
    with pytest.raises(UserError, match=rf"but {SHA256} is recorded in fetch\.lock\.json\..*moved to"):
        fetch_corpus(corpus_at(server), str(tmp_path), QUICK)
    assert (tmp_path / "box.zip.rejected").read_bytes() == CONTENT[1:]
    assert (tmp_path / LOCK_NAME).read_bytes() == lock
    assert not (tmp_path / "box.zip").exists()


def test_a_file_that_was_changed_here_is_not_overwritten(server: Server, tmp_path: Path) -> None:
    bring(server, tmp_path)
    (tmp_path / "box.zip").write_bytes(b"mine")
    with pytest.raises(UserError, match=r"box\.zip has the SHA-256 .*Move it away, then fetch again\."):
        fetch_corpus(corpus_at(server), str(tmp_path), QUICK)
    assert (tmp_path / "box.zip").read_bytes() == b"mine"
    assert len(server.asked) == 1


def test_archives_and_links_stay_in_their_folder(server: Server, tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    for name in ("box.zip", "box.zip.part", "box.zip.part.json", "box.zip.rejected"):
        link = tmp_path / "inside" / name
        link.symlink_to(tmp_path / "outside")
        with pytest.raises(UserError, match=r"leads out of"):
            fetch_corpus(corpus_at(server), str(tmp_path / "inside"), QUICK)
        link.unlink()
    assert not (tmp_path / "outside").exists()
    assert server.asked == []
    away = replace(corpus_at(server), files=(Download("../box.zip", f"{server.address}/box.zip"),))
    with pytest.raises(UserError, match=r"leads out of"):
        fetch_corpus(away, str(tmp_path / "inside"), QUICK)


def test_folders_and_lock_files_that_will_not_do(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for output, fault in {
        "s3://bucket/folder": "is no local folder",
        f"{tmp_path}/file": "is a file",
        f"{tmp_path}/file/x": "lies below the file",
        f"{tmp_path}/{'x' * 300}": "File name too long",
    }.items():
        with pytest.raises(UserError, match=rf"--output .* {fault}"):
            fetch_corpus(corpus_at(server), output, QUICK)
    for content in ("{", "[]", '{"version": 2, "files": {}}', '{"version": 1, "files": {"a": {"sha256": 1}}}'):
        (tmp_path / LOCK_NAME).write_text(content)
        with pytest.raises(UserError, match=r"fetch\.lock\.json is no lock file of `allsaid fetch`"):
            fetch_corpus(corpus_at(server), str(tmp_path), QUICK)
    assert server.asked == []


def test_two_at_once(server: Server, tmp_path: Path) -> None:
    with (tmp_path / "box.zip.part").open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(UserError, match=r"box\.zip\.part is being downloaded by another run"):
            fetch_corpus(corpus_at(server), str(tmp_path), QUICK)


def test_what_can_not_be_written_is_told(server: Server, tmp_path: Path) -> None:
    (tmp_path / "box.zip.part").mkdir()
    with pytest.raises(UserError, match=r"box\.zip\.part can't be written \(Is a directory\)"):
        fetch_corpus(corpus_at(server), str(tmp_path), QUICK)


@pytest.mark.parametrize("name", [corpus.name for corpus in CORPORA if not corpus.files])
def test_a_corpus_without_an_address_tells_how_to_get_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UserError, match=f"nothing to download for '{name}'.*allsaid ingest {name}"):
        fetch(name, str(tmp_path / "new"))
    assert f"Licence: {corpora.find(name).licence[:20]}" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_an_unknown_corpus(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"There is no corpus 'rnnlg'\. These are known:\n  mealmaster: "):
        fetch("rnnlg", str(tmp_path))


def test_the_table_of_corpora() -> None:
    names = ["mealmaster", "allrecipes", "dstc2", "wikibio", "dialogue-acts", "coref", "wikisql", "webqsp"]
    assert [corpus.name for corpus in CORPORA] == names
    for corpus in CORPORA:
        assert corpus.files or corpus.obtain
        assert corpus.licence.endswith(".")
        assert bool(corpus.files) == bool(corpus.ingests)
        for file in corpus.files:
            assert file.address.startswith("https://")
            assert file.address.endswith(Path(file.name).name)
            assert (file.size is None) == (file.sha256 == "")
    assert corpora.find("dstc2").paper.reference == (
        "Matthew Henderson, Blaise Thomson and Jason D. Williams (2014). The Second Dialog State Tracking Challenge. "
        "Proceedings of the 15th Annual Meeting of the Special Interest Group on Discourse and Dialogue, pages 263-272."
        " https://aclanthology.org/W14-4337/"
    )
    assert "  pages = {263--272},\n  year = {2014},\n" in corpora.find("dstc2").paper.bibtex


def test_the_known_hashes_are_those_of_the_files_at_hand(data_root: Path) -> None:
    for file in corpora.find("dialogue-acts").files:
        content = (data_root / "rnnlg" / "original" / file.name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size, file.sha256)
