from small_catalogue import make_text

from allsaid.modeling.data.later_sentences import later_sentences
from schemas.example import NEW, NO_ITEM, USED


def test_later_sentences_become_texts_of_what_they_say() -> None:
    text = make_text(
        "the NAME costs PRICE . it is COLOUR . nice . LAND and LAND make it .", ["name", "price", "colour", "land"]
    )
    colour, land = later_sentences([text])
    assert colour.tokens == ["it", "is", "SLOT_COLOUR", "."]
    assert (colour.agenda, colour.agenda_tokens) == (["colour=some colour"], [["SLOT_COLOUR"]])
    assert colour.ref_items == [NO_ITEM, NO_ITEM, 0, NO_ITEM]
    assert [kind for kind in land.ref_types if kind in (NEW, USED)] == [NEW, USED]
    assert len({text.id, colour.id, land.id}) == 3


def test_what_a_later_sentence_says_again_is_new_there() -> None:
    text = make_text("the NAME costs PRICE . the NAME is COLOUR .", ["name", "price", "colour"])
    (later,) = later_sentences([text])
    assert later.agenda == ["name=some name", "colour=some colour"]
    assert later.ref_types[1] == NEW


def test_a_text_of_one_sentence_has_no_later_one() -> None:
    assert list(later_sentences([make_text("the NAME costs PRICE", ["name", "price"])])) == []
