"""BLEU-4 of dialogue texts by the two protocols in use; a figure has no meaning without the name of the protocol.

Both protocols group the test items by *delexicalised act*: the act type and its slots, sorted by name, with special
values. The references of an item are the texts of all items of the group, with this item's values in place of the
placeholders. Texts are normalised first (`allsaid.language.word_table`), and a final full stop, question or exclamation
mark is removed.

- ``rnnlg`` (Wen et al. 2015, their public toolkit): texts are otherwise unchanged. A system generates up to five texts
  per item; each text is a segment of the corpus, with the item's references.
- ``paper`` (Kiddon et al. 2016, section 5): one text per item. Suffixes are joined to their words ("merging plurals"),
  and hypothesis and references end with " .".

The handcrafted texts of the corpus calibrate both. By ``rnnlg``, each item has the first text of the group, with the
item's values (0.5406 hotel, 0.4260 restaurant); by ``paper``, each item has the text written for it (55.62, 44.59; the
paper prints 55.52, 44.39).
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
    """Return the delexicalised act: ``inform(area=_1;kidsallowed=yes;name=_1)``."""
    numbers: Counter[str] = Counter()
    parts = []
    for slot in slots:
        special = slot.value in SPECIAL or not slot.value
        numbers[slot.slot] += not special
        parts.append(f"{slot.slot}={slot.value if special else f'_{numbers[slot.slot]}'}")
    return f"{act_type}({';'.join(sorted(parts))})"


def references(acts: Sequence[Act]) -> list[list[str]]:
    """Return the normalised references of each of the N items: the texts of its group, including the item's text."""
    groups = _grouped(acts, [act.normalised for act in acts])
    return [[relexicalise(words, act.slots) for words in group] for act, group in zip(acts, groups, strict=True)]


def firsts(acts: Sequence[Act], texts: Sequence[str]) -> list[str]:
    """Return for each item the first of the group's normalised texts, with the item's values."""
    groups = _grouped(acts, texts)
    return [relexicalise(group[0], act.slots) for act, group in zip(acts, groups, strict=True)]


def _grouped(acts: Sequence[Act], texts: Sequence[str]) -> list[list[list[str]]]:
    """Return for each item the delexicalised texts of the item's group, in order."""
    groups: dict[str, list[list[str]]] = {}
    for act, text in zip(acts, texts, strict=True):
        words = each_value_once(bare(text).split(), items_of(act.slots))
        groups.setdefault(act_key(act.act_type, act.slots), []).append(words)
    return [groups[act_key(act.act_type, act.slots)] for act in acts]


def written(text: str) -> str:
    """Normalise a text as the corpus does."""
    return " ".join(normalise(text, WORDS)[0])


def bare(text: str) -> str:
    """Remove the final punctuation mark of a normalised text."""
    return _FINAL.sub("", text)


def each_value_once(words: Sequence[str], items: Sequence[Item]) -> list[str]:
    """Replace the first occurrence of each item's value by its placeholder, longer values before shorter ones.

    This is RNNLG's rule: the second occurrence of a value stays. `pipelines.linking.delex`, which training uses,
    replaces all occurrences. If a value occurs only in another inflection, the inflection is replaced.
    """
    tokens = list(words)
    inflects = is_english(words)
    for item in sorted((item for item in items if item.forms), key=lambda item: -len(item.forms[0])):
        found = _first(tokens, item.forms) or (_first(tokens, inflected(item.forms)) if inflects else None)
        if found is not None:
            form = tuple(tokens[found])
            number = number_of(item.forms[0], form) if form not in item.forms else ""
            tokens[found] = [item.token, number] if number else [item.token]
    return tokens


def _first(tokens: Sequence[str], forms: Sequence[Words]) -> slice | None:
    """Return the slice of the first occurrence of the longest form in a text; None if no form occurs."""
    for form in sorted(forms, key=len, reverse=True):
        size = len(form)
        for start in range(len(tokens) - size + 1):
            if tuple(tokens[start : start + size]) == form:
                return slice(start, start + size)
    return None


def rnnlg_bleu(texts: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """Return the BLEU-4 (0 to 1) of N items with up to five normalised texts each."""
    segments = [(bare(text), theirs) for ours, theirs in zip(texts, references, strict=True) for text in ours]
    return bleu([text for text, _ in segments], [theirs for _, theirs in segments]) / 100


def paper_bleu(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the BLEU-4 (0 to 100) of N items with one normalised text each."""
    return bleu([as_in_paper(text) for text in texts], [[*map(as_in_paper, theirs)] for theirs in references])


def as_in_paper(text: str) -> str:
    """Normalise a text as the protocol ``paper`` does."""
    return join_suffixes(bare(text)) + " ."


def bleu(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the corpus BLEU-4 (0 to 100) of tokenised texts, which may have different numbers of references."""
    longest = max(map(len, references))
    columns = [[theirs[number] if number < len(theirs) else None for theirs in references] for number in range(longest)]
    return float(sacrebleu.corpus_bleu(list(texts), columns, tokenize="none", force=True).score)  # type: ignore[arg-type]
