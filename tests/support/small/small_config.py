"""Configurations that train in a moment."""

from __future__ import annotations

from dataclasses import replace

from allsaid.modeling.config import Config, DataConfig, FitConfig, SearchConfig
from allsaid.modeling.models.checklist import Settings

CONFIG = Config(
    DataConfig(text_cutoff=1, title_cutoff=1, agenda_cutoff=1, batch_size=5),
    Settings(hidden=12, init=0.3, dropout=0.1),
    FitConfig(
        epochs=3,
        optimiser="adam",
        learning_rate=0.02,
        average=0.9,
        log_steps=1,
        checkpoint_steps=4,
        sample_texts=3,
        score_texts=5,
    ),
    SearchConfig(width=3, max_tokens=30),
)
SMALL = replace(CONFIG, fit=replace(CONFIG.fit, epochs=1, sample_texts=0))
