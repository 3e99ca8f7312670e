"""Whether a Checklist helps `edit`: as a scorer by ratio, as a writer of infills, and with the checker in its search.

    python -m benchmarks.quality.recipes.edit_neural --data DIR --edit MODEL --checklist MODEL [--rows 40]
        [--part NAME …]
        [--pairs DIR] [--read VERDICTS.json=OUTPUT …]

Four parts, on rows of the data set's dev part:

- *scorer*: of the edits of the nearest recipes, take the edit with the highest log-probability by the Checklist, or
  with the largest ratio to that of the prototype's words, both per word; alone, or added to the edit's score.
- *verdicts*: how often a text that readers call usable has the higher score (the area under the ROC curve). ``--read``:
  the verdicts (`cookable.py`) and the output that the readers read.
- *infills*: if a rule adds a sentence for an item ("add the nutmeg"), the Checklist writes another sentence at that
  place: the likeliest of its beam that contains the item and names no food beyond the list.
- *search*: the Checklist generates texts for the rows with the promise of all items. Of its equally good texts, take
  the text with the fewest findings of the checker, instead of the likeliest.

Figures: BLEU, METEOR and the share of texts with a finding. ``--pairs`` writes the texts of the last two parts as
outputs for `cookable_pairs.py`. Each part is added to ``benchmarks/results/edit_neural.json``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from allsaid.decoding.editing.write import EditedPrototype, RecipeEditor
from allsaid.decoding.measured import Measured
from allsaid.decoding.write import write as write_texts
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import SPECIALS, START, UNKNOWN
from allsaid.modeling.prototypes.prototypes import Prototype
from allsaid.modeling.saved.model_folder import Bundle, load
from batch_infer.proof.judge import Judge
from batch_infer.proof.judges import judge_of
from benchmarks.quality.certified_texts import read_texts
from benchmarks.quality.certified_texts import write_texts as write_output
from benchmarks.quality.recipes.edit_figures import figures
from benchmarks.result_file import RESULTS, write
from schemas.example import Example

RESULT = RESULTS / "edit_neural.json"
PARTS = ("scorer", "verdicts", "infills", "search")
WEIGHT = 1.0  # of the ratio when it is added to the edit's score
BEAM, LONGEST = 10, 25  # of an infill: hypotheses, words
Words = Sequence[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--edit", type=Path, required=True, help="a model folder of `edit`")
    parser.add_argument("--checklist", type=Path, required=True, help="a model folder of the Checklist")
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--read", nargs="*", default=[], metavar="VERDICTS=OUTPUT")
    parser.add_argument("--pairs", type=Path, help="a folder for the texts before and after")
    given = parser.parse_args()
    edit, checklist, data = load(given.edit), load(given.checklist), DataSet(given.data)
    rows, judge = list(islice(data.examples("dev"), given.rows)), judge_of(edit)
    for part in given.part:
        if part == "scorer":
            found: Any = scorer(edit, checklist, rows, judge)
        elif part == "verdicts":
            found = against_verdicts(edit, checklist, judge, data, given.read)
        elif part == "infills":
            found = infills(edit, checklist, judge, rows, given.pairs)
        else:
            found = searched(edit, checklist, judge, rows, given.pairs)
        print(part, found, flush=True)
        results = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.is_file() else {}
        write(RESULT, {**results, part: found})


def edits_of(edit: Bundle, judge: Judge, row: Example) -> list[EditedPrototype]:
    """Return the edits of the nearest recipes, best first."""
    assert edit.prototypes is not None
    return RecipeEditor(edit.prototypes, edit.lexicon, edit.config.search.width, Measured(judge.measure)).edits(row)


@torch.inference_mode()
def log_probabilities(bundle: Bundle, rows: Sequence[Example], texts: Sequence[Words]) -> list[float]:
    """Return the mean log-probability of the known words of the text of each row."""
    ids = [bundle.vocabularies.text.encode(text) for text in texts]
    words = torch.zeros(len(ids), max(map(len, ids)), dtype=torch.long)
    for row, text_ids in enumerate(ids):
        words[row, : len(text_ids)] = torch.tensor(text_ids)
    state, before, total = bundle.model.start(bundle.prompts(rows)), torch.full((len(ids),), START), 0
    known = words > UNKNOWN
    for place, word in enumerate(words.unbind(1)):
        scores, state = bundle.model.step(state, before)
        total = total + scores.of(word) * known[:, place]
        before = word
    return (total / known.sum(1).clamp(min=1)).tolist()


def scorer(edit: Bundle, checklist: Bundle, rows: Sequence[Example], judge: Judge) -> dict[str, Any]:
    """Return the figures of the texts that each score chooses."""
    choices: dict[str, list[list[str]]] = {}
    for row in rows:
        edits = edits_of(edit, judge, row)
        edit_scores = np.array([edited.score for edited in edits])
        plain = np.array(log_probabilities(checklist, [row] * len(edits), [edited.words for edited in edits]))
        prototype_rows = [_row_of(edited.prototype, row) for edited in edits]
        before = np.array(log_probabilities(checklist, prototype_rows, [edited.prototype.words for edited in edits]))
        for name, score in (
            ("edit's score", edit_scores),
            ("log-probability", plain),
            ("ratio", plain - before),
            ("edit's score and ratio", edit_scores + WEIGHT * (plain - before)),
        ):
            choices.setdefault(name, []).append(edits[int(score.argmax())].words)
    return {"texts": len(rows)} | {name: _figures(texts, rows, edit) for name, texts in choices.items()}


def _row_of(prototype: Prototype, row: Example) -> Example:
    """Return a row with the title and the agenda of a prototype."""
    return replace(
        row,
        goal=prototype.goal,
        goal_tokens=prototype.goal.lower().split(),
        agenda=prototype.agenda,
        agenda_tokens=prototype.agenda_tokens,
    )


def _figures(texts: list[list[str]], rows: Sequence[Example], edit: Bundle) -> dict[str, Any]:
    return figures(texts, rows, edit) if texts else {}


def against_verdicts(
    edit: Bundle, checklist: Bundle, judge: Judge, data: DataSet, read: Sequence[str]
) -> dict[str, Any]:
    """Return how well scores tell usable texts from others: areas under ROC curves."""
    verdicts: dict[str, tuple[str, dict[str, Any]]] = {}
    for pair in read:
        file, _, output = pair.partition("=")
        texts = {text["id"]: text for text in read_texts(Path(output))}
        for entry in json.loads(Path(file).read_text(encoding="utf-8"))["texts"]:
            if entry["origin"] == "edit-library" and entry["id"] in texts:
                verdicts[entry["id"]] = entry["majority"], texts[entry["id"]]
    prototypes = edit.prototypes
    assert prototypes is not None
    places = {key: place for place, key in enumerate(prototypes.rows.column("id").to_pylist())}
    scores, usable = {"confidence": list[float](), "log-probability": list[float](), "ratio": list[float]()}, []
    for row in data.examples("test"):
        verdict, text = verdicts.get(row.id, ("", {}))
        if not verdict or text["prototype"] not in places:
            continue
        prototype = prototypes[places[text["prototype"]]]
        rows = [row, _row_of(prototype, row)]
        plain, before = log_probabilities(checklist, rows, [judge.read(text["text"], row)[0], prototype.words])
        usable.append(verdict != "no")
        for name, value in zip(scores, (text["confidence"], plain, plain - before), strict=True):
            scores[name].append(value)
    areas = {f"{name}, area": _area(values, usable) for name, values in scores.items()}
    return {"texts": len(usable), "usable": sum(usable), **areas}


def _area(values: Sequence[float], usable: Sequence[bool]) -> float:
    yes, no = ([value for value, yes in zip(values, usable, strict=True) if yes is group] for group in (True, False))
    return round(float(np.mean([(a > b) + (a == b) / 2 for a in yes for b in no])), 3)


def infills(
    edit: Bundle, checklist: Bundle, judge: Judge, rows: Sequence[Example], pairs: Path | None
) -> dict[str, Any]:
    """Return the figures of texts whose inserted sentences a rule or the Checklist writes."""
    used, before, after, by_rule, written = [], [], [], 0, 0
    for row in rows:
        best = edits_of(edit, judge, row)[0]
        text = list(best.words)
        for name in best.edit.inserted:
            span = _sentence_of(text, name)
            if span is None:
                continue
            by_rule += 1
            for sentence in _sentences(checklist, row, text[: span[0]], name.split()[-1]):
                candidate = [*text[: span[0]], *sentence, *text[span[1] :]]
                covered = judge.measure(candidate, row)
                if all(covered.given) and not covered.extra:
                    text, written = candidate, written + 1
                    break
        if text != best.words:
            used.append(row)
            before.append(list(best.words))
            after.append(text)
    _pairs(pairs, "infill", edit, used, before, after)
    return {
        "sentences of a rule": by_rule,
        "written by the Checklist": written,
        "texts": len(used),
        "by a rule": _figures(before, used, edit),
        "by the Checklist": _figures(after, used, edit),
    }


def _sentence_of(text: Words, name: str) -> tuple[int, int] | None:
    """Return the start and end of a sentence that only adds an item: "stir in the nutmeg ."."""
    size = len(name.split())
    for place in range(len(text) - size):
        end = place + size
        if " ".join(text[place:end]) == name and text[end] == ".":
            start = max((at + 1 for at, word in enumerate(text[:place]) if word in (".", "\n")), default=0)
            if 1 <= place - start <= 3 and "and" not in text[start:place]:
                return start, end + 1
    return None


@torch.inference_mode()
def _sentences(bundle: Bundle, row: Example, before: Words, name: str) -> Iterator[list[str]]:
    """Yield sentences with a name that a beam finds after the words ``before``, the likeliest per word first.

    Hypotheses with the name and hypotheses without it have separate beams. The latter may continue with the name.
    """
    model, vocabulary = bundle.model, bundle.vocabularies.text
    if name not in vocabulary.ids:
        return
    name_id, stop = vocabulary.ids[name], vocabulary.ids["."]
    state, last = model.start(bundle.prompts([row])), START
    for word in vocabulary.encode(before):
        _, state = model.step(state, torch.tensor([last]))
        last = word
    beams: list[tuple[float, list[int]]] = [(0.0, [])]
    done: list[tuple[float, list[int]]] = []
    for length in range(1, LONGEST + 1):
        scores, state = model.step(state, torch.tensor([words[-1] if words else last for _, words in beams]))
        table = scores.log_probs.clone()
        table[:, : len(SPECIALS)] = -torch.inf
        table += torch.tensor([score for score, _ in beams]).unsqueeze(1)
        best = {divmod(flat, table.shape[1]) for flat in table.flatten().topk(4 * BEAM).indices.tolist()}
        best |= {(parent, name_id) for parent in range(len(beams))}
        found = sorted(((float(table[parent, word]), parent, word) for parent, word in best), reverse=True)
        extended: list[tuple[float, list[int]]] = []
        rows, sizes = [], {True: 0, False: 0}
        for score, parent, word in found:
            words = [*beams[parent][1], word]
            has_name = name_id in words
            if word == stop and has_name:
                done.append((score / length, words))
            elif word != stop and sizes[has_name] < BEAM:
                sizes[has_name] += 1
                rows.append(parent)
                extended.append((score, words))
        beams, state = extended, state.select(torch.tensor(rows))
    yield from (vocabulary.decode(words) for _, words in sorted(done, reverse=True))


def searched(edit: Bundle, checklist: Bundle, judge: Judge, rows: Sequence[Example], pairs: Path | None) -> Any:
    """Return the figures of the Checklist's own texts, without and with the checker in the choice."""
    search = replace(checklist.config.search, min_coverage=100.0)
    before, after = [], []
    for row in rows:
        measure = Measured(judge.measure)
        unchecked = Measured(lambda tokens, prompt: replace(judge.measure(tokens, prompt), recipe=()))
        (found,) = write_texts(checklist, [row], search, measure=unchecked)
        texts = [checklist.words(hypothesis.tokens, row) for hypothesis in found]
        measured = [measure(text, row) for text in texts]
        ranks = [(coverage.given.count(False), len(coverage.extra)) for coverage in measured]
        equal = [index for index, rank in enumerate(ranks) if rank <= ranks[0]]
        before.append(texts[0])
        after.append(texts[min(equal, key=lambda index: (len(measured[index].recipe), index))])
    changed = [index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    _pairs(pairs, "search", edit, *([part[index] for index in changed] for part in (rows, before, after)))
    return {
        "texts": len(rows),
        "other texts": len(changed),
        "without the checker": _figures(before, rows, edit),
        "with the checker": _figures(after, rows, edit),
    }


def _pairs(folder: Path | None, name: str, edit: Bundle, rows: Any, before: Any, after: Any) -> None:
    """Write texts as outputs that `cookable_pairs` reads."""
    if folder is None:
        return
    for part, texts in (("before", before), ("after", after)):
        write_output(folder / name / part, rows, texts, judge_of(edit))


if __name__ == "__main__":
    main()
