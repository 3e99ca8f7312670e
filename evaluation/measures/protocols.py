"""BLEU-4 of dialogue texts by the two protocols in use; a figure says nothing without the name of its own.

Both group the test items by *delexicalised act*: the act type and its slots, in order of their names, special values
kept. An item's references are the texts of all items of its group, their placeholders filled with this item's values.
Texts are normalised first (`allsaid.language.word_table`), and a final full stop, question or exclamation mark is
cut.

- ``rnnlg`` (Wen et al. 2015, their public toolkit): the texts stay as they are. A system gives up to five texts an
  item; each is a segment of the corpus with the item's references.
- ``paper`` (Kiddon et al. 2016, section 5): one text an item. Suffixes are joined to their words ("merging plurals"),
  and hypothesis and references end with " .".

Fixed points: the corpus's handcrafted texts. By ``rnnlg`` each item's text is the first of its group, filled likewise
(0.5406 hotel, 0.4260 restaurant); by ``paper`` it is the item's own (55.62, 44.59; the paper prints 55.52, 44.39).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import sacrebleu

from allsaid.language.inflection import inflected, is_english
from allsaid.language.word_table import WORDS, normalise
from pipelines.linking.delex import SPECIAL, Item, Words, items_of, join_suffixes, number_of, relexicalise
from schemas.act import Act, Slot

RNNLG, PAPER = "rnnlg", "paper"
_FINAL = re.compile(r" [.?!]$")


def act_key(act_type: str, slots: Sequence[Slot]) -> str:
    """The delexicalised act: ``inform(area=_1;kidsallowed=yes;name=_1)``."""
    seen: Counter[str] = Counter()
    parts = []
    for slot in slots:
        special = slot.value in SPECIAL or not slot.value
        seen[slot.slot] += not special
        parts.append(f"{slot.slot}={slot.value if special else f'_{seen[slot.slot]}'}")
    return f"{act_type}({';'.join(sorted(parts))})"


def references(acts: Sequence[Act]) -> list[list[str]]:
    """The texts, normalised, that each of the N items may be compared with: those of its group, at least its own."""
    groups = _grouped(acts, [act.normalised for act in acts])
    return [[relexicalise(own, act.slots) for own in group] for act, group in zip(acts, groups, strict=True)]


def firsts(acts: Sequence[Act], texts: Sequence[str]) -> list[str]:
    """Of N normalised texts, one an item, the first of each item's group, with the item's own values."""
    groups = _grouped(acts, texts)
    return [relexicalise(group[0], act.slots) for act, group in zip(acts, groups, strict=True)]


def _grouped(acts: Sequence[Act], texts: Sequence[str]) -> list[list[list[str]]]:
    """For each item the texts of its group, in order, delexicalised."""
    groups: dict[str, list[list[str]]] = {}
    for act, text in zip(acts, texts, strict=True):
        words = each_value_once(bare(text).split(), items_of(act.slots))
        groups.setdefault(act_key(act.act_type, act.slots), []).append(words)
    return [groups[act_key(act.act_type, act.slots)] for act in acts]


def written(text: str) -> str:
    """A text as the corpus normalises it."""
    return " ".join(normalise(text, WORDS)[0])


def bare(text: str) -> str:
    """A normalised text without its final mark."""
    return _FINAL.sub("", text)


def each_value_once(words: Sequence[str], items: Sequence[Item]) -> list[str]:
    """Replace each item's value by its placeholder where it stands first, longer values before shorter ones.

    RNNLG's own rule: a value that stands twice in a text stays there once. `pipelines.linking.delex`, which training
    uses, replaces it everywhere. A value that stands there in another inflection only is replaced, too.
    """
    tokens = list(words)
    inflects = is_english(words)
    for item in sorted((item for item in items if item.forms), key=lambda item: -len(item.forms[0])):
        place = _first(tokens, item.forms) or (_first(tokens, inflected(item.forms)) if inflects else None)
        if place is not None:
            written = tuple(tokens[place])
            number = number_of(item.forms[0], written) if written not in item.forms else ""
            tokens[place] = [item.token, number] if number else [item.token]
    return tokens


def _first(tokens: Sequence[str], forms: Sequence[Words]) -> slice | None:
    """Where the first of the longest forms that stand in a text stands first."""
    for form in sorted(forms, key=len, reverse=True):
        size = len(form)
        for start in range(len(tokens) - size + 1):
            if tuple(tokens[start : start + size]) == form:
                return slice(start, start + size)
    return None


def rnnlg_bleu(texts: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> float:
    """BLEU-4, 0 to 1, of N items with up to five normalised texts each."""
    segments = [(bare(text), theirs) for ours, theirs in zip(texts, found, strict=True) for text in ours]
    return bleu([text for text, _ in segments], [theirs for _, theirs in segments]) / 100


def paper_bleu(texts: Sequence[str], found: Sequence[Sequence[str]]) -> float:
    """BLEU-4, 0 to 100, of N items with one normalised text each."""
    return bleu([as_in_paper(text) for text in texts], [[as_in_paper(one) for one in theirs] for theirs in found])


def as_in_paper(text: str) -> str:
    return join_suffixes(bare(text)) + " ."


def bleu(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Corpus BLEU-4, 0 to 100, of texts that are cut into words; each has its own number of references."""
    most = max(map(len, references))
    columns = [[theirs[number] if number < len(theirs) else None for theirs in references] for number in range(most)]
    return float(sacrebleu.corpus_bleu(list(texts), columns, tokenize="none", force=True).score)  # type: ignore[arg-type]
