"""The settings of a writer, apart from the rows; the job sends them to its workers."""

from __future__ import annotations

from dataclasses import dataclass, field

from allsaid.decoding.step import ban
from allsaid.decoding.write import check_model
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.models.base.contract import ShowsAttention
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.proof.forms import review
from allsaid.proof.forms.clauses import Form
from batch_infer.options.texts import TextOptions
from batch_infer.proof import requirements
from batch_infer.proof.requirements import Requirements
from batch_infer.rows.earlier import Index
from schemas.errors import UserError


@dataclass(frozen=True)
class WriterSettings:
    """All that a worker needs to generate texts, apart from the rows."""

    search: SearchConfig
    name: str = ""  # the registered model, written to each text's row
    version: str = ""
    device: str = "cpu"
    precision: str | None = None
    sentence_case: bool = False
    requirements: Requirements = field(default_factory=Requirements)
    banned: tuple[str, ...] = ()  # phrases that must not be written
    struck: frozenset[Form] = frozenset()  # clauses that must not be used
    refuse_unfamiliar: bool = False
    attention: bool = False
    earlier: Index | None = None  # rows whose texts are reused


def settings_of(
    options: TextOptions,
    bundle: Bundle,
    name: str = "",
    version: str = "",
    device: str = "cpu",
    precision: str | None = None,
) -> WriterSettings:
    """Return the settings of a writer: the model's own settings, overridden by the options.

    Reads the files that the options name. Raises UserError for an invalid file, and for an option that does not apply
    to the model.
    """
    if options.attention and not isinstance(bundle.model, ShowsAttention):
        raise UserError(
            f"A model of kind '{bundle.config.model.kind}' does not show what it looks at. Leave --attention out."
        )
    search = options.search(bundle.config.search, device)
    banned = ban.read(options.ban) if options.ban is not None else ()
    check_model(bundle, search, banned)
    return WriterSettings(
        search,
        name,
        version,
        device,
        precision,
        sentence_case=options.sentence_case,
        requirements=requirements.read(options.require, options.max_characters),
        banned=banned,
        struck=review.strike(bundle.phrasebook, options.phrasebook).struck if options.phrasebook else frozenset(),
        refuse_unfamiliar=options.refuse_unfamiliar,
        attention=options.attention,
    )
