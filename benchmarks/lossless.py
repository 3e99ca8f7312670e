"""Delexicalise -> relexicalise gives the normalised text back: over all dialogue acts and all of DSTC2.

    python benchmarks/lossless.py --data ../shared/data

A text fails where relexicalising what the data set stores does not give the normalised text; or where that, blanks
apart, is not the text as the dump has it in lower case with the words of the table replaced, found without the
tokeniser (of acts, whose rows keep the text as written). Prints both numbers for each part, exits 1 unless all are 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from allsaid.console import show_table
from allsaid.language.word_table import TOOLKIT
from allsaid.storage.files import below, join
from pipelines.linking.delex import relexicalise
from pipelines.source import Kept
from pipelines.sources.dialogue_acts import source as dialogue_acts
from pipelines.sources.dstc2 import source as dstc2
from pipelines.sources.dstc2.table import is_lossless, load_table
from schemas.act import Act

Checked = tuple[str, bool, bool]  # part, restored, the same as the dump's own


def plain(text: str) -> str:
    """A text without blanks, lower case, the table's words replaced where they stand between blanks."""
    return "".join(TOOLKIT.get(word, word) for word in text.lower().split()).replace(" ", "")


def check(act: Act, part: str) -> Checked:
    restored = relexicalise(act.tokens, act.slots, act.exceptions)
    return part, restored == act.normalised, restored.replace(" ", "") == plain(act.text)


def acts(folder: str) -> Iterator[Checked]:
    paths = [join(folder, name) for name in below(folder)]
    settings = dialogue_acts.Settings()
    for shard in dialogue_acts.DialogueActs().plan(paths, settings):
        part = "dialogue acts: " + "/".join(shard.file.split("/")[-2:])
        for result in dialogue_acts.DialogueActs().read(shard, settings):
            assert isinstance(result, Kept), result
            yield check(result.rows["acts"][0], part)


def calls(folder: str) -> Iterator[Checked]:
    table = join(folder, "restaurant-db.json")
    settings, offers = dstc2.Settings(), load_table(table)
    shards = dstc2.DSTC2().plan([join(folder, "dstc2_traindev.tar.gz"), table], settings)
    surveyed = sum((dstc2.DSTC2().survey(shard, settings) for shard in shards), Counter())
    for shard in shards:
        for result in dstc2.DSTC2().read(shard, settings, surveyed):
            if not isinstance(result, Kept):
                continue
            for act in result.rows["acts"]:
                yield check(act, "dstc2: machine turns as acts")
            for turn in result.rows["dialogues"][0].turns:
                yield f"dstc2: {turn.speaker} turns with the table's cells", is_lossless(turn, offers), True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", help="folder of the dumps")
    data = Path(parser.parse_args().data)
    texts: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    other: Counter[str] = Counter()
    for source in (acts(str(data / "rnnlg" / "original")), calls(str(data / "dstc2"))):
        for part, restored, same in source:
            texts[part] += 1
            lost[part] += not restored
            other[part] += not same
    rows = [(part, f"{number:,}", lost[part], other[part]) for part, number in texts.items()]
    rows.append(("all", f"{texts.total():,}", lost.total(), other.total()))
    show_table("", ("texts", "number", "not restored", "not the dump's text"), rows)
    return int(lost.total() + other.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
