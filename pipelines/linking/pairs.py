"""A source and its text as they are read -> a row of the border ``pairs``, for all sources of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from allsaid.language.code_pages import without_c1
from allsaid.language.text import tokenize
from pipelines.source import Findings, KeptRecord, RecordFault, Source
from schemas.pair import MAX_SOURCE_TOKENS, MAX_TOKENS, Pair
from schemas.runs.manifest import Manifest

# Of a record, in the manifest.
FIGURES = ("source tokens", "tokens", "tokens in the source", "items", "items in the text")


def words(text: str) -> list[str]:
    """The lower-case tokens of a source, an item or a text. Case is gone before, so that equal words are cut alike."""
    return tokenize(text.lower())


def readable(text: str) -> str:
    """A string of a JSON file without what is no character."""
    return text if text.isascii() else without_c1(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def keep(
    split: str, source: str, items: Sequence[str], text: str, file: str, offset: int, number: int = 0
) -> KeptRecord:
    """A record of the corpus; raises RecordFault. ``number``: of the record among those of the same offset."""
    source, text = (" ".join(written.split()) for written in (source, text))
    source_tokens, tokens = words(source), words(text)
    for name, found, most in (("source", source_tokens, MAX_SOURCE_TOKENS), ("text", tokens, MAX_TOKENS)):
        if not found:
            raise RecordFault(f"no_{name}", f"The {name} is empty.")
        if len(found) > most:
            raise RecordFault(f"long_{name}", f"The {name} has {len(found):,} tokens; at most {most:,} are allowed.")
    where = "/".join(file.split("/")[-2:])
    row = Pair(
        id=blake2b("\x1f".join((where, f"{offset} {number}", source, text)).encode(), digest_size=8).hexdigest(),
        source=source,
        source_tokens=source_tokens,
        items=list(items),
        item_tokens=[*map(words, items)],
        text=text,
        tokens=tokens,
        file=file,
        offset=offset,
    )
    return KeptRecord(split, {"pairs": [row]}, _figures(row), {"text": tokens, "source": source_tokens})


def _figures(row: Pair) -> dict[str, int]:
    """Lengths, and what of the source stands in the text again."""
    there = frozenset(row.source_tokens)
    found = (
        len(row.source_tokens),
        len(row.tokens),
        sum(token in there for token in row.tokens),
        len(row.items),
        sum(_stands_in(item, row.tokens) for item in row.item_tokens),
    )
    return dict(zip(FIGURES, found, strict=True))


def _stands_in(item: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether all words of an item stand in a text side by side."""
    starts = range(len(tokens) - len(item) + 1)
    return any(tokens[start : start + len(item)] == item for start in starts)


class PairSource(Source):
    """A source whose records are pairs: its figures say how much of the sources stands in the texts again."""

    borders = ("pairs",)

    def place_of(self, file: str, offset: int) -> str:
        return f"{file}, byte {offset:,}"

    def report(self, manifest: Manifest, folder: str) -> Findings:
        kept = [manifest.statistics["figures"][split] for split in manifest.splits]
        sums = {name: sum(figures[name]["sum"] for figures in kept) for name in FIGURES}
        return Findings(sums, [*sums.items()], ())
