"""Options of requirements on texts, shared by `generate` and `prove`."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.options import option

TEXTS = "Texts"  # section of the help


@dataclass(frozen=True, kw_only=True)
class RequirementOptions:
    """What each text must have, apart from its row."""

    require: str = option(
        "A YAML file of phrases that texts must have, by goal; `all` for every row.", "", section=TEXTS
    )
    max_characters: int | None = option(
        "Longest text, in characters. A longer one is never cut: it is reported.", None, section=TEXTS, low=1
    )
