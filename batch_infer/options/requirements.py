"""Options of requirements on texts, shared by `generate` and `prove`."""

from __future__ import annotations

from dataclasses import dataclass, fields

from allsaid.options import option
from allsaid.settings import check_range

TEXTS = "Texts"  # section of the help


@dataclass(frozen=True, kw_only=True)
class RequirementOptions:
    """Requirements on each text, whoever its author is."""

    min_coverage: float | None = option(
        "% of its items that each text must give; others are flagged. [default: the model's, or 0]",
        None,
        section=TEXTS,
        low=0,
        high=100,
    )
    require: str = option(
        "A YAML file of phrases that texts must have, by goal; `all` for every row.", "", section=TEXTS
    )
    max_characters: int | None = option(
        "Longest text, in characters. A longer one is never cut: it is reported.", None, section=TEXTS, low=1
    )

    def __post_init__(self) -> None:
        """Check the numbers of options that Python code gives; raise UserError for one outside its range."""
        for item in fields(self):
            if isinstance(value := getattr(self, item.name), int | float):
                check_range(item, value, f"'{item.name}'")
