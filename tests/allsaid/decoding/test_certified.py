"""Which text a row gets: the search's own where it is certified, else an assembled one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from small_bundle import bundle_of, found
from small_forms import IRIS, SHOP, book_of, row_of, text_of, tokens_of, written_of

from allsaid.decoding import certified
from allsaid.decoding.group import Group
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured, measure_of
from allsaid.decoding.search import Searcher
from allsaid.decoding.write import write
from allsaid.modeling.config import Config, SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompts
from allsaid.modeling.models import checklist
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.proof.coverage import Coverage
from allsaid.proof.forms.certificate.certify import Certifier
from schemas.example import Example

NEURAL = bundle_of(model=object())  # its search is scripted
BOOK = book_of(SHOP)
ROW = row_of(*IRIS)
WHOLE = "the NAME is a COLOUR mug . it weighs WEIGHT and is made in LAND . it is dishwasher safe ."
SHORT = "the NAME is a COLOUR mug . it weighs WEIGHT and is made in LAND ."
WRONG = "the NAME is a COLOUR mug . it is not dishwasher safe . it weighs WEIGHT and is made in LAND ."
OPTIONS = SearchConfig(min_coverage=100)


@dataclass(frozen=True)
class Scripted(Searcher):
    """Writes first what it is told without a bound, and then what it is told with one."""

    first: tuple[str, ...] = ()
    bounded: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    def write(self, prompts: object) -> list[list[Hypothesis]]:
        assert isinstance(prompts, list) and not self.search.is_banked
        self.asked.append("plain")
        return [[found(self.bundle, text) for text in self.first] for _ in prompts]

    def write_all(self, prompts: object) -> list[list[Hypothesis]]:
        assert isinstance(prompts, list)
        self.asked.extend("bounded" for _ in prompts)
        return [[found(self.bundle, text) for text in self.bounded] for _ in prompts]


def searcher(
    plain: tuple[str, ...], bounded: tuple[str, ...] = (), bundle: Bundle = NEURAL, **options: Any
) -> Scripted:
    asked = replace(OPTIONS, **options)
    return Scripted(bundle, asked, (), Measured(measure_of(bundle)), bundle.says_goals, {}, plain, bounded)


def is_certified(text: str, row: Example) -> bool:
    return Certifier(BOOK, asks_goal=True).certify(tokens_of(text), row).is_certified


def written(of: Scripted, row: Example = ROW) -> list[tuple[str, bool]]:
    """The texts of a row, and whether each is assembled."""
    (texts,) = certified.write(of, [row])
    return [(written_of(of.bundle.words(one.tokens, row)), one.is_assembled) for one in texts]


def test_a_certified_text_ends_the_search() -> None:
    of = searcher((WHOLE,))
    assert written(of) == [(WHOLE, False)] and of.asked == ["plain"]


@pytest.mark.parametrize("text", [SHORT, WRONG, "it is NAME ."])
def test_one_that_is_not_is_replaced_by_an_assembled_one(text: str) -> None:
    of = searcher((text,))
    (best, is_assembled), *others = written(of)
    assert is_assembled and is_certified(best, ROW)
    assert (text, False) in others and of.asked == ["plain"]


def test_a_setting_prefers_the_texts_of_the_search() -> None:
    of = searcher((SHORT,), (WRONG,), assemble=False)
    assert written(of) == [(SHORT, False), (WRONG, False)]  # what no form attests is worse than what is missing
    assert of.asked == ["plain", "bounded"]
    assert written(searcher((SHORT,), (WHOLE,), assemble=False))[0] == (WHOLE, False)


def test_where_assembly_can_not_help_the_search_makes_room() -> None:
    row = row_of(*IRIS, "price=3 EUR")
    of = searcher((SHORT,), (WHOLE,))
    texts = written(of, row)
    assert of.asked == ["plain", "bounded"]
    assert "dishwasher" in texts[0][0] and "PRICE" not in texts[0][0]


def test_an_empty_text_is_the_worst() -> None:
    """It has no unattested passage, but neither has it anything else."""
    row = row_of("price=3 EUR")  # which can't be assembled
    texts = written(searcher(("", "it is COLOUR for coffee ."), ()), row)
    assert texts == [("it is COLOUR for coffee .", False), ("", False)]


def test_several_texts_of_a_row_are_different_and_certified() -> None:
    row = row_of("name=A", "colour=red")
    texts = written(searcher(("the NAME is a COLOUR mug .",), texts=3), row)
    assert texts[0] == ("the NAME is a COLOUR mug .", False)
    assert len({text for text, _ in texts}) == len(texts) >= 3
    for text, is_assembled in texts[1:3]:
        assert is_assembled and is_certified(text, row)


def test_without_certificate_the_fullest_text_wins() -> None:
    row = row_of("name=A", "price=3 EUR")
    texts = written(searcher(("the NAME is a mug . it is of gold .",), ()), row)
    assert texts[0] == ("the NAME is a mug .", True)


def test_a_model_that_assembles_writes_so_whatever_is_asked_for() -> None:
    bundle = bundle_of()
    for options in (SearchConfig(), OPTIONS, replace(OPTIONS, assemble=False), SearchConfig(texts=2)):
        for row, texts in zip(SHOP, write(bundle, SHOP, options), strict=True):
            assert texts and all(one.is_assembled and one.finished for one in texts)
            assert is_certified(written_of(bundle.words(texts[0].tokens, row)), row)
            assert texts[0].log_probability <= 0


def test_an_assembled_texts_items_are_its_placeholders() -> None:
    bundle = bundle_of()
    ((best, *_),) = write(bundle, [ROW], OPTIONS)
    words = bundle.words(best.tokens, ROW)
    assert [words[place] for place, item in enumerate(best.items) if item == 2] == ["SLOT_WEIGHT"]
    assert best.used == [0, 1, 2, 3]  # the yes has no placeholder


def test_variety_draws_wordings_by_the_row() -> None:
    ways = [text for word in ("good", "nice", "fine", "neat") for text in _ways(word)]
    bundle = bundle_of(ways, says_goals=False)
    rows = [replace(row_of("name=B"), id=str(number)) for number in range(20)]
    same = {tuple(texts[0].tokens) for texts in write(bundle, rows, OPTIONS)}
    varied = [tuple(texts[0].tokens) for texts in write(bundle, rows, replace(OPTIONS, variety=True))]
    assert len(same) == 1 and len(set(varied)) > 2
    assert varied == [tuple(texts[0].tokens) for texts in write(bundle, rows, replace(OPTIONS, variety=True))]


def _ways(word: str) -> list[Example]:
    return [text_of(f"NAME is a {word} mug .", "name=A")] * 2


def test_a_row_without_a_text_has_no_hypothesis() -> None:
    assert write(bundle_of(), [row_of("colour=red")], OPTIONS) == [[]]


def test_texts_are_measured_by_their_certificates() -> None:
    said = measure_of(NEURAL)(tokens_of(SHORT), ROW)
    assert (said.given, said.certified, said.unattested) == ([True, True, True, True, False, True], False, ())
    said = measure_of(NEURAL)(tokens_of(WRONG), ROW)
    assert (said.certified, said.unattested) == (False, ("it is not dishwasher safe",))
    without = replace(NEURAL, phrasebook=None)
    assert measure_of(without)(tokens_of(SHORT), ROW).certified is None


def test_no_search_and_no_measurement_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The untrained model's texts are not certified, so each row is searched without a bound, then with one."""
    config = Config(model=checklist.Settings(hidden=8))
    bundle = bundle_of(model=build_model(config, NEURAL.vocabularies))
    searched: list[tuple[SearchConfig, str]] = []
    measured: list[tuple[str, ...]] = []

    def search(group: Group, prompts: Prompts, places: Sequence[int]) -> list[list[Hypothesis]]:
        searched.extend((group.request.search, group.rows[place].id) for place in places)
        return searching(group, prompts, places)

    def measure(tokens: Sequence[str], row: Example) -> Coverage:
        measured.append((row.id, *tokens))
        return measure_of(bundle)(tokens, row)

    searching = Group.beam_search
    monkeypatch.setattr(Group, "beam_search", search)
    rows = [replace(ROW, id="a"), replace(ROW, id="b")]
    write(bundle, rows, replace(OPTIONS, assemble=False, max_tokens=9, width=4), measure=Measured(measure))
    assert {asked.is_banked for asked, _ in searched} == {False, True}
    assert len(searched) == len(set(searched)) and len(measured) == len(set(measured)) > 8


def test_the_book_of_a_bundle_is_its_own() -> None:
    assert NEURAL.phrasebook == BOOK
    assert replace(NEURAL, phrasebook=None).certifier is None
