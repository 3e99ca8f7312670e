"""Beam inspects the methods of a class once, and finds in them what it found before."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

import pipelines.beam

# isort: split
import apache_beam as beam
from apache_beam.coders import VarIntCoder
from apache_beam.transforms import core
from apache_beam.transforms.userstate import CombiningValueStateSpec, get_dofn_specs

COUNT = CombiningValueStateSpec("count", VarIntCoder(), sum)


class Counting(beam.DoFn):
    def process(self, element: int, factor: int = 2, count: object = beam.DoFn.StateParam(COUNT)) -> Iterator[int]:
        yield element * factor


class Plain(beam.DoFn):
    def process(self, element: int, *more: int, factor: int = 3) -> Iterator[int]:
        yield element * factor

    @staticmethod
    def double(number: int = 1) -> int:
        return 2 * number


@pytest.mark.parametrize(
    "function", [Counting().process, Plain().process, Plain().setup, Plain.double, Plain().double, lambda x, y=1: x]
)
def test_arguments_and_defaults_are_those_of_the_signature(function: object) -> None:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [one for one in inspect.signature(function).parameters.values() if one.kind in kinds]  # type: ignore[arg-type]
    defaults = [one.default for one in parameters if one.default is not one.empty]
    for _ in range(2):
        assert core.get_function_args_defaults(function) == ([one.name for one in parameters], defaults)
        core.get_function_args_defaults(function)[0].append("changed by the caller")


def test_each_class_keeps_its_own_state() -> None:
    assert [get_dofn_specs(one)[0] for one in (Counting(), Plain(), Counting())] == [{COUNT}, set(), {COUNT}]


def test_beam_knows_that_it_is_not_asked_twice() -> None:
    assert core.get_function_args_defaults.__module__ == pipelines.beam.__name__
