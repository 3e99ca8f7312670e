"""Queries of text2sql-data become logical forms with their questions; what does not parse is rejected."""

from __future__ import annotations

import bz2
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from read_results import lost, rejected
from small_pairs import ALL, ENTRIES, FLOORS, KEEPER, as_array, entry, kept, question, results

from pipelines.source import KeptRecord, RecordFault
from pipelines.sources.wikisql.forms import form_of
from pipelines.sources.wikisql.source import NoSettings, WikiSQL
from schemas.errors import UserError
from schemas.runs.rejected import Rejected


def run(folder: Path, entries: Any) -> Any:
    return results("wikisql", folder, {"a.json": as_array(entries)})


def test_a_form_is_written_with_the_values_of_each_question(tmp_path: Path) -> None:
    found = kept(run(tmp_path, ENTRIES))
    assert [(split, row.source, row.text) for split, row in found] == [
        (
            "train",
            'select max floors where style = "GOTHIC" and first owner < "1850"',
            "How many floors has a Gothic mill owned before 1850?",
        ),
        (
            "dev",
            'select max floors where style = "Art Déco" and first owner < "7"',
            "Top floor of the art déco mills before 7?",
        ),
        ("test", "select keeper's name where light (sea) = \"O'Neal's\"", "Who keeps O'Neal's light?"),
        ("train", "select count mill", "How many mills are there?"),
    ]
    row = found[1][1]
    assert " ".join(row.source_tokens) == 'select max floors where style = " art déco " and first owner < " 7 "'
    assert " ".join(row.tokens) == "top floor of the art déco mills before 7 ?"
    assert (row.items, row.item_tokens) == (["Art Déco", "7"], [["art", "déco"], ["7"]])
    assert len({row.id for _, row in found}) == 4


def test_a_packed_file_reads_as_the_plain_one(tmp_path: Path) -> None:
    plain, packed = (
        results("wikisql", tmp_path, {"a.json": content}) for content in (as_array(), bz2.compress(as_array()))
    )
    assert plain == packed and len(plain) == 4


def test_figures_count_values_in_questions(tmp_path: Path) -> None:
    one = entry(FLOORS, question("Floors of art deco mills before 70?", var0="70", var1="Art Déco"))
    (found,) = run(tmp_path, [one])
    assert found.figures == {
        "source tokens": 17,
        "tokens": 8,
        "tokens in the source": 3,
        "items": 2,
        "items in the text": 1,
    }


def test_missing_values_are_known_for_single_questions(tmp_path: Path) -> None:
    values = {"var0": "1850", "var1": "Gothic"}
    lacking = question("Floors of gothic mills?", var1="Gothic")
    (found,) = kept(run(tmp_path, [entry(FLOORS, lacking, **values)]))
    assert found[1].items == ["Gothic", "1850"]
    several = run(tmp_path, [entry(FLOORS, question("Gothic before 1850?", **values), lacking, **values)])
    assert len(kept(several)) == 1
    assert rejected(several) == [("unknown_value", "Question 2 of the entry. Its value of var0 is not known.")]


GOOD = question("Who keeps it?", var0="it")


@pytest.mark.parametrize(
    ("bad", "reason", "detail"),
    [
        (7, "no_questions", "The entry has no list of questions ('sentences')."),
        (entry(KEEPER), "no_questions", "The entry has no list of questions"),
        ({**entry(KEEPER, GOOD), "sql": []}, "no_query", "Question 1 of the entry. The entry has no list of queries"),
        (entry("SELECT ;", GOOD), "unknown_query", "Question 1 of the entry. The query does not parse: SELECT ;"),
        (entry(KEEPER, 7), "no_text", "Question 1 of the entry. It has no text ('original')."),
        (entry(KEEPER, question(" ", var0="it")), "no_text", "Question 1 of the entry. The text is empty."),
        (entry(KEEPER, {**GOOD, "question-split": "all"}), "unknown_split", "Question 1 of the entry. Its 'question-"),
        (entry(KEEPER, question("Who?")), "unknown_value", "Question 1 of the entry. Its value of var0 is not known."),
        (entry(KEEPER, question("Who?", var0=" ")), "unknown_value", "Question 1 of the entry. Its value of var0"),
        (entry(KEEPER, question("a " * 1001, var0="a")), "long_text", "Question 1 of the entry. The text has 1,001 to"),
        (entry(KEEPER, question("Who?", var0="a " * 2000)), "long_source", "Question 1 of the entry. The source has"),
    ],
)
def test_bad_entries_are_rejected_with_their_place(tmp_path: Path, bad: Any, reason: str, detail: str) -> None:
    content = as_array([ENTRIES[1], bad, ENTRIES[2]])
    found = results("wikisql", tmp_path, {"a.json": content})
    (one,) = [result for result in found if isinstance(result, Rejected)]
    assert (one.stage, one.reason) == ("read", reason) and one.detail.startswith(detail)
    assert content[one.offset :].startswith(one.head) and one.head
    assert len(kept(found)) == 2


def test_questions_of_unparsable_queries_are_rejected(tmp_path: Path) -> None:
    query = KEEPER.replace('"var0"', 'var0 = "var1"')
    found = run(tmp_path, [entry(query, GOOD, GOOD, GOOD)])
    assert Counter(reason for reason, _ in rejected(found)) == {"unknown_query": 3}


@pytest.mark.parametrize(
    "query", ["", KEEPER[:-2], KEEPER.replace(" = ", " ~ "), KEEPER.replace('"var0"', "TABLEalias0 var0"), f"{ALL} ;"]
)
def test_what_is_no_query_does_not_parse(query: str) -> None:
    with pytest.raises(RecordFault, match="The query does not parse"):
        form_of(query)


def test_strange_characters_of_json_are_no_fault(tmp_path: Path) -> None:
    found = kept(run(tmp_path, [entry(KEEPER, question("Who keeps \x81a \ud83d light?", var0="\x81a"))]))
    assert found[0][1].items == ["a"] and found[0][1].text == "Who keeps a \ufffd light?"


def test_an_array_without_its_end_is_told(tmp_path: Path) -> None:
    found = results("wikisql", tmp_path, {"a.json": as_array()[:-1]})
    assert len(kept(found)) == 4
    assert "a.json ends before its JSON array does" in lost(found)[0]


def test_the_corpus_own_files_lack_their_tables(tmp_path: Path) -> None:
    line = {"phase": 1, "question": "Who?", "sql": {"sel": 3, "conds": [[5, 0, "x"]], "agg": 0}, "table_id": "1-1"}
    path = tmp_path / "dev.jsonl"
    path.write_text(json.dumps(line) + "\n")
    with pytest.raises(UserError, match=r"dev\.jsonl is a file of WikiSQL itself, .* tables that are missing here"):
        WikiSQL().plan([str(path)], NoSettings())


def test_the_real_file(data_root: Path) -> None:
    """All questions of its first queries; the whole file is counted by benchmarks/corpora/corpus_statistics.py."""
    path = data_root / "wikisql" / "text2sql-wikisql.json.bz2"
    (shard,) = WikiSQL().plan([str(path)], NoSettings())
    first = [result for result, _ in zip(WikiSQL().read(shard, NoSettings()), range(500), strict=False)]
    rows = [result.rows["pairs"][0] for result in first if isinstance(result, KeptRecord)]
    assert len(rows) == 500
    assert rows[0].source == 'select notes where current slogan = "SOUTH AUSTRALIA"'
    assert sum(result.figures["items in the text"] for result in first if isinstance(result, KeptRecord)) > 500


def test_the_real_files_of_the_corpus_itself_are_refused(data_root: Path) -> None:
    path = data_root / "wikisql" / "dev.jsonl"
    with pytest.raises(UserError, match="is a file of WikiSQL itself"):
        WikiSQL().plan([str(path)], NoSettings())
