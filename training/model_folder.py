"""A trained model as files: all that generating needs, and never a pickle.

``model.safetensors`` (weights, version, origin), ``config.yaml``, ``vocabulary.json``, ``phrases.parquet``,
``lexicon.json`` (known item names and values, how words are cased), ``copies.safetensors`` (the word runs of the
training texts), and of a user's table ``mapping.yaml`` (what its columns mean).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from console import UserError
from schemas.manifest import MAPPING_NAME
from schemas.phrase import PHRASE
from schemas.table import check_schema
from training.checkpoint import write_tensors
from training.config import Config, parse_config
from training.metrics.copied import CopyIndex
from training.metrics.coverage import Lexicon
from training.metrics.inventory import Values
from training.models.checklist import Checklist
from training.models.encdec import EncDec
from training.models.sclstm import ScLstm
from training.restore import Casing
from training.vocab import Vocabularies

VERSION = 1  # of the weights' names, beside the kind of model: "checklist/1"
LEXICON_VERSION = 2  # the first had no values and said no version
MODELS: dict[str, type] = {"checklist": Checklist, "encdec": EncDec, "sclstm": ScLstm}
TextModel = Checklist | EncDec | ScLstm
WEIGHTS, CONFIG, VOCABULARY, PHRASES, LEXICON = (
    "model.safetensors",
    "config.yaml",
    "vocabulary.json",
    "phrases.parquet",
    "lexicon.json",
)
COPIES = "copies.safetensors"


@dataclass(frozen=True)
class Bundle:
    """A model with all that stands between words and its ids."""

    model: TextModel
    config: Config
    vocabularies: Vocabularies
    phrases: pa.Table  # rows of schemas.phrase, to prepare raw agendas with
    lexicon: Lexicon
    casing: Casing
    origin: Mapping[str, str]  # what it was trained on: "data_run", "data_fingerprint"
    values: Values = field(default_factory=dict)  # known values of each column; none of recipes
    mapping: str = ""  # what the columns of a user's table mean, as YAML; "" of any other source
    copies: CopyIndex | None = None  # of the training texts; a folder of an earlier version has none


def find_device(name: str) -> torch.device:
    """The device of this name; asking for a GPU that isn't there is a fault, not a hint."""
    if name == "cuda" and not torch.cuda.is_available():
        raise UserError("The device 'cuda' was asked for, but PyTorch finds no GPU here. Use --device cpu.")
    if name not in ("cpu", "cuda"):
        raise UserError(f"There is no device '{name}'; the valid ones are cpu, cuda.")
    return torch.device(name)


def build_model(config: Config, vocabularies: Vocabularies) -> TextModel:
    sizes = (len(vocabularies.text), len(vocabularies.title), len(vocabularies.agenda))
    model: TextModel = MODELS[config.model.kind](config.model, sizes, getattr(torch, config.fit.dtype))
    return model


def save(folder: Path, bundle: Bundle) -> None:
    """Write a model folder; a file that is there is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = bundle.model.state_dict()
    version = f"{bundle.config.model.kind}/{VERSION}"
    write_tensors(folder / WEIGHTS, weights, {"allsaid": json.dumps({"version": version, **bundle.origin})})
    (folder / CONFIG).write_text(bundle.config.to_yaml(), encoding="utf-8")
    _write_json(folder / VOCABULARY, bundle.vocabularies.to_json())
    pq.write_table(bundle.phrases, folder / PHRASES, compression="zstd")
    known = {"version": LEXICON_VERSION, "names": bundle.lexicon.to_json(), "values": bundle.values}
    _write_json(folder / LEXICON, known | {"casing": bundle.casing.to_json()})
    if bundle.copies is not None:
        bundle.copies.save(folder / COPIES)
    if bundle.mapping:
        (folder / MAPPING_NAME).write_text(bundle.mapping, encoding="utf-8")


def load(folder: Path, device: str = "cpu") -> Bundle:
    """Read a model folder; raises UserError where it is incomplete, damaged or of another version."""
    for name in (WEIGHTS, CONFIG, VOCABULARY, PHRASES, LEXICON):
        if not (folder / name).is_file():
            raise UserError(f"{folder} is no model folder: it has no {name}. Give the folder that training wrote.")
    found = find_device(device)
    config = parse_config((folder / CONFIG).read_text(encoding="utf-8"), str(folder / CONFIG))
    weights, origin = _read_weights(folder / WEIGHTS, f"{config.model.kind}/{VERSION}")
    lexicon = _read_lexicon(folder / LEXICON)
    mapping = (folder / MAPPING_NAME).read_text(encoding="utf-8") if (folder / MAPPING_NAME).is_file() else ""
    phrases = pq.read_table(folder / PHRASES)
    check_schema(phrases.schema, PHRASE, str(folder / PHRASES))
    try:
        vocabularies = Vocabularies.from_json(_read_json(folder / VOCABULARY))
        known, casing = Lexicon.from_json(lexicon["names"]), Casing.from_json(lexicon["casing"])
    except (KeyError, TypeError) as fault:
        raise UserError(
            f"{folder}: {VOCABULARY} or {LEXICON} lacks a part ({fault}). Train the model again."
        ) from fault
    try:
        model = build_model(config, vocabularies)
        model.load_state_dict(weights)
    except (RuntimeError, IndexError) as fault:
        raise UserError(
            f"{folder / WEIGHTS} doesn't fit {CONFIG} and {VOCABULARY} beside it. Train the model again."
        ) from fault
    model = model.to(found).eval()
    copies = CopyIndex.load(folder / COPIES) if (folder / COPIES).is_file() else None
    return Bundle(model, config, vocabularies, phrases, known, casing, origin, lexicon["values"], mapping, copies)


def _read_lexicon(path: Path) -> Any:
    """Names, values and casing; a lexicon that says no version is of the first one, which had no values."""
    found = _read_json(path)
    if not isinstance(found, dict):
        raise UserError(f"{path} holds no lexicon. Train the model again.")
    version = found.get("version", 1)
    if version not in (1, LEXICON_VERSION):
        raise UserError(
            f"{path} has version {version}, but this version of Allsaid reads {LEXICON_VERSION}. Train the model again."
        )
    return {"values": {}} | found


def _read_weights(path: Path, wanted: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    try:
        with safe_open(path, framework="pt") as file:
            # One key: safetensors writes several in a different order each time.
            origin = json.loads((file.metadata() or {}).get("allsaid", "{}"))
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  it is no dictionary
    except (SafetensorError, OSError) as fault:
        raise UserError(f"{path} is no safetensors file ({fault}). Train the model again.") from fault
    version = origin.pop("version", "of no Allsaid model")
    if version != wanted:
        raise UserError(
            f"{path} says it is '{version}', but this version of Allsaid reads '{wanted}'. Train the model again."
        )
    return weights, origin


def _write_json(path: Path, values: Any) -> None:
    path.write_text(json.dumps(values, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as fault:
        raise UserError(f"{path} is no JSON ({fault}). Train the model again.") from fault
