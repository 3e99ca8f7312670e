"""Generate hypotheses for prompts in the same way for training, scoring and the batch job."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.decoding import certified
from allsaid.decoding.editing.provenance import provenance
from allsaid.decoding.editing.write import EditedPrototype, RecipeEditor
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured, measure_of
from allsaid.decoding.search import Searcher
from allsaid.decoding.step.ban import first_banned
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.vocabulary import UNKNOWN
from allsaid.modeling.models.base.contract import AssemblesTexts, EditsTexts
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import ReadsRows, WritesTexts
from schemas.errors import UserError
from schemas.example import LINE_BREAK, NO_ITEM

AGENDA_SETTINGS = (  # settings that need a row's goal and agenda
    "min_coverage",
    "banks",
    "assemble",
    "rewrites",
    "variety",
    "once_a_list",
    "shortlist",
    "supported_numbers_only",
)
EDIT_ONLY_SETTINGS = ("max_copied", "min_confidence")  # only for models that edit training recipes
EDIT_SETTINGS = (*EDIT_ONLY_SETTINGS, "texts", "min_coverage", "width", "search_batch")  # all that such models use
PIECE = 500  # rows searched between two updates of a progress bar


def write(
    bundle: Bundle,
    prompts: Sequence[Prompt],
    search: SearchConfig,
    banned: tuple[str, ...] = (),
    measure: Measured | None = None,
) -> list[list[Hypothesis]]:
    """Generate the hypotheses of some prompts in one search, best first for each prompt.

    A prompt has no hypotheses if the ``banned`` phrases and the mapping's forbidden claims rule out every word, or if
    the phrasebook of an assembling model has no sentence for it.

    With a coverage bound, hypotheses are sorted by ``measure``: by items covered, then by extra items, faults and
    probability. By default, the certificate measures coverage if the model has a phrasebook. Without one, the names of
    the items are searched in the text. A row of a table is split into several sentences if it has more values than
    texts usually have, or if its text would be wrong otherwise.
    """
    check_model(bundle, search, banned)
    banned = (*banned, *bundle.forbidden)
    measure = measure or Measured(measure_of(bundle))
    if isinstance(bundle.model, EditsTexts):
        return _edited(bundle, prompts, search, banned, measure)
    searcher = Searcher(bundle, search, banned, measure, bundle.says_goals)
    if bundle.certifier is not None and (search.is_banked or isinstance(bundle.model, AssemblesTexts)):
        return certified.write(searcher, prompts)
    return searcher.write_all(prompts)


def _edited(
    bundle: Bundle, prompts: Sequence[Prompt], search: SearchConfig, banned: tuple[str, ...], measure: Measured
) -> list[list[Hypothesis]]:
    """Return the edits of the nearest training recipes of each prompt, best first."""
    assert bundle.prototypes is not None
    editor = RecipeEditor(bundle.prototypes, bundle.lexicon, search.width, measure)
    by_prompt = []
    for prompt in prompts:
        by_prompt.append([_edited_text(edit, prompt, bundle) for edit in editor.edits(prompt) if _allows(edit, banned)])
    return by_prompt


def _allows(edit: EditedPrototype, banned: tuple[str, ...]) -> bool:
    return first_banned(" ".join(word for word in edit.words if word != LINE_BREAK), banned) is None


def _edited_text(edit: EditedPrototype, row: Prompt, bundle: Bundle) -> Hypothesis:
    known = bundle.vocabularies.text.ids
    copy_ids = bundle.text_task.own_ids(row, bundle.vocabularies)
    items = [NO_ITEM] * len(edit.words)
    for item, mentions in enumerate(edit.coverage.mentions[: len(row.agenda)]):
        for position in mentions:
            items[position] = item
    return Hypothesis(
        [known[word] if word in known else copy_ids.get(word, UNKNOWN) for word in edit.words],
        items,
        0.0,
        sorted({*items} - {NO_ITEM}),
        finished=True,
        penalised=False,
        edited=provenance(edit, bundle.config.model.licence),
    )


def check_model(bundle: Bundle, search: SearchConfig, banned: tuple[str, ...] = ()) -> None:
    """Raise UserError if the model can't generate texts with these search settings."""
    check_rows(bundle.text_task, search, banned)
    for name, default in vars(SearchConfig()).items():
        if getattr(search, name) == default:
            continue
        if name in EDIT_ONLY_SETTINGS and not bundle.edits:
            raise UserError(f"The setting '{name}' is for models that edit training recipes. Leave it out.")
        if bundle.edits and name not in EDIT_SETTINGS:
            raise UserError(
                f"The setting '{name}' is for models that generate texts word by word. This model edits training "
                "recipes. Leave the setting out."
            )
    if isinstance(bundle.model, AssemblesTexts) and bundle.phrasebook is None:
        raise UserError(
            "The model assembles its texts from a phrasebook, but it has none, since its training texts have no "
            "placeholders for values. Train another kind of model on this data set."
        )


def check_rows(task: WritesTexts, search: SearchConfig, banned: tuple[str, ...]) -> None:
    """Raise UserError if a search setting does not apply to the model's task."""
    if isinstance(task, ReadsRows):
        changed = [name for name in AGENDA_SETTINGS if getattr(search, name) != getattr(SearchConfig(), name)]
        unsupported = [*(name for name in changed if name not in task.settings), *(["ban"] if banned else [])]
        if unsupported:
            raise UserError(
                f"The setting '{unsupported[0]}' needs a row's goal and agenda, which the rows of the task '{task}' do "
                "not have. Leave it out."
            )
    if search.rewrites and not task.weighs_items:
        raise UserError(
            f"The setting 'rewrites' gives more weight to missing items, which the task '{task}' does not support. "
            "Leave it out. Use 'min_coverage' to require items."
        )
