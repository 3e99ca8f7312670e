"""``allsaid rate make``: write a blinded, shuffled, self-contained HTML sheet for each rater, and the key."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any  # Any: an example of the task, known only at run time

from allsaid import console
from allsaid.console import counted, say
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks import agenda, pair
from allsaid.modeling.tasks.agenda import DIALOGUE, RECIPES
from allsaid.modeling.text.restore import learn_casing, restore
from allsaid.redaction import public
from allsaid.storage import files
from batch_infer.proof import summary as summary_file
from batch_infer.proof.texts import read_rows
from batch_infer.report import pages
from batch_infer.rows.facts import is_record
from batch_infer.rows.inputs import Row
from batch_infer.rows.wording import publish
from evaluation.options import StudyOptions
from evaluation.rating.forms import PAIRS, Form, form_of
from evaluation.rating.key import KEY, TRUTH, Key
from schemas.errors import UserError

SHEETS = "sheets"
NAMED = "percent_given_full_name"  # a figure that only texts with named items have
Examples = Sequence[Any]  # of the data set's task, or rows of texts without a data set; each has an id


@dataclass(frozen=True)
class System:
    """The texts of one system."""

    name: str
    texts: dict[str, str]  # id of a row -> its text
    split: str  # "" for rows without a data set
    input_fingerprint: str


@dataclass(frozen=True)
class StudyFiles:
    """The files of a study."""

    key: str  # path
    sheets: list[str]  # paths, one per rater
    systems: list[str]
    texts: int  # number of texts per sheet


def make(options: StudyOptions) -> StudyFiles:
    """Write the sheets of a study, sheets/sheet-N.html for each rater, and its key.json to ``options.output``.

    ``options.systems`` are outputs of ``allsaid generate`` for the same input, one per system; a system is named after
    its folder. If the input is a split of the data set ``options.data``, its reference texts are another system. With
    ``head_to_head``, systems are compared in pairs, next to the reference texts. Raises UserError if the outputs can't
    be compared.
    """
    folders, output, seed, head_to_head = options.systems, options.output, options.seed, options.head_to_head
    if files.exists(files.join(output, KEY)):
        raise UserError(f"--output {output} holds a study, whose answers need its key. Give a new folder.")
    data = DataSet(options.data) if options.data else None
    systems = [read_system(folder, data) for folder in folders]
    _check(systems, folders, head_to_head)
    first = summary_file.read(folders[0])
    everything: Examples = list(_examples(data, first.split)) if data else read_rows(folders[0])
    examples = choose(everything, systems, options.rows, seed)
    if data:
        task = PAIRS if _is_of_pairs(data) else agenda.TASK.protocol(data)
    else:  # recipes if their items have names
        task = RECIPES if NAMED in first.measured and not any(map(is_record, examples)) else DIALOGUE
    form, truth = form_of(task, head_to_head), reference_texts(examples, data) if data else {}
    if truth and not head_to_head:
        systems.append(System(TRUTH, truth, first.split, first.input_fingerprint))
    names = [system.name for system in systems]
    raters = range(1, options.raters + 1)
    sheets = [positions(form, len(examples), names, seed, rater) for rater in raters]
    content = [[[system.name, system.texts[example.id]] for system in systems] for example in examples]
    key = Key(
        study=hashlib.sha256(json.dumps([content, sheets]).encode()).hexdigest()[:16],
        task=task,
        data_name=data.manifest.source if data else PurePosixPath(first.input).name,
        data_fingerprint=first.input_fingerprint,
        data_address=public(data.where) if data else first.input,
        split=first.split,
        seed=seed,
        systems=names,
        rows=[example.id for example in examples],
        sheets=sheets,
        head_to_head=head_to_head,
    )
    # The key is written first: answers can't be read without it.
    key.write(files.join(output, KEY))
    texts = {system.name: system.texts for system in systems}
    paths = [_write_sheet(output, key, rater, examples, texts, truth) for rater in raters]
    return StudyFiles(files.join(output, KEY), paths, key.systems, len(sheets[0]))


def show(study: StudyFiles) -> None:
    """Print what `make` wrote."""
    console.result("rate make", asdict(study), "", (), ())
    say(
        f"{counted(len(study.sheets), 'sheet')} of {counted(study.texts, 'text')} of {', '.join(study.systems)}: "
        f"{study.sheets[0]}{' and so on' if len(study.sheets) > 1 else ''}. Give each rater one. Keep {study.key} "
        "secret: it names the system of each text, and `allsaid rate read` needs it."
    )


def read_system(folder: str, data: DataSet | None) -> System:
    """Read the texts of one system; raise UserError unless they were generated from ``data``, if it is given."""
    summary = summary_file.read(folder)
    if data and (not summary.split or summary.input_fingerprint != data.manifest.fingerprint):
        raise UserError(
            f"{folder} was generated from {summary.input}, not from the current data set {data.where}. "
            f"Run `allsaid generate --input {data.where}` for each system."
        )
    texts = {row.id: row.text for row in read_rows(folder)}
    return System(PurePosixPath(folder).name, texts, summary.split, summary.input_fingerprint)


def _is_of_pairs(data: DataSet) -> bool:
    return bool(data.manifest.files.get("pairs"))


def _examples(data: DataSet, split: str) -> Iterable[Any]:  # Any: of the data set's task
    return pair.TASK.examples(data, split) if _is_of_pairs(data) else data.examples(split)


def _check(systems: Sequence[System], folders: Sequence[str], head_to_head: bool) -> None:
    if head_to_head and len(systems) < 2:
        raise UserError("--head-to-head compares at least two systems. Give another folder.")
    splits = {system.split for system in systems}
    if len(splits) > 1:
        raise UserError(f"The systems' texts are of the splits {', '.join(sorted(splits))}. Give texts of one split.")
    if len({system.input_fingerprint for system in systems}) > 1:
        raise UserError("The systems' texts were generated from different inputs. Give texts of one input.")
    known = {TRUTH.casefold(): "the reference texts"}
    for system, folder in zip(systems, folders, strict=True):
        name = system.name.casefold()
        if name in known:
            raise UserError(
                f"{folder} and {known[name]} would both be named '{system.name}'. A system is named after its folder: "
                "rename one."
            )
        known[name] = folder


def choose(examples: Examples, systems: Sequence[System], rows: int, seed: int) -> Examples:
    """Draw ``rows`` random examples for which every system has a text; raise UserError if there are too few."""
    shared = sorted(
        (example for example in examples if all(example.id in system.texts for system in systems)),
        key=lambda example: example.id,
    )
    if len(shared) < rows:
        having = ", ".join(f"{system.name} {len(system.texts)}" for system in systems)
        raise UserError(
            f"--rows {rows}: all systems have a text for {counted(len(shared), 'row')} ({having}). "
            "Ask for fewer, or generate more."
        )
    if len(shared) < len(examples):
        say(f"{len(shared)} of {counted(len(examples), 'row')} have a text of every system; the others are left aside.")
    return random.Random(seed).sample(shared, rows)


def reference_texts(examples: Examples, data: DataSet) -> dict[str, str]:
    """Return the reference texts by id, detokenised by the same code as generated texts.

    Otherwise letter case, blanks and punctuation would give them away.
    """
    casing = learn_casing(_examples(data, "train"))
    if _is_of_pairs(data):
        return {example.id: restore(example.tokens, casing) for example in examples}
    return {
        example.id: publish(
            example.tokens, Row(example.goal, example.agenda, example.goal_tokens, example.agenda_tokens), casing
        )
        for example in examples
    }


def positions(form: Form, rows: int, systems: Sequence[str], seed: int, rater: int) -> list[list[int]]:
    """Return the positions of a rater's sheet, as `Key.sheets` has them."""
    if form.is_duel:
        duels = list(combinations(range(len(systems)), 2))
        sides = random.Random(f"{seed}/{rater}/sides")
        return [[row, *sides.sample(duels[duel], 2)] for row, duel in arrange(rows, len(duels), seed, rater)]
    if len(form.parts) == 1:
        return arrange(rows, len(systems), seed, rater)
    texts = []
    for number, part in enumerate(form.parts):
        rated = [name for name in systems if name != TRUTH or not set(part) & set(form.compares)]  # TRUTH is last
        texts += [[*place, number] for place in arrange(rows, len(rated), seed, rater, number)]
    return texts


def arrange(rows: int, systems: int, seed: int, rater: int, part: int = 0) -> list[list[int]]:
    """Return the (row, system) of each text of a rater's sheet; every pair occurs once.

    A sheet consists of rounds. In each round, every row occurs once and every system equally often (up to one), so a
    rater who stops after a round has judged all rows equally often.
    """
    shuffler = random.Random(f"{seed}/{rater}/{part}" if part else f"{seed}/{rater}")
    row_order, system_order = shuffler.sample(range(rows), rows), shuffler.sample(range(systems), systems)
    texts = []
    for shift in range(systems):
        round_ = [[row, system_order[(place + shift) % systems]] for place, row in enumerate(row_order)]
        shuffler.shuffle(round_)
        texts += round_
    return texts


def _write_sheet(
    output: str,
    key: Key,
    rater: int,
    examples: Examples,
    texts: Mapping[str, Mapping[str, str]],  # system, row's id -> text
    truth: Mapping[str, str],
) -> str:
    form = key.form
    entries = []
    for number in range(1, len(key.sheets[rater - 1]) + 1):
        entry = key.entry(rater, number)
        example = examples[entry.row]
        entries.append(
            {
                "goal": example.goal if form.goal else "",
                "agenda": example.agenda if form.agenda else [],
                "texts": [texts[system][example.id] for system in entry.systems],
                "reference": truth.get(example.id, "") if set(entry.questions) & set(form.compares) else "",
                "questions": list(entry.questions),
            }
        )
    sheet = {"study": key.study, "rater": rater, "texts": entries}
    path = files.join(output, SHEETS, f"sheet-{rater}.html")
    files.write_text(path, pages.render("rate.html.j2", __package__, sheet=sheet, form=form))
    return path
