"""The keys of a mapping's YAML file and of its columns, with what they mean (docs/mapping.md)."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.sources.mappings import DEFAULT_MISSING

VALUE, LIST, YES_NO, NUMBER, IGNORED = "value", "list", "yes/no", "number", "ignored"
NOT_A_NUMBER, NOT_YES_OR_NO = "not_a_number", "not_yes_or_no"
# Kind -> the finding for a cell that does not fit the kind.
FINDINGS: Mapping[str, str] = {NUMBER: NOT_A_NUMBER, YES_NO: NOT_YES_OR_NO}
_SAY = {"say": "a sentence with `{}` for the value, used if the training texts have none; `{goal}` is the goal"}
_SAID = {"said": "other phrases that texts use for a value; several values may share a phrase"}
_NEVER = {
    "never": "words and phrases that do not count as a mention of the column, though its name, a related word or many "
    "texts suggest it"
}
_OPTIONAL = {
    "may_omit": "`true`: texts may leave the value out, but a wrong value is still reported",
    "optional": "`true`: a table may lack the column",
    "was": "its names in older tables",
}
# Kind -> the keys of such a column except ``kind``, with their meaning.
OPTIONS: Mapping[str, Mapping[str, str]] = {
    VALUE: _SAID | _NEVER | _SAY | _OPTIONAL,
    LIST: {"separator": "the mark between elements of a cell; by default `;`, a bar or a line break in it, else `,`"}
    | _SAID
    | _NEVER
    | _SAY
    | _OPTIONAL,
    YES_NO: {
        "also": "words by which texts mention the column, in addition to those of its name",
        "said": "phrases that mean `yes` or `no`; a negated phrase for `yes` means `no`, a phrase for `no` is never "
        "reversed",
        **_NEVER,
        "say": "sentences for `yes` and `no`, used if the training texts have none; `{goal}` is the goal",
    }
    | _OPTIONAL,
    NUMBER: {
        "unit": "the unit, if cells have none",
        "also": "other ways to write the unit, and words that occur next to the number, such as `guarantee` for "
        "`warranty`",
        "decimal": "the decimal separator of its cells, `.` or `,`; by default detected from cells and texts",
        "within": "the percentage by which a text's number may differ from the row's, for example since it is rounded",
    }
    | _SAID
    | _SAY
    | _OPTIONAL,
    IGNORED: {},
}
KEYS: Mapping[str, str] = {
    "id": "the column that identifies a row; by default, rows are identified by a hash of their content and place",
    "goal": "the column with the kind of thing that a row is",
    "text": "the column of the texts to learn from, by default `text`; new rows need none",
    "columns": "the columns that texts express. List the goal's column here if texts must name it; never list the "
    "text's column",
    "delimiter": "the mark between the cells of a CSV file; by default found from the first rows",
    "missing": "cells that count as empty; by default " + ", ".join(f"`{cell}`" for cell in DEFAULT_MISSING),
    "rewrite": "synonyms in texts and values: the single word on the left is read as the words on the right",
    "claims": "claims that no column supports (`train` lists those that recur in training texts). Texts may make those "
    "under `allowed`, and the report marks them; they may not make those under `forbidden`",
    "repair": "`true`: damaged text is repaired, such as `CafÃ©` or `<U+2153>`",
    "language": "the language of the texts, such as `de`; by default, detected as English or not. With `de`, `fr` or "
    "`es` values are also found with endings (`ein grünes Zelt`). With `de` or `fr` texts are split by the rules of "
    "that language (`d'acier`)",
    "decimal": "the decimal separator of texts and cells, `.` or `,`; by default detected from them, else from "
    "`language`",
}
