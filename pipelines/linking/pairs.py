"""A source text and its target text -> a row of the border ``pairs``, for all sources of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from allsaid.language.text import tokenize
from pipelines.source import Findings, KeptRecord, RecordFault, Source, sum_figures
from schemas.pair import MAX_SOURCE_TOKENS, MAX_TOKENS, Pair
from schemas.runs.manifest import Manifest

# The figures of a record in the manifest.
FIGURES = ("source tokens", "tokens", "tokens in the source", "items", "items in the text")


def words(text: str) -> list[str]:
    """Return the lower-case tokens of a source, an item or a text."""
    return tokenize(text.lower())  # lower case first, so that words that differ in case are split alike


def keep(
    split: str, source: str, items: Sequence[str], text: str, file: str, offset: int, number: int = 0
) -> KeptRecord:
    """Return a record of the corpus; raises RecordFault. ``number``: its position among records of the same offset."""
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
    """Return the lengths, and how many of the source's tokens and items are in the text."""
    in_source = frozenset(row.source_tokens)
    found = (
        len(row.source_tokens),
        len(row.tokens),
        sum(token in in_source for token in row.tokens),
        len(row.items),
        sum(_has_run(row.tokens, item) for item in row.item_tokens),
    )
    return dict(zip(FIGURES, found, strict=True))


def _has_run(tokens: Sequence[str], run: Sequence[str]) -> bool:
    """Return whether a text has all words of a run side by side."""
    starts = range(len(tokens) - len(run) + 1)
    return any(tokens[start : start + len(run)] == run for start in starts)


class PairSource(Source):
    """A source whose records are pairs; it reports how much of the sources is in the texts."""

    borders = ("pairs",)

    def report(self, manifest: Manifest, folder: str) -> Findings:
        return sum_figures(manifest, FIGURES)
