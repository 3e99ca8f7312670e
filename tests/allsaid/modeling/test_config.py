"""Configurations: what the YAML files hold, and the sentences for what they may not."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from cases import cases

from allsaid.modeling import systems
from allsaid.modeling.config import Config, parse_config
from schemas.errors import UserError
from training.configs import load_config

SHIPPED = ["checklist-demo", "checklist-paper", "checklist-sample"]


def test_a_users_table_is_learned_until_dev_stops_improving() -> None:
    fit = load_config("table").fit
    assert fit.halve_after < fit.stop_after < fit.epochs and fit.score_texts == 500


def test_the_papers_setting_is_the_papers() -> None:
    paper = load_config("checklist-paper")
    assert (paper.model.hidden, paper.model.init, paper.model.type_temperature) == (256, 0.35, 5)
    assert (paper.model.item_temperature, paper.model.type_scale, paper.model.dropout) == (2, 5, 0)
    assert (paper.data.batch_size, paper.data.text_cutoff, paper.data.title_cutoff) == (30, 5, 5)
    assert (paper.fit.optimiser, paper.fit.learning_rate, paper.fit.clip, paper.fit.epochs) == ("sgd", 0.1, 5, 35)
    assert (paper.search.width, paper.search.max_tokens) == (10, 200)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_configurations_survive_being_written(name: str) -> None:
    config = load_config(name)
    assert parse_config(config.to_yaml(), "again") == config


@pytest.mark.parametrize("kind", systems.kinds())
def test_field_names_are_unique_over_the_sections(kind: str) -> None:
    config = Config(model=systems.find(kind).Settings())
    sections = [getattr(config, section.name) for section in dataclasses.fields(config)]
    names = [item.name for section in sections for item in dataclasses.fields(section)]
    assert len(names) == len(set(names))
    assert set(config.flat()) == set(names)
    assert parse_config(f"model: {{kind: {kind}}}", "x.yaml") == config


def test_settings_overrule_the_file_in_their_own_type(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("model:\n  hidden: 7\nfit:\n  learning_rate: 1e-3\n  seed: 3\n")
    config = load_config(str(path), ["hidden=9", "optimiser=adam", "dropout=0.25", "init=1"])
    assert (config.model.hidden, config.model.dropout, config.model.init) == (9, 0.25, 1.0)
    assert (config.fit.learning_rate, config.fit.seed, config.fit.optimiser) == (0.001, 3, "adam")


@cases
def test_what_a_file_may_not_hold(text: str, sentence: str) -> None:
    with pytest.raises(UserError) as fault:
        parse_config(text, "x.yaml")
    assert sentence in str(fault.value)


@cases
def test_what_a_setting_may_not_be(setting: str, sentence: str) -> None:
    with pytest.raises(UserError) as fault:
        parse_config("", "x.yaml", [setting])
    assert sentence in str(fault.value)


def test_an_unknown_configuration_lists_the_shipped_ones() -> None:
    with pytest.raises(UserError) as fault:
        load_config("checklist-papre")
    assert all(name in str(fault.value) for name in SHIPPED)
