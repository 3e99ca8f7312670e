"""The figures of a generation run (``DIR/summary.json``): means over its texts beside the true texts' own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from allsaid.proof.figures import FIGURES, RECORD_FIGURES, Figure
from allsaid.storage import files
from batch_infer.proof import reasons
from batch_infer.proof.reasons import FIRST, Reason
from batch_infer.proof.tally import SHARES, Tally, add_up
from pipelines.sources.records.cell_findings import findings_of
from schemas.errors import UserError

NAME = "summary.json"
TEXTS = "texts"  # folder of the texts beside it
GIVEN, EXTRA = "percent_given", "extra_items"
# Of agendas; the judge of another task says its own (`batch_infer.proof.judge`).
MEANS = (GIVEN, "percent_given_full_name", "percent_given_any_word", EXTRA, "tokens")


@dataclass(frozen=True)
class Summary:
    """What a finished run tells; figures are None where they are not measured, or of no text."""

    input_rows: int  # those with texts, and errors
    texts: int
    errors: int
    percent_given: float | None  # by head word, mean over texts, 0 to 100
    percent_given_full_name: float | None
    percent_given_any_word: float | None
    extra_items: float | None  # a text
    tokens: float | None  # a text
    true: dict[str, float]  # the same figures of the input's own texts for the same rows; empty where it has none
    model_name: str
    model_version: str  # "" for a model folder
    input: str
    split: str  # "" unless the input is a data set
    input_fingerprint: str
    search_seconds: float  # spent on searching, summed over workers
    seconds: float  # from the start of the pipeline to its end; of a run that went on, only of the last start
    texts_per_second: float  # of the same time
    gates: list[str] = field(default_factory=list)  # a sentence for each quality gate that the texts broke
    min_coverage: float = 0.0  # % of its items that a text was asked to give
    below_min_coverage: int = 0  # texts that give less
    unfitted_items: int = 0  # that can't be fitted, over all texts
    faulty_texts: int = 0  # with a fault of wording, or a value among the words of another column
    provable_texts: int = 0  # that a certificate is offered for
    certified_texts: int = 0  # of them those that state all of their row, in known forms, and nothing else
    unattested_texts: int = 0  # of them those with a passage in no known form
    assembled_texts: int = 0  # from sentences of training texts
    uncertified_rows: list[str] = field(default_factory=list)  # ids of the first rows whose text is not certified
    texts_per_row: int = 1  # so many were asked for
    rows_with_fewer_texts: int = 0
    percent_equal_texts: float | None = None  # equal to another row's once values are placeholders, letter case apart
    longest_copied_run_mean: float | None = None  # words shared with one training text; None without the model's index
    longest_copied_run_p99: float | None = None  # the 99th percentile
    unfamiliar_rows: int = 0  # with a goal or value that training has never seen
    unfamiliar_goals: int = 0  # of them those whose goal it is
    reasons: list[Reason] = field(default_factory=list)  # of error rows, the most frequent first
    findings: dict[str, dict[str, int]] = field(default_factory=dict)  # of a table: column -> finding -> cells
    model_hash: str = ""  # of the model's files
    drift: list[str] = field(default_factory=list)  # of a night: a sentence for each column that changed since the last
    taken_over: int = 0  # rows whose texts an earlier run wrote
    searched: int = 0  # rows
    values: bool = False  # whether items are values of records, and not names
    measured: list[str] = field(default_factory=lambda: [*MEANS])  # keys of the means, in their order
    means: dict[str, float] = field(default_factory=dict)  # of figures that no field has
    figures: dict[str, Figure] = field(default_factory=dict)  # that the task has for itself: what they are called

    @property
    def has_items(self) -> bool:
        """Whether texts were looked at for the items of their rows."""
        return GIVEN in self.measured

    @property
    def known(self) -> Mapping[str, Figure]:
        """The figures as they are called for these texts."""
        return (RECORD_FIGURES if self.values else FIGURES) | self.figures

    def mean(self, key: str) -> float | None:
        """Of a key of ``measured``."""
        found: float | None = getattr(self, key) if key in MEANS else self.means.get(key)
        return found

    @property
    def percent_certified(self) -> float | None:
        """Of the texts that a certificate is offered for; None where there is none."""
        return 100 * self.certified_texts / self.provable_texts if self.provable_texts else None

    @property
    def error_share(self) -> float:
        return self.errors / self.input_rows

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str) -> Summary:
        """Parse a summary; ``where`` names the file in the error."""
        try:
            values = json.loads(text)
            found = [Reason(**one) for one in values.get("reasons", [])]
            called = {key: Figure(**one) for key, one in values.get("figures", {}).items()}
            return cls(**values | {"reasons": found, "figures": called})
        except (ValueError, TypeError, AttributeError) as fault:
            raise UserError(
                f"{where} is no summary of this version of Allsaid ({fault}). Run `allsaid generate` again."
            ) from fault

    def rows(self) -> list[tuple[str, str, str]]:
        """Figure, value of the texts, value of the true texts."""
        figures = [
            (self.known[key].name, self.known[key].show(self.mean(key)), self.known[key].show(self.true.get(key)))
            for key in self.measured
        ]
        grades = [
            (self.known[key].name, "", self.known[key].show(self.true[key]))
            for key in SHARES.values()
            if key in self.true
        ]
        counts = [("texts", str(self.texts), ""), ("error rows", str(self.errors), "")]
        return [*counts, *figures, *grades, *self._more_rows()]

    def _more_rows(self) -> list[tuple[str, str, str]]:
        """What is told only where it was asked for or is known."""
        rows = [
            ("% texts equal to another row's", _show(self.percent_equal_texts, 1)),
            ("longest copied run, mean", _show(self.longest_copied_run_mean, 1)),
            ("longest copied run, 99th percentile", _show(self.longest_copied_run_p99, 0)),
            (FIGURES["certified_percent"].name, _show(self.percent_certified, 1)),
            ("texts with a passage in no known form", str(self.unattested_texts or "")),
            ("first rows without a certificate", ", ".join(self.uncertified_rows)),
            ("texts assembled from known sentences", str(self.assembled_texts or "")),
            ("items that can't be fitted", str(self.unfitted_items or "")),
            ("texts with a fault of wording", str(self.faulty_texts or "")),
            (FIGURES["unfamiliar_rows"].name, str(self.unfamiliar_rows or "")),
            ("of them with a goal never seen", str(self.unfamiliar_goals or "")),
            ("rows taken over", str(self.taken_over or "")),
            ("rows searched", str(self.searched) if self.taken_over else ""),
        ]
        if self.min_coverage:
            rows.append((f"texts below {self.min_coverage:g}% given", str(self.below_min_coverage)))
        if self.texts_per_row > 1:
            rows.append((f"rows with fewer than {self.texts_per_row} texts", str(self.rows_with_fewer_texts)))
        return [(label, value, "") for label, value in rows if value]


def read(folder: str) -> Summary:
    """The summary of a finished run; raises UserError where ``folder`` is no output of one."""
    path = files.join(folder, NAME)
    if not files.exists(path):
        raise UserError(f"{folder} holds no finished texts: it has no {NAME}. Run `allsaid generate` first.")
    return Summary.from_json(files.read_text(path), path)


def text_files(folder: str) -> list[str]:
    """Paths of the Parquet files of a job's texts, in their order."""
    texts = files.join(folder, TEXTS)
    return [files.join(texts, name) for name in files.below(texts)]


def write(folder: str, summary: Summary) -> None:
    files.replace(files.join(folder, NAME), summary.to_json().encode())


def summarize(tallies: Iterable[Tally], measured: Sequence[str] = MEANS, **facts: Any) -> Summary:
    """The summary of the parts, added up in their order, so that the means are the same to the last digit.

    ``measured`` are the keys of the figures that each text has.
    """
    total = add_up(tallies)
    runs = {int(length): texts for length, texts in total.runs.items()}
    means = {key: _mean(total.sums, key, total.texts) for key in measured}
    of_agendas: dict[str, Any] = {key: means.pop(key, None) for key in MEANS}
    return Summary(
        input_rows=total.rows,
        texts=total.texts,
        errors=total.errors,
        true={key: round(value / total.true_texts, 4) for key, value in total.true_sums.items()},
        search_seconds=round(total.seconds, 1),
        below_min_coverage=total.below,
        unfitted_items=total.unfitted,
        faulty_texts=total.faulty,
        provable_texts=total.provable,
        certified_texts=total.certified,
        unattested_texts=total.unattested,
        assembled_texts=total.assembled,
        uncertified_rows=total.uncertified[:FIRST],
        rows_with_fewer_texts=total.fewer,
        percent_equal_texts=_percent_equal(total.plain),
        longest_copied_run_mean=_mean_length(runs),
        longest_copied_run_p99=_percentile(runs, 0.99),
        unfamiliar_rows=total.unfamiliar_rows,
        unfamiliar_goals=total.unfamiliar_goals,
        reasons=reasons.most_frequent(total.reasons.values()),
        findings=findings_of([total.figures]),
        taken_over=total.taken_over,
        searched=total.searched,
        values=total.records > 0,
        measured=[*measured],
        means={key: value for key, value in means.items() if value is not None},
        **of_agendas,
        **facts,
    )


def _percent_equal(plain: Sequence[str]) -> float | None:
    """The texts that stand more than once; those of one row differ, so an equal one is another row's."""
    digests = np.frombuffer(bytes.fromhex("".join(plain)), np.uint64)
    counts = np.unique(digests, return_counts=True)[1]
    return round(100 * int(counts[counts > 1].sum()) / len(digests), 4) if len(digests) else None


def _mean_length(lengths: dict[int, int]) -> float | None:
    total = sum(length * texts for length, texts in lengths.items())
    return round(total / sum(lengths.values()), 4) if lengths else None


def _percentile(lengths: dict[int, int], share: float) -> float | None:
    """The smallest length that at least this share of the texts doesn't exceed."""
    seen, wanted = 0, share * sum(lengths.values())
    for length in sorted(lengths):
        seen += lengths[length]
        if seen >= wanted:
            return float(length)
    return None


def _mean(sums: dict[str, float], key: str, count: int) -> float | None:
    return round(sums[key] / count, 4) if count else None


def _show(value: float | None, places: int) -> str:
    return "" if value is None else f"{value:.{places}f}"
