"""How time and memory of `allsaid generate` grow with the rows, by the number of workers.

    python -m benchmarks.scale.growth --work DIR [--rows 1000 … 10000000] [--workers 1 2]
    python -m benchmarks.scale.growth --work DIR --prism BINARY [--rows 20000 … 1000000]

A model of the sample table, trained as in the README, generates texts for the table's rows under new ids. Texts are
short and searched greedily, to measure the growth and not the search. The search is measured separately, with few
rows, whole texts and the beam of the model's configuration. 100,000 rows are measured with the model and with a
stand-in for it, more rows with the stand-in alone; it gives each row a text that its product already has
(`stand_in.py`). Seconds are wall-clock time. Memory is the peak resident size: of the launcher, and of the largest
worker process. Figures of finished runs are in ``DIR/runs.jsonl``, so that the same command resumes after an
interruption. Writes ``benchmarks/results/growth.json`` and draws ``docs/growth.png``.

``--prism`` runs the stand-in with one worker on Beam's Prism runner, then on the local runner, and records resident
memory over time. In processes of their own, it also measures the launcher's look at a large table and a worker's
survey of a shard. Writes ``growth_cluster.json``.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import matplotlib

from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.watched import peak_megabytes, sampled, watched
from deploy.flink.settings import free_ports

RESULT, CLUSTER = RESULTS / "growth.json", RESULTS / "growth_cluster.json"
PICTURE = ROOT / "docs" / "growth.png"
TABLE, MAPPING = (ROOT / "samples" / f"products.{ending}" for ending in ("csv", "yaml"))
POOL_SECONDS = 20  # until a pool of workers answers
SHORT = ("--width", "1", "--max-tokens", "8")
ALLSAID = (sys.executable, "-m", "allsaid")
LOCAL, PRISM = "local", "Prism"
WORKERS = ("deploy/flink/worker.py", "pipelines.ingest.worker")  # in their commands
GENERATE, STAND_IN = (*ALLSAID, "generate"), (sys.executable, "-m", "benchmarks.scale.stand_in")
MOST_SEARCHED = 100_000  # rows; this number is measured with the model and the stand-in, more with the stand-in only


def train(work: Path) -> Path:
    data, run = work / "data", work / "model"
    subprocess.run(
        [*ALLSAID, "ingest", "records", "--input", TABLE, "--mapping", MAPPING, "--output", data], check=True
    )
    names = ("--data", data, "--name", "products", "--run-dir", run, "--tracking", "offline")
    subprocess.run([*ALLSAID, "train", "table", *names], check=True)
    return run / "model"


def enlarge(path: Path, rows: int) -> Path:
    """Write a table of this many rows: the sample's rows in turn, each time under new ids."""
    with TABLE.open(newline="") as stream:
        header, *products = csv.reader(stream)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(header)
        rows_in_turn = enumerate(islice(cycle(products), rows))
        writer.writerows([f"{product[0]}-{row}", *product[1:]] for row, product in rows_in_turn)
    return path


@contextmanager
def runner(prism: str, work: Path, processes: int) -> Iterator[tuple[list[str], list[int]]]:
    """Yield Beam's options for the local runner or a Prism binary, and the ids of processes to measure as well."""
    if not prism:
        yield ["--direct_num_workers", str(processes), "--direct_running_mode", "multi_processing"], []
        return
    port = free_ports().jobs
    worker = work / "worker"
    worker.write_text(
        f'#!/bin/sh\nexec {shlex.join([sys.executable, str(ROOT / "deploy" / "flink" / "worker.py")])} "$@"\n'
    )
    worker.chmod(0o755)
    pool = [sys.executable, "-m", "apache_beam.runners.worker.worker_pool_main", "--service_port", str(port)]
    with (work / "pool.log").open("w") as log:
        running = subprocess.Popen([*pool, "--container_executable", str(worker)], stdout=log, stderr=log, cwd=ROOT)
        try:
            time.sleep(POOL_SECONDS)
            options = ["--runner=PrismRunner", f"--prism_location={prism}", "--job_server_timeout=86400"]
            pool_options = ["--environment_type=EXTERNAL", f"--environment_config=localhost:{port}"]
            yield [*options, *pool_options], [running.pid]
        finally:
            running.terminate()
            running.wait()


def generated(
    model: Path, table: Path, output: Path, workers: int, by: Sequence[str], prism: str, *more: str
) -> dict[str, Any]:
    """Run the command ``by`` once with this many worker processes; return the figures."""
    shutil.rmtree(output, ignore_errors=True)  # of an interrupted run
    samples = output.with_suffix(".samples")
    samples.unlink(missing_ok=True)

    def sample(seconds: float, processes: Sequence[int]) -> None:
        done = len([*(output / "done").glob("part-*.json")])  # parts
        with samples.open("a") as stream:
            stream.write(json.dumps([round(seconds, 1), done, [sampled(process) for process in processes]]) + "\n")

    with runner(prism, output.parent, workers) as (beam, other_processes):
        command = [*by, "--model", model, "--input", table, "--output", output, *beam, *more]
        found = watched(list(map(str, command)), ROOT, other_processes, sample)
    summary = json.loads((output / "summary.json").read_text())
    shutil.rmtree(output)
    peaks, launcher_peak = found.pop("peak_megabytes"), found.pop("own_megabytes")
    peaks.remove(launcher_peak)
    return {
        "rows": summary["input_rows"],
        "workers": workers,
        "runner": PRISM if prism else LOCAL,
        "stand_in": by == STAND_IN,
        **found,
        "job_seconds": summary["seconds"],
        "launcher_megabytes": launcher_peak,
        "worker_megabytes": max(peaks),
        "over_time": over_time([*map(json.loads, samples.read_text().splitlines())]),
    }


def over_time(samples: Sequence[tuple[float, int, list[tuple[str, float, float]]]]) -> dict[str, Any]:
    """Return peak resident megabytes in each tenth of a run, and a worker's processor seconds per part in each half.

    Also return the launcher's processor seconds before the first part was done and after the last. The last sample is
    left out, since a process that ends loads pages of its libraries that it has not used before.
    """
    found = []  # parts; the launcher's megabytes and processor seconds; the worker's
    for _, parts, ((_, *launcher), *others) in samples[:-1]:
        workers = [process for process in others if any(map(process[0].__contains__, WORKERS))]
        found.append((parts, launcher, max(workers, key=itemgetter(1), default=("", 0.0, 0.0))[1:]))
    tenths = [found[len(found) * tenth // 10 : len(found) * (tenth + 1) // 10] for tenth in range(10)]
    most = max(parts for parts, *_ in found)
    at = [next(sample for sample in found if sample[0] >= max(share * most, 1)) for share in (0, 0.5, 1)]
    (_, (_, begun), _), *_, (_, (_, done), _) = at
    return {
        "launcher": [round(max(launcher[0] for _, launcher, _ in tenth)) for tenth in tenths],
        "worker": [round(max(worker[0] for *_, worker in tenth)) for tenth in tenths],
        "worker_seconds_a_part": [round((to[2][1] - of[2][1]) / max(to[0] - of[0], 1), 3) for of, to in pairwise(at)],
        "launcher_seconds_alone": round(begun + found[-1][1][1] - done, 2),
    }


def run(
    model: Path, work: Path, rows: int, workers: int, by: Sequence[str], prism: str = "", search: Sequence[str] = SHORT
) -> dict[str, Any]:
    return generated(model, enlarge(work / "rows.csv", rows), work / "out", workers, by, prism, *search)


def ways(rows: int) -> list[tuple[str, ...]]:
    """Return the commands with which this number of rows is generated."""
    return [*([GENERATE] if rows <= MOST_SEARCHED else []), *([STAND_IN] if rows >= MOST_SEARCHED else [])]


def once(name: str, work: Path, measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the figures that an earlier start of this script measured, or measure them now."""
    path = work / "runs.jsonl"
    known = dict(map(json.loads, path.read_text().splitlines())) if path.exists() else {}
    if name not in known:
        known[name] = measure()
        print(name, json.dumps(known[name]), flush=True)
        with path.open("a") as stream:
            stream.write(json.dumps([name, known[name]]) + "\n")
    found: dict[str, Any] = known[name]
    return found


def alone(step: str, rows: int, work: Path) -> dict[str, Any]:
    """Measure a step (look or survey) for ``rows`` rows in a separate process."""
    command = [sys.executable, __file__, "--measure", step, "--rows", str(rows), "--work", str(work)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {"rows": rows, **found}


def look(rows: int, work: Path) -> None:
    from batch_infer.rows import sources
    from pipelines.sources.cuts import SHARD_BYTES
    from pipelines.sources.records.tables.cuts import cut_table

    table, mapping = enlarge(work / f"look-{rows}.csv", rows), MAPPING.read_text()
    with timed():
        _, (file,) = sources.find(str(table), "test", [], mapping)
        assert file.places is None and file.layout is not None
        cut_table(str(table), file.layout, SHARD_BYTES)
    table.unlink()


def survey(rows: int, work: Path) -> None:
    from batch_infer.rows import sources

    table, mapping = enlarge(work / f"survey-{rows}.csv", rows), MAPPING.read_text()
    with timed():
        _, (file,) = sources.find(str(table), "test", [], mapping)
    assert file.rows == rows
    table.unlink()


@contextmanager
def timed() -> Iterator[None]:
    """Print the block's processor seconds, and the process's peak before and after it."""
    before, begun = peak_megabytes(os.getpid()), time.process_time()
    yield
    seconds, after = round(time.process_time() - begun, 2), peak_megabytes(os.getpid())
    print(json.dumps({"cpu_seconds": seconds, "megabytes_before": round(before), "megabytes": round(after)}))


def draw(runs: list[dict[str, Any]], path: Path) -> None:
    """Draw seconds and megabytes by rows."""
    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (seconds, megabytes) = pyplot.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    for stand_in, workers in sorted({(run["stand_in"], run["workers"]) for run in runs}):
        line = [run for run in runs if (run["stand_in"], run["workers"]) == (stand_in, workers)]
        rows, label = [run["rows"] for run in line], f"{workers}{' stand-in' * stand_in}"
        seconds.plot(rows, [run["seconds"] for run in line], marker="o", label=f"workers: {label}")
        megabytes.plot(rows, [run["worker_megabytes"] for run in line], marker="o", label=f"a worker of {label}")
        megabytes.plot(
            rows, [run["launcher_megabytes"] for run in line], "--", marker="s", label=f"launcher of {label}"
        )
    seconds.set(xscale="log", yscale="log", xlabel="rows", ylabel="seconds")
    megabytes.set(xscale="log", ylim=(0, None), xlabel="rows", ylabel="megabytes at the peak")
    for axes in (seconds, megabytes):
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.legend(fontsize=8)
    seconds.yaxis.set_major_formatter("{x:,.0f}")
    seconds.yaxis.set_minor_formatter("")
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000, 10_000_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--prism", default="", help="Beam's Prism, an executable")
    parser.add_argument("--local-rows", type=int, nargs="+", help="with --prism: rows for the local runner, if others")
    parser.add_argument("--own-rows", type=int, nargs=2, default=[500, 2_500], help="rows for the model's own search")
    parser.add_argument(
        "--alone-rows", type=int, nargs=2, default=[1_000_000, 2_000_000], help="rows for a launcher alone"
    )
    parser.add_argument(
        "--survey-rows", type=int, nargs=2, default=[50_000, 150_000], help="rows that a worker surveys; one shard"
    )
    parser.add_argument("--measure", choices=["look", "survey"], help=argparse.SUPPRESS)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    given = parser.parse_args()
    work = given.work.absolute()
    if given.measure:
        return {"look": look, "survey": survey}[given.measure](given.rows[0], work)
    work.mkdir(parents=True, exist_ok=True)
    os.environ["OMP_NUM_THREADS"] = "1"  # a worker has one core
    model = work / "model" / "model"
    if not model.exists():
        train(work)
    machine = {"processors": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    machine["search of `runs`"] = " ".join(SHORT)
    if given.prism:
        runners = (("-prism", given.prism, given.rows), ("", "", given.local_rows or given.rows))
        runs = [
            once(f"{rows}-1-{STAND_IN[-1]}{where}", work, partial(run, model, work, rows, 1, STAND_IN, prism))
            for where, prism, every in runners
            for rows in every
        ]
        looks = [once(f"look-{rows}", work, partial(alone, "look", rows, work)) for rows in given.alone_rows]
        surveys = [once(f"survey-{rows}", work, partial(alone, "survey", rows, work)) for rows in given.survey_rows]
        return write(CLUSTER, machine | {"runs": runs, "look": looks, "survey": surveys})
    own_search = [
        once(f"own-{rows}", work, partial(run, model, work, rows, 1, GENERATE, search=())) for rows in given.own_rows
    ]
    settings = [(rows, workers, by) for rows in given.rows for workers in given.workers for by in ways(rows)]
    runs = [
        once(f"{rows}-{workers}-{by[-1]}", work, partial(run, model, work, rows, workers, by))
        for rows, workers, by in settings
    ]
    write(RESULT, machine | {"runs": runs, "own_search": own_search})
    draw(runs, given.picture)


if __name__ == "__main__":
    main()
