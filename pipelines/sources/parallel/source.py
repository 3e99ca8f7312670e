"""Two files with the same number of lines: line n of one is the source of line n of the other, such as its translation.

Two settings are the file extensions of sources and of texts: with ``source=de`` and ``text=en``, ``train.de`` and
``train.en`` are a pair. Compressed files have a second extension: ``train.de.gz``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from allsaid.console import counted, say
from allsaid.settings import number
from allsaid.storage.streams import open_dump, with_content
from pipelines.lines import Lines
from pipelines.linking.pairs import PairSource, keep
from pipelines.linking.splits import content_hash, split_named, split_of
from pipelines.source import Handling, KeptRecord, RecordFault, Result, Shard, Unreadable
from schemas.errors import UserError
from schemas.runs.rejected import HEAD_BYTES, Rejected

CHUNK = 1 << 20  # bytes read at a time

_PACKED = re.compile(r"\.(?:gz|bz2|zst)$")


@dataclass(frozen=True)
class Settings:
    source: str = "source"  # the file extension of sources, without the full stop: "de"
    text: str = "target"  # the file extension of texts: "en"
    dev_share: float = number(0.1, 0, 0.5)  # of the pairs in files whose names don't contain a split
    test_share: float = number(0.1, 0, 0.5)


class Parallel(PairSource):
    """Read your own pairs of lines.

    Line n of train.en belongs to line n of train.de, such as its translation or summary.

    Example: allsaid ingest parallel --input 'corpus/*' --set source=de --set text=en --output data
    """

    handling = Handling(
        "Line n of a file of sources and line n of its file of texts are a pair. Tokens of both sides are in lower "
        "case. There are no items, since the files don't show which words of a source a text must name.",
        "By the files' names (train, dev or valid, test); in other files, by a hash of both lines of a pair.",
    )
    settings = Settings
    sample: ClassVar = {"train.source": "A small red door.\n", "train.target": "Eine kleine rote Tür.\n"}

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """Return a shard for each pair of files; raise UserError for a file without partner, or unequal line counts."""
        with_content(paths)
        sides = [_path_by_stem(paths, extension) for extension in (settings.source, settings.text)]
        if not all(sides):
            lacking = settings.source if not sides[0] else settings.text
            raise UserError(
                f"--input has no file with the extension '.{lacking}'. Name the extensions of sources and of texts: "
                "--set source=de --set text=en reads train.de with train.en."
            )
        for stem in sides[0].keys() ^ sides[1].keys():
            path, other = (sides[0][stem], settings.text) if stem in sides[0] else (sides[1][stem], settings.source)
            partner = f"{PurePosixPath(stem).name}.{other}"
            raise UserError(f"--input has {path}, but not {partner} in its folder. Give both, or leave it out.")
        for path in sorted({*paths} - {*sides[0].values(), *sides[1].values()}):
            say(
                f"{path} ends neither with .{settings.source} nor with .{settings.text}; it is skipped.",
                "warning",
            )
        shards = [Shard((path, sides[1][stem])) for stem, path in sorted(sides[0].items())]
        for shard in shards:
            _check_lines(*shard.files)
        return shards

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Yield every pair of lines of a shard, in their order."""
        opened = [open_dump(path) for path in shard.files]
        with opened[0][1], opened[1][1]:
            sides = [
                Lines(stream, PurePosixPath(path).name, 0, 0)
                for path, (_, stream) in zip(shard.files, opened, strict=True)
            ]
            offset = 0
            while (source := sides[0].next()) and (text := sides[1].next()):
                yield _result(sides, (source, text), shard.file, offset, settings)
                offset = sides[0].offset
        yield from (Unreadable(dump.loss) for dump, _ in opened if dump.loss)


def _path_by_stem(paths: Sequence[str], extension: str) -> dict[str, str]:
    """Return the paths with an extension, by their names without it."""
    named = {path: _PACKED.sub("", path) for path in paths}
    return {name.removesuffix(f".{extension}"): path for path, name in named.items() if name.endswith(f".{extension}")}


def _check_lines(source: str, text: str) -> None:
    """Raise UserError if two files differ in their number of lines, so that their lines can't be paired."""
    sources, texts = map(_count, (source, text))
    if sources != texts:
        raise UserError(
            f"{source} has {counted(sources, 'line')}, but {text} has {texts:,}. Both must have the same number, since "
            "line n of one is paired with line n of the other."
        )


def _count(path: str) -> int:
    lines, last = 0, b"\n"
    with open_dump(path)[1] as stream:
        while chunk := stream.read(CHUNK):
            lines, last = lines + chunk.count(b"\n"), chunk
    return lines + (not last.endswith(b"\n"))


def _result(
    sides: Sequence[Lines], lines: Sequence[bytes], path: str, offset: int, settings: Settings
) -> KeptRecord | Rejected:
    try:
        source, text = (side.text(line) for side, line in zip(sides, lines, strict=True))
        content = content_hash(f"{source}\n{text}")
        split = split_named(path) or split_of(content, settings.dev_share, settings.test_share)
        return keep(split, source, [], text, path, offset)
    except RecordFault as fault:
        return Rejected("read", fault.reason, fault.detail, "", path, offset, lines[0][:HEAD_BYTES])
