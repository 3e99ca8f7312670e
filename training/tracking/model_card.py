"""The description of a registered version: a model card in Markdown, from its training run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from allsaid.markdown import table
from allsaid.modeling.tasks.choose import task_of_run
from allsaid.modeling.tasks.contract import ReadsRows, RefersToTable, Task, WritesTexts

if TYPE_CHECKING:
    from training.tracking.connection import Run

LIMIT = 5000  # most characters in MLflow's database
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

# Parts of the card of a model that writes texts, and of one that measures them.
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

# Parts of the card of a writing model: for agendas, for a user's table, and for rows of a task's own.
AGENDA = {
    "row": "a goal and an agenda so that the text gives every item of the agenda",
    "input": "agendas.jsonl",
    "rows": 'pandas.DataFrame([{"goal": "salsa", "agenda": ["2 tomatoes, chopped", "1 onion"]}])',
    "limits": """- An item counts as given by a match of words: "the fish" is no salmon.
- Words that are on no agenda of the training part are read as unknown; texts are English.""",
}
TABLE = {
    "row": "a row of a table so that the text gives each of its values",
    "input": "table.csv",
    "rows": 'pandas.read_csv("table.csv", dtype=str)  # with the columns of the table that the model learned',
    "limits": """- A value counts as given if the text has it as the table writes it, or in a usual spelling.
- A column without a value in the training part is never mentioned.""",
}
OWN = {
    "row": "each row that a model of this kind reads",
    "input": "rows.jsonl",
    "rows": 'pandas.read_json("rows.jsonl", lines=True)',
    "limits": "- A copied word is in its row; nothing checks that it is the right one.",
}
OF_DIALOGUE = {"use": WRITES["use"].partition("\nmlflow models serve")[0] + "\n```"}  # served rows have no table


def write(run: Run, name: str, version: str) -> str:
    """Return the card of a version; ``run`` is its training run in MLflow."""
    params, metrics = run.data.params, run.data.metrics
    task = task_of_run(params)
    writes = isinstance(task, WritesTexts)
    facts = (TABLE if params.get("table") == "True" else OWN if isinstance(task, ReadsRows) else AGENDA) | {
        "name": name,
        "version": version,
        "texts": f"{metrics.get('final_texts', 0):.0f}",
        "width": params.get("width", "unknown"),
    }
    parts = WRITES if writes else MEASURES
    if isinstance(task, RefersToTable):
        parts, facts["input"] = parts | OF_DIALOGUE, "rows.jsonl --table offers.csv"
    columns = ["figure", "model", "reference texts"] if writes else ["figure", "model"]
    card = CARD.format(
        name=name,
        version=version,
        kind=params.get("kind", "unknown"),
        data=_data(run),
        counts=table(["what", "count"], [[label, params[key]] for key, label in COUNTS.items() if key in params]),
        figures=table(columns, [row[: len(columns)] for row in _figures(task, metrics)]),
        **{part: text.format(**facts) for part, text in parts.items()},
        settings=", ".join(f"`{key}` {value}" for key, value in sorted(params.items()) if key not in COUNTS),
    )
    return card if len(card) <= LIMIT else card[: LIMIT - 1] + "…"


def _data(run: Run) -> str:
    datasets = [entry.dataset for entry in (run.inputs.dataset_inputs if run.inputs else ())]
    fingerprint = run.data.tags.get("dataset_fingerprint", "")
    descriptions = [
        f"`{data.name}` of {json.loads(data.source)['uri']}, fingerprint {fingerprint or data.digest}"
        for data in datasets
    ]
    code = run.data.tags.get("mlflow.source.git.commit", "unknown")
    return f"{'; '.join(descriptions) or 'No data set is recorded'}. Run {run.info.run_id}, code {code}."


def _figures(task: Task, metrics: Mapping[str, float]) -> list[list[str]]:
    """Return the rows of the table of a training run's final figures, without the number of texts."""
    rows = []
    for key, figure in task.figures.items():
        if key != "texts" and f"final_{key}" in metrics:
            ours, true = metrics[f"final_{key}"], metrics.get(f"true/{key}")
            rows.append([f"{figure.name}, `{key}`", figure.show(ours), figure.show(true)])
    return rows
