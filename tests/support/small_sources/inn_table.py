"""A table that compares two systems on the acts of an inn."""

from __future__ import annotations

TABLE = """
title: A table of an inn
task: dialogue
split: test
seeds: [1, 2]
figures: [bleu/paper, slot_error_percent, training_minutes]
differs: {trained: another inn}
systems:
  handcrafted: {label: HDC, texts: handcrafted, paper: {bleu/paper: 55.52}}
  ours:
    label: Ours
    config: dialogue
    settings: [epochs=1, hidden=8, batch_size=3, max_tokens=9, sample_texts=2, score_texts=2]
    search: [width=2, min_coverage=0]
"""
