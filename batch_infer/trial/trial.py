"""Trial of a loaded model: turn the values typed into its form into texts as cards, or into an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from allsaid.modeling.models.base.contract import ShowsAttention
from allsaid.modeling.saved.model_folder import load
from batch_infer.job.prepared import table_of
from batch_infer.options.texts import TextOptions
from batch_infer.report.cards import Card, card
from batch_infer.report.heatmap import draw
from batch_infer.rows.given import form_of
from batch_infer.rows.inputs import Row
from batch_infer.rows.kinds.form import ROW, Field, FieldFault, values_of
from batch_infer.rows.kinds.tables import mapping_of
from batch_infer.rows.kinds.turns import TableFile
from batch_infer.trial.options import SEARCH, Option, default_values, options_of, with_typed
from batch_infer.writer import Writer
from batch_infer.writer.settings import WriterSettings, settings_of
from schemas.errors import UserError
from schemas.texts.attention import Attention
from training.tracking.registry import resolve


@dataclass(frozen=True)
class Trial:
    """A model and its form."""

    writer: Writer  # with the model's own search settings
    fields: Sequence[Field]
    options: Sequence[Option]
    table: TableFile | None

    @property
    def kind(self) -> str:
        return str(self.writer.bundle.config.model.kind)

    @property
    def at_first(self) -> dict[str, str]:
        """The initial values of the form."""
        return {**{ROW + field.name: field.example for field in self.fields}, **default_values(self.options)}


@dataclass(frozen=True)
class Answer:
    """Texts of a row, best first, or the row's fault."""

    cards: Sequence[Card] = ()
    seconds: float = 0.0  # spent on decoding
    wanted: int = 0  # number of texts requested
    fault: str = ""  # a sentence
    field: str = ""  # the field at fault, if known


def open_trial(model: str, table: str, device: str) -> Trial:
    """Load a model; raise UserError if there is none, or if it generates no texts."""
    found = resolve(model)
    bundle = load(found.folder, device)
    options = TextOptions(attention=isinstance(bundle.model, ShowsAttention))
    return Trial(
        writer=Writer(bundle, settings_of(options, bundle, found.name, found.version, device)),
        fields=form_of(bundle),
        options=options_of(bundle),
        table=table_of(table, bundle),
    )


def write(trial: Trial, typed: Mapping[str, str]) -> Answer:
    """Generate texts for the typed values, by the names of the form's fields."""
    try:
        _check_names(trial, typed)
        (row,) = trial.writer.read([values_of(trial.fields, typed)], trial.table)
        row = replace(row, id="")  # an id would be shown
        return _write(trial, row, with_typed(trial.writer.settings, trial.options, typed))
    except FieldFault as fault:
        return Answer(fault=str(fault), field=fault.name)
    except UserError as fault:
        return Answer(fault=str(fault))


def _check_names(trial: Trial, typed: Mapping[str, str]) -> None:
    known = {ROW + field.name for field in trial.fields} | {SEARCH + option.key for option in trial.options}
    for name in typed:
        if name not in known:
            raise UserError(
                f"The form of this model has no field '{name}'. Open the page anew: it may show another model's form."
            )


def _write(trial: Trial, row: Row, settings: WriterSettings) -> Answer:
    bundle = trial.writer.bundle
    results = Writer(bundle, settings).make([row])
    ((texts, _),) = results.proven
    if texts[0].error:
        return Answer(fault=texts[0].error)
    attention = results.attention or [Attention([])] * len(texts)
    mapping = mapping_of(bundle.mapping) if bundle.mapping else None
    cards = [
        replace(card(text, mapping), picture=draw(seen, text)) for text, seen in zip(texts, attention, strict=True)
    ]
    return Answer(cards, results.seconds, settings.search.texts)
