"""Damages input files of every source and checks what the source makes of each: the recorded run of the fuzzing.

    python -m benchmarks.corpora.fuzz_sources --draws 3000 --seed 1

The damages and checks are those of ``tests/walks/test_fuzz.py``. A damage that leaves the file as it was, or as another
damage left it before, is drawn again and not counted. A file that fails a check stops nothing: it is printed and
recorded. The same seed and code damage the same files again. Writes ``benchmarks/results/fuzz_sources.json``; exits 1
if any file failed.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import json
import os
import platform
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from benchmarks.result_file import RESULTS, ROOT, write

sys.path.extend(str(ROOT / "tests" / "support" / folder) for folder in ("", "fuzz", "small", "small_sources"))

from fuzz_checks import Bench
from fuzz_seeds import Corpus, corpora
from fuzzing import Case, cases

RESULT = RESULTS / "fuzz_sources.json"
PATIENCE = 60  # seconds for one file; a longer reading counts as failed
NEWS = 200  # files between two lines of progress


@dataclass
class Tally:
    """What became of a source's damaged inputs."""

    source: str
    files: int = 0
    refused: int = 0
    kept: int = 0
    rejected: int = 0
    lost: int = 0
    largest_growth_megabytes: int = 0
    slowest: tuple[float, str] = (0.0, "")  # seconds, and the file
    failures: list[str] = field(default_factory=list)
    seen: set[bytes] = field(default_factory=set)

    def examine(self, bench: Bench, case: Case) -> None:
        if self._is_known(case):
            return
        begun = time.monotonic()
        signal.alarm(PATIENCE)
        try:
            outcome = bench.examine(case)
        except Exception as fault:
            place = traceback.extract_tb(fault.__traceback__)[-1]
            told = f"{type(fault).__name__}: {str(fault)[:300]} ({Path(place.filename).name}, line {place.lineno})"
            self.failures.append(f"{case}: {told}")
            print(f"FAILED {self.failures[-1]}", flush=True)
        else:
            self.refused += outcome.refused
            self.kept += outcome.kept
            self.rejected += outcome.rejected
            self.lost += outcome.lost
            self.largest_growth_megabytes = max(self.largest_growth_megabytes, outcome.megabytes)
        finally:
            signal.alarm(0)
        self.files += 1
        self.slowest = max(self.slowest, (time.monotonic() - begun, str(case)))
        if self.files % NEWS == 0:
            print(f"{self.source}: {self.files:,} files, {len(self.failures)} failed", flush=True)

    def _is_known(self, case: Case) -> bool:
        """Whether the file is as before, undamaged or damaged."""
        if case.content == case.corpus.files[case.file]:
            return True
        content = hashlib.sha256(f"{case.corpus.layout} {case.file} ".encode() + case.content).digest()
        known = content in self.seen
        self.seen.add(content)
        return known

    def told(self, seconds: float) -> dict[str, Any]:
        return {
            "damaged_files": self.files,
            "refused_with_a_sentence": self.refused,
            "records_kept": self.kept,
            "records_rejected": self.rejected,
            "lost_sentences": self.lost,
            "largest_growth_megabytes": self.largest_growth_megabytes,
            "slowest_seconds": round(self.slowest[0], 2),
            "slowest": self.slowest[1],
            "seconds": round(seconds, 1),
            "failures": len(self.failures),
            "failed": self.failures,
        }


def fuzz(source: str, inputs: Sequence[Corpus], draws: int, number: int) -> dict[str, Any]:
    """Damage the files of a source so many times; what became of them."""
    tally, begun = Tally(source), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), inputs)

        @seed(number)
        @settings(
            max_examples=draws,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(cases(inputs))
        def examine(case: Case) -> None:
            tally.examine(bench, case)

        examine()
    return tally.told(time.monotonic() - begun)


def _give_up(*_: Any) -> None:
    raise TimeoutError(f"not read after {PATIENCE} seconds")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3000, help="damages to each source's files")
    parser.add_argument("--seed", type=int, default=1, help="decides on the damages")
    parser.add_argument("--source", action="append", help="only this one; may be given several times")
    parser.add_argument("--output", type=Path, default=RESULT, help="the JSON file to write")
    arguments = parser.parse_args()
    faulthandler.enable()
    signal.signal(signal.SIGALRM, _give_up)
    inputs = corpora()
    wanted = arguments.source or list(dict.fromkeys(corpus.source for corpus in inputs))
    found = {}
    for source in wanted:
        found[source] = fuzz(
            source, [corpus for corpus in inputs if corpus.source == source], arguments.draws, arguments.seed
        )
        print(json.dumps({source: {**found[source], "failed": "..."}}), flush=True)
    every = {name: sum(one[name] for one in found.values()) for name in ("damaged_files", "failures")}
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    written = {"machine": machine, "seed": arguments.seed, "draws": arguments.draws, "all": every, "sources": found}
    write(arguments.output, written)
    print(json.dumps(every))
    return int(every["failures"] > 0)


if __name__ == "__main__":
    sys.exit(main())
