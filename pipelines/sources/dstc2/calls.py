"""A DSTC2 call: log.json and label.json -> its utterances in order, each with its dialogue acts as written.

The challenge's handbook defines the format (Henderson, Thomson and Williams 2013, "Dialog State Tracking Challenge
2 & 3"). In a request the requested slot is a value: ``["slot", "food"]``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any  # Any: JSON, checked here

from allsaid.console import counted
from allsaid.language.code_pages import without_c1
from pipelines.source import RecordFault
from pipelines.sources.dstc2.archive import RawCall
from schemas.dialogue import MACHINE, USER

_MACHINE_ACTS = """
affirm bye canthear canthelp canthelp.exception canthelp.missing_slot_value confirm-domain expl-conf impl-conf inform
negate offer repeat reqmore request restart select thankyou welcomemsg
"""
_USER_ACTS = """
ack affirm bye confirm deny hello help inform negate null repeat reqalts reqmore request restart silence thankyou
"""
MACHINE_ACTS, USER_ACTS = frozenset(_MACHINE_ACTS.split()), frozenset(_USER_ACTS.split())
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(frozen=True)
class Act:
    name: str
    slots: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        slots = ";".join(f"{slot}='{value}'" for slot, value in self.slots)
        return f"{self.name}({slots})"


@dataclass(frozen=True)
class Utterance:
    speaker: str  # MACHINE or USER
    text: str  # as written
    transcribed: bool
    acts: tuple[Act, ...]


@dataclass(frozen=True)
class Call:
    session: str
    goal: str  # "" without a label
    utterances: list[Utterance]  # machine, user, machine, …


def parse(raw: RawCall) -> Call:
    """Parse a call; without a label, the user's text is the recogniser's best hypothesis. Raises only RecordFault."""
    log = _load(raw, "log")
    label = _load(raw, "label") if "label" in raw.parts else None
    try:
        goal = "" if label is None else _text(label["task-information"]["goal"]["text"])
        return Call(raw.session, goal, _utterances(raw, log, label))
    except KeyError as fault:
        raise RecordFault("not_a_call", f"{raw.folder} has a place without {fault}.") from fault
    except (TypeError, ValueError, AttributeError) as fault:
        raise RecordFault("not_a_call", f"{raw.folder} is not written as DSTC2's calls are: {fault}.") from fault


def _load(raw: RawCall, part: str) -> dict[str, Any]:
    where = f"{raw.folder}/{part}.json"
    content = raw.parts[part]
    if content is None:
        raise RecordFault("too_large", f"{where} is larger than any call.")
    try:
        loaded = json.loads(content)
        if _HALF_CHARACTER.search(content):
            json.dumps(loaded, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as fault:
        raise RecordFault("broken_json", f"{where} can't be read: {str(fault)[:200]}.") from fault
    if not isinstance(loaded, dict):
        raise RecordFault("not_a_call", f"{where} is no JSON object.")
    if loaded.get("session-id") != raw.session:
        named = str(loaded.get("session-id"))[:80]
        raise RecordFault("other_session", f"{where} is of session '{named}', not of the one that its folder names.")
    return loaded


def _utterances(raw: RawCall, log: dict[str, Any], label: dict[str, Any] | None) -> list[Utterance]:
    turns = _list(log["turns"])
    labels = [None] * len(turns) if label is None else _list(label["turns"])
    if not turns:
        raise RecordFault("no_turns", f"{raw.folder} has no turn.")
    if len(labels) != len(turns):
        has = counted(len(turns), "turn")
        raise RecordFault("turns_disagree", f"{raw.folder}: log.json has {has}, label.json {len(labels)}.")
    utterances = []
    for number, (turn, said) in enumerate(zip(turns, labels, strict=True)):
        where = f"{raw.folder}, turn {number}"
        output = turn["output"]
        acts = _acts(output["dialog-acts"], MACHINE_ACTS, where)
        utterances.append(Utterance(MACHINE, _text(output["transcript"]), True, acts))
        if said is None:
            heard = _list(turn["input"]["live"]["asr-hyps"])
            utterances.append(Utterance(USER, _text(heard[0]["asr-hyp"]) if heard else "", False, ()))
        else:
            acts = _acts(said["semantics"]["json"], USER_ACTS, where)
            utterances.append(Utterance(USER, _text(said["transcription"]), True, acts))
    return utterances


def _acts(written: Any, known: frozenset[str], where: str) -> tuple[Act, ...]:
    acts = tuple(
        Act(_text(act["act"]), tuple((_text(slot), _text(value)) for slot, value in _list(act["slots"])))
        for act in _list(written)
    )
    for act in acts:
        if act.name not in known:
            raise RecordFault("unknown_act", f"{where} has an act '{act.name[:80]}', which DSTC2 does not know.")
    return acts


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:80]!r} is no text")
    return without_c1(value)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{str(value)[:80]!r} is no list")
    return value
