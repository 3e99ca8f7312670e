"""KenLM's program `lmplz`, which counts interpolated modified Kneser-Ney models on the disk (Heafield et al. 2013).

It reads sentences and writes an ARPA file, which lists all n-grams order by order. Words are written as their ids, so
that none can be taken for a mark or a space.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TextIO, TypeAlias

import numpy as np
import pyarrow as pa
import torch
from pyarrow import compute, csv
from torch import Tensor

from allsaid.modeling.data.vocabulary import END, PAD, START
from schemas.errors import UserError

NAME = "lmplz"
MARKS = {b"<unk>": PAD, b"<s>": START, b"</s>": END}  # of ARPA files
LINES = 500_000  # of an ARPA file, read at once
MEMORY = "512M"  # for sorting, the rest is on the disk; the default is 80% of the machine's memory
_FALLBACK = re.compile(r"^Substituting fallback discounts for order (\d+)", re.MULTILINE)  # 0: of unigrams
Piece: TypeAlias = tuple[Tensor, Tensor, Tensor]  # ids (R, n) of n-grams, log-probabilities (R,) and back-offs (R,)


def find() -> Path:
    """Return the program's path, next to this Python or on the PATH; raises UserError if it is in neither place."""
    here = Path(sys.executable).parent
    program = shutil.which(NAME, path=os.pathsep.join([str(here), os.environ.get("PATH", os.defpath)]))
    if program is None:
        raise UserError(
            f"Kneser-Ney models are counted by KenLM's program {NAME}, which is neither in {here} nor on the PATH. "
            f"Build it in a checkout of Allsaid: `make deps`, which takes Debian's packages, then `make {NAME}`."
        )
    return Path(program)


def estimate(text: Path, arpa: Path, order: int, words: int) -> list[int]:
    """Write the model of a text with one sentence a line as an ARPA file, with temporary files next to it.

    words: number of all words, including ``</s>`` and ``<unk>``, among which the rest of the unigrams' probability is
    shared; a word that the text lacks is as likely as ``<unk>``. The discounts are those of Chen and Goodman 1998,
    equation 26. Returns the orders with too few counts to estimate them, where they are 0.5, 1 and 1.5. Raises
    UserError if the program fails.
    """
    settings = ["--order", str(order), "--vocab_pad", str(words), "--discount_fallback", "--memory", MEMORY]
    files = ["--temp_prefix", f"{arpa.parent}/", "--text", str(text), "--arpa", str(arpa)]
    process = subprocess.run([str(find()), *settings, *files], capture_output=True, text=True, errors="replace")
    if process.returncode:
        messages = process.stderr.strip().splitlines() or ["nothing"]
        raise UserError(
            f"{NAME} has failed with exit code {process.returncode}; it said last: {messages[-1]} It needs {MEMORY} of "
            f"memory, and room in {arpa.parent} for the text's {order}-grams."
        )
    return [int(position) + 1 for position in _FALLBACK.findall(process.stderr)]


def write_lines(file: TextIO, ids: np.ndarray, starts: np.ndarray) -> None:
    """Write texts, a line each: text i is ``ids[starts[i]:starts[i + 1]]``."""
    words = pa.array(ids).cast(pa.string())
    lines = compute.binary_join(pa.ListArray.from_arrays(pa.array(starts, pa.int32()), words), " ")
    file.writelines(f"{line}\n" for line in lines.to_pylist())


def read(arpa: Path) -> Iterator[tuple[int, Iterator[Piece]]]:
    """Yield the number of n-grams of each order n in an ARPA file, and an iterator over them.

    Each iterator must be read to its end before the next order. Logarithms are natural; back-offs of the longest
    n-grams are zeros.
    """
    with arpa.open("rb") as file:
        head = iter(file.readline, b"\n")
        counts = [int(line.partition(b"=")[2]) for line in head if line.startswith(b"ngram ")]
        for order, count in enumerate(counts, 1):
            next(line for line in file if line.endswith(b"-grams:\n"))
            yield count, _read_ngrams(file, count, order, has_backoffs=order < len(counts))


def _read_ngrams(file: BinaryIO, count: int, order: int, has_backoffs: bool) -> Iterator[Piece]:
    words, logs = [str(place) for place in range(order)], ["probability", "backoff"][: 1 + has_backoffs]
    types = dict.fromkeys(words, pa.int64()) | dict.fromkeys(logs, pa.float64())
    for begin in range(0, count, LINES):
        text = b"".join(islice(file, min(LINES, count - begin))).replace(b"\t", b" ")
        for mark, number in MARKS.items():
            text = text.replace(mark, b"%d" % number)
        table = csv.read_csv(
            pa.py_buffer(text),
            csv.ReadOptions(use_threads=False, column_names=[logs[0], *words, *logs[1:]]),
            csv.ParseOptions(delimiter=" "),
            csv.ConvertOptions(column_types=types),
        )
        ids = torch.from_numpy(np.stack([table.column(word).to_numpy() for word in words], axis=1))
        values = [torch.from_numpy(table.column(log).to_numpy() * math.log(10)).float() for log in logs]
        yield ids, values[0], values[1] if has_backoffs else torch.zeros(len(ids))
