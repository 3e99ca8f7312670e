"""What each process loads without need costs every command: torch and Beam take seconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from in_process import allsaid

# Their modules are read by every command; training and Beam's workers load the rest.
LIGHT = ("schemas", "allsaid.language", "allsaid.storage", "allsaid.proof")

WALK = f"""
import pkgutil
from importlib import import_module

for package in map(import_module, {LIGHT!r}):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        import_module(found.name)
        loaded.append(found.name)
"""


def heavy_after(code: str, *heavy: str) -> tuple[int, set[str]]:
    """How many names the code has put into `loaded` in a process of its own, and which heavy libraries are there."""
    told = f"import sys\nloaded = []\n{code}\nprint(len(loaded), *(name for name in {heavy!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    count, *names = done.stdout.split()
    return int(count), set(names)


def test_the_rooms_below_the_models_load_neither_torch_nor_beam() -> None:
    count, heavy = heavy_after(WALK, "torch", "apache_beam")
    assert count > 80
    assert heavy == set()


def test_where_stores_are_reached_beam_is_loaded() -> None:
    code = "from allsaid.storage import files\nfiles.join({!r}, 'b')"
    assert heavy_after(code.format("a"), "apache_beam") == (0, set())
    assert heavy_after(code.format("s3://a"), "apache_beam") == (0, {"apache_beam"})


def test_commands_on_local_paths_load_no_beam() -> None:
    """Beam runs ingests and batches of texts, and reaches object stores."""
    modules = (
        "pipelines.validation.validate",
        "training.runs.start",
        "batch_infer.pyfunc",
        "batch_infer.trial.trial",
        "batch_infer.report.report",
        "evaluation.tasks.evaluate",
        "evaluation.compare.trace",
    )
    # One process for all; the number of names tells which module loads it.
    code = "\n".join(f"import {name}\nif 'apache_beam' not in sys.modules: loaded.append('{name}')" for name in modules)
    assert heavy_after(code, "apache_beam") == (len(modules), set())


@pytest.mark.parametrize("module", ["pipelines.datasets.snapshot", "batch_infer.commands.history"])
def test_path_and_history_load_neither_torch_nor_beam(module: str) -> None:
    """The modules of `allsaid path` and `allsaid history`, with all that stands above the command line."""
    code = f"import allsaid.__main__, allsaid.command_line, pipelines.commands.data, {module}"
    assert heavy_after(code, "torch", "apache_beam", "pandas", "matplotlib", "spacy") == (0, set())


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import pipelines.ingest.run", set()),
        ("import pipelines.ingest.runner", {"apache_beam"}),
        ("import batch_infer.job.generate", {"apache_beam", "torch"}),
        ("import pipelines.validation.suites", {"great_expectations", "pandas"}),
        ("from training.tracking.connection import mlflow_module; mlflow_module()", {"mlflow", "pandas", "scipy"}),
    ],
)
def test_jobs_load_no_libraries_that_they_do_not_use(code: str, loaded: set[str]) -> None:
    """The ingest loads Beam only if there is something to read."""
    heavy = ("apache_beam", "torch", "pandas", "boto3", "scipy", "spacy", "matplotlib", "great_expectations")
    others = ("mlflow", "pymongo", "altair", "polars", "fastapi")
    assert heavy_after(code, *heavy, *others) == (0, loaded)


def test_arrays_need_no_library_for_data_frames() -> None:
    """Arrow looks for pandas at its first array, and again for a data frame."""
    arrays = "import pipelines.beam, pyarrow as pa\ntable = pa.table({'a': pa.array([1, 2])})\n"
    assert heavy_after(arrays, "pandas", "boto3") == (0, set())
    assert heavy_after(arrays + "assert len(table.to_pandas()) == 2", "pandas", "boto3") == (0, {"pandas"})


def test_history_of_a_data_set_loads_no_nightly_runs(tmp_path: Path) -> None:
    samples, data = Path(__file__).resolve().parents[2] / "samples", str(tmp_path / "data")
    table = ("--input", str(samples / "products.csv"), "--mapping", str(samples / "products.yaml"))
    assert allsaid("ingest", "records", *table, "--output", data) == 0
    quiet = "from contextlib import redirect_stdout as to\nfrom io import StringIO\nwith to(StringIO()) as said:"
    code = (
        f"from batch_infer.commands.history import history\n{quiet} history({data!r})\nassert '336' in said.getvalue()"
    )
    assert heavy_after(code, "batch_infer.nights.folders", "allsaid.proof.coverage") == (0, set())


def test_path_loads_no_arrow() -> None:
    assert heavy_after("import pipelines.commands.data, pipelines.datasets.snapshot", "pyarrow", "numpy") == (0, set())


def test_text_is_made_uniform_without_spacy() -> None:
    """It is loaded for the first text that is cut: who only checks a data set cuts none."""
    code = "from allsaid.language.text import normalize, tokenize\nnormalize('a b')\n{}"
    assert heavy_after(code.format(""), "spacy", "torch") == (0, set())
    assert heavy_after(code.format("tokenize('a b')"), "spacy", "spacy.cli", "torch") == (0, {"spacy"})
