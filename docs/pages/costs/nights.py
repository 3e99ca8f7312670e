"""The figures of nightly runs, on docs/figures.md."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import facts, result


def taken_over() -> str:
    """Return the speed of taking over rows, and the rows searched after a hundredth has changed."""
    found = result("nights")
    changed = found["runs"]["a hundredth changed"]
    return facts(
        {
            "rows": f"{found['runs']['unchanged']['input_rows']:,}",
            "rows taken over a second, by one process": f"{found['rows taken over a second']:,}",
            "start, seconds of processor time": found["start, seconds"],
            "rows taken over after a hundredth has changed": f"{changed['taken_over']:,}",
            "rows searched then": changed["searched"],
        }
    )


def soaked() -> str:
    """Return the nightly runs of the soak test by their fault."""
    rows = []
    nights = result("soak")["nights"]
    for fault in dict.fromkeys(night["fault"] for night in nights):
        found = [night for night in nights if night["fault"] == fault]
        exits = sorted({night["exits"][0] for night in found}, reverse=True)
        rows.append(
            [
                fault,
                f"{len(found)}",
                ", ".join("killed" if code < 0 else str(code) for code in exits),
                *(f"{sum(night['locks'][start] for night in found)}" for start in (0, 1)),
                *(f"{sum(night['unfinished'][start] for night in found)}" for start in (0, 1)),
                f"{max(night['peak_megabytes'] for night in found)}",
            ]
        )
    head = ["fault", "nightly runs", "exit codes", "locks left", "after the second start", "unfinished files left"]
    return table([*head, "after the second start", "peak, MB"], rows)


def soak_totals() -> str:
    """Return the files and the memory of the soak test's first and last nightly runs."""
    found = result("soak")
    nights = found["nights"]
    half = len(nights) // 2
    return facts(
        {
            "nightly runs": len(nights),
            "seed": found["seed"],
            "nightly runs that ended before their fault came": sum(not night["reached"] for night in nights),
            "rows whose texts were searched": sum(night["searched"] for night in nights),
            "rows whose texts were reused": sum(night["reused"] for night in nights),
            "most files of data set and texts, first half": max(night["files"][1] for night in nights[:half]),
            "most files, second half": max(night["files"][1] for night in nights[half:]),
            "highest peak of memory, MB, first half": max(night["peak_megabytes"] for night in nights[:half]),
            "highest peak, MB, second half": max(night["peak_megabytes"] for night in nights[half:]),
            "temporary folders left by killed processes": sum(night["temporary"] for night in nights),
        }
    )
