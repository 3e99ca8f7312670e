"""Options of texts, shared by `generate`, `nightly`, the page of `try`, pyfunc and notebooks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from allsaid.modeling.config import SearchConfig
from allsaid.options import option
from batch_infer.options.requirements import TEXTS, RequirementOptions

MIN_GPU_BATCH = 256  # least number of rows decoded at once on a GPU: batches sized for a CPU leave it idle


@dataclass(frozen=True, kw_only=True)
class TextOptions(RequirementOptions):
    """Options of texts. None means the model's own setting of the same name, in its section `search`."""

    texts: int = option("Number of distinct texts per row.", 1, section=TEXTS, low=1)
    max_tokens: int | None = option("Longest text, in tokens. [default: the model's]", None, section=TEXTS, low=1)
    width: int | None = option(
        "Width of the beam search; of a model that edits recipes, how many it edits. [default: the model's]",
        None,
        section=TEXTS,
        low=1,
    )
    variety: bool = option("Word the texts of different rows differently, by the rows' ids.", False, section=TEXTS)
    sentence_case: bool = option("Begin sentences with a capital and end texts with a mark.", False, section=TEXTS)
    supported_numbers_only: bool = option("Write no number that the row's agenda lacks.", False, section=TEXTS)
    ban: str | None = option("A file of words and phrases that no text may have, one per line.", None, section=TEXTS)
    phrasebook: str | None = option("A reviewed phrasebook.csv; clauses with an x are not used.", None, section=TEXTS)
    refuse_unfamiliar: bool = option("Write no text for a goal that training never saw.", False, section=TEXTS)
    max_copied: float | None = option(
        "Largest share of a text's words that may be its prototype's; of a model that edits recipes. "
        "[default: the model's]",
        None,
        section=TEXTS,
        low=0,
        high=1,
    )
    min_confidence: float | None = option(
        "Least confidence in an edit, below which no text is written; of a model that edits recipes. "
        "[default: the model's]",
        None,
        section=TEXTS,
        low=0,
        high=1,
    )
    attention: bool = option(
        "Keep what the model attended to, word by word, for `allsaid report`.", False, section=TEXTS
    )

    def search(self, own: SearchConfig, device: str = "cpu") -> SearchConfig:
        """Return the settings of the search, for a model whose own settings are ``own``."""
        return replace(
            own,
            texts=self.texts,
            min_coverage=own.min_coverage if self.min_coverage is None else self.min_coverage,
            max_tokens=own.max_tokens if self.max_tokens is None else self.max_tokens,
            max_copied=own.max_copied if self.max_copied is None else self.max_copied,
            min_confidence=own.min_confidence if self.min_confidence is None else self.min_confidence,
            width=own.width if self.width is None else self.width,
            variety=self.variety or own.variety,
            supported_numbers_only=self.supported_numbers_only or own.supported_numbers_only,
            search_batch=own.search_batch if device == "cpu" else max(own.search_batch, MIN_GPU_BATCH),
        )
