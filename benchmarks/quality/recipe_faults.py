"""How many planted faults the checker of recipes finds, and how often it complains about reference texts.

    python -m benchmarks.quality.recipe_faults --data DIR [DIR ...] [--texts 200] [--false N] [--show]

Draws reference texts of the data sets' test parts. Each of ten faults is planted into as many texts as fit it, up to a
tenth of the number; a fault counts as found if the damaged text has a finding that the intact one lacks. ``--show``
prints the findings in the reference texts, to be judged by reading; ``--false`` is the number of these texts in which a
reader judged a finding false. Writes ``benchmarks/results/recipe_faults.json``, without texts.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence

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
    parser.add_argument("--false", type=int, help="reference texts with a finding that a reader judged false")
    parser.add_argument("--show", action="store_true", help="print the findings in the reference texts")
    given = parser.parse_args()
    rows: list[Example] = []
    for folder in given.data:
        data = DataSet(folder)
        rows += sorted(data.examples("test"), key=lambda example: example.id)
        lexicon = build_food_lexicon(data.examples("train"))
    random.Random(SEED).shuffle(rows)
    intact = rows[: given.texts]
    findings = [(row, finding) for row in intact for finding in faults_of(row, list(row.tokens), lexicon)]
    for row, finding in findings if given.show else ():
        print(finding.kind, "|", finding.passage, "|", row.goal, "|", row.agenda, "|", " ".join(row.tokens), "\n")
    planted = {name: plant(fault, rows, given.texts // len(FAULTS), lexicon) for name, fault in FAULTS.items()}
    total, found = (sum(counts[part] for counts in planted.values()) for part in ("texts", "found"))
    references = {"texts": len(intact), "findings": len(findings), "judged_false": given.false}
    every = {"texts": total, "found": found, "found_percent": percent(found, total)}
    write(RESULT, {"references": references, "planted": {**planted, "all": every}})


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
