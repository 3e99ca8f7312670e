"""The product of hidden states and words in lower precision: `python -m benchmarks.speed.models.low_precision`.

A step of the search at the paper's size: 160 states of 256 numbers, 10,004 words, one core by processor time, each the
best of rounds taken in turn. int8 scales weights by the word and states by the hypothesis, and its time holds what
makes the states int8 and the scores float32. The error is the largest of a score beside float32's, as part of the
scores' standard deviation. Writes benchmarks/results/low_precision.json.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import torch
from torch import Tensor

from benchmarks.result_file import RESULTS, write

ROWS, HIDDEN, WORDS, ROUNDS = 160, 256, 10_004, 7
RESULT = RESULTS / "low_precision.json"


def quantised(values: Tensor) -> tuple[Tensor, Tensor]:
    """int8 (N, k) and the scale (N, 1) of each row."""
    scale = values.abs().amax(1, keepdim=True) / 127
    return (values / scale).round().to(torch.int8), scale


def ways(outputs: Tensor, weight: Tensor) -> dict[str, Callable[[], Tensor]]:
    turned, out = outputs.t().contiguous(), torch.empty(WORDS, ROWS)
    low, low_out = weight.bfloat16(), torch.empty(WORDS, ROWS, dtype=torch.bfloat16)
    whole, word_scale = quantised(weight)
    whole_out = torch.empty(WORDS, ROWS, dtype=torch.int32)
    dynamic = torch.ao.nn.quantized.dynamic.Linear.from_float(_linear(weight))

    def int8() -> Tensor:
        states, scale = quantised(outputs)
        torch._int_mm(whole, states.t().contiguous(), out=whole_out)
        return torch.mul(whole_out, word_scale, out=out).mul_(scale.t())

    return {
        "float32": lambda: torch.mm(weight, turned, out=out),
        "bfloat16": lambda: torch.mm(low, turned.bfloat16(), out=low_out).float(),
        "int8, torch._int_mm": int8,
        "int8, fbgemm": lambda: dynamic(outputs).t(),
    }


def _linear(weight: Tensor) -> torch.nn.Linear:
    linear = torch.nn.Linear(HIDDEN, WORDS, bias=False)
    linear.weight.data = weight
    linear.qconfig = torch.ao.quantization.per_channel_dynamic_qconfig
    return linear


@torch.inference_mode()
def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    outputs, weight = torch.tanh(torch.randn(ROWS, HIDDEN)), torch.empty(WORDS, HIDDEN).uniform_(-0.35, 0.35)
    tried = ways(outputs, weight)
    seconds: dict[str, float] = {}
    for way in tried.values():
        way()
    for _ in range(ROUNDS):
        for name, way in tried.items():
            started = time.process_time()
            way()
            seconds[name] = min(seconds.get(name, 1e9), time.process_time() - started)
    true = tried["float32"]().clone()
    result = {
        name: {
            "milliseconds": round(1000 * seconds[name], 2),
            "times_float32": round(seconds[name] / seconds["float32"], 2),
            "error": round(((way() - true).abs().max() / true.std()).item(), 4),
        }
        for name, way in tried.items()
    }
    write(RESULT, {"ways": result, "rows": ROWS, "hidden": HIDDEN, "words": WORDS, "torch": torch.__version__})
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
