"""How many planted faults the checker of recipes finds, and how often it complains about reference texts.

    python -m benchmarks.quality.recipes.recipe_faults --data DIR [DIR ...] [--texts 200] [--references 400]
        [--unlike FILE ...] [--part dev] [--show FILE | --verdicts FILE]

Draws reference texts of a part of the data sets. Each of ten faults is planted into as many texts as fit it, up to a
tenth of the number; a fault counts as found if the damaged text has a finding that the intact one lacks. ``--show``
writes the findings in the reference texts to a file, one JSON object a line, to be judged by reading: a reader adds
``verdict`` (true or false) and ``reason`` to each, and gives the file to ``--verdicts``. ``--unlike``: files with ids
of texts that are not to be drawn, such as results of readings. Writes ``benchmarks/results/recipe_faults.json``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any  # Any: a result's counts and verdicts

from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.coverage import Lexicon
from allsaid.proof.known_foods import build_food_lexicon
from allsaid.proof.recipes import amounts
from allsaid.proof.recipes.checker.check import check
from allsaid.proof.recipes.frames import ENDS, Clause
from allsaid.proof.recipes.kitchen import load_kitchen
from allsaid.proof.recipes.mentions import Namer, split_words
from allsaid.proof.recipes.parser import parse
from benchmarks.quality.blind import percent
from benchmarks.result_file import RESULTS, write
from schemas.example import Example
from schemas.texts.finding import Finding

RESULT = RESULTS / "recipe_faults.json"
SEED = 5
HEAT = load_kitchen()["heat"]
RAW = {"chicken", "beef", "pork", "sausage", "shrimp", "spaghetti", "macaroni", "rice", "baking_powder", "soda"}
LIQUIDS = ("milk", "water", "cream", "oil", "vinegar", "broth")
Words = list[str]
Fault = Callable[[Words, Example], Words | None]  # None: the text has no place for the fault


def sentences(words: Words) -> list[Words]:
    """Split a text after its end marks."""
    found: list[Words] = [[]]
    for word in words:
        found[-1].append(word)
        if word in ENDS:
            found.append([])
    return [sentence for sentence in found if sentence]


def joined(parts: Sequence[Words]) -> Words:
    return [word for part in parts for word in part]


def commands(words: Words, row: Example) -> Iterator[tuple[Clause, int]]:
    """Yield the clauses of a text that have a command, and the command's position."""
    for clause in parse(words, Namer(row.agenda_tokens, Lexicon({})).find(words)).clauses:
        if clause.verb is not None:
            yield clause, clause.verb


def uncooked(words: Words, row: Example) -> Words | None:
    """Leave out the sentences that heat, in a text that bakes, or cooks meat, fish or pasta."""
    unheated = [sentence for sentence in sentences(words) if HEAT.isdisjoint(sentence)]
    is_raw = {name[-1] for name in row.agenda_tokens if name} & RAW
    is_done = {"cooked", "canned"} & {*" ".join(row.agenda).lower().split()}
    return joined(unheated) if unheated and is_raw and not is_done else None


def too_much(words: Words, row: Example) -> Words | None:
    """State more of an item than its line has."""
    for line, name in zip(row.agenda, row.agenda_tokens, strict=True):
        amount = amounts.of_line(line)
        if amount and amount.unit in ("cup", "tablespoon") and name and name[-1] in words and "(" not in line:
            place = words.index(name[-1])
            before = words[place - 1] if place else "."
            if before in ("the", "in", "add", "and", "with", ","):
                return [*words[:place], str(int(amount.number) + 5), f"{amount.unit}s", *words[place:]]
    return None


def again(words: Words, row: Example) -> Words | None:
    """Add an item again that a list has mixed with others."""
    for clause, verb in commands(words, row):
        for group in clause.groups:
            is_list = len(group.mentions) > 1 and group.start == verb + 1
            if is_list and words[verb] in ("mix", "combine", "stir", "add", "blend"):
                name = words[group.mentions[0].start : group.mentions[0].end]
                return [*words[: clause.end], ".", "add", "the", *name, ".", *words[clause.end + 1 :]]
    return None


def too_early(words: Words, row: Example) -> Words | None:
    """Begin with a step about something that a later step makes."""
    parts = sentences(words)
    for number, part in enumerate(parts):
        made = {"dough", "batter", "filling", "dressing", "marinade", "frosting", "stuffing", "mixture"} & {*part}
        if number and made and any(part[place - 1] == "the" for place, word in enumerate(part) if word in made):
            return joined([part, *parts[:number], *parts[number + 1 :]])
    return None


def cut_off(words: Words, row: Example) -> Words | None:
    """End a sentence after an article."""
    place = next((place for place, word in enumerate(words) if word == "the" and place > 5), None)
    if place is None:
        return None
    end = next((at for at in range(place, len(words)) if words[at] in ENDS), len(words) - 1)
    return [*words[: place + 1], *words[end:]]


def opening_alone(words: Words, row: Example) -> Words | None:
    """Leave only the opening of a sentence."""
    parts = sentences(words)
    for number, part in enumerate(parts):
        if (
            part[0] == "in"
            and "," in part[:7]
            and part[: part.index(",")][-1] in ("bowl", "pan", "skillet", "saucepan", "pot")
        ):
            return joined([*parts[:number], [*part[: part.index(",")], "."], *parts[number + 1 :]])
    return None


def impossible(words: Words, row: Example) -> Words | None:
    """Slice a liquid."""
    liquid = next((name[-1] for name in row.agenda_tokens if name and name[-1] in LIQUIDS), None)
    return ["slice", "the", liquid, ".", *words] if liquid else None


def never_used(words: Words, row: Example) -> Words | None:
    """Keep an item at the end."""
    name = next((name for name in row.agenda_tokens if name and name[-1] in words), None)
    return [*words, "chop", "the", name[-1], "and", "set", "aside", "."] if name else None


def other_time(words: Words, row: Example) -> Words | None:
    """Change a time."""
    place = next(
        (at for at, word in enumerate(words[1:], 1) if word in ("minutes", "hours") and words[at - 1].isdigit()), None
    )
    return None if place is None else [*words[: place - 1], "97", *words[place:]]


def no_rest(words: Words, row: Example) -> Words | None:
    """Take the rest of an item that was used up."""
    for clause, verb in commands(words, row):
        for mention in clause.mentions:
            if words[verb] in ("add", "stir", "beat") and mention.start == verb + 1 and len(mention.items) == 1:
                return [*words, "top", "with", "the", "remaining", *words[mention.start : mention.end], "."]
    return None


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        uncooked,
        too_much,
        again,
        too_early,
        cut_off,
        opening_alone,
        impossible,
        never_used,
        other_time,
        no_rest,
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--train-rows", type=int, help="training rows whose names the checker knows; default: all")
    parser.add_argument("--part", default="test", help="part of the data sets that is drawn from")
    parser.add_argument("--references", type=int, default=400)
    parser.add_argument("--unlike", nargs="*", type=Path, default=[], help="files with ids that are not to be drawn")
    parser.add_argument("--show", type=Path, help="write the findings in the reference texts to this file, and stop")
    parser.add_argument("--verdicts", type=Path, help="the file of --show with verdicts and reasons")
    given = parser.parse_args()
    rows: list[Example] = []
    for folder in given.data:
        data = DataSet(folder)
        rows += sorted(data.examples(given.part), key=lambda example: example.id)
        lexicon = build_food_lexicon(islice(data.examples("train"), given.train_rows))
    random.Random(SEED).shuffle(rows)
    read = {word for path in given.unlike for word in re.findall(r"[0-9a-f]{16}", path.read_text(encoding="utf-8"))}
    rows = [row for row in rows if row.id not in read]
    intact = rows[: given.references]
    findings = [(row, finding) for row in intact for finding in faults_of(row, list(row.tokens), lexicon)]
    if given.show:
        with given.show.open("w", encoding="utf-8") as file:
            for row, finding in findings:
                shown: dict[str, Any] = {"id": row.id, "kind": finding.kind, "passage": finding.passage}
                shown |= {"goal": row.goal, "agenda": row.agenda, "text": " ".join(row.tokens)}
                print(json.dumps(shown), file=file)
        return
    planted = {name: plant(fault, rows, given.texts // len(FAULTS), lexicon) for name, fault in FAULTS.items()}
    total, found = (sum(counts[part] for counts in planted.values()) for part in ("texts", "found"))
    verdicts = judged(given.verdicts, findings) if given.verdicts else {}
    references = {"texts": len(intact), "findings": len(findings), **verdicts}
    every = {"texts": total, "found": found, "found_percent": percent(found, total)}
    write(RESULT, {"references": references, "planted": {**planted, "all": every}})


def judged(path: Path, findings: Sequence[tuple[Example, Finding]]) -> dict[str, Any]:
    """Count a reader's verdicts on the findings, and keep their reasons."""
    found = {(row.id, finding.kind, finding.passage) for row, finding in findings}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if found != {(line["id"], line["kind"], line["passage"]) for line in lines}:
        raise SystemExit(f"{path} has not the findings of this code and these texts. Write it again with --show.")
    false = [line for line in lines if not line["verdict"]]
    verdicts = [{name: line[name] for name in ("id", "kind", "verdict", "reason")} for line in lines]
    return {"judged_false": len(false), "texts_judged_false": len({line["id"] for line in false}), "verdicts": verdicts}


def plant(fault: Fault, rows: Sequence[Example], most: int, lexicon: Lexicon) -> dict[str, int]:
    """Plant a fault into the first texts with a place for it, and count the texts in which the checker finds it."""
    texts = found = 0
    for row in rows:
        words = split_words(row.tokens)[0]
        damaged = fault(words, row)
        if damaged is None:
            continue
        before = {(finding.kind, finding.passage) for finding in faults_of(row, words, lexicon)}
        texts += 1
        after = {(finding.kind, finding.passage) for finding in faults_of(row, damaged, lexicon)}
        found += not after <= before
        if texts == most:
            break
    return {"texts": texts, "found": found}


def faults_of(row: Example, words: Words, lexicon: Lexicon) -> list[Finding]:
    sources = [row.tokens, [word for line in row.agenda for word in line.split()]]
    return check(words, row.goal_tokens, row.agenda, row.agenda_tokens, lexicon, sources)


if __name__ == "__main__":
    main()
