"""`allsaid compare` of language models: a table of perplexities, one model started from another, paired differences."""

from __future__ import annotations

import shutil
from math import exp
from pathlib import Path

import numpy as np
import pytest
from in_process import allsaid
from recorded_run import files
from small_books import make_document, publish_books

from allsaid.modeling.tasks.document import Surprise
from evaluation.compare import table
from evaluation.measures import bootstrap
from evaluation.tasks.documents import by_document
from schemas.errors import UserError
from training.tracking import connection

TABLE = """
title: Books
task: documents
split: test
figures: [perplexity, perplexity_entity, marginal, training_minutes]
systems:
  lm: {label: LSTM, config: entities, settings: [entity_states=false, SMALL], paper: {perplexity: 33.08}}
  pointer: {label: Pointer, config: entities, settings: [SMALL], start: lm}
""".replace("SMALL", "epochs=1, hidden=8, batch_size=3, text_cutoff=1")


@pytest.fixture
def books(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    parts = [make_document(number, part) for number in range(9) for part in range(2)]
    publish_books(tmp_path / "data", {"train": parts[:10], "dev": parts[10:12], "test": parts[12:]})
    shutil.copy(empty_database, tmp_path)
    (tmp_path / "books.yaml").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return tmp_path


def test_language_models_are_compared_by_perplexity(books: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert allsaid("compare", "books.yaml", "--data", "data", "--output", "out") == 0
    page = (books / "out" / "compare.md").read_text()
    assert "| LSTM |" in page and "33.08" in page and "| minutes of training |" in page
    assert "Pointer minus LSTM, in brackets the 95% bootstrap interval over the same documents: all " in page
    (run,) = (books / "out" / "runs").glob("pointer-*")
    assert "start_from: models:/books-lm/1" in (run / "config.yaml").read_text()
    assert "side by side" not in (books / "out" / "compare.html").read_text()
    capsys.readouterr()
    assert allsaid("generate", "--model", "models:/books-lm/1", "--input", "data", "--output", "texts") == 1
    assert "the task 'document' measures texts and writes none" in capsys.readouterr().err
    assert allsaid("evaluate", "models:/books-lm/1", "--data", "data", "--limit", "3") == 1
    assert "--limit: a perplexity is that of a whole split" in capsys.readouterr().err
    client = connection.connect(f"sqlite:///{books / 'mlflow.db'}")
    version = client.get_model_version("books-lm", "1")
    assert "Measures how probable the words of a text are, and writes none." in version.description
    assert "| perplexity of words with their entities, `perplexity` | " in version.description
    for part in ("allsaid generate", "pyfunc", "beam search", "agenda so that"):
        assert part not in version.description
    assert "model/MLmodel" not in files(client, version.run_id, "model")


def test_a_system_starts_from_one_of_those_compared(tmp_path: Path) -> None:
    (tmp_path / "books.yaml").write_text(TABLE)
    with pytest.raises(UserError, match="System 'pointer' starts from 'lm', which must be a system of this comparison"):
        table.read(str(tmp_path / "books.yaml"), only="pointer")


def test_parts_of_a_document_are_one_draw() -> None:
    parts = Surprise(np.array([1.0, 2.0, 4.0]), np.array([1.0, 1.0, 2.0]))
    documents = by_document(parts, ["b", "a", "b"])
    assert (documents.nats.tolist(), documents.words.tolist()) == ([2.0, 5.0], [1.0, 3.0])


def test_the_interval_of_a_difference_is_drawn_in_pairs() -> None:
    nats, words = np.array([1.0, 9.0, 4.0]), np.array([2.0, 3.0, 4.0])
    value, interval = bootstrap.perplexity_difference(nats, words, nats, words)
    assert (value, interval.low, interval.high) == (0, 0, 0)
    value, interval = bootstrap.perplexity_difference(nats + words, words, nats, words)
    assert value == pytest.approx(exp(23 / 9) - exp(14 / 9)) and 0 < interval.low < value < interval.high
    alone = bootstrap.perplexity_interval(nats, words)
    assert alone.low < exp(14 / 9) < alone.high
