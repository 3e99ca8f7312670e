"""The floors of promotion: below one of them a person decides whether a model becomes champion."""

from __future__ import annotations

MIN_DEV_TEXTS = 30  # with fewer, a single text is over 3% of each figure, so that chance decides
MIN_CERTIFIED = 50.0  # % of dev texts; below it most rows get no text that can be published unread
