"""The card beside a data set: what it says comes from the manifest, and its header is one that Hugging Face reads."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import yaml

from pipelines import sources
from pipelines.datasets import card
from pipelines.fetching.corpora import CORPORA
from pipelines.sources.wikibio.source import WikiBio
from schemas.runs.manifest import Manifest

MANIFEST = Manifest(
    run="20261121T101010Z-0a1b2c3d",
    source="wikibio",
    created="2026-11-21T10:10:10Z",
    settings={"number": "<num>", "min_sentences": 1, "words": "/home/someone/words.txt"},
    unit="boxes",
    inputs=[
        {"file": "/home/someone/dumps/a.zip", "more": 0, "read": 1200},
        {"file": "/home/someone/dumps/b.zip", "more": 2, "read": 34},
    ],
    shards=[],
    files={
        "rejected": [{"path": "rejected/part-0.parquet", "rows": 3}, {"path": "rejected/part-1.parquet", "rows": 1}],
        "boxes": [
            {"path": "boxes/split=train/part-0.parquet", "rows": 1000},
            {"path": "boxes/split=train/part-1.parquet", "rows": 30},
            {"path": "boxes/split=test/part-0.parquet", "rows": 200},
        ],
        "phrases": [{"path": "phrases.parquet", "rows": 7}],
        "acts": [{"path": "acts.parquet", "rows": 0}],
    },
    read=1234,
    kept=1230,
    rejected={"read": {"no_colon": 3}, "clean": {"too_long": 1}},
    splits={"train": 1030, "test": 200},
    statistics={
        "figures": {"train": {"tokens": {"sum": 26123, "mean": 25.3621, "p5": 9, "p95": 46, "max": 1203}}},
        "vocabularies": {"text": {"seen 1": 12345, "unknown share": 0.0123}},
        "found": {"name | title": 0.91},
    },
    losses=["/home/someone/dumps/b.zip is cut off after 5 bytes; the rest is lost."],
    fingerprint="00ff",
)


def header(text: str) -> dict[str, Any]:
    found = re.match(r"---\n(.*?)---\n\n", text, flags=re.DOTALL)
    assert found
    values = yaml.safe_load(found[1])
    assert isinstance(values, dict)
    return values


def test_the_header_names_licence_size_and_files() -> None:
    assert header(card.render(MANIFEST, WikiBio.handling)) == {
        "pretty_name": "wikibio, as read by Allsaid",
        "license": "cc-by-sa-3.0",
        "task_categories": ["table-to-text", "text-generation"],
        "tags": ["allsaid"],
        "size_categories": ["1K<n<10K"],
        "configs": [
            {
                "config_name": "boxes",
                "data_files": [
                    {"split": "test", "path": ["boxes/split=test/*.parquet"]},
                    {"split": "train", "path": ["boxes/split=train/*.parquet"]},
                ],
                "default": True,
            },
            {"config_name": "phrases", "data_files": [{"split": "train", "path": ["phrases.parquet"]}]},
            {"config_name": "rejected", "data_files": [{"split": "train", "path": ["rejected/*.parquet"]}]},
        ],
    }


def test_the_card_has_counts_splits_and_licence() -> None:
    text = card.render(MANIFEST, WikiBio.handling)
    for line in (
        "# wikibio, as read by Allsaid",
        "Records read: 1,234; kept: 1,230; rejected: 4 (0.3%).",
        "| `boxes` | 1,230 |",
        "| `rejected` | 4 |",
        "| `a.zip` | 1,200 |",
        "| clean | too_long | 1 |\n| read | no_colon | 3 |",
        "- b.zip is cut off after 5 bytes; the rest is lost.",
        "| number | `<num>` |",
        "| words | `words.txt` |",
        "As the corpus gives them; its `valid` is `dev` here.",
        "| test | 200 |\n| train | 1,030 |",
        "| train | tokens | 25.3621 | 9 | 46 | 1,203 |",
        "| vocabularies: text: seen 1 | 12,345 |",
        "| found: name \\| title | 0.91 |",
        "Creative Commons Attribution-ShareAlike 3.0 (https://creativecommons.org/licenses/by-sa/3.0/).",
        "```bibtex\n@inproceedings{lebret-etal-2016-neural,\n  author = {Rémi Lebret and David Grangier and",
    ):
        assert line in text
    headings = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    assert headings == ["Counts", "Cleaning", "Splits", "Statistics", "Licence and citation"]
    assert "/home" not in text
    assert "\n\n\n" not in text


def test_a_card_is_a_function_of_the_manifest() -> None:
    assert card.render(MANIFEST, WikiBio.handling) == card.render(
        Manifest.from_json(MANIFEST.to_json(), "here"), WikiBio.handling
    )


def test_a_table_of_ones_own_has_no_licence_of_ours() -> None:
    text = card.render(
        replace(MANIFEST, source="records", losses=[], rejected={}, statistics={"figures": {}}, inputs=[]),
        WikiBio.handling,
    )
    assert header(text)["license"] == "unknown"
    assert "Allsaid does not know them." in text
    assert "bibtex" not in text
    assert "rejected because" not in text
    assert "What could not be read" not in text


def test_many_inputs_are_added_up() -> None:
    inputs = [{"file": f"s3://kitchen/{number}.mmf", "more": 0, "read": 2} for number in range(25)]
    text = card.render(replace(MANIFEST, inputs=inputs), WikiBio.handling)
    assert "| `19.mmf` | 2 |\n| 5 more files | 10 |\n" in text
    assert "`20.mmf`" not in text


@pytest.mark.parametrize(
    ("kept", "size"), [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (728_321, "100K<n<1M"), (2_000_000, "1M<n<10M")]
)
def test_sizes(kept: int, size: str) -> None:
    assert header(card.render(replace(MANIFEST, kept=kept), WikiBio.handling))["size_categories"] == [size]


def test_every_public_corpus_has_its_source() -> None:
    assert {corpus.name for corpus in CORPORA} == {*sources.names()} - {"records", "dialogues", "parallel"}
