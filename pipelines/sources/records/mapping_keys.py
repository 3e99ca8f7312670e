"""The keys of a mapping's YAML file and of its columns, with what they mean (docs/mapping.md)."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.sources.mappings import DEFAULT_MISSING

VALUE, LIST, YES_NO, NUMBER, IGNORED = "value", "list", "yes/no", "number", "ignored"
NOT_A_NUMBER, NOT_YES_OR_NO = "not_a_number", "not_yes_or_no"
# Kind -> the finding in a cell that the kind can't hold.
FINDINGS: Mapping[str, str] = {NUMBER: NOT_A_NUMBER, YES_NO: NOT_YES_OR_NO}
_SAY = {"say": "a sentence with `{}` for the value, used if the training texts have none; `{goal}` is the goal"}
_SAID = {"said": "other words for a value, with which texts express it, too; a phrase may be that of several values"}
_OPTIONAL = {"optional": "`true`: a table may lack the column", "was": "its names in older tables"}
# Kind -> the keys of such a column besides ``kind``, with their meaning.
OPTIONS: Mapping[str, Mapping[str, str]] = {
    VALUE: _SAID | _SAY | _OPTIONAL,
    LIST: {"separator": "the mark between elements of a cell; by default `;` or a bar where one is, else `,`"}
    | _SAID
    | _SAY
    | _OPTIONAL,
    YES_NO: {
        "also": "words by which texts mention it, beside those of its name",
        "said": "phrases that mean `yes` or `no`, whatever negations are near them",
        "say": "sentences for `yes` and `no`, used if the training texts have none; `{goal}` is the goal",
    }
    | _OPTIONAL,
    NUMBER: {
        "unit": "the unit, if cells have none",
        "also": "other ways to write the unit",
        "decimal": "the mark before decimals in its cells, `.` or `,`; by default the cells and texts decide",
        "within": "the percentage by which a text's number may differ from the row's, as rounded numbers do",
    }
    | _SAID
    | _SAY
    | _OPTIONAL,
    IGNORED: {},
}
KEYS: Mapping[str, str] = {
    "id": "the column that identifies a row; without it the row's content and place do",
    "goal": "the column with the kind of thing that a row is",
    "text": "the column of the texts to learn from, by default `text`; new rows need none",
    "columns": "the columns that texts express; the goal's column is one only if it is here as well, the text's never",
    "delimiter": "the mark between the cells of a CSV file; by default found from the first rows",
    "missing": "marks of an empty cell, in place of " + ", ".join(f"`{one}`" for one in DEFAULT_MISSING),
    "rewrite": "words of texts and values that mean the same: the left one is read as the right one",
    "claims": "claims that recur in training texts and that no column supports (`train` lists them); texts may make "
    "those under `allowed`, which the report marks, and never make those under `forbidden`",
    "repair": "`true`: damaged text is repaired, such as `CafÃ©` or `<U+2153>`",
    "language": "the language of the texts, such as `de`; by default their words show whether they are English; with "
    "`de`, `fr` or `es` values are also found with endings (`ein grünes Zelt`), and with `de` or `fr` texts are split "
    "by the rules of that language (`d'acier`)",
    "decimal": "the mark before decimals in texts and cells, `.` or `,`; by default they decide, then `language`",
}
