"""Error messages for an output folder that can't be written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from schemas.errors import UserError


@contextmanager
def disk_faults(output: str) -> Iterator[None]:
    """Replace an error of the block by UserError if a full or read-only output folder caused it."""
    try:
        yield
    except UserError:
        raise
    except BaseException as fault:
        if sentence := disk_fault(fault, output):
            raise UserError(sentence) from fault
        raise


def disk_fault(fault: BaseException, output: str) -> str:
    """Explain an error caused by an output folder that can't be written; "" for any other error.

    Only the text of the error is searched, since a worker process reports nothing else.
    """
    text = str(fault)
    if os.strerror(errno.ENOSPC) in text or os.strerror(errno.EDQUOT) in text:
        return f"--output {output} is full. Make room or give another folder; what was published before is unchanged."
    for code in (errno.EROFS, errno.EACCES, errno.EPERM):
        if os.strerror(code) in text:
            return f"--output {output} can't be written ({os.strerror(code)}). Give a folder that you may write to."
    return ""
