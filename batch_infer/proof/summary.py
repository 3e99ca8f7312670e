"""The figures of a generation run (``DIR/summary.json``): means over its texts and over the reference texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any  # Any: values of the summary's fields

import numpy as np

from allsaid.proof.figures import FIGURES, RECORD_FIGURES, Figure
from allsaid.storage import files
from batch_infer.proof import reasons
from batch_infer.proof.reasons import Reason
from batch_infer.proof.tally import SHARES, Tally, add_up
from pipelines.sources.records.cell_findings import findings_of
from schemas.errors import UserError

NAME = "summary.json"
JOB = "job.json"  # next to the summary: all that the texts depend on
TEXTS = "texts"  # folder of the texts, next to the summary
GIVEN, EXTRA = "percent_given", "extra_items"
# For agendas; the judges of other tasks have their own (`batch_infer.proof.judge`).
MEANS = (GIVEN, "percent_given_full_name", "percent_given_any_word", EXTRA, "tokens")


@dataclass(frozen=True)
class Summary:
    """The results of a finished run; figures are None if they are not measured, or if there is no text."""

    input_rows: int  # rows with texts and error rows
    texts: int
    errors: int
    percent_given: float | None  # % of items covered, by head word, mean over texts, 0 to 100
    percent_given_full_name: float | None
    percent_given_any_word: float | None
    extra_items: float | None  # per text
    tokens: float | None  # per text
    true: dict[str, float]  # the same figures of the reference texts of the same rows; empty if there are none
    model_name: str
    model_version: str  # "" for a model folder
    input: str
    split: str  # "" unless the input is a data set
    input_fingerprint: str
    search_seconds: float  # spent on decoding, summed over workers
    seconds: float  # from the start of the pipeline to its end; for a resumed run, only since the last start
    texts_per_second: float  # over the same time
    gates: list[str] = field(default_factory=list)  # a sentence for each quality gate that the texts broke
    published: int | None = None  # texts in the file of certified texts; None unless only these are published
    kept_aside: int | None = None  # the other texts, and the error rows
    min_coverage: float = 0.0  # % of its items that a text was required to cover
    below_min_coverage: int = 0  # texts that cover less
    unfitted_items: int = 0  # items that can't be fitted, over all texts
    faulty_texts: int = 0  # texts with a fault of wording, or a value among the words of another column
    provable_texts: int = 0  # texts that can be certified
    certified_texts: int = 0  # of the provable: texts that state all of their row, in known forms, and nothing else
    unattested_texts: int = 0  # of the provable: texts with a passage in no known form
    assembled_texts: int = 0  # from sentences of training texts
    uncertified_rows: list[str] = field(default_factory=list)  # ids of the first rows whose text is not certified
    texts_per_row: int = 1  # number of texts requested
    rows_with_fewer_texts: int = 0
    percent_equal_texts: float | None = None  # % equal to another row's text, apart from values and letter case
    longest_copied_run_mean: float | None = None  # words shared with one training text; None without the model's index
    longest_copied_run_p99: float | None = None  # the 99th percentile
    unfamiliar_rows: int = 0  # rows with a goal or value that is unseen in training
    unfamiliar_goals: int = 0  # unfamiliar rows with an unseen goal
    reasons: list[Reason] = field(default_factory=list)  # of error rows, the most frequent first
    findings: dict[str, dict[str, int]] = field(default_factory=dict)  # of a table: column -> finding -> cells
    recipe_findings: dict[str, int] = field(default_factory=dict)  # kind -> findings of the checker of recipes
    texts_with_findings: int = 0
    model_hash: str = ""  # of the model's files
    openlineage_run: str = ""  # id of the run in OpenLineage that wrote the texts; "" if no events were sent
    drift: list[str] = field(default_factory=list)  # a sentence for each column that changed since the last nightly run
    training: list[str] = field(default_factory=list)  # sentences about the training of the nightly run, if it had one
    taken_over: int = 0  # rows whose texts are from an earlier run
    searched: int = 0  # rows whose texts this run generated
    submitted_texts: int = 0  # texts of another author: kept, replaced and rejected
    mended_rows: int = 0  # rows with a text by the model, in place of submitted texts that are not certified
    replaced_texts: int = 0  # submitted texts of these rows
    rejected_texts: int = 0  # submitted texts of no row or of an error row, and unreadable ones
    rejected: list[Reason] = field(
        default_factory=list
    )  # of rejected texts, except those of error rows; most frequent first
    rows_with_several_texts: int = 0  # rows with several submitted texts
    values: bool = False  # whether items are values of records rather than names
    measured: list[str] = field(default_factory=lambda: [*MEANS])  # keys of the means, in their order
    means: dict[str, float] = field(default_factory=dict)  # of figures without a field
    figures: dict[str, Figure] = field(default_factory=dict)  # names of the task's own figures

    @property
    def has_items(self) -> bool:
        """Whether coverage of the rows' items was measured."""
        return GIVEN in self.measured

    @property
    def known(self) -> Mapping[str, Figure]:
        """The figures, with their names for these texts."""
        return (RECORD_FIGURES if self.values else FIGURES) | self.figures

    def mean(self, key: str) -> float | None:
        """Return the mean of a key of ``measured``."""
        found: float | None = getattr(self, key) if key in MEANS else self.means.get(key)
        return found

    @property
    def percent_certified(self) -> float | None:
        """Percentage of certified texts among those that can be certified; None if there are none."""
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
            reasons, rejected = (
                [Reason(**reason) for reason in values.get(key, [])] for key in ("reasons", "rejected")
            )
            figures = {key: Figure(**figure) for key, figure in values.get("figures", {}).items()}
            return cls(**values | {"reasons": reasons, "rejected": rejected, "figures": figures})
        except (ValueError, TypeError, AttributeError) as fault:
            raise UserError(
                f"{where} is not a summary of this version of Allsaid ({fault}). Run `allsaid generate` again."
            ) from fault

    def rows(self) -> list[tuple[str, str, str]]:
        """Return rows of figure, value of the texts, value of the reference texts."""
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
        if self.submitted_texts:
            counts += [("texts submitted", str(self.submitted_texts), "")]
            counts += [("of them rejected", str(self.rejected_texts), "")]
        return [*counts, *figures, *grades, *self._more_rows()]

    def _more_rows(self) -> list[tuple[str, str, str]]:
        """Return the rows that are reported only if they were requested or are known."""
        rows = [
            ("% texts equal to another row's", _show(self.percent_equal_texts, 1)),
            ("longest copied run, mean", _show(self.longest_copied_run_mean, 1)),
            ("longest copied run, 99th percentile", _show(self.longest_copied_run_p99, 0)),
            (FIGURES["certified_percent"].name, _show(self.percent_certified, 1)),
            ("texts with a passage in no known form", str(self.unattested_texts or "")),
            ("first rows without a certificate", ", ".join(self.uncertified_rows)),
            ("texts assembled from known sentences", str(self.assembled_texts or "")),
            ("texts with a finding", str(self.texts_with_findings or "")),
            *((f"findings: {kind}", str(count)) for kind, count in sorted(self.recipe_findings.items())),
            ("texts published", "" if self.published is None else str(self.published)),
            ("texts and error rows kept aside", "" if self.kept_aside is None else str(self.kept_aside)),
            ("rows with a text by the model instead", str(self.mended_rows or "")),
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
    """Return the summary of a finished run; raise UserError if ``folder`` is not the output of one."""
    path = files.join(folder, NAME)
    if not files.exists(path):
        raise UserError(f"{folder} holds no finished texts: it has no {NAME}. Run `allsaid generate` first.")
    return Summary.from_json(files.read_text(path), path)


def text_files(folder: str) -> list[str]:
    """Return the paths of the Parquet files of a job's texts, in order."""
    texts = files.join(folder, TEXTS)
    return [files.join(texts, name) for name in files.below(texts)]


def write(folder: str, summary: Summary) -> None:
    files.replace(files.join(folder, NAME), summary.to_json().encode())


def summarize(
    tallies: Iterable[Tally], measured: Sequence[str] = MEANS, rejects: Iterable[Reason] | None = None, **facts: Any
) -> Summary:
    """Return the summary of the parts, added up in order, so that the means are the same to the last digit.

    ``measured`` are the keys of the figures that each text has, ``rejects`` the reasons of submitted texts without a
    row; None if no texts were submitted. ``facts`` are further fields of the summary.
    """
    total = add_up(tallies)
    equal = 100 * total.equal_texts / total.texts if total.texts else None
    runs = {int(length): texts for length, texts in total.runs.items()}
    means = {key: round(total.sums[key] / total.texts, 4) if total.texts else None for key in measured}
    agenda_means: dict[str, Any] = {key: means.pop(key, None) for key in MEANS}  # Any: spread over typed fields
    if rejects is not None:
        rejects = list(rejects)
        rejected = total.unproven + sum(reason.rows for reason in rejects)
        accepted = total.texts - total.mended_rows
        facts |= {"submitted_texts": accepted + total.replaced_texts + rejected, "rejected_texts": rejected}
        facts["rejected"] = reasons.most_frequent(rejects)
    shared = {item.name for item in fields(Tally)} & {item.name for item in fields(Summary)}
    facts |= {name: getattr(total, name) for name in shared - {"reasons", "search_seconds"}}
    return Summary(
        true={key: round(value / total.true_texts, 4) for key, value in total.true_sums.items()},
        search_seconds=round(total.search_seconds, 1),
        percent_equal_texts=None if equal is None else round(equal, 4),
        longest_copied_run_mean=round(float(np.average([*runs], weights=[*runs.values()])), 4) if runs else None,
        longest_copied_run_p99=_percentile(runs, 0.99),
        reasons=reasons.most_frequent(total.reasons.values()),
        findings=findings_of([total.cell_findings]),
        values=total.records > 0,
        measured=[*measured],
        means={key: value for key, value in means.items() if value is not None},
        **agenda_means,
        **facts,
    )


def _percentile(lengths: dict[int, int], share: float) -> float | None:
    """Return the smallest length that at least this share of the texts doesn't exceed."""
    counted, needed = 0, share * sum(lengths.values())
    for length in sorted(lengths):
        counted += lengths[length]
        if counted >= needed:
            return float(length)
    return None


def _show(value: float | None, places: int) -> str:
    return "" if value is None else f"{value:.{places}f}"
