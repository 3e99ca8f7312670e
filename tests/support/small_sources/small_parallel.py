"""Two small parallel corpora that the project made up: a language with endings, and reports with their headlines."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

NOUNS = {"kelam": "miller", "tisan": "bridge", "borut": "horse", "welik": "keeper", "sanop": "boat", "durem": "garden"}
NOUNS |= {"falin": "baker", "gotar": "tower"}
ADJECTIVES = {"ama": "old", "oru": "red"}
VERBS = {"pals": "watch", "mork": "paint", "vent": "follow", "lisk": "reach"}
TENSES = {"eta": "{}ed", "isu": "will {}"}  # by the verb's ending
HAPPENED = ("won the race", "lost a boat", "found a lamp", "sold the mill", "bought two horses", "painted the tower")
ELSEWHERE = ("it rained all day .", "nobody was hurt .", "the harbour was full .", "a band played .")


def sentence(number: int) -> tuple[str, str]:
    """A sentence that ends with its verb, and its translation.

    Endings tell number and case: "kelamo" is "the miller" who does something, "amakelamiru" are "the old millers" to
    whom it is done.
    """
    chance = random.Random(number)
    (subject, doer), (thing, done_to) = _noun(chance, "o"), _noun(chance, "u")
    verb, tense = chance.choice([*VERBS]), chance.choice([*TENSES])
    return f"{subject} {thing} {verb}{tense} .", f"{doer} {TENSES[tense].format(VERBS[verb])} {done_to} ."


def _noun(chance: random.Random, case: str) -> tuple[str, str]:
    noun, adjective, is_plural = chance.choice([*NOUNS]), chance.choice(["", "", *ADJECTIVES]), chance.random() < 0.4
    words = ["the", *([ADJECTIVES[adjective]] if adjective else []), NOUNS[noun] + ("s" if is_plural else "")]
    return adjective + noun + ("ir" if is_plural else "") + case, " ".join(words)


def report(number: int) -> tuple[str, str]:
    """Three sentences, one of which tells of somebody whom no other report names, and that one's headline."""
    chance = random.Random(number)
    name = "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(3))
    happened = chance.choice(HAPPENED)
    told = [f"on monday {name} {happened} .", *chance.sample(ELSEWHERE, 2)]
    chance.shuffle(told)
    return " ".join(told), f"{name} {happened}"


def write_lines(folder: Path, parts: Mapping[str, Sequence[tuple[str, str]]], source: str, text: str) -> None:
    """The pairs of each part as two files of lines, whose names end with what the sides are called."""
    folder.mkdir()
    for part, pairs in parts.items():
        for end, lines in zip((source, text), zip(*pairs, strict=True), strict=True):
            (folder / f"{part}.{end}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
