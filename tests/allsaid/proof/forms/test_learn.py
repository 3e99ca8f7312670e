"""A phrasebook as it is learned from six texts, and as JSON."""

from __future__ import annotations

import json

from small_forms import SHOP, SPOKEN, book_of, form_of, kinds, row_of, text_of

from allsaid.proof.forms.learn import learn
from allsaid.proof.forms.phrasebook import Phrasebook, agreeing, pairs
from allsaid.proof.forms.symbols import GOAL

BOOK = book_of(SHOP)
SUBJECT = form_of("the SLOT_NAME is a GOAL .")
COMES = form_of("it comes in SLOT_COLOUR .")


def test_sentences_are_counted_by_goal_the_frequent_first() -> None:
    found = {" ".join(one.words): dict(one.goals) for one in BOOK.sentences}
    assert found == {
        "it comes in SLOT_COLOUR .": {"lamp": 1, "mug": 1},
        "it is dishwasher|SLOT_SAFE_YES safe .": {"mug": 2},
        "it is not dishwasher|SLOT_SAFE_NO safe .": {"mug": 1},
        "it weighs SLOT_WEIGHT and is made in SLOT_LAND .": {"lamp": 1, "mug": 1},
        "meet the SLOT_NAME , a GOAL from SLOT_LAND .": {"lamp": 1, "mug": 1},
        "the SLOT_NAME is a GOAL .": {"mug": 1},
        "the SLOT_NAME is a GOAL for coffee .": {"mug": 1},
        "the SLOT_NAME is a/an SLOT_COLOUR GOAL .": {"lamp": 1, "mug": 1},
    }
    counts = [one.count for one in BOOK.sentences]
    assert counts == sorted(counts, reverse=True) and counts[0] == 2
    assert BOOK.sentences[0].words == COMES and BOOK.sentences[0].example == "it comes in COLOUR."


def test_a_beginning_ends_with_the_sentence_of_the_subject() -> None:
    first = text_of("here it is ! the NAME is a mug . it is fine .", "name=Iris")
    beginnings = dict(book_of([first, first, *SHOP]).beginnings)
    assert beginnings[form_of("here it is !"), SUBJECT] == 2
    assert beginnings[(SUBJECT,)] == 1
    assert BOOK.subject == "SLOT_NAME" and sum(count for _, count in BOOK.beginnings) == len(SHOP)


def test_without_a_subject_the_first_sentence_begins() -> None:
    book = book_of([text_of("it is fine . it is good .")], subject="")
    assert book.beginnings == (((form_of("it is fine ."),), 1),) and book.subject == ""


def test_a_damaged_beginning_costs_its_sentence_only() -> None:
    book = book_of([text_of("the the NAME is a mug . it comes in COLOUR .", "name=B", "colour=blue")])
    assert book.beginnings == () and [one.words for one in book.sentences] == [COMES]


def test_damaged_clauses_are_left_out_and_others_count() -> None:
    book = book_of([text_of("it is fine and it is is good .")])
    assert book.sentences == ()
    assert book.words["it is"] == {"mug": 1}


def test_first_symbols_that_follow_each_other_are_counted() -> None:
    assert BOOK.follows == {("it", "it"): 1, ("meet", "it"): 2, ("the", "it"): 4}


def test_goals_columns_and_words_are_counted_by_text() -> None:
    assert BOOK.goals == {"lamp": 2, "mug": 4}
    assert BOOK.columns["SLOT_WEIGHT"] == {"lamp": 1, "mug": 1}
    assert BOOK.columns["SLOT_SAFE_YES"] == {"mug": 2}
    assert BOOK.words["coffee"] == {"mug": 1} and BOOK.words["for coffee"] == {"mug": 1}
    assert BOOK.words["it"] == {"lamp": 2, "mug": 4}
    assert BOOK.words["a/an GOAL"] == {"lamp": 2, "mug": 4}


def test_goals_that_do_not_recur_teach_nothing() -> None:
    book = book_of(SHOP, has_goals=False)
    assert book.goals == book.columns == book.words == {}
    assert len(book.sentences) == len(BOOK.sentences)


def test_marks_are_asked_for_where_nearly_all_texts_have_them() -> None:
    with_mark, without = text_of("it is fine ."), text_of("it is fine")
    assert BOOK.has_end_marks
    assert book_of([*[with_mark] * 19, without]).has_end_marks
    assert not book_of([*[with_mark] * 18, without]).has_end_marks


def test_acts_have_no_goal_in_their_texts() -> None:
    texts = [text_of("we inform you .", goal="inform")]
    assert book_of(texts, is_strict=True).sentences[0].words == ("we", "inform", "you", ".")
    assert book_of(texts).sentences[0].words == ("we", GOAL, "you", ".")
    assert book_of(texts, is_strict=True).is_strict


def test_no_texts_make_an_empty_book() -> None:
    book = learn(lambda: [], SPOKEN)
    assert book.sentences == book.beginnings == () and book.bounds == {}


def test_what_agrees_with_a_goal_is_the_last_word_before_it() -> None:
    assert agreeing(("a/an", "SLOT_COLOUR", GOAL, "or", "den", GOAL)) == ["a/an GOAL", "den GOAL"]
    assert agreeing(("an", GOAL)) == ["a/an GOAL"]
    assert agreeing((GOAL, "is")) == [] and agreeing(("SLOT_NAME", GOAL)) == [" GOAL"]


def test_pairs_have_no_values() -> None:
    assert pairs(("it", "weighs", "SLOT_WEIGHT", "in", "all")) == ["it weighs", "in all"]


def test_a_book_is_the_same_after_json() -> None:
    rows = [text_of("it has MADE_OF and MADE_OF_2 . a cup .", "made of=oak", "made of=steel")]
    book = book_of([*SHOP, *rows], abbreviations=frozenset(("ca",))).without([("it", "is", "fine")])
    again = Phrasebook.from_json(json.loads(json.dumps(book.to_json())))
    assert again == book and again.struck == {("it", "is", "fine")}
    assert again.reader.index(row_of()) == book.reader.index(row_of())


def test_a_struck_form_takes_its_sentences_with_it() -> None:
    struck = form_of("is made in SLOT_LAND")
    book = BOOK.without([struck])
    gone = {one.words for one in BOOK.usable} - {one.words for one in book.usable}
    assert {" ".join(words) for words in gone} == {"it weighs SLOT_WEIGHT and is made in SLOT_LAND ."}
    assert book.without([COMES[:-1]]).struck == {struck, COMES[:-1]}


def test_a_sentence_with_an_abbreviation_is_one() -> None:
    book = book_of([text_of("it weighs ca . WEIGHT .", "weight=2 kg")], abbreviations=frozenset(("ca",)))
    (known,) = book.sentences
    assert [clause.form for clause in known.sentence.clauses] == [form_of("it weighs ca . SLOT_WEIGHT")]
    assert kinds(book, "it weighs ca . WEIGHT .", row_of("weight=3 kg")) == []
