"""Files of a model folder, each checked when read; errors name the file that is missing, changed or damaged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict, TypeVar  # Any: JSON

import pyarrow as pa
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn

from allsaid.modeling.data.vocabulary import VocabularySet
from allsaid.modeling.json_file import find_misfit, read_json
from allsaid.modeling.models.base.contract import SizedByTexts
from allsaid.modeling.prototypes import prototypes
from allsaid.modeling.tasks.contract import Shown
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.storage.parquet import open_parquet
from schemas.checks.table import check_schema
from schemas.errors import UserError
from schemas.phrase import PHRASE
from schemas.runs.manifest import MAPPING_NAME

VERSION = 1  # of the tensors' names; the header of WEIGHTS has the kind of model and this: "checklist/1"
LEXICON_VERSION = 3
WEIGHTS, CONFIG, VOCABULARY, PHRASES, LEXICON = (
    "model.safetensors",
    "config.yaml",
    "vocabulary.json",
    "phrases.parquet",
    "lexicon.json",
)
COPIES = "copies.safetensors"  # `CopyIndex`: the training texts, to find copied passages
COMPANIONS = "companions.safetensors"  # `Companions` of the text's words; not of tasks that read rows themselves
REFERENCES = "references.safetensors"  # `References`: the training texts of each prompt; of the same models
PHRASEBOOK = "phrasebook.json"
EXAMPLE = "example.json"
NEEDED = (WEIGHTS, CONFIG, VOCABULARY, PHRASES, LEXICON)
FILES = (*NEEDED, COPIES, COMPANIONS, REFERENCES, MAPPING_NAME, PHRASEBOOK, EXAMPLE, *prototypes.FILES)
HASHES = "hashes.json"  # written last; without it, the files are not verified


Vocabularies = TypeVar("Vocabularies", bound=VocabularySet)


class _CasingParts(TypedDict):
    forms: dict[str, str]
    abbreviations: list[str]


class _SeenParts(TypedDict):
    """See `allsaid.proof.values.seen.Seen`; ``said_goals`` are its ``mentioned_goals``."""

    goals: list[str]
    said_goals: list[str]
    asks_goal: bool
    columns: list[str]
    values: dict[str, list[str]]


class _HabitsParts(TypedDict):
    """See `allsaid.proof.habits.Habits`."""

    most: int
    usual: int
    sentence: int
    subject: str
    repeats_subject: bool
    order: dict[str, float]
    pairs: dict[str, dict[str, float]]


class _ContextsParts(TypedDict):
    """See `allsaid.proof.values.contexts.Contexts`."""

    seen: dict[str, dict[str, int]]
    again: list[str]


class _ExampleParts(TypedDict):
    title: str
    lines: list[str]


class _LexiconParts(TypedDict):
    names: dict[str, int]
    values: dict[str, list[str]]
    casing: _CasingParts


def check_hashes(folder: Path) -> None:
    """Check that each file is the one that training wrote; raises UserError otherwise."""
    if not (folder / HASHES).exists():
        return
    promised = read_json(folder / HASHES, dict[str, str])
    for name in FILES:
        if not (folder / name).exists():
            if name in promised:
                raise UserError(f"{folder} lacks {name}, which training wrote there ({HASHES} names it).")
        elif promised.get(name) != sha256(folder / name):
            raise UserError(
                f"{folder / name} is not the file that training wrote: its SHA-256 is not the one in {HASHES}. "
                f"If you changed it on purpose, remove {HASHES}."
            )


def sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise UserError(f"{path} can't be read ({fault.strerror}).") from fault


def read_phrasebook(path: Path) -> Phrasebook | None:
    """Read the phrasebook, or return None if training wrote none."""
    if not path.exists():
        return None
    try:
        return Phrasebook.from_json(read_json(path, dict[str, object]))
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise UserError(f"{path} is no phrasebook ({type(fault).__name__}: {fault}).") from fault


def read_example(path: Path) -> Shown:
    """Read the example row, or return an empty one if training wrote none."""
    if not path.exists():
        return "", []
    example = read_json(path, _ExampleParts)
    return example["title"], example["lines"]


def read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise UserError(f"{path} can't be read as UTF-8 text ({fault}).") from fault


def read_vocabularies(path: Path, kind: type[Vocabularies]) -> Vocabularies:
    try:
        return kind.from_json(read_json(path, dict[str, list[str]]))
    except ValueError as fault:
        raise UserError(f"{path} holds no vocabularies: {fault}.") from fault


def read_lexicon(path: Path) -> Any:  # JSON, checked below
    """Read names, values and casing."""
    lexicon = read_json(path, dict[str, object])
    version = lexicon.get("version", 1)
    if version != LEXICON_VERSION:
        raise UserError(f"{path} has version {version}, but this version of Allsaid reads {LEXICON_VERSION}.")
    misfit = find_misfit(lexicon, _LexiconParts, "it")
    parts = {"seen": _SeenParts, "habits": _HabitsParts, "contexts": _ContextsParts, "spoken": dict[str, list[str]]}
    parts |= {"foods": dict[str, int]}  # names of foods known from recipes
    for name, kind in parts.items():
        misfit = misfit or (find_misfit(lexicon[name], kind, f"'{name}'") if name in lexicon else "")
    if misfit:
        raise UserError(f"{path} holds no lexicon: {misfit}.")
    return lexicon


def read_phrases(path: Path) -> pa.Table:
    try:
        with open_parquet(path) as parquet:
            phrases = parquet.read(use_threads=False)
    except (OSError, pa.ArrowException) as fault:
        raise UserError(f"{path} can't be read as Parquet ({fault}).") from fault
    check_schema(phrases.schema, PHRASE, str(path), remedy="")  # `load` has its own
    return phrases


def read_weights(path: Path, version: str, sketch: nn.Module) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Return the weights and their origin.

    sketch: the model on PyTorch's meta device; its sizes are compared with the header before a tensor is read.
    """
    try:
        with safe_open(path, framework="pt") as file:
            # A single key, since safetensors writes several in varying order.
            origin = json.loads((file.metadata() or {}).get("allsaid", "{}"))
            _check_origin(path, origin, version)
            names = list(file.keys())
            sizes = {name: file.get_slice(name).get_shape() for name in names}
            if isinstance(sketch, SizedByTexts):
                sketch.resize(sizes)
            _check_sizes(path, sizes, sketch)
            weights = {name: file.get_tensor(name) for name in names}
    except (SafetensorError, OSError, ValueError, RecursionError) as fault:
        raise UserError(f"{path} is no safetensors file ({fault}).") from fault
    return weights, {key: value for key, value in origin.items() if key != "version"}


def _check_origin(path: Path, origin: Any, wanted: str) -> None:  # JSON, checked here
    misfit = find_misfit(origin, dict[str, str], "the header's 'allsaid'")
    if misfit:
        raise UserError(f"{path} isn't what it should be: {misfit}.")
    version = origin.get("version")
    if version != wanted:
        found = f"says it is '{version}'" if version else "names no kind of Allsaid model in its header"
        raise UserError(f"{path} {found}, but {CONFIG} and this version of Allsaid ask for '{wanted}'.")


def _check_sizes(path: Path, sizes: Mapping[str, list[int]], sketch: nn.Module) -> None:
    model = {name: list(tensor.shape) for name, tensor in sketch.state_dict().items()}
    for name in sorted(model.keys() | sizes.keys()):
        if sizes.get(name) != model.get(name):
            raise UserError(
                f"{path} doesn't fit {CONFIG} and {VOCABULARY} beside it: '{name}' is {_size(sizes.get(name))}, but "
                f"they ask for {_size(model.get(name))}. Either a file was changed, or the code of this kind of model "
                "has changed since it was trained."
            )


def _size(shape: list[int] | None) -> str:
    return "nothing" if shape is None else " x ".join(map(str, shape))
