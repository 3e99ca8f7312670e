"""The figures of docs/prove.md."""

from __future__ import annotations

from pages.results import facts, result


def speed() -> str:
    """Return the speed and the memory of `allsaid prove`, by the processor time of two numbers of rows."""
    small, large = result("prove_speed")["one process"]
    many = result("prove_memory")
    rows, seconds = large["rows"] - small["rows"], large["cpu_seconds"] - small["cpu_seconds"]
    return facts(
        {
            "texts a second of processor time, by one process, after its start": f"{rows / seconds:,.0f}",
            f"the same with the start, of {large['rows']:,} texts": f"{large['texts_per_cpu_second']:,.0f}",
            f"memory for {small['rows']:,} texts, in MB": small["own_megabytes"],
            f"memory for {large['rows']:,} texts, in MB": large["own_megabytes"],
            f"memory for {many['rows']:,} texts, in MB, in the middle": round(many["megabytes"][10]),
            "the same, at most": many["own_megabytes"],
        }
    )
