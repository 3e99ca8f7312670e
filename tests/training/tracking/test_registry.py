"""Challenger and champion on a real registry in sqlite."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from recorded_run import scores_of

from allsaid.modeling.tasks.agenda import TASK, AgendaTask
from allsaid.modeling.tasks.choose import task_of_run
from schemas.errors import UserError
from training.tracking import connection, registry
from training.tracking import tracker as tracking
from training.tracking.promotion import Decision, decide
from training.tracking.registry import consider, promote, resolve

CHAMPION = scores_of(percent_given=75.0, extra_items=2.0, bleu=4.0)
SEARCH = {"beam": 3, "length": 7}


pytestmark = pytest.mark.usefixtures("own_folder")


def register(name: str = "recipes", scores: dict[str, float] | None = None) -> str:
    """A run with a model folder that says which version it is; its version."""
    run_dir = Path(f"run-{name}-{len(list(Path().glob('run-*')))}")
    tracker = tracking.open_tracker(run_dir, "online", "tests", run_dir.name)
    (run_dir / "model").mkdir()
    (run_dir / "model" / "config.yaml").write_text(f"{run_dir.name}\n")
    tracker.model(run_dir / "model", name, scores, "dev-a", SEARCH)
    result = tracker.finish()
    assert result is not None
    return result.model_version


def tags(version: str) -> dict[str, str]:
    return dict(client().get_model_version("recipes", version).tags)


def aliases() -> dict[str, str]:
    return {key: str(value) for key, value in client().get_registered_model("recipes").aliases.items()}


def client() -> Any:
    return connection.connect(connection.tracking_uri())


@pytest.mark.parametrize(
    ("percent_given", "extra_items", "bleu", "promoted"),
    [
        (75.1, 2.0, 3.8, True),  # 3.8 is 95% of 4.0
        (75.0, 1.0, 9.0, False),  # as many given is not more
        (80.0, 2.1, 9.0, False),
        (80.0, 1.0, 3.79, False),
        (100.0, 0.0, 0.01, False),  # recites its agenda
        (float("nan"), 0.0, 9.0, False),
    ],
)
def test_all_three_figures_decide(percent_given: float, extra_items: float, bleu: float, promoted: bool) -> None:
    assert decide(scores_of(percent_given, extra_items, bleu), CHAMPION, TASK).promote is promoted


def test_the_reason_names_what_failed() -> None:
    assert decide(scores_of(100.0, 0.0, 0.01), CHAMPION, TASK).reason == (
        "It stays challenger: its BLEU is 0.01, the champion's 4.00, of which it needs 95%."
    )
    assert decide(CHAMPION, None, TASK) == Decision(True, "There was no champion yet.")


def test_the_rule_is_that_of_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AgendaTask, "checks", lambda _, new, old: [(new["bleu"] > old["bleu"], "it reads better")])
    assert decide(scores_of(0.0, 9.0, 5.0), CHAMPION, TASK) == Decision(True, "It is better: it reads better.")


RECORDS = {"slot_error_percent": 0.5, "bleu": 30.0, "perplexity": 2.5}


@pytest.mark.parametrize(
    ("changed", "promoted"),
    [
        ({"slot_error_percent": 0.4, "bleu": 20.0, "perplexity": 9.0}, True),
        ({"slot_error_percent": 0.6, "bleu": 40.0, "perplexity": 1.0}, False),
        ({"bleu": 30.1, "perplexity": 9.0}, True),
        ({"bleu": 29.9, "perplexity": 1.0}, False),
        ({"bleu": 30.001, "perplexity": 2.4}, True),  # shown as equal
        ({"perplexity": 2.5}, False),
        ({"slot_error_percent": float("nan")}, False),
    ],
)
def test_of_tables_slot_errors_decide_then_bleu_then_perplexity(changed: dict[str, float], promoted: bool) -> None:
    new, old = RECORDS | changed, RECORDS
    assert decide(new, old, TASK.of_table).promote is promoted
    assert decide(new, old, task_of_run({"kind": "checklist", "table": "True"})).promote is promoted


def test_a_task_of_other_figures_decides_by_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AgendaTask, "deciding", ("right",))
    monkeypatch.setattr(
        AgendaTask,
        "checks",
        lambda _, new, old: [(new["right"] > old["right"], f"{new['right']:g} over {old['right']:g}")],
    )
    first, second = register(scores={"right": 40.0, "texts": 30.0}), register(scores={"right": 50.0, "texts": 30.0})
    assert (tags(first)["right"], tags(second)["right"]) == ("40.0", "50.0")
    assert tags(second)["reason"] == "It is better: 50 over 40."


def test_the_first_becomes_champion_then_only_a_better_one() -> None:
    assert register(scores=CHAMPION) == "1"
    assert aliases() == {"champion": "1"}
    reciter = register(scores=scores_of(percent_given=100.0, extra_items=0.0, bleu=0.01))
    assert aliases() == {"champion": "1", "challenger": reciter}
    assert tags(reciter)["decision"] == "challenger" and "BLEU" in tags(reciter)["reason"]
    assert tags(reciter)["percent_given"] == "100.0"
    better = register(scores=scores_of(percent_given=80.0, extra_items=1.5, bleu=4.0))
    assert aliases() == {"champion": better}
    assert tags(better)["decision"] == "champion"


def test_a_model_below_a_floor_becomes_champion_only_by_hand() -> None:
    """Also the first: a model that wrote one dev text well is no champion."""
    few = register(scores=CHAMPION | {"texts": 1})
    assert aliases() == {"challenger": few}
    assert tags(few)["texts"] == "1.0" and tags(few)["decision"] == "challenger"
    assert tags(few)["reason"] == (
        "It stays challenger: it was measured on 1 dev text, and promotion needs 30; `allsaid promote recipes 1` "
        "makes it champion by hand."
    )
    with pytest.raises(UserError, match=r"no alias 'champion'\. .*`allsaid promote recipes VERSION` makes a version"):
        resolve("models:/recipes@champion")
    enough = register(scores=CHAMPION)
    assert aliases() == {"champion": enough}
    better = CHAMPION | {"percent_given": 90.0, "certified_percent": 80.0, "false_certificates": 1}
    wrong = register(scores=better)
    assert aliases() == {"champion": enough, "challenger": wrong}
    promote("recipes", few)
    assert aliases() == {"champion": few, "challenger": wrong}


def test_figures_of_another_dev_set_or_search_are_measured_anew() -> None:
    register(scores=CHAMPION)
    version = register()
    asked = []

    def rescore(folder: Path) -> dict[str, float]:
        asked.append((folder / "config.yaml").read_text())
        return scores_of(percent_given=60.0, extra_items=3.0, bleu=3.0)

    scores = scores_of(percent_given=70.0, extra_items=2.5, bleu=3.0)
    assert not consider("recipes", version, "dev-a", SEARCH, scores, TASK, rescore).promote
    assert asked == []  # as measured: 75% is more
    other = SEARCH | {"beam": 5}
    assert consider("recipes", version, "dev-a", other, scores, TASK, rescore).promote
    assert asked == ["run-recipes-0\n"]
    assert tags("1")["percent_given"] == "60.0" and tags("1")["search"] == '{"beam": 5, "length": 7}'
    third = register()
    kept = consider("recipes", third, "dev-b", other, scores, TASK)
    assert not kept.promote and f"`allsaid promote recipes {third}`" in kept.reason
    assert aliases() == {"champion": version, "challenger": third}

    def broken(folder: Path) -> dict[str, float]:
        raise UserError(f"{folder} is no model.")

    kept = consider("recipes", third, "dev-b", other, scores, TASK, broken)
    assert not kept.promote and "can't be measured again" in kept.reason


def test_promotion_by_hand_and_back_is_written_down() -> None:
    register(scores=CHAMPION)
    second = register(scores=scores_of(percent_given=10.0, extra_items=9.0, bleu=1.0))
    assert promote("recipes", second).startswith("Version 2 of 'recipes' is the champion now.")
    assert aliases() == {"champion": "2"}
    assert tags("2")["reason"] == "Promoted by hand; version 1 was the champion."
    promote("recipes", "1")
    assert aliases() == {"champion": "1"}
    assert tags("1")["reason"] == "Promoted by hand; version 2 was the champion."
    assert promote("recipes", "1") == "Version 1 of 'recipes' is the champion already."
    with pytest.raises(UserError, match=r"has no version 7\. The newest is 2"):
        promote("recipes", "7")


def test_a_model_is_found_by_alias_version_and_folder() -> None:
    register(scores=CHAMPION)
    register()
    champion = resolve("models:/recipes@champion")
    assert (champion.name, champion.version) == ("recipes", "1")
    assert (champion.folder / "config.yaml").read_text() == "run-recipes-0\n"
    second = resolve("models:/recipes/2")
    assert (second.version, (second.folder / "config.yaml").read_text()) == ("2", "run-recipes-1\n")
    plain = resolve("run-recipes-1/model")
    assert (plain.name, plain.version, plain.folder) == ("model", "", Path("run-recipes-1/model"))


@pytest.mark.parametrize("name", ["o'brien", 'the "inn"', "o'brien's \"inn\"", "50% off", "crème brûlée", "a#b", "`x`"])
def test_a_name_may_hold_whatever_mlflow_takes(name: str) -> None:
    registry.check_name(name)
    register(name, scores=CHAMPION)
    second = register(name, scores=scores_of(percent_given=10.0, extra_items=9.0, bleu=1.0))
    assert second == "2"
    assert (resolve(f"models:/{name}@champion").folder / "config.yaml").is_file()
    assert promote(name, "2").startswith(f"Version 2 of '{name}' is the champion now.")
    assert resolve(f"models:/{name}@champion").version == "2"
    assert resolve(f"models:/{name}/1").version == "1"


@pytest.mark.parametrize("name", ["", "  ", "a/b", "a:b", "a@b", "a?b", "a\nb", ".", "...", "x" * 257])
def test_names_that_mlflow_cannot_hold_are_refused(name: str) -> None:
    with pytest.raises(UserError, match="--name "):
        registry.check_name(name)


def test_what_is_not_there_is_answered_with_what_is() -> None:
    Path("mlflow.db").rename("other.db")
    with pytest.raises(UserError, match=r"no model registry: .*mlflow\.db does not exist"):
        resolve("models:/recipes@champion")
    assert not Path("mlflow.db").exists()
    Path("other.db").rename("mlflow.db")
    register(scores=CHAMPION)
    register("recipes-sample")
    for uri, answer in {
        "models:/soups@champion": "No model is registered as 'soups'. There are: recipes, recipes-sample.",
        "models:/recipes@best": "Model 'recipes' has no alias 'best'. There are: @champion (version 1).",
        "models:/recipes/5": "Model 'recipes' has no version 5. The newest is 1.",
        "models:/recipes": "'models:/recipes' names no model. Write models:/NAME@ALIAS",
        "nowhere/model": "There is no model folder nowhere/model.",
        "x" * 300: "There is no model folder xxx",
    }.items():
        with pytest.raises(UserError) as fault:
            resolve(uri)
        assert str(fault.value).startswith(answer)


@pytest.mark.parametrize("is_changed", [False, True])
def test_lost_or_changed_files_of_a_version(is_changed: bool) -> None:
    version = register(scores=CHAMPION)
    run = client().get_run(client().get_model_version("recipes", version).run_id)
    store = Path(run.info.artifact_uri.removeprefix("file://")) / "model"
    if is_changed:
        (store / "hashes.json").write_text('{"config.yaml": "0"}')
    else:
        shutil.rmtree(store)
    with pytest.raises(UserError) as fault:
        resolve("models:/recipes@champion")
    place = run.info.artifact_uri
    assert str(fault.value).startswith(f"Version 1 of 'recipes' can't be used: its files in {place} are missing")
    assert "`allsaid promote recipes VERSION`" in str(fault.value)
    kept = consider("recipes", register(), "dev-b", SEARCH, CHAMPION, TASK, lambda folder: CHAMPION)
    assert not kept.promote and "can't be measured again. Version 1 of 'recipes' can't be used" in kept.reason


def test_settling_twice_keeps_the_first_decision() -> None:
    register(scores=CHAMPION)
    run_dir = Path("run-recipes-0")
    promote_later = register(scores=scores_of(percent_given=10.0, extra_items=9.0, bleu=1.0))
    promote("recipes", promote_later)
    again = tracking.sync(run_dir)
    assert again.decision == Decision(True, "There was no champion yet.")
    assert aliases() == {"champion": promote_later}


def test_a_run_of_another_version_is_named() -> None:
    tracker = tracking.open_tracker(Path("run"), "offline", "tests", "run")
    (Path("run") / "model").mkdir()
    tracker.model(Path("run") / "model", "recipes", CHAMPION, "dev-a", SEARCH)
    tracker.finish()
    spool = Path("run/spool.jsonl")
    spool.write_text(spool.read_text().replace(', "keep_champion": false', ""))
    with pytest.raises(UserError, match=r"no keep_champion\. If another version of Allsaid wrote it, train the model"):
        tracking.sync(Path("run"))
