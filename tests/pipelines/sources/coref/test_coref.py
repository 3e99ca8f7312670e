"""CoNLL columns with coreference: words and mentions, parts of documents, one token a mention."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_coref import HARBOUR, RAIN, kept, long, results, short, shown, sums

from allsaid.storage.paths import expand
from pipelines.lines import Lines
from pipelines.source import KeptRecord, RecordFault, resume
from pipelines.sources.coref.columns import Annotated, Mention, annotated
from pipelines.sources.coref.documents import raw_documents
from pipelines.sources.coref.parts import parts, reduce
from pipelines.sources.coref.source import Coref, Settings
from schemas.checks.table import to_table
from schemas.document import DOCUMENT, NO_ENTITY
from schemas.runs.deferred import Deferred
from schemas.runs.rejected import Rejected


@pytest.mark.parametrize("dialect", [short, long])
def test_both_dialects_say_the_same(tmp_path: Path, dialect: object) -> None:
    (row,) = kept(results(tmp_path, dialect(HARBOUR)))  # type: ignore[operator]
    assert shown(row) == (
        "The old harbour/0 slept . Mr. Finch/1 saw it/0 from his/1 window . He/1 liked the harbour/0 ."
    )
    assert row.tokens == [word.lower() for word in row.originals]
    assert row.chains == ["1", "2"]
    assert row.name == ("0" if dialect is short else "harbour")
    assert to_table([row], DOCUMENT).schema.equals(DOCUMENT)


def test_figures_count_every_mention_once(tmp_path: Path) -> None:
    (found,) = results(tmp_path, long(HARBOUR))
    assert isinstance(found, KeptRecord)
    assert found.figures == {
        "documents": 1,
        "without entities": 0,
        "tokens": 18,
        "chains": 3,
        "mentions": 7,
        "cut mentions": 0,
        "single mentions": 1,
        "covered mentions": 0,
        "entities": 2,
        "entity tokens": 6,
    }


def test_a_document_without_entities_is_kept_and_counted(tmp_path: Path) -> None:
    found = results(tmp_path, short(RAIN), long(HARBOUR))
    row = kept(found)[0]
    assert (row.entities, row.chains) == ([NO_ENTITY] * 3, [])
    assert sums(found, "without entities") == 1


@pytest.mark.parametrize(
    ("mentions", "entities"),
    [
        ([(0, 2, "a"), (5, 5, "a")], [None, None, 0, None, None, 0]),  # equal: the last token
        ([(0, 2, "a"), (3, 4, "a")], [None, 0, None, 0, None, None]),  # the one that both mentions have
        ([(0, 2, "a")], [None] * 6),  # one mention
        ([(0, 1, "a"), (5, 5, "a"), (1, 1, "b"), (4, 4, "b")], [0, 1, None, None, 1, 0]),  # the inner one goes first
        ([(1, 1, "a"), (5, 5, "a"), (1, 1, "b"), (4, 4, "b"), (0, 0, "b")], [0, 1, None, None, 0, 1]),
        ([(1, 1, "a"), (5, 5, "a"), (1, 1, "b"), (4, 4, "b")], [None, 0, None, None, None, 0]),  # b has one token left
        ([(0, 2, "a"), (2, 2, "a")], [None, 0, 0, None, None, None]),  # nested mentions of one entity
    ],
)
def test_a_mention_is_one_token(mentions: list[tuple[int, int, str]], entities: list[int | None]) -> None:
    tokens = ["the", "grey", "gull", "grey", "bird", "it"]
    reduced = reduce(tokens, [Mention(*mention) for mention in mentions])
    assert reduced.entities == [NO_ENTITY if entity is None else entity for entity in entities]
    placed = sum(entity is not None for entity in entities)
    assert len(mentions) == placed + reduced.single + reduced.covered


def test_the_most_frequent_token_ignores_case(tmp_path: Path) -> None:
    text = "Grey/(1 gulls/1) fly/_ ;/_ the/(1 grey/_ birds/1) rest/_"
    assert shown(kept(results(tmp_path, short(text)))[0]) == "Grey/0 gulls fly ; the grey/0 birds rest"


def test_long_documents_are_cut_at_sentences(tmp_path: Path) -> None:
    content = long(HARBOUR)
    found = results(tmp_path, content, most=10)
    assert [shown(row) for row in kept(found)] == [
        "The old harbour slept .",
        "Mr. Finch/0 saw it from his/0 window .",
        "He liked the harbour .",
    ]
    assert [(row.part_number, row.first) for row in kept(found)] == [(0, 0), (1, 5), (2, 13)]
    assert len({row.content_hash for row in kept(found)}) == 1
    assert len({row.id for row in kept(found)}) == 3
    for row in kept(found):
        assert content[row.offset :].split(b"\t")[3].decode() == row.originals[0]
    assert [sums(found, name) for name in ("documents", "tokens", "chains", "mentions")] == [1, 18, 3, 7]


def test_without_empty_lines_marks_end_sentences(tmp_path: Path) -> None:
    rows = kept(results(tmp_path, short(HARBOUR), most=10))
    assert [row.originals[-1] for row in rows] == ["."] * 3


def test_a_mention_across_a_cut_is_counted(tmp_path: Path) -> None:
    text = f"One/(1 {'more/_ ' * 18}word/1) It/(1) is/_ it/(1)"
    found = results(tmp_path, short(text), most=15)
    assert sums(found, "cut mentions") == 1
    assert sum(len(row.tokens) for row in kept(found)) == sums(found, "tokens") == 23
    assert [row.chains for row in kept(found)] == [[], ["1"]]


@st.composite
def _documents(draw: st.DrawFn) -> Annotated:
    words = draw(st.lists(st.sampled_from(["a", "b", "."]), min_size=1, max_size=120))
    places = st.integers(0, len(words) - 1)
    spans = draw(st.lists(st.tuples(places, places, st.sampled_from("xyz")), max_size=20))
    mentions = [Mention(min(span[:2]), max(span[:2]), span[2]) for span in spans]
    return Annotated(words, list(range(len(words))), draw(st.lists(places, max_size=9)), mentions)


@given(_documents(), st.integers(10, 60))
def test_parts_are_all_of_a_document_and_neither_long_nor_small(document: Annotated, most: int) -> None:
    cut = parts(document, most)
    assert [place for first, end in cut for place in range(first, end)] == list(range(len(document.words)))
    assert all(end - first <= most for first, end in cut)
    if len(cut) > 1:
        assert all(end - first >= most // 4 for first, end in cut)


@given(_documents())
def test_every_mention_is_a_token_or_counted_as_lost(document: Annotated) -> None:
    reduced = reduce(document.words, document.mentions)
    tokens = Counter(reduced.entities)
    placed = len(document.words) - tokens.pop(NO_ENTITY, 0)
    assert len(document.mentions) == placed + reduced.single + reduced.covered
    assert sorted(tokens) == list(range(len(reduced.chains)))
    assert all(uses > 1 for uses in tokens.values())
    for place, entity in enumerate(reduced.entities):
        if entity != NO_ENTITY:
            chain = reduced.chains[entity]
            assert any(one.chain == chain and one.first <= place <= one.last for one in document.mentions)


# --- the real corpora ---


Spans = dict[str, list[tuple[int, int]]]


def slowly(path: str) -> tuple[list[str], Spans]:
    """The words of a file of one document, and the mentions of each chain, found chain after chain."""
    rows = [line.split("\t") for line in Path(path).read_text(encoding="utf-8").split("\n") if "\t" in line]
    cells = [row[-1].replace("|", " ").replace("(", " (").replace(")", ") ").split() for row in rows]
    spans: Spans = {}
    for chain in {mark.strip("()") for cell in cells for mark in cell} - {"_"}:
        opened: list[int] = []
        spans[chain] = []
        for place, cell in enumerate(cells):
            for mark in cell:
                if mark.strip("()") == chain and mark.startswith("("):
                    opened.append(place)
                if mark.strip("()") == chain and mark.endswith(")"):
                    spans[chain].append((opened.pop(), place))
    return [row[1] if len(row) == 3 else row[3] for row in rows], spans


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "documents", "tokens", "chains", "mentions", "bad"),
    [
        ("litbank-conll", 100, 210_532, 7_927, 29_103, {}),
        (
            "ontogum-conll",
            281,
            268_089,
            8_032,
            34_819,
            {"GUM_news_iodine.conll": "empty_word", "GENTLE_poetry_road.conll": "unbalanced"},
        ),
    ],
)
def test_the_real_corpora_lose_no_word_and_no_mention(
    data_root: Path, folder: str, documents: int, tokens: int, chains: int, mentions: int, bad: dict[str, str]
) -> None:
    paths = expand([str(data_root / "coref" / folder)]).paths
    found = [result for shard in Coref().plan(paths, Settings()) for result in Coref().read(shard, Settings())]
    faults = {Path(one.file).name: one.reason for one in found if isinstance(one, Rejected)}
    assert (len(paths), faults) == (documents, bad)
    rows = [resume(one, "train") for one in found if isinstance(one, Deferred)]
    figures = sum((Counter(one.figures) for one in rows), Counter[str]())
    assert [figures[name] for name in ("documents", "chains", "mentions")] == [documents - len(bad), chains, mentions]
    assert sums([*rows, *found], "tokens") == tokens
    assert figures["mentions"] == sum(
        figures[name] for name in ("cut mentions", "single mentions", "covered mentions", "entity tokens")
    )
    assert max(len(row.tokens) for row in kept(rows)) <= 500


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["litbank-conll", "ontogum-conll"])
def test_words_and_mentions_are_those_of_an_independent_reader(data_root: Path, folder: str) -> None:
    for path in expand([str(data_root / "coref" / folder)]).paths:
        with Path(path).open("rb") as stream:
            (raw,) = raw_documents(Lines(stream, path, 0, 0))
        try:
            document = annotated(raw, path)
        except RecordFault:
            continue
        words, spans = slowly(path)
        assert document.words == words
        ours: Spans = {mention.chain: [] for mention in document.mentions}
        for mention in document.mentions:
            ours[mention.chain].append((mention.first, mention.last))
        assert ours == spans
