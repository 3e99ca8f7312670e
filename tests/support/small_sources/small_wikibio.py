"""Small WikiBio files for the tests, written by the project, and a run of the source without Beam."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipelines.source import KeptRecord, Result
from pipelines.sources.wikibio.source import Settings, WikiBio
from schemas.box import Box

BOXES = (
    "name_1:ada\tname_2:example\timage:<none>\tbirth_date_1:5\tbirth_date_2:may\tbirth_date_3:1905\tteams_1:ada",
    "name_1:Ömer\tyears_1:2001\u00a02004\tsource_1:http://x.org/a_b:c\timage_2::\toffice_2_1:mayor\tgoals_1:2004/05",
    "name_1:lee\tname_2:,\tname_3:jr\tage_1:1905\tage_2:5",
)
SENTENCES = (
    "ada example -lrb- born 5 may 1905 -rrb- paints .",
    "she met 4 of 1,906 people .",
    "ömer was mayor in 2004 .er starb 2005 .",
    "lee , jr is 5 .",
)
NUMBERS = ("2", "1", "1")


def lay_out(
    boxes: Sequence[str] = BOXES, sentences: Sequence[str] = SENTENCES, numbers: Sequence[str] = NUMBERS, **more: str
) -> dict[str, bytes]:
    """The files of one split by their endings."""
    lines = {"box": boxes, "sent": sentences, "nb": numbers}
    found = {kind: "".join(f"{line}\n" for line in each).encode() for kind, each in lines.items()}
    return found | {kind: text.encode() for kind, text in more.items()}


def write(folder: Path, split: str = "train", given: Mapping[str, bytes] | None = None) -> list[str]:
    """The files of one split in the official layout, the sorted paths."""
    (folder / split).mkdir(parents=True, exist_ok=True)
    for kind, data in (given or lay_out()).items():
        (folder / split / f"{split}.{kind}").write_bytes(data)
    return sorted(str(path) for path in (folder / split).iterdir())


def results(paths: Sequence[str], boxes: int = 10_000) -> list[Result]:
    chosen = Settings(boxes)
    return [result for shard in WikiBio().plan(paths, chosen) for result in WikiBio().read(shard, chosen)]


def kept(found: Sequence[Result]) -> list[Box]:
    return [result.rows["boxes"][0] for result in found if isinstance(result, KeptRecord)]


def many(boxes: int) -> dict[str, bytes]:
    """Boxes with 0 to 3 sentences each, in turn; the first of every four is rejected."""
    numbers = [n % 4 for n in range(boxes)]
    sentences = [f"s{n} {k} of {count}" for n, count in enumerate(numbers) for k in range(count)]
    ids = "".join(f"i{n}\n" for n in range(boxes))
    return lay_out([f"name_1:s{n}\tage_1:{n}" for n in range(boxes)], sentences, [str(n) for n in numbers], id=ids)


def write_zip(tmp_path: Path, given: Mapping[str, bytes]) -> list[str]:
    path = tmp_path / "corpus.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for kind, data in given.items():
            archive.writestr(f"corpus/valid/valid.{kind}", data)
        archive.writestr("__MACOSX/valid/._valid.box", b"\0\1")
        archive.writestr("corpus/README.txt", b"read me\n")
    return [str(path)]
