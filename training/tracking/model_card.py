"""The description of a registered version: a card made from its run, in Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from allsaid.markdown import table
from allsaid.modeling import systems

LIMIT = 5000  # characters that MLflow's database holds
COUNTS = {
    "train_examples": "training examples",
    "train_texts_cut": "of them cut at `max_text` tokens",
    "dev_examples": "dev examples",
    "text_words": "words of the texts",
    "agenda_words": "words of the agendas",
    "parameters": "parameters",
}
CARD = """# {name}, version {version}

{purpose} Model: {kind}, trained with Allsaid.

## Data

{data}

{counts}

## Figures on dev

{measured} The figures of another part come from `allsaid evaluate`.

{figures}

## How to use it

{use}

## Limits

{limits}

## Settings

{settings}
"""

# What is said of a model that writes texts, and of one that measures them.
WRITES = {
    "purpose": "Writes one text for {row}.",
    "measured": """{texts} texts of the data set's dev part, which also chose the best epoch; beam search of width
{width}.""",
    "use": """```
allsaid generate --model models:/{name}/{version} --input {input} --output texts
mlflow models serve -m models:/{name}/{version} --env-manager local
```

In Python, where Allsaid is installed:

```python
import mlflow
import pandas

rows = {rows}
texts = mlflow.pyfunc.load_model("models:/{name}/{version}").predict(rows)
```""",
    "limits": """{limits}
- Nothing checks that a text is true or safe beyond its items: read it before you publish it.""",
}
MEASURES = {
    "purpose": "Measures how probable the words of a text are, and writes none.",
    "measured": "{texts} texts of the data set's dev part, which also chose the best epoch.",
    "use": """```
allsaid evaluate models:/{name}/{version} --data DATA
```""",
    "limits": """- Its perplexities can't be compared with those of another vocabulary or data set.""",
}

# What is said of a model that writes: of agendas, of a user's table, and of a task that reads rows of its own.
AGENDA = {
    "row": "a goal and an agenda so that every item of the agenda is said",
    "input": "agendas.jsonl",
    "rows": 'pandas.DataFrame([{"goal": "salsa", "agenda": ["2 tomatoes, chopped", "1 onion"]}])',
    "limits": """- An item counts as given by a match of words: "the fish" is no salmon.
- What stands on no agenda of the training part is read as an unknown word; texts are English.""",
}
TABLE = {
    "row": "a row of a table so that every value of it is said",
    "input": "table.csv",
    "rows": 'pandas.read_csv("table.csv", dtype=str)  # with the columns of the table that the model learned',
    "limits": """- A value counts as given where it stands in the text as the table has it, or in a usual spelling.
- A column without a value in the training part is never said.""",
}
OWN = {
    "row": "each row that a model of this kind reads",
    "input": "rows.jsonl",
    "rows": 'pandas.read_json("rows.jsonl", lines=True)',
    "limits": "- A word that is copied stands in its row; nothing checks that it is the right one.",
}
OF_DIALOGUE = {"use": WRITES["use"].partition("\nmlflow models serve")[0] + "\n```"}  # of a table that no row holds


def write(run: Any, name: str, version: str) -> str:
    """The card of a version; ``run`` is its training run as MLflow has it."""
    params, metrics = run.data.params, run.data.metrics
    writes, is_own = systems.writes_texts(params), systems.reads_own_rows(params)
    facts = (TABLE if params.get("table") == "True" else OWN if is_own else AGENDA) | {
        "name": name,
        "version": version,
        "texts": f"{metrics.get('final_texts', 0):.0f}",
        "width": params.get("width", "unknown"),
    }
    parts = WRITES if writes else MEASURES
    if systems.speaks_of_table(params):
        parts, facts["input"] = parts | OF_DIALOGUE, "rows.jsonl --table offers.csv"
    columns = ["figure", "model", "true texts"] if writes else ["figure", "model"]
    card = CARD.format(
        name=name,
        version=version,
        kind=params.get("kind", "unknown"),
        data=_data(run),
        counts=table(["what", "count"], [[told, params[key]] for key, told in COUNTS.items() if key in params]),
        figures=table(columns, [row[: len(columns)] for row in _figures(params, metrics)]),
        **{part: said.format(**facts) for part, said in parts.items()},
        settings=", ".join(f"`{key}` {value}" for key, value in sorted(params.items()) if key not in COUNTS),
    )
    return card if len(card) <= LIMIT else card[: LIMIT - 1] + "…"


def _data(run: Any) -> str:
    given = [one.dataset for one in run.inputs.dataset_inputs]
    fingerprint = run.data.tags.get("dataset_fingerprint", "")
    named = [
        f"`{one.name}` of {json.loads(one.source)['uri']}, fingerprint {fingerprint or one.digest}" for one in given
    ]
    code = run.data.tags.get("mlflow.source.git.commit", "unknown")
    return f"{'; '.join(named) or 'No data set is recorded'}. Run {run.info.run_id}, code {code}."


def _figures(params: Mapping[str, str], metrics: Mapping[str, float]) -> list[list[str]]:
    """The figures that a training run ended with, but their number of texts."""
    rows = []
    for key, figure in systems.task_of_run(params).FIGURES.items():
        if key != "texts" and f"final_{key}" in metrics:
            ours, true = metrics[f"final_{key}"], metrics.get(f"true/{key}")
            rows.append([f"{figure.name}, `{key}`", figure.show(ours), figure.show(true)])
    return rows
