"""The floors of promotion: a model below any of them becomes champion only by hand."""

from __future__ import annotations

MIN_DEV_TEXTS = 30  # with fewer, each text is over 3% of a figure, so that chance decides
MIN_CERTIFIED = 50.0  # % of dev texts; below, most rows get no text that can be published unread
