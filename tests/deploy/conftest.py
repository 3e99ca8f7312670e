"""A service that runs portable pipelines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from job_service import job_service


@pytest.fixture(scope="module")
def portable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    with job_service(tmp_path_factory.mktemp("service")) as options:
        yield options
