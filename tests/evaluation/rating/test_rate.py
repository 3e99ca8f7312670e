"""`allsaid rate`: sheets that tell nobody whose text is whose, and answers of which none is lost."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from in_process import allsaid
from small_study import LENGTHS, SCRIPT, make_texts, sheet

from allsaid.modeling.data.dataset import DataSet
from evaluation.compare import differ
from evaluation.options import StudyOptions
from evaluation.rating.key import Key
from evaluation.rating.sheet import StudyFiles, arrange, choose, make, read_system
from schemas.errors import UserError


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_texts(tmp_path_factory.mktemp("texts"))


def study(texts: Path, output: Path, **options: Any) -> StudyFiles:
    systems = tuple(str(texts / name) for name in LENGTHS)
    return make(StudyOptions(systems, str(output), str(texts / "data"), **options))


def test_sheets_have_rounds_of_all_rows_and_systems() -> None:
    for rater in (1, 2):
        places = arrange(7, 3, seed=5, rater=rater)
        assert sorted(map(tuple, places)) == [(row, system) for row in range(7) for system in range(3)]
        for start in (0, 7, 14):
            turn = places[start : start + 7]
            assert sorted(row for row, _ in turn) == list(range(7))
            assert sorted(Counter(system for _, system in turn).values()) == [2, 2, 3]
    assert len({str(arrange(7, 3, seed, rater)) for seed in (5, 6) for rater in (1, 2)}) == 4
    assert arrange(7, 3, 5, 1) == arrange(7, 3, 5, 1)


def test_only_the_key_names_systems(texts: Path, tmp_path: Path) -> None:
    made = study(texts, tmp_path / "study", rows=6, raters=2)
    key = Key.read(made.key)
    data = DataSet(str(texts / "data"))
    written = {name: read_system(str(texts / name), data).texts for name in LENGTHS}
    goals = {example.id: example.goal for example in data.examples("test")}
    assert (key.systems, len(set(key.rows)), made.texts) == (["encdec", "Checklist+", "Truth"], 6, 18)
    for path, places in zip(made.sheets, key.sheets, strict=True):
        for shown, (row, system) in zip(sheet(path)["texts"], places, strict=True):
            assert shown["goal"] == goals[key.rows[row]]
            if key.systems[system] in written:
                assert shown["texts"] == [written[key.systems[system]][key.rows[row]]]
            else:
                assert shown["texts"][0].endswith(".") and "Bake the" in shown["texts"][0]
        page = Path(path).read_text().casefold()
        for trace in (*(name.casefold() for name in key.systems), "tiny", "generated", *key.rows):
            assert trace not in page.replace(key.study, ""), trace
        assert not re.search(r"https?:|src=|@import|[: ]url\(", page)
        assert SCRIPT not in page
    assert study(texts, tmp_path / "again", rows=6, raters=2).texts == 18
    assert (tmp_path / "again" / "key.json").read_bytes() == Path(made.key).read_bytes()


def test_texts_are_rated_without_a_data_set(texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(texts / name) for name in LENGTHS]
    assert allsaid("rate", "make", *folders, "--output", str(tmp_path / "study"), "--rows", "7", "--raters", "1") == 0
    key = Key.read(str(tmp_path / "study" / "key.json"))
    assert (key.systems, key.task, len(key.rows)) == (["encdec", "Checklist+"], "recipes", 7)
    (shown,) = (tmp_path / "study" / "sheets").iterdir()
    assert len(sheet(str(shown))["texts"]) == 14
    with_data = study(texts, tmp_path / "again", rows=7, raters=1)
    assert Key.read(with_data.key).data_fingerprint == key.data_fingerprint


def test_texts_of_two_folders_are_compared(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (str(texts / name) for name in LENGTHS)
    assert allsaid("compare", "--texts", one, other) == 0
    assert "7 of 7 texts differ" in capsys.readouterr().out
    assert differ.run(one, one) == []


def test_rows_that_a_system_lacks_are_left_aside(texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    systems = [read_system(str(texts / name), DataSet(str(texts / "data"))) for name in LENGTHS]
    examples = list(DataSet(str(texts / "data")).examples("test"))
    lacking = {row: text for row, text in systems[0].texts.items() if row != examples[2].id}
    chosen = choose(examples, [replace(systems[0], texts=lacking), systems[1]], 6, seed=1)
    assert {example.id for example in chosen} == {example.id for example in examples} - {examples[2].id}
    assert "6 of 7 rows have a text of every system" in capsys.readouterr().err


def test_faults_of_make_are_told(texts: Path, tmp_path: Path) -> None:
    data, system = str(texts / "data"), str(texts / "encdec")

    def fault(folders: list[Any], **options: Any) -> str:
        with pytest.raises(UserError) as told:
            make(StudyOptions(tuple(map(str, folders)), str(tmp_path / "study"), data, **options))
        return str(told.value)

    assert "--rows 8: all systems have a text for 7 rows (encdec 7)" in fault([system], rows=8)
    shutil.copytree(system, tmp_path / "Truth")
    assert "would both be named 'Truth'" in fault([tmp_path / "Truth"], rows=2)
    assert "rename one" in fault([system, system], rows=2)
    assert "holds no finished texts" in fault([tmp_path], rows=2)
    summary = tmp_path / "Truth" / "summary.json"
    summary.write_text(summary.read_text().replace('"f1"', '"f2"'))
    assert "not from the current data set" in fault([tmp_path / "Truth"], rows=2)
    summary.write_text(summary.read_text().replace('"f2"', '"f1"').replace('"test"', '"dev"'))
    (tmp_path / "Truth").rename(tmp_path / "nn")
    assert "are of the splits dev, test" in fault([system, tmp_path / "nn"], rows=2)
    make(StudyOptions((system,), str(tmp_path / "study"), data, rows=2))
    assert "holds a study" in fault([system], rows=2)


@pytest.mark.usefixtures("own_folder")
def test_two_systems_meet_side_by_side(texts: Path, pair_texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(texts / name) for name in LENGTHS]
    asked = ("--data", str(texts / "data"), "--output", "study", "--rows", "7", "--raters", "2", "--head-to-head")
    assert allsaid("rate", "make", *folders, *asked) == 0
    key = Key.read("study/key.json")
    assert key.systems == ["encdec", "Checklist+"]  # the reference texts stand beside, and compete with nobody
    written = [read_system(folder, DataSet(str(texts / "data"))).texts for folder in folders]
    by_name = dict(zip(key.systems, written, strict=True))
    sides = Counter[str]()
    for rater in (1, 2):
        for number, shown in enumerate(sheet(f"study/sheets/sheet-{rater}.html")["texts"], 1):
            place = key.entry(rater, number)
            assert shown["texts"] == [by_name[system][key.rows[place.row]] for system in place.systems]
            assert shown["goal"] and shown["agenda"] and "Bake the" in shown["reference"]
            sides[place.systems[0]] += 1
    assert set(sides) == set(key.systems) and sum(sides.values()) == 14
    lone = (folders[0], "--output", "alone", "--rows", "2", "--head-to-head")
    assert allsaid("rate", "make", *lone) == 1
    assert "compares at least two systems" in capsys.readouterr().err
    # Without their data set they are rated as all texts that are no recipes are.
    alone = StudyOptions((str(pair_texts / "copynet"),), "alone", rows=2, raters=1)
    assert Key.read(make(alone).key).task == "dialogue"
    # Pairs have no agenda to be kept to: what is said is the reference's.
    systems = tuple(str(pair_texts / system) for system in ("scratchpad", "copynet"))
    made = make(StudyOptions(systems, "pairs", str(pair_texts / "data"), rows=2, raters=1, head_to_head=True))
    assert "what the reference says?" in Path(made.sheets[0]).read_text()
