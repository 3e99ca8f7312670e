"""DSTC2 (Henderson, Thomson and Williams 2014): dialogues about restaurants, with references to a table.

Input: the official archive or the extracted tree, and the table as JSON (``restaurant-db.json``). A record is a call.
The lists of calls give the splits. A call of the test set may lack its label; then its goal is unknown, and the user's
words are the recogniser's.

Borders: ``dialogues``, ``examples`` and ``acts`` (each machine turn), ``offers`` (the table). A survey of the whole
input finds what calls depend on: the lists, the first place of each call, and the folds that have each token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from allsaid.storage.streams import with_content
from pipelines.linking.folds import FoldTokens, fold_of
from pipelines.linking.splits import content_hash
from pipelines.source import Handling, KeptRecord, NoSettings, RecordFault, Result, Shard, SharedRow, Source, Unreadable
from pipelines.sources.dstc2 import archive as dstc2_archive
from pipelines.sources.dstc2.acts import act_rows
from pipelines.sources.dstc2.archive import CallList, RawCall, is_archive, scan
from pipelines.sources.dstc2.calls import parse
from pipelines.sources.dstc2.table import COLUMNS, Linker, is_table, load_table
from pipelines.sources.dstc2.turns import figures, link_turns, turn_row
from schemas.dialogue import MACHINE, Dialogue
from schemas.errors import UserError
from schemas.example import GIVEN_SPLIT_RULES
from schemas.runs.rejected import HEAD_BYTES, Rejected

CALLS_PER_SHARD = 100  # of a tree; an archive is one shard, since it is read from its start
ONTOLOGY = "ontology"  # the first part of the names of other JSON files next to the lists
SPLITS = ("test", "dev", "train")  # a call in several lists is held out

Surveyed = Counter[tuple[str, str, str]]  # ("list", split, folder), ("call", session, file), ("token", fold, token)


LOG = """\
{"session-id": "voip-1", "turns": [
  {"output": {"transcript": "Which food?", "dialog-acts": [{"act": "request", "slots": [["slot", "food"]]}]},
   "input": {"live": {"asr-hyps": []}}},
  {"output": {"transcript": "Try Red Door.", "dialog-acts": [{"act": "offer", "slots": [["name", "red door"]]}]},
   "input": {"live": {"asr-hyps": []}}}]}
"""
LABEL = """\
{"session-id": "voip-1", "task-information": {"goal": {"text": "Find thai food."}}, "turns": [
  {"transcription": "thai please", "semantics": {"json": [{"act": "inform", "slots": [["food", "thai"]]}]}},
  {"transcription": "thank you good bye", "semantics": {"json": [{"act": "bye", "slots": []}]}}]}
"""
RESTAURANTS = """\
[{"name": "red door", "pricerange": "cheap", "food": "thai", "area": "north", "addr": "1 mill road",
  "postcode": "c b 2 1 u f", "phone": "01223 100"}]
"""


class DSTC2(Source):
    """Read the calls of DSTC2.

    They become dialogues with table cells as tokens, and the machine's turns acts.

    Example: allsaid ingest dstc2 --input dstc2_traindev.tar.gz --input restaurant-db.json --output data
    """

    borders = ("dialogues", "examples", "acts", "offers")
    rules: ClassVar = {"examples": GIVEN_SPLIT_RULES}
    handling = Handling(
        "Names, addresses, post codes and phone numbers that the table of restaurants holds become one token for each "
        "cell. A restaurant that the table lacks keeps its words.",
        "By the corpus's own lists of calls; five folds by dialogue are in a column.",
    )
    sample: ClassVar = {
        "data/Mar13_S0A0/voip-1/log.json": LOG,
        "data/Mar13_S0A0/voip-1/label.json": LABEL,
        "scripts/config/dstc2_train.flist": "Mar13_S0A0/voip-1\n",
        "restaurants.json": RESTAURANTS,
    }

    def plan(self, paths: Sequence[str], settings: NoSettings) -> list[Shard]:
        """Return a shard of table and lists, one of each archive, and one of every CALLS_PER_SHARD calls of a tree."""
        archives = [path for path in paths if is_archive(path)]
        lists = [path for path in paths if dstc2_archive.is_list(path)]
        calls: dict[str, list[str]] = {}
        for path in paths:
            if dstc2_archive.call_folder(path):
                calls.setdefault(path.rpartition("/")[0], []).append(path)
        if not archives and not calls:
            with_content(paths)  # names an archive of another kind
            raise UserError("--input holds no call of DSTC2. Give its tar.gz, or the folder with data/ and scripts/.")
        for archive in archives:
            dstc2_archive.check_archive(archive)
        if calls and not lists and not archives:
            raise UserError(
                "--input has calls, but no list that names their split (dstc2_train.flist). Add the folder "
                "scripts/config."
            )
        table = _table(paths)
        folders = [calls[folder] for folder in sorted(calls)]
        groups = [folders[start : start + CALLS_PER_SHARD] for start in range(0, len(folders), CALLS_PER_SHARD)]
        return [
            Shard((table, *lists)),
            *(Shard((archive, table)) for archive in archives),
            *(Shard((*(path for folder in group for path in folder), table)) for group in groups),
        ]

    def survey(self, shard: Shard, settings: NoSettings) -> Surveyed:
        """Count what other shards depend on, also in calls that are readable but rejected later."""
        found: Surveyed = Counter()
        head = _is_head(shard)
        linker = None if head else Linker(load_table(shard.files[-1]))
        for entry in scan(shard.files[1:] if head else shard.files[:-1]):
            match entry:
                case CallList(split, folders):
                    found.update(("list", split, folder) for folder in folders)
                case RawCall() if linker is not None:
                    found["call", entry.session, _place(entry)] += 1
                    if "log" in entry.parts:
                        fold = str(fold_of(entry.session))
                        found.update(("token", fold, token) for token in _tokens(entry, linker))
        return found

    def read(self, shard: Shard, settings: NoSettings, surveyed: Surveyed | None = None) -> Iterator[Result]:
        """Yield the calls of a shard; for the shard of table and lists, the table's rows."""
        offers = load_table(shard.file if _is_head(shard) else shard.files[-1])
        if _is_head(shard):
            yield from (SharedRow("offers", offer) for offer in offers)
            yield from (Unreadable(sentence) for sentence in _absent(_Corpus.of(surveyed or Counter())))
            return
        corpus, linker = _Corpus.of(surveyed or Counter()), Linker(offers)
        is_empty = True
        for entry in scan(shard.files[:-1]):
            is_empty = False
            match entry:
                case Unreadable():
                    yield entry
                case RawCall():
                    try:
                        yield _keep(entry, corpus, linker)
                    except RecordFault as fault:
                        head = next((part for part in entry.parts.values() if part), b"")[:HEAD_BYTES]
                        place = entry.session, entry.file, entry.offset
                        yield Rejected("read", fault.reason, str(fault), *place, head)
        if is_empty:
            yield Unreadable(f"{shard.file} has no call and no list of DSTC2.")


def _table(paths: Sequence[str]) -> str:
    """Return the file that is the restaurant table; raise UserError if there is none, or several."""
    others = [path for path in paths if path.endswith(".json") and not dstc2_archive.call_folder(path)]
    tables = [path for path in others if not path.rpartition("/")[2].startswith(ONTOLOGY) and is_table(path)]
    if not tables:
        raise UserError(
            "--input has no restaurant table. Add its JSON file, a list of objects with the texts "
            f"{', '.join(COLUMNS)}: --input restaurant-db.json."
        )
    if len(tables) > 1:
        raise UserError(f"--input has several restaurant tables, {' and '.join(tables)}. Give one.")
    return tables[0]


def _is_head(shard: Shard) -> bool:
    """Return whether this is the shard of table and lists; its first file is the table."""
    return shard.file.endswith(".json") and not dstc2_archive.call_folder(shard.file)


def _place(raw: RawCall) -> str:
    return f"{raw.file} {raw.offset:020}"


def _tokens(raw: RawCall, linker: Linker) -> set[str]:
    try:
        call = parse(raw)
    except RecordFault:
        return set()
    return {token for _, linked, _ in link_turns(call, linker) for token in linked.tokens}


@dataclass(frozen=True)
class _Corpus:
    """The survey of all shards."""

    splits: dict[str, str] = field(default_factory=dict)  # folder -> split
    places: dict[str, str] = field(default_factory=dict)  # session -> its first place
    tokens: FoldTokens = field(default_factory=FoldTokens)

    @classmethod
    def of(cls, surveyed: Surveyed) -> _Corpus:
        corpus = cls()
        for entry in surveyed:
            match entry:
                case "token", fold, token:
                    corpus.tokens.add(int(fold), token)
                case "call", session, place:
                    corpus.places[session] = min(corpus.places.get(session, place), place)
                case _, split, folder:
                    corpus.splits[folder] = min(corpus.splits.get(folder, split), split, key=SPLITS.index)
        return corpus


def _absent(corpus: _Corpus) -> Iterator[str]:
    for split in reversed(SPLITS):
        listed = [folder for folder, named in corpus.splits.items() if named == split]
        absent = sorted(folder for folder in listed if folder.partition("/")[2] not in corpus.places)
        if absent:
            yield (
                f"Calls that the list of {split} names but the input lacks: {len(absent):,} of {len(listed):,}; "
                f"the first is {absent[0]}."
            )


def _keep(raw: RawCall, corpus: _Corpus, linker: Linker) -> KeptRecord:
    """Return the rows of a call; raises RecordFault."""
    split = _split(raw, corpus)
    call = parse(raw)
    fold = fold_of(call.session)
    is_new = partial(corpus.tokens.is_new, fold)
    turns, unlisted = [], 0
    for utterance, linked, names in link_turns(call, linker):
        turns.append(turn_row(utterance, linked, names, is_new))
        unlisted += linked.unlisted
    dialogue = Dialogue(
        id=call.session,
        content_hash=content_hash("".join(filter(str.isalnum, "".join(turn.text for turn in turns)))),
        fold=fold,
        goal=call.goal,
        turns=turns,
        file=raw.file,
        offset=raw.offset,
    )
    pairs = [
        act_rows(f"{call.session}-{number // 2:03}", utterance, turn, linker.offers, raw.file, raw.offset)
        for number, (utterance, turn) in enumerate(zip(call.utterances, turns, strict=True))
        if utterance.speaker == MACHINE
    ]
    rows: dict[str, Sequence[object]] = {
        "dialogues": [dialogue],
        "examples": [pair[0] for pair in pairs if pair],
        "acts": [pair[1] for pair in pairs if pair],
    }
    tokens = [token for turn in turns for token in turn.tokens]
    return KeptRecord(split, rows, {**figures(turns), "unlisted tokens": unlisted}, {"dialogue": tokens})


def _split(raw: RawCall, corpus: _Corpus) -> str:
    """Return the split of a call that has all its files; raises RecordFault."""
    if corpus.places.get(raw.session) != _place(raw):
        first = corpus.places.get(raw.session, "").rpartition(" ")[0]
        raise RecordFault("double_call", f"The input has the files of {raw.folder} more than once, first in {first}.")
    if "log" not in raw.parts:
        raise RecordFault("missing_log", f"{raw.folder} has no log.json.")
    if raw.folder not in corpus.splits:
        raise RecordFault("not_listed", f"No list of train, dev or test names {raw.folder}.")
    split = corpus.splits[raw.folder]
    if "label" not in raw.parts and split != "test":
        raise RecordFault("missing_label", f"{raw.folder} of {split} has no label.json; only one of test may lack it.")
    return split
