"""A hash of all that the texts of a nightly run depend on; it loads neither PyTorch nor Beam.

The record of a job (`batch_infer.job.folder`) lists what its texts depend on exactly, but takes seconds to compute.
Equal hashes mean equal jobs. If the hashes differ, the job has to be computed and compared.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import entry_points
from pathlib import Path

from allsaid import PACKAGES
from allsaid.console import PLUGINS
from allsaid.redaction import public
from allsaid.storage import files
from allsaid.storage.paths import expand
from batch_infer.options.job import JobOptions
from schemas.errors import UserError
from schemas.runs.manifest import MANIFEST_NAME
from training.tracking import connection

ROOT = Path(__file__).resolve().parents[2]
PATHS = ("input", "texts", "table", "mapping", "phrasebook", "ban")  # options that name files
# Left out of the hash: texts don't depend on these options, and the model has a hash of its own (`model_of`).
LEFT_OUT = ("model", "wait", "keep_snapshots", "beam_args")


def hash_of(options: JobOptions) -> str:
    """Return a hash of options, input, code and libraries, without the model.

    It is "" if that can't be known so fast: an input is unreadable, Beam's options are needed to read it, or a plugin
    is installed.
    """
    hashed = {name: value for name, value in asdict(options).items() if name not in LEFT_OUT}
    patterns = [value for name in PATHS if (value := hashed.get(name)) and isinstance(value, str)]
    if options.beam_args or any(entry_points(group=group) for group in PLUGINS):
        return ""
    try:
        hashes = {path: files.sha256(path) for path in _files(patterns)}
    except (OSError, UserError):  # reported by the step that needs the file
        return ""
    return _digest([hashed, hashes, _code(), sys.version, _libraries()])


def _files(patterns: Iterable[str]) -> Iterator[str]:
    """Yield the files that the patterns name. For a published data set yield its manifest, since it never changes."""
    for pattern in patterns:
        manifest = files.join(pattern, MANIFEST_NAME)
        found = expand([manifest if files.exists(manifest) else pattern])
        if found.losses:
            raise UserError(found.losses[0])
        yield from found.paths


def model_of(uri: str) -> str:
    """Return a hash of a model: of the address of a registered version, or of the files of a folder."""
    if uri.startswith("models:"):
        return _digest([uri, public(connection.tracking_uri())])
    return _digest({name: files.sha256(files.join(uri, name)) for name in files.below(uri)})


def _code() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file()):
        if path.suffix != ".pyc":
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _libraries() -> list[str]:
    """Return the names of the folders of installed packages, which have their versions: "torch-2.13.0.dist-info"."""
    folders: Iterable[Path] = (Path(entry) for entry in sys.path if entry)
    return sorted({path.name for folder in folders for path in folder.glob("*.dist-info")})


def _digest(values: object) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()
