"""Soak test of nightly runs: one shop, many nights, each with a fault drawn from a seed.

    python -m benchmarks.scale.soak [--nights 30] [--seed 11] [--work DIR] [--result FILE]     (make soak)

Before each nightly run the table changes. While it runs, its processes are killed, its disk is full, its object store
answers 503, another model is promoted, or the table is replaced. Then readers look, and the run is started again. Its
texts must be those of a clean run in a new folder.

All draws, and the change of files before which a fault comes, depend on the seed alone: the same seed plays a failure
again. A full disk is a small file system of its own, which only root can mount.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from os import kill, killpg
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

from benchmarks import result_file
from benchmarks.scale import soak_checks, soak_command, soak_shop
from benchmarks.scale.soak_command import Ended
from benchmarks.scale.soak_shop import DISK, KEEP, MODEL, STORE, Shop, fill, object_store, small_disk

RESULT = result_file.RESULTS / "soak.json"
WORKERS = ("--direct_num_workers=2", "--direct_running_mode=multi_processing")
VALIDATED = 3  # every third time: each nightly run validates its texts itself before it publishes them
FOR_GOOD = 1_000_000  # requests


class Fault(StrEnum):
    """What happens while a nightly run is in progress."""

    NONE = "none"
    KILL = "kill of all processes"
    KILL_LAUNCHER = "kill of the launcher"
    KILL_WORKER = "kill of a worker"
    FULL = "full disk"
    REFUSED = "503"
    PROMOTION = "promotion"
    REPLACED = "table replaced"


@dataclass(frozen=True)
class Night:
    """What happens in one nightly run."""

    night: int
    place: str
    fault: Fault
    share: float  # of a nightly run's changes of files or requests, after which the fault comes
    milliseconds: int  # from there to a kill
    bytes: int  # that stay free on a full disk
    requests: int  # that the store refuses

    def moment(self, usual: int) -> int:
        """Return the number of the change, or of the request, at which the fault comes."""
        return 1 + int(self.share * usual)


def draw(seed: int, number: int) -> Night:
    """Draw a nightly run; each fault comes once before any comes again."""
    rounds, place_in_round = divmod(number - 1, len(Fault))
    fault = Random(f"{seed} round {rounds}").sample(list(Fault), len(Fault))[place_in_round]
    rng = Random(f"{seed} night {number}")
    place = {Fault.FULL: DISK, Fault.REFUSED: STORE}.get(fault, rng.choice((DISK, STORE)))
    requests = FOR_GOOD if rng.random() < 0.25 else rng.randint(1, 12)
    return Night(
        number, place, fault, rng.random(), rng.choice((0, rng.randint(1, 300))), rng.randrange(60_000), requests
    )


class Soak:
    """A soak test in progress."""

    def __init__(self, shop: Shop, store: str, seed: int) -> None:
        self.shop, self.store, self.seed = shop, store, seed
        self.published: dict[str, str] = {}  # place -> table of the texts that readers see
        self.usual: dict[str, tuple[int, int]] = {}  # place -> changes of files and requests of a nightly run
        self.clean: dict[tuple[str, int], dict[str, Any]] = {}  # (table, model version) -> what readers see

    def refuse(self, after: int, requests: int) -> int:
        """Let the store refuse requests after some others; return the number of requests since the last call."""
        with urlopen(Request(f"{self.store}/soak?after={after}&refuse={requests}", method="POST")) as answer:
            return int(answer.read())

    def begin(self) -> None:
        """Do the first nightly run in each place: a clean one, whose changes of files and requests are counted."""
        for place in (DISK, STORE):
            self.refuse(0, 0)
            changes = soak_shop.must(self.shop.nightly(place)).changes
            self.usual[place] = (changes, self.refuse(0, 0))
            seen = self.read(self.shop.outputs(place), is_settled=True)
            self.published[place] = self.shop.table_now()
            clean = self.clean.setdefault((self.published[place], self.shop.champion), seen)
            assert same_texts(seen, clean), "the first texts in the two places differ"

    def play(self, night: Night) -> dict[str, Any]:
        """Do one nightly run with its fault, look as a reader, and start it again; return the figures."""
        shop, tables = self.shop, [self.published[night.place]]
        rng = Random(f"{self.seed} table {night.night}")
        changed = shop.change(rng)
        tables.append(shop.table_now())
        waste = len(soak_shop.temporary(shop.work))
        first = self.with_fault(night, rng)
        tables.append(shop.table_now())
        assert "Traceback" not in first.output, first.output
        if first.code == 0 and night.fault not in (Fault.KILL_LAUNCHER, Fault.KILL_WORKER):
            self.usual[night.place] = (first.changes, self.usual[night.place][1])
        outputs = shop.outputs(night.place)
        seen = self.read(outputs, is_settled=False)
        left = shop.call(lambda: soak_checks.count(*outputs))
        version = int(seen["version"])
        assert any(same_texts(seen, self.clean_texts(table, version)) for table in dict.fromkeys(reversed(tables))), (
            f"{seen['folder']} is published, and no clean run has its texts"
        )

        again = soak_shop.must(shop.nightly(night.place))
        assert "Traceback" not in again.output, again.output
        settled = self.read(outputs, is_settled=True)
        self.published[night.place] = tables[-1]
        clean = self.clean_texts(tables[-1], shop.champion)
        assert same_texts(settled, clean), f"the texts of {settled['folder']} are not those of a clean run"
        assert settled["data"]["fingerprint"] == clean["data"]["fingerprint"], "the data set is not that of a clean run"
        assert settled["data_run"] == settled["data"]["run"], "the texts are of another data set"
        after = shop.call(lambda: soak_checks.count(*outputs))
        assert after["locks"] == 0 and not after["unfinished"], after
        assert after["incomplete"] == [[], []] and all(count <= KEEP + 1 for count in after["runs"]), after
        if night.night % VALIDATED == 0:
            soak_shop.must(shop.run("validate", settled["folder"]))
        text = next(iter(settled["texts"]))
        soak_shop.must(shop.run("trace", f"{settled['folder']}/texts/{text}"))
        return {
            **asdict(night),
            "rows": changed,
            "reached": first.reached or night.fault in (Fault.NONE, Fault.REFUSED),
            "exits": [first.code, again.code],
            "status": again.answer("status"),
            "searched": settled["searched"],
            "reused": settled["reused"],
            "version": int(settled["version"]),
            "locks": [left["locks"], after["locks"]],
            "files": [left["files"], after["files"]],
            "runs": after["runs"],
            "unfinished": [len(left["unfinished"]), len(after["unfinished"])],
            "temporary": len(soak_shop.temporary(shop.work)) - waste,
            "peak_megabytes": max(first.peak_megabytes, again.peak_megabytes),
            "cpu_seconds": round(first.cpu_seconds + again.cpu_seconds, 1),
        }

    def with_fault(self, night: Night, rng: Random) -> Ended:
        """Do the nightly run while its fault happens."""
        shop, place = self.shop, night.place
        changes, requests = self.usual[place]
        moment = night.moment(changes)
        match night.fault:
            case Fault.REFUSED:
                self.refuse(night.moment(requests), night.requests)
                ended = shop.nightly(place)
                self.refuse(0, 0)
                assert ended.code in (0, 1), ended.output
                return ended
            case Fault.KILL_WORKER:
                return self.kill_a_worker(night)
            case Fault.KILL | Fault.KILL_LAUNCHER:
                is_whole = night.fault == Fault.KILL
                beam, end = ((), killpg) if is_whole else (WORKERS, kill)

                def act(process: int) -> None:
                    kill(process, signal.SIGCONT)
                    time.sleep(night.milliseconds / 1000)
                    end(process, signal.SIGKILL)

                ended = shop.nightly(place, *beam, stop=moment, act=act)
                assert ended.code in (0, -signal.SIGKILL), ended.output
                return ended
            case Fault.FULL:
                filler = shop.work / "disk.full"
                ended = shop.nightly(place, stop=moment, act=lambda _: fill(shop.work / "disk", filler, night.bytes))
                (shop.work / "disk" / filler.name).unlink(missing_ok=True)
                assert ended.code in (0, 1), ended.output
                return ended
            case Fault.PROMOTION:
                ended = shop.nightly(place, stop=moment, act=lambda _: shop.promote())
                return soak_shop.must(ended)
            case Fault.REPLACED:
                ended = shop.nightly(place, stop=moment, act=lambda _: shop.change(rng))
                assert ended.code in (0, 1), ended.output
                return ended
        return soak_shop.must(shop.nightly(place))

    def kill_a_worker(self, night: Night) -> Ended:
        """Kill one of the worker processes some time after the first one has started."""
        deadline: list[float] = []

        def watch(process: int) -> None:
            workers = [] if deadline == [0.0] else soak_command.workers(process)
            if workers and not deadline:
                deadline.append(time.monotonic() + night.milliseconds / 100)
            elif workers and time.monotonic() > deadline[0]:
                deadline[:] = [0.0]
                kill(workers[int(night.share * len(workers))], signal.SIGKILL)

        ended = self.shop.nightly(night.place, *WORKERS, watch=watch)
        assert ended.code in (0, 1), ended.output
        return replace(ended, reached=deadline == [0.0])

    def read(self, outputs: tuple[str, str], is_settled: bool) -> dict[str, Any]:
        """Return what readers see, after all checks of it."""

        def look() -> dict[str, Any]:
            seen = soak_checks.reader(*outputs)
            soak_checks.links(*outputs, seen, is_settled)
            return seen

        return self.shop.call(look)

    def clean_texts(self, table: str, version: int) -> dict[str, Any]:
        """Return what readers see after a nightly run of this table and version in new folders."""
        if (table, version) not in self.clean:
            outputs = ("clean/data", "clean/texts")
            shutil.rmtree(self.shop.work / "clean", ignore_errors=True)
            config = self.shop.write_config("clean.yaml", outputs, f"models:/{MODEL}/{version}")
            now = self.shop.table_now()
            self.shop.put_table(table)
            soak_shop.must(self.shop.run("nightly", config))
            self.shop.put_table(now)
            self.clean[table, version] = self.read(outputs, is_settled=True)
        return self.clean[table, version]


def same_texts(seen: dict[str, Any], clean: dict[str, Any]) -> bool:
    return bool(seen["texts"] == clean["texts"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nights", type=int, default=30)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--work", type=Path, help="a new folder; by default a temporary one, which a failure leaves")
    parser.add_argument("--result", type=Path, default=RESULT)
    given = parser.parse_args()
    work = (given.work or Path(tempfile.mkdtemp(prefix="soak-")) / "work").resolve()
    nights = [draw(given.seed, number + 1) for number in range(given.nights)]
    result = given.result.resolve()
    soak_command.preload()
    with object_store() as store:
        shop = soak_shop.open_shop(work, given.seed)
        shop.call(soak_shop.make_bucket)
        soak = Soak(shop, store, given.seed)
        with small_disk(work / "disk") if any(night.fault == Fault.FULL for night in nights) else nullcontext():
            for lines in play(soak, nights):
                figures = {"seed": given.seed, "machine": result_file.machine(), "nights": lines}
                result_file.write(result, figures)
    if given.work is None:
        shutil.rmtree(work.parent)


def play(soak: Soak, nights: list[Night]) -> Iterator[list[dict[str, Any]]]:
    """Yield the figures so far after each nightly run; a failure ends the script with the command that repeats it."""
    soak.begin()
    lines = []
    for night in nights:
        try:
            lines.append(soak.play(night))
        except AssertionError as fault:
            print(fault)
            raise SystemExit(
                f"Night {night.night} failed ({night.fault}, {night.place}); the folder is {soak.shop.work}. Play it "
                f"again: python -m benchmarks.scale.soak --seed {soak.seed} --nights {night.night}"
            ) from fault
        print(*(f"{key}={value}" for key, value in lines[-1].items()), flush=True)
        yield lines


if __name__ == "__main__":
    main()
