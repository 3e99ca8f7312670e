"""The command of a nightly run: ingest, validate, write or prove texts, gates, report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from allsaid.options import Beam, argument, option


@dataclass(frozen=True)
class NightlyOptions(Beam):
    """Options of `allsaid nightly`."""

    config: str = argument("CONFIG", "A YAML file; see docs/nightly.md.")
    plan: bool = option("Report training, drift, and the rows and cost of the texts, and write nothing.", False)


def nightly(options: NightlyOptions) -> None:
    """Run the nightly pipeline: ingest, validate, generate, report.

    Generated texts of unchanged rows are reused. A run that breaks a gate is not published.

    CONFIG is a YAML file with the section 'ingest', which is optional, and either 'generate' or 'prove', for texts by
    others; their keys are the options of these commands, with _ for -. The section 'drift' limits the changes of the
    table, and 'train' says when a new model is trained. Each run writes its texts to a new folder below the output of
    its section, and publishes them if they pass their gates. A run without changes does nothing, and an interrupted run
    is resumed. Exits with 2 when a quality gate is broken, with 3 when a part of the input could not be read or a
    training failed.

    Options that are not named here go to Apache Beam as they are.

    Example: allsaid nightly shop.yaml
    """
    from allsaid import lineage
    from batch_infer.commands import chain, nightly_file

    if options.plan:
        from batch_infer.commands import plan

        return plan.make(nightly_file.read(options.config, options.beam_args)).report()
    with lineage.recorded(lineage.NIGHTLY, Path(options.config).stem):
        nightly_file.report_outcome(chain.run(nightly_file.read(options.config, options.beam_args)))
