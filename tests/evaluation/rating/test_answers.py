"""Raters' answers: used or rejected with a reason, and the table that they become."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from in_process import allsaid
from small_study import make_key, sheet

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks import pair
from evaluation.rating import read as rate_read
from evaluation.rating.answers import alpha, gather, runs
from evaluation.rating.forms import ADEQUACY, BETTER, BOTH_BAD, BOTH_GOOD, FIRST, FLUENCY, PAPER, QUESTIONS, SECOND
from evaluation.rating.key import Key
from schemas.errors import UserError
from training.tracking.connection import connect, tracking_uri

KEY = make_key(
    task="recipes",
    systems=["checklist+", "Truth"],
    rows=["a", "b"],
    sheets=[[[0, 1], [1, 0], [0, 0], [1, 1]], [[1, 1], [0, 0], [1, 0], [0, 1]], [[0, 0], [0, 1], [1, 0], [1, 1]]],
)
DUELS = replace(
    KEY,
    systems=["scratchpad", "copynet"],
    sheets=[[[0, 0, 1], [1, 1, 0]], [[1, 0, 1], [0, 1, 0]], [[0, 0, 1], [1, 0, 1]]],
    head_to_head=True,
)


def write_answers(path: Path, rater: Any, answers: list[Any], study: str = "5") -> str:
    path.write_text(json.dumps({"study": study, "rater": rater, "answers": answers}))
    return str(path)


def answer(text: Any, rating: Any, question: str = "syntax") -> dict[str, Any]:
    return {"text": text, "question": question, "rating": rating}


def test_every_answer_is_used_or_rejected_with_its_reason(tmp_path: Path) -> None:
    first = write_answers(
        tmp_path / "answers-1.json",
        1,
        [
            answer(1, 4),
            answer(2, 5, "follows_goal"),
            answer(2, 5, "follows_goal"),  # doubled
            answer(3, 2),
            answer(3, 3),  # contradictory, both
            answer(5, 3),  # the sheet has four
            answer(4, 3, "taste"),
            *(answer(4, rating) for rating in (0, 6, 2.0, "3", True, None)),
            "4",
        ],
    )
    second = write_answers(tmp_path / "answers-2.json", 2, [answer(1, 2)])
    unknown = write_answers(tmp_path / "answers-9.json", 9, [answer(1, 2)])
    foreign = write_answers(tmp_path / "other.json", 1, [answer(1, 2)], study="6")
    found = gather([first, second, unknown, foreign], KEY)
    assert (found.read, len(found.used), len(found.rejected)) == (17, 3, 14)
    assert Counter(one.reason for one in found.rejected) == {
        "doubled": 1,
        "contradictory": 2,
        "unknown_text": 2,
        "unknown_question": 1,
        "out_of_range": 6,
        "unknown_rater": 1,
        "other_study": 1,
    }
    told = {one.sentence.replace(f"{tmp_path}/", "") for one in found.rejected}
    assert "answers-1.json: text 5 is not on the sheet, which has the texts 1 to 4." in told
    assert "answers-1.json: text 4 has the rating 6 for syntax, not 1 to 5." in told
    assert (
        "answers-1.json: text 3 is rated 2 in answers-1.json and 3 in answers-1.json for syntax; none counts." in told
    )
    assert [sentence.replace(f"{tmp_path}/", "") for sentence in found.missing] == [
        "answers-1.json: 3 texts without a usable answer to syntax: 2-4.",
        "answers-1.json: 4 texts without a usable answer to ingredient_use: 1-4.",
        "answers-1.json: 3 texts without a usable answer to follows_goal: 1, 3-4.",
        "answers-2.json: 3 texts without a usable answer to syntax: 2-4.",
        "answers-2.json: 4 texts without a usable answer to ingredient_use: 1-4.",
        "answers-2.json: 4 texts without a usable answer to follows_goal: 1-4.",
        "Rater 3 has given no answer.",
    ]
    assert [(one.rater, one.row, one.system, one.rating) for one in found.of("syntax")] == [
        (1, 0, "Truth", 4),
        (2, 1, "Truth", 2),
    ]


@pytest.mark.parametrize("content", ["[]", '{"answers": 3}', "{", "\ufeff{}x"])
def test_a_file_without_answers_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(UserError, match=r"a\.json"):
        gather([str(tmp_path / "a.json")], KEY)


def test_neighbouring_numbers_are_drawn_together() -> None:
    assert runs([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"


def test_alpha_is_that_of_the_published_example() -> None:
    """Krippendorff (2011), section E: four observers, twelve units, gaps; 0.849 for interval data."""
    observers = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    units = [[int(value) for value in unit if value != "."] for unit in zip(*observers, strict=True)]
    assert alpha(units) == pytest.approx(0.849, abs=5e-4)
    assert alpha([[1, 5], [5, 1]]) == pytest.approx(-0.5)
    assert alpha([[4, 4], [4, 4, 4]]) is None
    assert alpha([[1], [2]]) is None
    assert alpha([]) is None


@pytest.mark.usefixtures("own_folder")
def test_ratings_become_a_table_beside_the_papers_and_a_run(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    KEY.write(str(tmp_path / "key.json"))
    ratings = {"checklist+": [5, 4, 4], "Truth": [3, 3, 5]}  # of the three raters, for every text and question
    files = [
        write_answers(
            tmp_path / f"answers-{rater}.json",
            rater,
            [
                answer(number, ratings[KEY.systems[system]][rater - 1], question)
                for number, (_, system) in enumerate(places, start=1)
                for question in QUESTIONS
            ],
        )
        for rater, places in enumerate(KEY.sheets, start=1)
    ]
    assert allsaid("rate", "read", *files, "--key", "key.json", "--output", "out") == 0
    told = capsys.readouterr()
    assert re.search(r"checklist\+ +│ +4\.33 │ +6 │ +4\.39 │ +4\.33 │ +6 │ +3\.95 │ +4\.33 │ +6 │ +4\.10", told.out)
    assert re.search(r"Truth +│ +3\.67 │ +6 │ +4\.39", told.out)
    assert "Answers: 36 read = 36 used + 0 rejected." in told.err
    result = json.loads((tmp_path / "out" / "ratings.json").read_text())
    assert result["missing"] == [] and result["rejected"] == []
    # Each of the two rows has the units 5 4 4 and 3 3 5.
    assert result["alpha"]["syntax"] == pytest.approx(alpha([[5, 4, 4], [3, 3, 5]] * 2))
    page = (tmp_path / "out" / "ratings.md").read_text()
    assert "| checklist+ | 4.33 | 6 | 4.39 |" in page
    client = connect(tracking_uri())
    (run,) = client.search_runs([client.get_experiment_by_name("recipes").experiment_id])
    assert (run.data.tags["kind"], run.data.tags["task"]) == ("rate", "recipes")
    assert run.data.metrics["syntax/checklist-plus"] == pytest.approx(13 / 3)
    assert run.data.metrics["alpha/syntax"] == pytest.approx(result["alpha"]["syntax"])
    assert run.inputs.dataset_inputs[0].dataset.digest == "f1"


def test_the_papers_figures_are_for_its_systems_only() -> None:
    empty = gather([], KEY)
    found = rate_read.describe(empty, KEY)["systems"]
    assert [found["Truth"][question]["paper"] for question in QUESTIONS] == list(PAPER["truth"])
    other = rate_read.describe(empty, replace(KEY, task="dialogue", systems=["checklist+"]))["systems"]
    assert other["checklist+"]["syntax"] == {"mean": None, "ratings": 0, "paper": None}
    assert rate_read.describe(empty, replace(KEY, systems=["mine"]))["systems"]["mine"]["syntax"]["paper"] is None


def bare(text: str) -> str:
    """A text's letters and marks, without what writing out changes."""
    return "".join(text.split()).casefold()


@pytest.mark.usefixtures("own_folder")
def test_pairs_are_rated_for_fluency_then_adequacy(pair_texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(pair_texts / system) for system in ("scratchpad", "copynet")]
    data = str(pair_texts / "data")
    asked = ("--data", data, "--output", "study", "--rows", "4", "--raters", "3")
    assert allsaid("rate", "make", *folders, *asked) == 0
    key = Key.read("study/key.json")
    assert (key.task, key.systems) == ("pairs", ["scratchpad", "copynet", "Truth"])
    truth = {row.id: row for row in pair.TASK.examples(DataSet(data), "test")}
    files = []
    for rater in (1, 2, 3):
        shown = sheet(f"study/sheets/sheet-{rater}.html")["texts"]
        places = [key.entry(rater, number) for number in range(1, 21)]
        # All texts for their language, the true ones among them; then those of the systems beside these.
        fluent = [(place.row, *place.systems) for place in places[:12]]
        adequate = [(place.row, *place.systems) for place in places[12:]]
        assert sorted(fluent) == sorted((row, system) for row in range(4) for system in key.systems)
        assert sorted(adequate) == sorted((row, system) for row in range(4) for system in key.systems[:2])
        for one, place in zip(shown, places, strict=True):
            assert (one["goal"], one["agenda"], one["questions"]) == ("", [], [*place.questions])
            own = bare(truth[key.rows[place.row]].text)
            assert bare(one["reference"]) == (own if ADEQUACY in place.questions else "")
            assert place.systems != ("Truth",) or bare(one["texts"][0]) == own
        rating = {("scratchpad",): 10, ("copynet",): 0, ("Truth",): 9}
        given = [answer(number, rating[place.systems], *place.questions) for number, place in enumerate(places, 1)]
        files.append(write_answers(Path(f"answers-{rater}.json"), rater, given, key.study))
    assert allsaid("rate", "read", *files, "--key", "study/key.json") == 0
    result = json.loads(Path("study/ratings.json").read_text())
    assert result["answers"] == {"read": 60, "used": 60, "rejected": {}} and result["missing"] == []
    means = {system: [of[question]["mean"] for question in of] for system, of in result["systems"].items()}
    assert means == {"scratchpad": [10, 10], "copynet": [0, 0], "Truth": [9, None]}
    assert [*result["alpha"]] == [FLUENCY, ADEQUACY]
    assert "0 to 10, beside Benmalek et al. 2019, table 4" in Path("study/ratings.md").read_text()
    # The paper's figures are of its own data alone.
    for source, figure in (("wikisql", 6.59), ("parallel", None)):
        found = rate_read.describe(gather([], key), replace(key, data_name=source))["systems"]
        assert found["scratchpad"][ADEQUACY]["paper"] == figure


def test_head_to_head_ignores_the_side(tmp_path: Path) -> None:
    answers = ([FIRST, SECOND], [BOTH_GOOD, FIRST], [FIRST, BOTH_BAD])
    files = [
        write_answers(
            tmp_path / f"answers-{rater}.json", rater, [answer(number, one, BETTER) for number, one in enumerate(of, 1)]
        )
        for rater, of in enumerate(answers, 1)
    ]
    wrong = write_answers(tmp_path / "wrong.json", 3, [answer(2, 5, BETTER), answer(1, FIRST, "syntax")])
    found = gather([*files, wrong], DUELS)
    assert Counter(one.reason for one in found.rejected) == {"out_of_range": 1, "unknown_question": 1}
    # Rater 2's second text has copynet first, which is preferred; rater 1's second has it first and not preferred.
    assert [(one.rater, one.row, one.rating) for one in found.used] == [
        (1, 0, FIRST),
        (1, 1, FIRST),
        (2, 1, BOTH_GOOD),
        (2, 0, SECOND),
        (3, 0, FIRST),
        (3, 1, BOTH_BAD),
    ]
    (duel,) = rate_read.describe(found, DUELS)["duels"]
    assert duel["systems"] == ["scratchpad", "copynet"] and duel["judgements"] == 6
    shares = [duel[name] for name in ("first", "both_good", "both_bad", "second", "win_rate")]
    assert shares == pytest.approx([50, 100 / 6, 100 / 6, 100 / 6, 75])
    result = rate_read.describe(found, DUELS)
    assert rate_read.table(result)[0] == ["scratchpad", "copynet", "50.0", "16.7", "16.7", "16.7", "75.0", "6"]
    assert rate_read.metrics(result)["win_rate/scratchpad/copynet"] == 75
    # Units 1 4 1 and 1 2 3: of the 6 pairs of values within a unit 5 differ (each weighs 1 / 2, so 5 of 6 values), of
    # the 15 pairs of all six values 12.
    assert result["alpha"][BETTER] == pytest.approx(1 - (5 / 6) / (12 / 15))
