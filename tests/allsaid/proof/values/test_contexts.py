"""Words that belong to the values of a column, and a yes or no that is said the other way round."""

from dataclasses import asdict, replace

from small_catalogue import make_text

from allsaid.proof.faults import count_faults
from allsaid.proof.values.contexts import MIN_SEEN, Contexts, build_contexts
from schemas.example import NEW, NO_ITEM, Example


def with_flag(written: str, columns: list[str], word: str, flag: str) -> Example:
    """An example whose text also speaks of a yes or no, by one word."""
    made = make_text(written, columns)
    refs = [len(columns) if token == word else item for token, item in zip(made.tokens, made.ref_items, strict=True)]
    types = [NEW if item != NO_ITEM else kind for item, kind in zip(refs, made.ref_types, strict=True)]
    items = [*made.agenda_tokens, [f"SLOT_CAMERA_{flag}"]]
    return replace(
        made, agenda=[*made.agenda, f"camera={flag.lower()}"], agenda_tokens=items, ref_items=refs, ref_types=types
    )


TEXTS = MIN_SEEN * [
    with_flag("the NAME has a life of HOURS and has a camera .", ["name", "hours"], "camera", "YES"),
    with_flag("the NAME costs PRICE and has no camera . buy NAME now .", ["name", "price"], "camera", "NO"),
]


def wrong(text: str, flag: str = "YES") -> list[str]:
    tokens = ["SLOT_" + word if word.isupper() else word for word in text.split()]
    agenda = ["name=Ara", "hours=9 hours", "price=80 EUR", f"camera={'on' if flag == 'YES' else 'off'}"]
    items = [["SLOT_NAME"], ["SLOT_HOURS"], ["SLOT_PRICE"], [f"SLOT_CAMERA_{flag}"]]
    return build_contexts(TEXTS).wrong(tokens, agenda, items)


def test_a_value_among_the_words_of_another_column_is_wrong() -> None:
    assert wrong("the NAME has a life of HOURS and has a camera .") == []
    assert wrong("the NAME has a life of PRICE .") == ["hours=80 EUR"]
    assert wrong("NAME NAME of new words PRICE , which nobody knows .") == []
    assert wrong("the NAME costs HOURS and has a life of PRICE .") == ["price=9 hours", "hours=80 EUR"]


def test_a_yes_or_no_that_is_said_both_ways_is_wrong() -> None:
    assert wrong("the NAME has a camera and has no camera .") == ["camera=no"]
    assert wrong("the NAME has a camera and has no camera .", "NO") == ["camera=yes"]
    assert wrong("the NAME has some other camera .") == []


def test_rare_and_shared_words_are_no_evidence() -> None:
    assert build_contexts(TEXTS[:2]).seen == {}
    contexts = build_contexts([*TEXTS, *MIN_SEEN * [make_text("a life of PRICE", ["price"])]])
    assert contexts.wrong(["life", "of", "SLOT_PRICE"], ["price=9"], [["SLOT_PRICE"]]) == []


def test_the_place_in_a_text_is_no_evidence() -> None:
    texts = MIN_SEEN * [make_text("NAME runs for HOURS and costs PRICE .", ["name", "hours", "price"])]
    tokens = ["SLOT_PRICE", "is", "due", "for", "the", "SLOT_NAME", ".", "it", "runs", "for", "SLOT_HOURS", "."]
    items = [["SLOT_NAME"], ["SLOT_HOURS"], ["SLOT_PRICE"]]
    assert build_contexts(texts).wrong(tokens, ["name=Ara", "hours=9 hours", "price=80 EUR"], items) == []


def test_columns_that_texts_say_again_are_counted() -> None:
    contexts = build_contexts(TEXTS)
    assert contexts.again == ["name"]
    assert Contexts(**asdict(contexts)) == contexts


def test_wording_faults_are_repeated_words_and_items() -> None:
    words = ["a", "light", "light", "weight", ",", "and", "a", "light", "one", "."]
    assert count_faults(words, []) == 1
    assert count_faults(words, [[1, 2]]) == 1
    assert count_faults(words, [[1, 2, 7]]) == 2
    assert count_faults(["wait", ".", ".", "."], [[], [0]]) == 0
