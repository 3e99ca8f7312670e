"""Values are written as the training texts write those of their column."""

from __future__ import annotations

from dataclasses import replace

from cases import cases
from small_catalogue import make_text

from allsaid.modeling.text.marks import Marks, learn_marks
from allsaid.modeling.text.spelling import Numbers, Spelling, learn_spelling
from schemas.act import Slot
from schemas.example import Example


def says(column: str, value: str, before: str, written: str, after: str = ".", goal: str = "Zelt") -> Example:
    """A text with one value of a row."""
    row = make_text(f"{before} {column.upper()} {after}", [column])
    return replace(
        row,
        goal=goal,
        agenda=[f"{column}={value}"],
        text=f"{before} {written} {after}",
        surface=[before, " ".join(written.replace("€", " € ").split()), after],
    )


GERMAN = learn_spelling(
    [
        *[says("preis", f"{price} EUR", "kostet", f"{price // 1000}.{price % 1000} €") for price in (1299, 2450, 9999)],
        *[says("preis", "44.5 EUR", "kostet", "44,50 €")] * 3,
        *[says("preis", "7 EUR", "für", "7 Euro")] * 3,
        *[says("gewicht", "1.5 kg", "wiegt", "1,5 kg")] * 3,
        *[says("garantie", "2 Jahre", "hat", "2 Jahre", "garantie")] * 5,
        *[says("garantie", "3 Jahre", "von", "3 Jahren")] * 4,
        *[says("garantie", "1 Jahre", "von", "1 Jahr")] * 3,
        *[says("farbe", "grün", "ein", "grünes", "zelt")] * 3,
        *[says("farbe", "rot", "ein", "roter", "rucksack", "Rucksack")] * 3,
        *[says("farbe", "lila", "ein", "lila", "rucksack", "Rucksack")] * 9,
        *[says("farbe", "rot", "in", "Rot", "gehalten")] * 3,
    ],
    "de",
)


@cases
def test_values_are_written_as_texts_write_them(column: str, value: str, before: str, after: str, written: str) -> None:
    goal = "Rucksack" if after == "rucksack" else "Zelt"
    assert GERMAN.write(Slot(column, value), goal, before, after) == written


def test_a_goal_decides_on_a_gender() -> None:
    women = [says("couleur", "vert", "est", "verte", goal="tente")] * 4
    men = [says("couleur", "vert", "est", "vert", goal="tapis")] * 3
    spelling = learn_spelling([*women, *men], "fr")
    grey = Slot("couleur", "gris")
    assert [spelling.write(grey, goal, "est", ".") for goal in ("tente", "tapis")] == ["grise", "gris"]


def test_letters_follow_texts_except_names_in_capitals() -> None:
    spelling = learn_spelling([says("wood", "Oak", "of", "oak")] * 3, "en")
    values = ("Elm", "MDF", "Solid Oak", "pine")
    assert [spelling.write(Slot("wood", value), "Zelt", "of", ".") for value in values] == [
        "elm", "MDF", "Solid Oak", "pine",
    ]  # fmt: skip
    assert learn_spelling([says("wood", "Solid Oak", "of", "solid oak")] * 3, "en").ways == {}


def test_where_some_texts_write_as_their_rows_do_a_value_stays() -> None:
    mixed = [says("price", "20 EUR", "costs", "20 euros")] * 6 + [says("price", "20 EUR", "costs", "20 EUR")]
    assert learn_spelling(mixed, "").write(Slot("price", "9 EUR"), "Zelt", "costs", ".") == "9 EUR"
    assert learn_spelling(mixed[:6], "").write(Slot("price", "9 EUR"), "Zelt", "costs", ".") == "9 euros"


def test_a_blank_that_holds_a_number_together_is_a_blank() -> None:
    french = learn_spelling([says("prix", "1299 EUR", "coûte", "1\u202f299\u00a0€")] * 3, "fr")
    assert french.write(Slot("prix", "2450 EUR"), "Zelt", "coûte", ".") == "2 450 €"


def test_what_was_not_seen_stays() -> None:
    for value in ("1299 EUR", "5.00 kg", "1,299.50", "+5", "007", "1 299", "#1", "Elm", "MDF"):
        assert Spelling().write(Slot("price", value), "lamp", "costs", ".") == value
    assert Spelling.from_json(GERMAN.to_json()) == GERMAN
    assert GERMAN.numbers["gewicht"] == Numbers(thousands=None, point=",", least=1, whole=None)


def test_marks_are_set_as_texts_set_them() -> None:
    written = "Elm : rouge « Yew » ; ah ! oui"
    french = replace(make_text(written, []), tokens=written.lower().split())
    marks = learn_marks([french] * 5)
    assert (marks.before, marks.after["«"]) == ({":": True, "«": True, "!": True}, True)
    curly = replace(french, text="Das „Elm“。", surface=["Das", '"', "Elm", '"', "。"])
    marks = learn_marks([curly])
    assert (marks.quotes, marks.stop) == ("„“", "。")
    assert Marks.from_json(marks.to_json()) == marks
