"""Made-up dialogues over a small table, for the tests of what points."""

from __future__ import annotations

from schemas.dialogue import MACHINE, NO_CELL, USER, Dialogue, Turn
from schemas.offer import EMPTY, Offer

COLUMNS = ["name", "food", "area", "phone number"]
CELLS: list[list[str | None]] = [
    ["red door", "thai", "north", "01 22"],
    ["the ship", "modern european", "south", None],
    ["ask", "thai", "south", "01 33"],
]
OTHERS: list[list[str | None]] = [  # nothing of which any dialogue has
    ["old oak", "thai", "harbour", "99 77"],
    ["ship inn", "nordic new nordic", "south", "99 88"],
]


def offers_of(cells: list[list[str | None]]) -> list[Offer]:
    """A table whose first and last column name the row."""
    return [
        Offer(
            row,
            COLUMNS,
            of_row,
            [
                [EMPTY] if cell is None else [f"_{name.split()[0].upper()}_{row}"] if name in WHOLE else cell.split()
                for name, cell in zip(COLUMNS, of_row, strict=True)
            ],
        )
        for row, of_row in enumerate(cells)
    ]


WHOLE = ("name", "phone number")
OFFERS = offers_of(CELLS)


def make_turn(speaker: str, words: str, row: int = NO_CELL) -> Turn:
    """A turn whose words {column} are the tokens of that cell of a row."""
    tokens: list[str] = []
    columns: list[int] = []
    for word in words.split():
        column = COLUMNS.index(word[1:-1].replace("_", " ")) if word.startswith("{") else NO_CELL
        written = [word] if column == NO_CELL else OFFERS[row].cells[column]
        tokens += written
        columns += [column] * len(written)
    rows = [NO_CELL if column == NO_CELL else row for column in columns]
    unseen = [token == "_PHONE_2" for token in tokens]
    return Turn(speaker, " ".join(tokens), True, tokens, [""] * len(tokens), rows, columns, unseen, [], [])


def make_dialogue(number: int) -> Dialogue:
    """One offers what the other asks for, then its number; every third dialogue goes on."""
    row = number % len(OFFERS)
    food = " ".join(OFFERS[row].cells[1])
    turns = [
        make_turn(MACHINE, "hello , how may i help you ?"),
        make_turn(USER, f"{food} food please"),
        make_turn(MACHINE, "{name} in the {area} serves {food} food", row),
        make_turn(USER, "what is the number"),
        make_turn(MACHINE, "{phone_number} is the number of {name} , thank you .", row),
        make_turn(USER, ""),
    ]
    more = [make_turn(MACHINE, "anything else ?"), make_turn(USER, "no")] if number % 3 == 2 else []
    fold = number % 5
    return Dialogue(f"call-{number:03}", f"{number:016x}", fold, "", [*turns, *more], "made up", number)


DIALOGUES = [make_dialogue(number) for number in range(20)]
