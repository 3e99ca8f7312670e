"""Damage to a source's input, and what must hold of all that the source makes of it."""

from __future__ import annotations

import bz2
import gzip
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import zstandard
from fuzz_corpus import Corpus
from hypothesis import strategies as st

from pipelines import sources
from pipelines.linking.splits import split_of
from pipelines.source import KeptRecord, RecordFault, Result, Surveying
from schemas.errors import UserError
from schemas.runs.deferred import Deferred
from schemas.runs.rejected import Rejected

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "zstd": zstandard.compress,
}
STRANGE = [
    *(bytes([code]) for code in (0, 7, 8, 9, 10, 11, 12, 13, 20, 26, 27, 28, 31, 127)),  # control characters
    *(bytes([code]) for code in (0x80, 0x85, 0x92, 0xA0, 0xAB, 0xC3, 0xE9, 0xF8, 0xFF)),  # no UTF-8
    *(text.encode() for text in ("\x81", "\x85", "\x92", "\x9f", "\ufeff", "\u2028", "\u200b", "\u202e", "\u0301")),
    *(text.encode() for text in ("ﬁ", "İ", "ẞ", "Å", "½", "٣", "漢字", "🍕", "é" * 40)),
    *("\ufffd".encode(), b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"),
    *(b"\r\n", b"\n\n", b"\r", b'"', b"'", b'""', b"\\", b"\\u", b"\\ud83d", b"\\u0081", b"\\ufffd", b"\\n", b"/*"),
    *(b"[", b"]", b"{", b"}", b",", b":", b";", b"(", b")", b"=", b"|", b"\t", b"#", b"_", b"-", b"<", b">", b"&"),
    *(b"null", b"true", b"NaN", b"-Infinity", b"1e999", b"-1", b"0", b"9" * 30, b"9" * 5000, b'""', b"[]", b"{}"),
    *(b"[[]]", b'{"a": 1}', b'[1, "a", null]', b"&#x81;", b"&#0;", b"&#xd800;", b"&notin;", b"&amp;amp;", b"<br>"),
    *(b"_SLOT_NAME", b"SLOT_NAME_2", b"_NAME_1", b"_EMPTY", b"<number>", b"<none>", b"name_1:", b"name_0:a", b"a_b:c"),
    *(b"MMMMM", b"-----", b"MMMMM----- Recipe via Meal-Master (tm) v8.05\r\n", b"Title: x\r\n", b"Categories:"),
    *(b"\n      1 c  Water\n", b"dont_care", b"?", b"''", b"http://a.b/c_d:e", b"1/2", b"1,5", b"....", b"~^*|" * 9),
    *(b"&a [*a]", b"!!python/name:os", b"%", b"${x}", b"../../etc/passwd", b"=1+1"),
]
_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|\w+|[^\w\s]')


def _cut(data: bytes, random: Random) -> tuple[int, int]:
    """A stretch of the data, mostly a short one."""
    begin = random.randrange(len(data) + 1)
    return begin, min(len(data), begin + int(10 ** random.uniform(0, 4)))


def _flip(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 30))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _remove(data: bytes, random: Random) -> bytes:
    begin, end = _cut(data, random)
    return data[:begin] + data[end:]


def _double(data: bytes, random: Random) -> bytes:
    begin, end = _cut(data, random)
    return data[:end] + data[begin:end] * random.choice((1, 1, 2, 20)) + data[end:]


def _move(data: bytes, random: Random) -> bytes:
    begin, end = _cut(data, random)
    left = data[:begin] + data[end:]
    place = random.randrange(len(left) + 1)
    return left[:place] + data[begin:end] + left[place:]


def _insert(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice(STRANGE) * random.choice((1, 1, 1, 2, 50)) + data[place:]


def _retoken(data: bytes, random: Random) -> bytes:
    """A word, a string or a mark becomes something strange, in its quotes or without."""
    tokens = [found.span() for found in _TOKEN.finditer(data)]
    if not tokens:
        return data
    begin, end = random.choice(tokens)
    new = random.choice(STRANGE)
    return data[:begin] + (b'"' + new + b'"' if random.random() < 0.3 else new) + data[end:]


def _noise(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    return data[:place] + random.randbytes(random.randrange(1, 200)) + data[place:]


def _stretch(data: bytes, random: Random) -> bytes:
    """One long line, word or row of marks."""
    place = random.randrange(len(data) + 1)
    unit = random.choice((b"a", b" ", b"a ", b"1", b"\xe9", "é".encode(), b'"', b"\\", b"-", b"\n", b"\0", b"a_1:b\t"))
    return data[:place] + unit * int(10 ** random.uniform(2, 6) / len(unit)) + data[place:]


def _nest(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    depth = int(10 ** random.uniform(1, 4.8))
    opening, closing = random.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")"), (b'[{"a":', b"}]")))
    return data[:place] + opening * depth + closing * (depth * random.randrange(2)) + data[place:]


def _bom(data: bytes, random: Random) -> bytes:
    return random.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf" * 2)) + data


def _recode(data: bytes, random: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(random.choice(("utf-16", "utf-32", "cp1252", "cp437", "utf-7")), "replace")


def _line_ends(data: bytes, random: Random) -> bytes:
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\x85", b" \n", b"")))


def _truncate(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


_FUNCTIONS = (_flip, _remove, _double, _move, _insert, _retoken, _noise, _stretch, _nest, _bom, _recode, _line_ends)
OPERATIONS = {function.__name__[1:]: function for function in (*_FUNCTIONS, _truncate)}
OF_BYTES = ("flip", "remove", "double", "move", "insert", "noise", "truncate")  # others leave nothing of a binary file
OF_PACKED = ("flip", "remove", "noise", "truncate")


@dataclass(frozen=True)
class Case:
    """What is done to one file of a corpus: each edit is an operation and a seed for its choices."""

    corpus: Corpus
    target: int
    edits: tuple[tuple[str, int], ...]
    packer: str = ""
    packed_edits: tuple[tuple[str, int], ...] = ()

    @property
    def file(self) -> str:
        return self.corpus.damaged[self.target % len(self.corpus.damaged)]

    @property
    def plain(self) -> bytes:
        """The damaged file before it is packed."""
        return _edited(self.corpus.files[self.file], self.edits)

    @property
    def content(self) -> bytes:
        if not self.packer:
            return self.plain
        return _edited(PACKERS[self.packer](self.plain), self.packed_edits)

    def __str__(self) -> str:
        packed = f", packed by {self.packer}, then {self.packed_edits}" if self.packer else ""
        return f"{self.corpus.source} ({self.corpus.layout}) {self.file}: {self.edits}{packed}"


def _edited(data: bytes, edits: Sequence[tuple[str, int]]) -> bytes:
    for name, seed in edits:
        data = OPERATIONS[name](data, Random(seed))
    return data


def cases(corpora: Sequence[Corpus]) -> st.SearchStrategy[Case]:
    """Damages to any of these inputs."""

    def edits(names: Sequence[str], least: int, most: int) -> st.SearchStrategy[tuple[tuple[str, int], ...]]:
        one = st.tuples(st.sampled_from(names), st.integers(0, 2**64 - 1))
        return st.lists(one, min_size=least, max_size=most).map(tuple)

    def of(corpus: Corpus) -> st.SearchStrategy[Case]:
        packer = st.sampled_from(["", "", "", "", *PACKERS]) if corpus.packable else st.just("")
        names = OF_BYTES if corpus.binary else list(OPERATIONS)
        return st.builds(Case, st.just(corpus), st.integers(0, 63), edits(names, 1, 4), packer, edits(OF_PACKED, 0, 2))

    return st.sampled_from(list(corpora)).flatmap(of)


def write(case: Case, folder: Path) -> list[str]:
    """The corpus with its damaged file below ``folder``; the paths of the input."""
    contents = {**case.corpus.files, case.file: case.content}
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return sorted(str(folder / name) for name in contents if name not in case.corpus.beside.values())


def read(corpus: Corpus, paths: Sequence[str], folder: Path) -> list[Result] | None:
    """All results of an input, as a run reads it; None where it is refused with a sentence."""
    settings, source = corpus.settings(folder), sources.find(corpus.source)
    try:
        shards = source.plan(paths, settings)
    except UserError as fault:
        assert str(fault).strip()
        return None
    if not isinstance(source, Surveying):
        return [_finished(result, corpus, settings) for shard in shards for result in source.read(shard, settings)]
    surveyed: Counter[Any] = Counter()
    for shard in shards:
        surveyed += source.survey(shard, settings)
    return [result for shard in shards for result in source.read(shard, settings, surveyed)]


def _finished(result: Result, corpus: Corpus, settings: Any) -> Result:
    """What becomes of a record that waits, without the rest of the corpus."""
    if not isinstance(result, Deferred):
        return result
    split = split_of(result.content_hash, settings.dev_share, settings.test_share)
    try:
        kept: KeptRecord = sources.find(corpus.source).finish(result, split, [])
        return kept
    except RecordFault as fault:
        return Rejected("clean", fault.reason, fault.detail, result.id, result.file, result.offset, result.head)
