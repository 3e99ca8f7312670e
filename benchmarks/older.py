"""Name the results that are older than the code they measure: `python -m benchmarks.older`, a part of `make docs`.

`benchmarks/measures.yaml` says which code a result measures. Lines of that code that were added or removed since the
result's commit are counted, wording and moved lines included. A commit that this repository lacks since it was rebased
is replaced by the last one that changed the result's file.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

import yaml

from allsaid.markdown import table
from benchmarks.result_file import RESULTS, ROOT, git


def measured_code() -> dict[str, list[str]]:
    """Return the paths of the code that each result measures, by the result's name."""
    code = defaultdict(list)
    listed = yaml.safe_load((ROOT / "benchmarks" / "measures.yaml").read_text(encoding="utf-8"))
    for path, names in listed.items():
        for name in names:
            code[name].append(path)
    return dict(code)


def changed_lines(result: str, commit: str, code: Sequence[str]) -> int:
    """Return how many lines of the code were added or removed since a result was measured."""
    commit = commit.removesuffix("+")
    if not any(one.startswith(commit) for one in git("rev-list", "HEAD").splitlines()):
        commit = git("log", "-1", "--format=%H", "--", f"benchmarks/results/{result}.json")
    counts = [line.split("\t")[:2] for line in git("diff", "--numstat", commit, "HEAD", "--", *code).splitlines()]
    return sum(int(count) for counted in counts for count in counted if count != "-")


def main() -> None:
    """Print a table of the older results, those with the fewest changed lines first."""
    older = []
    for name, code in measured_code().items():
        measured = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["measured"]
        if lines := changed_lines(name, measured["commit"], code):
            older.append((lines, [name, measured["date"], f"{lines:,}", ", ".join(code)]))
    print(f"{len(older)} of {len(measured_code())} results are older than the code they measure.")
    print(table(["result", "measured on", "lines changed since", "in"], [cells for _, cells in sorted(older)]))


if __name__ == "__main__":
    main()
