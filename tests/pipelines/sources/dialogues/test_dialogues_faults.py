"""Conversations and tables of offers that are not as they should be: each with its reason, place and remedy."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_stays import HEADER, OFFERS, TURNS, as_csv, ingest, kept, offers, write

from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.source import Unreadable
from pipelines.sources.dialogues import source as dialogues
from pipelines.sources.dialogues.conversations import MAX_ROWS
from schemas.errors import UserError
from schemas.runs.rejected import Rejected

GUEST, MACHINE = "guest", "machine"
GOOD = [("good", MACHINE, "Hello"), ("good", GUEST, "Hi")]


def rejected(results: list[object]) -> dict[str, tuple[str, str]]:
    """Name of the dialogue -> reason and sentence."""
    return {one.id: (one.reason, one.detail) for one in results if isinstance(one, Rejected)}


@pytest.mark.parametrize(
    ("turns", "reason", "said"),
    [
        ([(MACHINE, "Hello")], "one_turn", "The dialogue has one turn, the machine's; it needs one of the user"),
        ([(GUEST, "Hello")], "no_machine", "No turn is by 'machine', the machine; the speakers are 'guest'. Name"),
        (
            [("a", "x"), ("b", "y"), ("c", "z"), ("d", "z")],
            "no_machine",
            "the speakers are 'a', 'b', 'c'. Name the machine",
        ),
        ([(GUEST, "Hello"), (MACHINE, " "), (GUEST, "?")], "no_words", "'machine', the machine, says no word"),
        ([(MACHINE, "Hello"), ("", "Hi")], "no_speaker", "Line 5 has no speaker: 'speaker' is empty."),
        (
            [(MACHINE, "Hello"), (GUEST, "a" * 70_000)],
            "long_text",
            "The text of line 5 has 70,000 characters; the limit is",
        ),
        ([(MACHINE, "Hello"), (GUEST, "Hi")] * 501, "too_many_rows", "Is 'dialogue' the column that distinguishes"),
    ],
    ids=["one turn", "no machine", "speakers", "silent machine", "no speaker", "long text", "many rows"],
)
def test_bad_dialogues_are_rejected(turns: list[tuple[str, str]], reason: str, said: str, tmp_path: Path) -> None:
    results = ingest(write(tmp_path, [*GOOD, *(("bad", *turn) for turn in turns)]))
    assert set(kept(results)) == {"good"}
    assert rejected(results).keys() == {"bad"}
    assert rejected(results)["bad"][0] == reason
    assert said in rejected(results)["bad"][1]


def test_two_hundred_turns_and_empty_texts_are_kept(tmp_path: Path) -> None:
    said = [("long", (MACHINE, GUEST)[number % 2], f"turn {number}" if number % 3 else "") for number in range(200)]
    (dialogue,) = kept(ingest(write(tmp_path, said))).values()
    assert len(dialogue.turns) == 200
    assert [turn.tokens for turn in dialogue.turns[:3]] == [[], ["turn", "1"], ["turn", "2"]]
    assert MAX_ROWS >= 200


def test_rows_that_stand_apart_are_rejected_with_their_places(tmp_path: Path) -> None:
    paths = write(tmp_path, [*GOOD, *TURNS[:2], *TURNS[4:], *TURNS[2:4]])
    (tmp_path / "more.csv").write_bytes(as_csv(("dialogue", "speaker", "text"), GOOD))
    results = ingest([paths[0], str(tmp_path / "more.csv"), paths[1]])
    assert set(kept(results)) == {"2"}
    faults = [one for one in results if isinstance(one, Rejected)]
    assert [(one.id, one.reason) for one in faults] == [("good", "rows_apart")] + [("1", "rows_apart")] * 2 + [
        ("good", "rows_apart")
    ]
    assert f"in 2 places of {paths[0]}, {tmp_path}/more.csv. Sort them by 'dialogue'" in faults[0].detail


def test_an_unreadable_row_rejects_its_dialogue(tmp_path: Path) -> None:
    paths = write(tmp_path, [*GOOD, *TURNS])
    lines = (tmp_path / "calls.csv").read_bytes().splitlines(keepends=True)
    lines.insert(3, b",guest,whose is this?\r\n")  # between two dialogues: of neither
    lines.insert(6, b"1,guest,one,cell,too much\r\n")
    (tmp_path / "calls.csv").write_bytes(b"".join(lines))
    results = ingest(paths)
    assert set(kept(results)) == {"good", "2"}
    faults = [(one.id, one.reason) for one in results if isinstance(one, Rejected)]
    assert faults == [("", "no_dialogue"), ("", "ragged_row"), ("1", "broken_turn")]
    assert rejected(results)["1"][1].startswith("Line 7, within the dialogue, can't be read: The row has 5 cells")


def test_bad_rows_of_the_table_are_told_and_left_out(tmp_path: Path) -> None:
    paths = write(tmp_path)
    table = (tmp_path / "hotels.csv").read_bytes().splitlines(keepends=True)
    table[2:2] = [b"too,many,cells,for,this,head,er\r\n", b",,n/a,,,-\r\n"]
    (tmp_path / "hotels.csv").write_bytes(b"".join(table))
    results = ingest(paths)
    assert [offer.written[0] for offer in offers(results)] == [row[0] for row in OFFERS]
    (lost,) = [one.sentence for one in results if isinstance(one, Unreadable)]
    assert lost.startswith(f"The offer in line 3 of {paths[1]} is left out: The row has 7 cells, the header 6")
    (tmp_path / "hotels.csv").write_bytes(b"".join([*table, *table[2:3] * 30]))
    assert [one.sentence for one in ingest(paths) if isinstance(one, Unreadable)][5:] == [
        f"26 more rows of {paths[1]} are left out."
    ]


TABLES = {
    "empty": (b"", "hotels.csv is empty"),
    "no row": (as_csv(HEADER, []), "hotels.csv has no offer: there is no row below the names of its columns"),
    "nothing in it": (as_csv(HEADER, [("", "-", "n/a", "", "", "?")]), "hotels.csv has no offer"),
    "doubled": (as_csv(("a", "b", "a"), [("1", "2", "3")]), "has the column 'a' more than once in its header. Rename"),
    "one token": (as_csv(("a b", "a-b"), [("x", "y")]), "'a b' and 'a-b' of .*hotels.csv would share the token _A_B_0"),
    "wide": (as_csv([f"c{n}" for n in range(200)], [["1"] * 200]), "has 200 columns; a table of offers may have 127"),
    "too long": (as_csv(("a", "b"), [("1", "2")] * 32_769), "has more than 32,768 rows. Leave out those that no"),
}


@pytest.mark.parametrize("name", TABLES)
def test_what_is_no_table_of_offers_is_refused(name: str, tmp_path: Path) -> None:
    content, said = TABLES[name]
    paths = write(tmp_path)
    (tmp_path / "hotels.csv").write_bytes(content)
    with pytest.raises(UserError, match=said):
        ingest(paths)


def test_doubled_columns_of_parquet_are_refused(tmp_path: Path) -> None:
    paths = write(tmp_path)
    pq.write_table(pa.table([pa.array(["x"]), pa.array(["y"])], names=["a", "a"]), tmp_path / "hotels.csv")
    with pytest.raises(UserError, match=r"has the column 'a' more than once in its header. Rename one of them"):
        ingest(paths)


def test_what_is_no_file_of_conversations_is_refused(tmp_path: Path) -> None:
    calls, hotels = write(tmp_path)
    with pytest.raises(UserError, match=r"The option --table is missing, .* Usage: allsaid ingest dialogues"):
        dialogues.Dialogues().plan([calls], dialogues.Settings())
    with pytest.raises(UserError, match=r"can't be read"):
        dialogues.Dialogues().plan([calls], dialogues.Settings(table=str(tmp_path / "none.csv")))
    with pytest.raises(UserError, match=r"--input names the table of offers alone. Give the file of conversations"):
        dialogues.Dialogues().plan([f"{tmp_path}/./hotels.csv"], dialogues.Settings(table=hotels))
    with pytest.raises(
        UserError, match=r"lacks the column 'session', which the mapping has under 'names'. Its columns"
    ):
        ingest([calls, hotels], "names: [session]\n")
    with pytest.raises(UserError, match=r"lacks the column 'session'. Its columns are: .*Write `dialogue: NAME` with"):
        ingest([calls, hotels], "dialogue: session\n")
    with pytest.raises(
        UserError, match=r"has 'id'; the valid keys are dialogue, speaker, text, machine, names, missing"
    ):
        ingest([calls, hotels], "id: session\n")
    for content, said in ((b"", "calls.csv is empty"), (b"dialogue,speaker,text\n", "has a header, but no row")):
        Path(calls).write_bytes(content)
        with pytest.raises(UserError, match=said):
            ingest([calls, hotels])


def test_a_run_without_a_usable_dialogue_says_who_speaks(tmp_path: Path) -> None:
    calls, hotels = write(
        tmp_path, [(one, "Agent" if speaker == MACHINE else speaker, text) for one, speaker, text in TURNS]
    )
    said = r"the most frequent reason is no_machine, for example in line 2 of .*'guest', 'Agent'\. Name the"
    with pytest.raises(UserError, match=said):
        run(Request("dialogues", [calls], str(tmp_path / "data"), dialogues.Settings(table=hotels)))
