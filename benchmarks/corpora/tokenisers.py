"""spaCy's rules for German and French beside those for English (docs/architecture.md).

    python -m benchmarks.corpora.tokenisers --data-root ../shared/data

German: the texts of samples/moebel.csv, and WikiBio's German boxes, whose tokens are joined as people write them.
French: the rows below, which were written for this script, since no French corpus is at hand. Writes
benchmarks/results/tokenisers.json.
"""

from __future__ import annotations

import argparse
import csv
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import spacy

from allsaid.language.text import tokenize
from allsaid.language.word_table import WordTable
from allsaid.modeling.text.restore import learn_casing, learn_writing, survival
from benchmarks.result_file import RESULTS, ROOT, write
from pipelines.linking.acts import rows
from pipelines.sources.records.mapping import TableMapping, load_mapping, parse_mapping
from pipelines.sources.records.supervision import Record, prepared, values_of_row
from schemas.example import NO_ITEM, Example

RESULT = RESULTS / "tokenisers.json"
PARTS = ("train", "valid", "test")
SIGNS = {"-lrb-": "(", "-rrb-": ")", "``": '"', "''": '"'}
ABBREVIATION = re.compile(r"[^\W\d_][\w.]+\.")  # no initial
FRENCH = """
lampe|Orion|laiton|Italie|1,2 kg|La lampe Orion est faite d'un seul morceau de laiton. Fabriquée en Italie, elle pèse 1,2 kg.
table|Sirius|acier|Espagne|14 kg|Le plateau d'acier de la table Sirius vient d'Espagne. Elle n'est pas lourde : 14 kg.
chaise|Alba|osier|Estonie|3,5 kg|Aujourd'hui, l'osier revient : la chaise Alba d'Estonie ne pèse que 3,5 kg.
chaise|Épure|aluminium|Autriche|2,8 kg|L'Épure est une chaise d'aluminium qui vient d'Autriche. Est-elle légère ? Oui, 2,8 kg.
table|Iris|orme|Irlande|22 kg|L'Iris est une table d'orme massif, jusqu'au pied. L'Irlande est son pays ; elle pèse 22 kg.
lampe|Nova|verre|Belgique|0,9 kg|La lampe Nova, qu'on pose où l'on veut, est en verre. Son poids est de 0,9 kg et elle vient de Belgique.
vase|Aurore|argile|Algérie|1,1 kg|L'argile du vase Aurore est cuite en Algérie. Il pèse 1,1 kg.
vase|Onde|étain|Écosse|2 kg|Le vase Onde, c'est 2 kg d'étain d'Écosse.
banc|Halte|chêne|France|18 kg|Le banc Halte est de chêne et n'a pas d'accoudoirs. Il est fabriqué en France et pèse 18 kg.
banc|Escale|acacia|Inde|16 kg|L'acacia d'Inde du banc Escale résiste à l'eau. Qu'il pleuve ou non, ses 16 kg ne bougent pas.
miroir|Éclat|inox|Allemagne|4,5 kg|Le miroir Éclat a un cadre d'inox poli. C'est en Allemagne qu'il est fait, et il pèse 4,5 kg.
miroir|Aria|ébène|Éthiopie|5 kg|D'ébène et d'une seule pièce, le miroir Aria vient d'Éthiopie. Il pèse 5 kg.
"""  # noqa: E501
FRENCH_MAPPING = {
    "goal": "sorte",
    "text": "texte",
    "language": "fr",
    "columns": {"nom": "value", "matière": "value", "pays": "value", "poids": "number"},
}


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-root", type=Path, default=ROOT.parent / "shared" / "data")
    boxes = [*box_texts(parser.parse_args().data_root / "wikibio" / "german")]
    sample, table = ROOT / "samples" / "moebel.csv", load_mapping(str(ROOT / "samples" / "moebel.yaml"))
    with sample.open(encoding="utf-8", newline="") as file:
        pieces = [*csv.DictReader(file, delimiter=table.delimiter)]
    french = parse_mapping(FRENCH_MAPPING, "FRENCH_MAPPING")
    names = ("sorte", "nom", "matière", "pays", "poids", "texte")
    written = [dict(zip(names, line.split("|"), strict=True)) for line in FRENCH.strip().splitlines()]
    german = {"moebel": [row["text"] for row in pieces], "wikibio german": boxes}
    write(
        RESULT,
        {
            "german texts": {name: compare(texts) for name, texts in german.items()},
            "tables": {"moebel": both(pieces, table), "french": both(written, french)},
            "seconds": {language: seconds(boxes, language) for language in ("en", "de", "fr")},
        },
    )


def box_texts(folder: Path) -> Iterable[str]:
    """Yield the texts of WikiBio's German boxes as people write them, but in lower case."""
    for part in PARTS:
        for line in (folder / part / f"{part}.sent").read_text(encoding="utf-8").splitlines():
            joined = re.sub(r" ?\.(?=\w)", ". ", " ".join(SIGNS.get(word, word) for word in line.split()))
            yield re.sub(r"(?<=\() | (?=[.,;:)])", "", joined)


def compare(texts: Sequence[str]) -> dict[str, Any]:
    """Count the texts that rules split differently, and what they split."""
    plain = {language: spacy.blank(language).tokenizer for language in ("en", "de")}
    rules: dict[str, Callable[[str], list[str]]] = {
        "English": lambda text: tokenize(text, "en"),
        "German": lambda text: tokenize(text, "de"),
        "spaCy's English, all of it": lambda text: [token.text for token in plain["en"](text)],
        "spaCy's German, all of it": lambda text: [token.text for token in plain["de"](text)],
    }
    found = {name: [split(text) for text in texts] for name, split in rules.items()}
    pairs = zip(found["English"], found["German"], strict=True)
    return {
        "texts": len(texts),
        "split differently": sum(one != other for one, other in pairs),
        "by rules": {name: counts(texts, tokens) for name, tokens in found.items()},
    }


def counts(texts: Sequence[str], found: Sequence[Sequence[str]]) -> dict[str, int]:
    """Count what a reader would call wrong, and what depends on the language."""
    tokens = Counter(token.lower() for one in found for token in one)
    return {
        "texts with 'im' in pieces": sum(
            len(re.findall(r"\bim\b", text.lower())) > sum(token.lower().strip("()") == "im" for token in one)
            for text, one in zip(texts, found, strict=True)
        ),
        "numbers with their stop": sum(count for token, count in tokens.items() if re.fullmatch(r"\d+\.", token)),
        "abbreviations with their stop": sum(count for token, count in tokens.items() if ABBREVIATION.fullmatch(token)),
        "words that hold a number behind a hyphen": sum(
            count for token, count in tokens.items() if re.fullmatch(r"\d+-[^\W\d_].*|[^\W\d_]+-\d.*", token)
        ),
        "smileys": sum(tokens[one] for one in ("(;", ";)", ":)", "(:", "8)")),
    }


def both(table: Sequence[dict[str, str]], mapping: TableMapping) -> dict[str, Any]:
    """Measure a table by the English rules and by those of its language."""
    english = replace(mapping, words=WordTable(mapping.words.replaced))
    return {"English": supervised(table, english), "own": supervised(table, mapping)}


def supervised(table: Sequence[dict[str, str]], mapping: TableMapping) -> dict[str, Any]:
    """Count the values that linking finds, and the sentences that survive the round trip through tokens."""
    examples: list[Example] = []
    for number, cells in enumerate(table):
        record = Record(str(number), cells[mapping.goal], cells[mapping.text], values_of_row(cells, mapping))
        examples.append(rows(prepared(record, mapping, "", 0), mapping.words)[0])
    casing = learn_writing(learn_casing(examples), lambda: examples, mapping.language)
    sentences, survived = survival(examples, casing)
    return {
        "texts": len(examples),
        "values": sum(len(example.agenda) for example in examples),
        "found": sum(len({*example.ref_items} - {NO_ITEM}) for example in examples),
        "sentences": sentences,
        "survived": survived,
    }


def seconds(texts: Sequence[str], language: str) -> float:
    """Measure the processor time to split the texts for the first time, with the time to load the rules."""
    start = time.process_time()
    for text in texts:
        tokenize(text, language)
    return round(time.process_time() - start, 2)


if __name__ == "__main__":
    main()
