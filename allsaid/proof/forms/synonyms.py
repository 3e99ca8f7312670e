"""Synonyms of goals: "cup" for a mug, where texts of mugs use it like texts of other goals use theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from allsaid.proof.forms.soundness import Text
from allsaid.proof.forms.symbols import GOAL, Frame, frame_at
from allsaid.proof.values.seen import plain

MIN_FRAMES = 2  # different ones in which a word means the goal


def learn(texts: Iterable[Text]) -> tuple[dict[str, tuple[str, ...]], frozenset[Frame]]:
    """Return the synonyms of each goal, and the frames in which they mean it.

    A frame counts if the goal appears in it in texts of several goals. A word is a synonym if it appears in at least
    two such frames, in texts of this goal alone.
    """
    goals_in: defaultdict[Frame, set[str]] = defaultdict(set)
    around: defaultdict[str, dict[str, set[Frame]]] = defaultdict(dict)  # word -> goal -> its frames
    for text in texts:
        goal = plain(text.example.goal)
        for sentence in text.sentences:
            words = sentence.written
            for place, word in enumerate(words):
                frame = frame_at(words, place)
                if word == GOAL:
                    goals_in[frame].add(goal)
                elif word.isalpha() and word.islower():
                    around[word].setdefault(goal, set()).add(frame)
    frames = {frame for frame, goals in goals_in.items() if len(goals) > 1}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for word, by_goal in sorted(around.items()):
        using = {goal: goal_frames & frames for goal, goal_frames in by_goal.items() if goal_frames & frames}
        if len(using) == 1:
            goal, shared = next(iter(using.items()))
            if len(shared) >= MIN_FRAMES:
                found[goal].append(word)
    return {goal: tuple(words) for goal, words in sorted(found.items())}, frozenset(frames)
