"""A trained model as files: all that generation needs, and never a pickle.

- ``model.safetensors``: weights, version, origin; ``config.yaml``, ``vocabulary.json`` and ``phrases.parquet``
- ``lexicon.json``: known item names and values, what training has seen, letter case of words, how texts distribute
  values, and the words next to values
- ``copies.safetensors``: the word runs of the training texts
- ``companions.safetensors``: the words that occur together in training texts
- ``references.safetensors``: the texts of goals and agendas that training has seen more than once
- ``mapping.yaml``, for a user's table: the meaning of its columns
- ``phrasebook.json``, for a table or acts: the forms in which texts state their rows
- ``example.json``: the dev row with the smallest id as a reader sees it, with which `allsaid try` opens
- ``prototypes*.arrow``, for edits: training recipes, their index, and what they do with foods
- ``hashes.json``: the SHA-256 of each of these files
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any  # Any: a row of the task, known only at run time

import pyarrow.parquet as pq
import torch

from allsaid.modeling import systems
from allsaid.modeling.config import Config, parse_config
from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.copied import CopyIndex
from allsaid.modeling.data.references import References
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import VocabularySet
from allsaid.modeling.json_file import write_json
from allsaid.modeling.models.base.contract import EditsTexts, Kind, Network, PacksPrompts
from allsaid.modeling.precision import check_precision, dtype_of, set_tf32
from allsaid.modeling.prototypes import prototypes
from allsaid.modeling.prototypes.prototypes import Prototypes
from allsaid.modeling.saved.folder_files import (
    COMPANIONS,
    CONFIG,
    COPIES,
    EXAMPLE,
    FILES,
    HASHES,
    LEXICON,
    LEXICON_VERSION,
    NEEDED,
    PHRASEBOOK,
    PHRASES,
    REFERENCES,
    VERSION,
    VOCABULARY,
    WEIGHTS,
    check_hashes,
    read_example,
    read_lexicon,
    read_phrasebook,
    read_phrases,
    read_text,
    read_vocabularies,
    read_weights,
    sha256,
)
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.tasks.choose import own_task, task_of
from allsaid.modeling.tasks.contract import Shown, Task
from allsaid.modeling.tensors import write_tensors
from allsaid.modeling.text.restore import Casing
from allsaid.proof.coverage import Lexicon
from allsaid.proof.forms import mapped
from allsaid.proof.forms.assembly.assemble import Assembler
from allsaid.proof.habits import Habits
from allsaid.proof.values.contexts import Contexts
from allsaid.proof.values.seen import Seen
from schemas.errors import UserError
from schemas.runs.manifest import MAPPING_NAME

DEVICES = ("cpu", "cuda")
REMEDY = "Give the model folder as training wrote it; if another version of Allsaid wrote it, train the model again."
VIEW = "view"  # key of the origin: "True" if the model reads agendas as its own input (`allsaid.modeling.tasks.choose`)


@dataclass(frozen=True)
class Bundle(Knowledge):
    """A model with the data to convert rows to its ids, and its ids to proven texts."""

    model: Network
    config: Config
    vocabularies: VocabularySet
    origin: Mapping[str, str] = field(default_factory=dict)  # "data_run", "data_fingerprint", "task", VIEW
    copies: CopyIndex | None = None  # of the training texts
    companions: Companions | None = None  # of words in training texts; for tasks that have them
    references: References | None = None  # of goals and agendas seen more than once
    prototypes: Prototypes | None = None  # for edits: training recipes
    example: Shown = ("", [])  # a row of the dev part; empty in a folder without one
    client: Any = None  # a DeviceClient of `allsaid.decoding`, the layer above, for a GPU; None: this process computes

    @property
    def task(self) -> Task:
        """Return the model's task."""
        return task_of(self.config.model.kind, bool(self.mapping), self.origin.get(VIEW) == "True")

    @property
    def edits(self) -> bool:
        return isinstance(self.model, EditsTexts)

    @property
    def known_words(self) -> Collection[str]:
        return self.vocabularies.text.ids.keys()

    @property
    def device(self) -> torch.device:
        weights = chain(self.model.parameters(), self.model.buffers())
        return next((weight.device for weight in weights), torch.device("cpu"))

    def prompts(self, rows: Sequence[Any]) -> Tensors:
        """Return the model's input for some rows of its task, on the device of its weights."""
        return self.packed(self.text_task.prompts(rows, self.vocabularies)).to(self.device)

    def packed(self, prompts: Tensors) -> Tensors:
        """Return the task's prompts in the form that the model reads."""
        return self.model.pack(prompts) if isinstance(self.model, PacksPrompts) else prompts

    def words(self, tokens: Sequence[int], row: Any) -> list[str]:
        """Return the words of the ids that a search has found for a row of the task."""
        return self.text_task.words(tokens, row, self.vocabularies)

    @cached_property
    def assembler(self) -> Assembler:
        """Return the assembler of texts from the phrasebook's sentences, in words of the vocabulary."""
        assert self.certifier is not None
        return Assembler(self.certifier.attester, self.vocabularies.text.ids.keys(), self.says_goals)


def find_device(name: str) -> torch.device:
    """Return the device of this name; raises UserError where a requested GPU is missing, rather than fall back."""
    if name not in DEVICES:
        raise UserError(f"There is no device '{name}'; the valid ones are {', '.join(DEVICES)}.")
    if name == "cuda" and not torch.cuda.is_available():
        raise UserError("The device 'cuda' was asked for, but PyTorch finds no GPU here. Use --device cpu.")
    return torch.device(name)


def build_model(config: Config, vocabularies: VocabularySet) -> Network:
    kind: Kind = systems.find(config.model.kind)
    return kind.build(config.model, vocabularies, dtype_of(config.fit.dtype))


def save(folder: Path, bundle: Bundle) -> None:
    """Write a model folder; replaces an earlier model in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (COPIES, COMPANIONS, REFERENCES, MAPPING_NAME, PHRASEBOOK, EXAMPLE, *prototypes.FILES):
        (folder / name).unlink(missing_ok=True)
    weights = bundle.model.state_dict()
    version = f"{bundle.config.model.kind}/{VERSION}"
    write_tensors(folder / WEIGHTS, weights, {"allsaid": json.dumps({"version": version, **bundle.origin})})
    (folder / CONFIG).write_text(bundle.config.to_yaml(), encoding="utf-8")
    write_json(folder / VOCABULARY, bundle.vocabularies.to_json())
    pq.write_table(bundle.phrases, folder / PHRASES, compression="zstd")
    known = {"version": LEXICON_VERSION, "names": bundle.lexicon.of_training.to_json(), "values": bundle.values}
    known |= {"seen": bundle.seen.to_json()} if bundle.seen else {}
    known |= {"habits": asdict(bundle.habits)} if bundle.habits else {}
    known |= {"contexts": asdict(bundle.contexts)} if bundle.contexts else {}
    known |= {"foods": bundle.lexicon.to_json()} if bundle.lexicon.foods else {}
    known |= {"spoken": {column: sorted(words) for column, words in bundle.lexicon.spoken.items()}}
    write_json(folder / LEXICON, known | {"casing": bundle.casing.to_json()})
    parts = ((COPIES, bundle.copies), (COMPANIONS, bundle.companions), (REFERENCES, bundle.references))
    for name, part in parts:
        if part is not None:
            part.save(folder / name)
    if bundle.phrasebook is not None:
        write_json(folder / PHRASEBOOK, bundle.phrasebook.to_json())
    if bundle.mapping:
        (folder / MAPPING_NAME).write_text(bundle.mapping, encoding="utf-8")
    title, lines = bundle.example
    if title or lines:
        write_json(folder / EXAMPLE, {"title": title, "lines": lines})
    if bundle.prototypes is not None:
        bundle.prototypes.save(folder)
    write_json(folder / HASHES, {name: sha256(folder / name) for name in FILES if (folder / name).exists()})


def load(folder: Path, device: str = "cpu", precision: str | None = None) -> Bundle:
    """Read a model folder; raises UserError if it is incomplete, changed, damaged or of another version.

    precision: None for that of its training. Before memory is allocated, the sizes in the header of the weights are
    compared with those of the configured model.
    """
    target = find_device(device)
    if precision is not None:
        check_precision(precision, device)
    try:
        return _read(folder, target, precision)
    except UserError as fault:
        raise UserError(f"{fault} {REMEDY}") from fault


def _read(folder: Path, target: torch.device, precision: str | None) -> Bundle:
    for name in NEEDED:
        if not (folder / name).is_file():
            raise UserError(f"{folder} is not a model folder: it has no {name}.")
    check_hashes(folder)
    config = parse_config(read_text(folder / CONFIG), str(folder / CONFIG))
    if precision is not None:
        config = replace(config, fit=replace(config.fit, dtype=precision))  # type: ignore[arg-type]
    if target.type == "cuda":
        set_tf32(config.fit.dtype)
    vocabularies = read_vocabularies(folder / VOCABULARY, own_task(config.model.kind).vocabularies)
    lexicon = read_lexicon(folder / LEXICON)
    seen = Seen.from_json(lexicon["seen"]) if "seen" in lexicon else None
    spoken = {column: frozenset(words) for column, words in lexicon.get("spoken", {}).items()}
    phrases = read_phrases(folder / PHRASES)
    mapping = read_text(folder / MAPPING_NAME) if (folder / MAPPING_NAME).exists() else ""
    copies = CopyIndex.load(folder / COPIES) if (folder / COPIES).exists() else None
    model = _sketch(config, vocabularies, folder)
    weights, origin = read_weights(folder / WEIGHTS, f"{config.model.kind}/{VERSION}", model)
    words = len(vocabularies.text)
    companions = Companions.load(folder / COMPANIONS, words) if (folder / COMPANIONS).exists() else None
    references = References.load(folder / REFERENCES, words) if (folder / REFERENCES).exists() else None
    # `to_empty` would make PyTorch load SymPy, which it needs to allocate memory for a sketch.
    types = {name: tensor.dtype for name, tensor in model.state_dict().items()}
    model.load_state_dict({name: tensor.to(types[name], copy=True) for name, tensor in weights.items()}, assign=True)
    model = model.to(target).eval()
    return Bundle(
        model,
        config,
        vocabularies,
        origin,
        copies,
        companions,
        references,
        Prototypes.load(folder) if (folder / prototypes.ROWS).exists() else None,
        read_example(folder / EXAMPLE),
        phrases=phrases,
        lexicon=replace(
            Lexicon.from_json(lexicon["names"], lexicon.get("foods")),
            spoken=spoken,
            idioms=mapped.read(mapping).idioms,
            goals=seen.mentioned_goals if seen else (),
            asks_goal=bool(seen and seen.asks_goal),
        ),
        casing=Casing.from_json(lexicon["casing"]),
        values=lexicon["values"],
        mapping=mapping,
        seen=seen,
        habits=Habits(**lexicon["habits"]) if "habits" in lexicon else None,
        contexts=Contexts(**lexicon["contexts"]) if "contexts" in lexicon else None,
        phrasebook=read_phrasebook(folder / PHRASEBOOK),
    )


def fingerprint(folder: Path) -> str:
    """Return 32 hex digits that identify the contents of a model folder."""
    lines = [f"{name} {sha256(folder / name)}\n" for name in FILES if (folder / name).exists()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:32]


def _sketch(config: Config, vocabularies: VocabularySet, folder: Path) -> Network:
    """Build the configured model without memory for its weights."""
    try:
        with torch.device("meta"):
            return build_model(config, vocabularies)
    except (RuntimeError, TypeError, OverflowError) as fault:
        raise UserError(f"{folder / CONFIG} asks for a model that is too large.") from fault
