"""Precision of a model's matrix products: float32, TF32 or bfloat16. Parameters and sums are always float32."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from schemas.errors import UserError

if TYPE_CHECKING:  # settings name precisions, and `allsaid --help` reads these without PyTorch
    import torch

Precision = Literal["float32", "tf32", "bfloat16"]  # tf32: a GPU multiplies the leading digits of float32 numbers
PRECISIONS: tuple[str, ...] = get_args(Precision)


def check_precision(precision: str, device: str) -> None:
    """Raise UserError for an unknown precision, or one that the device lacks."""
    if precision not in PRECISIONS:
        raise UserError(f"There is no precision '{precision}'; the valid ones are {', '.join(PRECISIONS)}.")
    if precision == "tf32" and device != "cuda":
        raise UserError("Only a GPU multiplies in tf32. Give --device cuda with it, or take float32 or bfloat16.")


def dtype_of(precision: str) -> torch.dtype:
    """Return the type of the factors of large products."""
    import torch

    return torch.bfloat16 if precision == "bfloat16" else torch.float32


def set_tf32(precision: str) -> None:
    """Turn TF32 products of float32 numbers on or off in this process; the default is on for cuDNN's recurrences."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
