"""Table of the recurring claims in the folder of a run, for a person to decide on."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from allsaid.console import counted
from allsaid.proof.forms.claims import ALLOWED, FORBIDDEN, Claim, claims_in
from allsaid.proof.forms.mapped import MappingTexts

CLAIMS = "claims.csv"
SHOWN = 3  # claims named in the sentence


def write_claims(folder: Path, claims: Sequence[Claim], mapping: MappingTexts) -> None:
    """Write the claims with their shares and the decisions of the mapping."""
    rows = [
        (claim.words, f"{claim.share:.4f}", claim.text_count, claim.example, decision(claim.words, mapping))
        for claim in claims
    ]
    write_rows(folder / CLAIMS, ("claim", "share", "texts", "example", "decision"), rows)


def write_rows(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def decision(claim: str, mapping: MappingTexts) -> str:
    """Return the mapping's decision on a claim: "allowed", "forbidden" or ""."""
    if claims_in([claim], mapping.forbidden):
        return FORBIDDEN
    return ALLOWED if claims_in([claim], mapping.allowed) else ""


def sentence_of(claims: Sequence[Claim], mapping: MappingTexts) -> str:
    """Report the claims that nobody has decided on, and how to decide; "" if there are none."""
    open_ones = [claim for claim in claims if not decision(claim.words, mapping)]
    if not open_ones:
        return ""
    shown = ", ".join(f"'{claim.words}' ({claim.share:.1%} of the texts)" for claim in open_ones[:SHOWN])
    return (
        f"The training texts have {counted(len(open_ones), 'recurring claim')} that no column supports, such as "
        f"{shown}. Generated texts have them, too, until the mapping's 'claims:' forbids or allows them; "
        f"{CLAIMS} lists them all."
    )
