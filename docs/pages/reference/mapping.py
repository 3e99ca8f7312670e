"""The keys of docs/mapping.md: every key of a mapping with its meaning and an example.

The keys and their meanings come from the sources' `mapping.py`. A key without an example raises an error, and so does
an example that can't be read.
"""

from __future__ import annotations

from typing import Any

import yaml

from allsaid import markdown
from pipelines.sources.dialogues import mapping as dialogues
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.mapping_keys import KEYS, OPTIONS

# What a shop's table needs.
COMMON = """\
id: sku
goal: category
text: description
columns:
  name: value
  colour: {kind: value, said: {grey: [anthracite]}}
  materials: {kind: list, separator: ";"}
  weight: {kind: number, unit: g, also: [grams]}
  pieces: {kind: number, unit: pieces, also: [parts]}
  wicks: {kind: number, said: {1: [a lone wick]}}
  washable: {kind: yes/no, also: [laundry], said: {no: [spot clean only]}}
  supplier: ignored
"""

# A mapping with every key; the tables take their examples from it.
EXAMPLE = """\
id: {name: sku, was: [article]}
goal: category
text: description
columns:
  name: value
  colour: {kind: value, was: [color, shade], never: [golden]}
  warranty: {kind: value, optional: true}
  edition: {kind: value, may_omit: true}
  price_range: {kind: value, said: {cheap: [inexpensive, less than £20]}}
  origin: {kind: value, say: "It is made in {}."}
  materials: {kind: list, separator: ";", said: {oak: [oak wood]}, say: "It is made of {}."}
  price: {kind: number, unit: EUR, also: [euros, €], decimal: ","}
  weight: {kind: number, unit: kg, within: 5%}
  seats: {kind: number, said: {1: [a single]}, say: "It seats {} people."}
  dishwasher_safe: {kind: yes/no, also: [dishwasher], said: {no: [wash it by hand]}}
  assembly_needed: {kind: yes/no, also: [assembly, flat-packed], never: [need]}
  whistle: {kind: yes/no, say: {yes: It has a whistle., no: It has no whistle.}}
  internal_note: ignored
delimiter: ";"
missing: [n/a, "-"]
rewrite: {st: street}
claims: {allowed: [a small workshop], forbidden: [easy to carry]}
repair: true
language: en
decimal: "."
"""

CONVERSATIONS = """\
dialogue: session
speaker: author
text: message
machine: Agent
names: [hotel, phone]
missing: [n/a, "-"]
"""


def common() -> str:
    """Return the example for a shop as YAML; raise UserError if it is not a valid mapping."""
    parse_mapping(yaml.safe_load(COMMON), "the first example of docs/mapping.md")
    return f"```yaml\n{COMMON}```"


def example() -> str:
    """Return the example as YAML; raise UserError if it is not a valid mapping."""
    parse_mapping(yaml.safe_load(EXAMPLE), "the example of docs/mapping.md")
    return f"```yaml\n{EXAMPLE}```"


def keys() -> str:
    """Return every key of a mapping."""
    written = yaml.safe_load(EXAMPLE)
    found = {key: "below" if key == "columns" else _code({key: written[key]}) for key in KEYS}
    rows = [[f"`{key}`", meaning, found[key]] for key, meaning in KEYS.items()]
    return markdown.table(["key", "meaning", "example"], rows)


def conversations() -> str:
    """Return every key of a mapping of conversations; raise UserError if the example is not valid."""
    written = yaml.safe_load(CONVERSATIONS)
    dialogues.parse_mapping(written, "the example of docs/mapping.md")
    rows = [[f"`{key}`", meaning, _code({key: written[key]})] for key, meaning in dialogues.KEYS.items()]
    return markdown.table(["key", "meaning", "example"], rows)


def kinds() -> str:
    """Return every key of a column, by kind."""
    columns = yaml.safe_load(EXAMPLE)["columns"]
    rows = [
        [f"`{kind}`", f"`{option}`", meaning, _of(columns, kind, option)]
        for kind, options in OPTIONS.items()
        for option, meaning in options.items()
    ]
    return markdown.table(["kind", "key", "meaning", "example"], rows)


def _of(columns: dict[str, Any], kind: str, option: str) -> str:
    """Return a column of the example with this key, if possible of this kind."""
    having = {name: column for name, column in columns.items() if isinstance(column, dict) and option in column}
    own = {name: column for name, column in having.items() if column["kind"] == kind}
    name, column = next(iter((own or having).items()))
    return _code({name: {"kind": kind, option: column[option]}})


def _code(value: Any) -> str:
    written = yaml.safe_dump(value, allow_unicode=True, default_flow_style=True, width=200, sort_keys=False)
    written = written.replace("false: ", "no: ").replace("true: ", "yes: ")  # YAML reads "no" as a truth value
    return f"`{written.strip().removeprefix('{').removesuffix('}')}`"
