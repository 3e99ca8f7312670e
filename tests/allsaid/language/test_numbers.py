"""Numbers as written: what their marks mean by their shape, and by the mark before decimals."""

from __future__ import annotations

from decimal import Decimal

from cases import cases

from allsaid.language.numbers import decimal_mark, is_unclear, read_amount, value_of, written_numbers


@cases
def test_most_numbers_show_their_mark(number: str, mark: str, value: str) -> None:
    assert not is_unclear(number) and decimal_mark(number) == mark
    assert {value_of(number, decimal) for decimal in ("", ".", ",")} == {Decimal(value)}


@cases
def test_an_unclear_number_is_read_by_the_mark(number: str, decimal: str, value: str) -> None:
    assert is_unclear(number) and decimal_mark(number) == ""
    assert value_of(number, decimal) == Decimal(value)
    amount = read_amount(f"{number} EUR", (), decimal)
    assert amount is not None and amount.number == Decimal(value)


def test_dates_and_versions_are_no_numbers_of_a_text() -> None:
    text = "Seit 01.01.2024, v1.2.3: 1,5 kg für 1.890,00 Euro, oder 3.200."
    assert written_numbers(text) == ["1,5", "1.890,00", "3.200"]
