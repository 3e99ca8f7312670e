"""The pure functions of a source without Beam: in a plain loop, or under datatrove's local executor.

    python -m benchmarks.speed.data.speed_peers plain|datatrove WORKERS SOURCE FOLDER SETTINGS PATH...

The functions are the ingest's own, those that its Beam steps call: rows go to Parquet by border and split, with their
fingerprint and counts. The counts of the parts are not added up, nothing is locked or published. Corpus-wide steps
(duplicates, guard, phrases) pass through staged files as in the ingest, since tasks share no memory.
SETTINGS are a JSON object. Prints how many records were read and kept.
"""

from __future__ import annotations

import gc
import json
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from apache_beam.pvalue import TaggedOutput

from allsaid.storage.paths import expand
from pipelines import sources
from pipelines.beam import GARBAGE_THRESHOLD
from pipelines.ingest import corpus, shards
from pipelines.ingest.job import Job, Part, Report
from pipelines.linking import phrases
from pipelines.source import Steps, Surveying

Read = tuple[int, int]  # records read and kept
Each = Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]  # a function, its arguments -> its results


def each_in_a_loop(function: Callable[[Any], Any], arguments: Sequence[Any]) -> list[Any]:
    return [function(argument) for argument in arguments]


def each_under_datatrove(
    folder: Path, workers: int, function: Callable[[Any], Any], arguments: Sequence[Any]
) -> list[Any]:
    """A task for each argument; a task leaves its result in a file."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.base import PipelineStep

    class Step(PipelineStep):
        name = "Shard"

        def run(self, data: Any, rank: int = 0, world_size: int = 1) -> None:
            gc.set_threshold(GARBAGE_THRESHOLD)
            (results / f"{rank}.pickle").write_bytes(pickle.dumps(function(arguments[rank])))

    results = folder / f"results-{len(list(folder.glob('results-*')))}"
    results.mkdir(parents=True)
    LocalPipelineExecutor([Step()], len(arguments), workers, str(results / "logs")).run()
    return [pickle.loads((results / f"{rank}.pickle").read_bytes()) for rank in range(len(arguments))]


def through(job: Job, each: Each) -> Read:
    """All steps of a source, with the functions of `pipelines/ingest/shards.py` and `corpus.py`."""
    surveyed: Counter[Any] = Counter()
    if isinstance(sources.find(job.source), Surveying):
        for found in each(partial(shards.survey_part, job=job), range(len(job.shards))):
            surveyed.update(found)
    staged = each(partial(outputs, shards.read_part, job, surveyed=surveyed), range(len(job.shards)))
    reports: list[Report] = [report for found in staged for report in found["reports"]]
    if job.steps is not None:
        reports += corpus_steps(job, each, job.steps, staged)
    return sum(report.read for report in reports), sum(sum(report.splits.values()) for report in reports)


def corpus_steps(job: Job, each: Each, steps: Steps, staged: Sequence[dict[str, list[Any]]]) -> list[Report]:
    """Duplicates, guard and phrases; the reports of what is then written."""
    same: dict[bytes, list[Any]] = {}
    for content, place in chain.from_iterable(found["keys"] for found in staged):
        same.setdefault(content, []).append(place)
    doubles: dict[Part, list[Any]] = {part: [] for part in range(len(job.shards))}
    for content, places in same.items():
        for part, double in corpus.doubles_of(content, places):
            doubles[part].append(double)
    chosen = [corpus.drop_doubles(part, {"doubles": found}) for part, found in doubles.items()]
    if steps.guard:
        titles = [packed for found in each(partial(held_out, job), chosen) for packed in found]
        chosen = each(partial(guarded, job, titles), chosen)
    table: list[Any] = []
    for step in range(1, (steps.phrase_passes or 0) + 1):
        words: Counter[str] = Counter()
        pairs: Counter[phrases.Pair] = Counter()
        for found in each(partial(outputs, corpus.count_part, job, found=table), chosen):
            for counts, named in ((words, "main"), (pairs, "pairs")):
                for name, number in found[named]:
                    counts[name] += number
        table = [*table, *corpus.choose_phrases(step, steps, words, pairs, words.total())]
    written = each(partial(outputs, corpus.write_part, job, found=table), chosen)
    return [report for found in written for report in found["main"]]


def outputs(function: Callable[..., Iterable[Any]], job: Job, element: Any, **more: Any) -> dict[str, list[Any]]:
    """What a step yields for an element, by output."""
    found: dict[str, list[Any]] = {"main": [], "keys": [], "reports": [], "pairs": [], "words": []}
    for result in function(element, job, **more):
        tagged = isinstance(result, TaggedOutput)
        found[result.tag if tagged else "main"].append(result.value if tagged else result)
    return found


def held_out(job: Job, chosen: corpus.Chosen) -> list[bytes]:
    return list(corpus.held_out_keys(chosen, job))


def guarded(job: Job, titles: list[bytes], chosen: corpus.Chosen) -> corpus.Chosen:
    return corpus.drop_guarded(chosen, job, titles)


def main() -> None:
    peer, workers, source, folder, settings, *paths = sys.argv[1:]
    gc.set_threshold(GARBAGE_THRESHOLD)  # as the workers of the ingest do
    module = sources.find(source)
    filled = module.settings(**json.loads(settings))
    cut = tuple(module.plan(expand(paths).paths, filled))
    job = Job(source, f"{folder}/rows", cut, filled, (None,) * len(cut))
    each: Each = each_in_a_loop
    if peer == "datatrove":
        each = partial(each_under_datatrove, Path(folder), int(workers))
    read, kept = through(job, each)
    print(json.dumps({"shards": len(cut), "read": read, "kept": kept}))


if __name__ == "__main__":
    main()
