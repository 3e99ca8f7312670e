"""Every source reads its corpus in a process that has no Beam."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

READ = """
import sys
from pathlib import Path

sys.modules["apache_beam"] = None
sys.path[:0] = [sys.argv[1], *(f"{sys.argv[1]}/{part}" for part in ("small", "small_sources", "fuzz"))]
from fuzz_seeds import corpora
from fuzzing import Case, read, write

from pipelines.source import KeptRecord

for number, corpus in enumerate({corpus.source: corpus for corpus in corpora()}.values()):
    folder = Path(sys.argv[2], str(number))
    results = read(corpus, write(Case(corpus, 0, ()), folder), folder)
    print(corpus.source, sum(isinstance(result, KeptRecord) for result in results))
"""


def test_every_source_reads_without_beam(tmp_path: Path) -> None:
    support = Path(__file__).resolve().parents[2] / "support"
    done = subprocess.run(
        [sys.executable, "-c", READ, str(support), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    read = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    assert len(read) == 11 and all(int(kept) > 0 for kept in read.values())
