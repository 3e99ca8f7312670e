"""Data for judging texts: the meaning of columns, and facts about values, learned from training texts or a table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property

import pyarrow as pa

from allsaid.modeling.tasks import agenda
from allsaid.modeling.tasks.contract import Task, WritesTexts
from allsaid.modeling.text.restore import Casing
from allsaid.proof.coverage import Lexicon
from allsaid.proof.forms import mapped
from allsaid.proof.forms.certificate.certify import Certifier
from allsaid.proof.forms.phrasebook import Phrasebook
from allsaid.proof.habits import Habits
from allsaid.proof.values.contexts import Contexts
from allsaid.proof.values.facts import Usage
from allsaid.proof.values.seen import Seen, Values
from schemas.errors import UserError
from schemas.phrase import PHRASE


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Data that a judge needs; `Bundle` adds a model, and a table without a model fills only some fields."""

    phrases: pa.Table = field(default_factory=PHRASE.empty_table)  # of recipes: words that are one token
    lexicon: Lexicon = field(default_factory=lambda: Lexicon({}))
    casing: Casing = field(default_factory=lambda: Casing({}, frozenset()))
    values: Values = field(default_factory=dict)  # known values of each column; empty for recipes
    usage: Usage = field(default_factory=dict)  # words for values, learned from submitted texts
    mapping: str = ""  # the meaning of the columns of a user's table, as YAML; "" for other sources
    seen: Seen | None = None  # in training; None for tasks without goals
    habits: Habits | None = None  # for a user's table: how its texts distribute their values
    contexts: Contexts | None = None  # for a user's table: the words next to the values of each column
    phrasebook: Phrasebook | None = None  # for a table or acts: the forms in which texts state their rows

    @property
    def task(self) -> Task:
        """Return the task of the rows."""
        raise NotImplementedError

    @property
    def text_task(self) -> WritesTexts:
        """Return the task of a model that generates texts; raises UserError for another model."""
        task = self.task
        if not isinstance(task, WritesTexts):
            raise UserError(
                f"A model of the task '{task}' measures texts and writes none. `allsaid evaluate` says how well; "
                "give a model of another task to write."
            )
        return task

    @property
    def known_words(self) -> Collection[str]:
        """Return the words of training texts, if there are any."""
        return ()

    @property
    def edits(self) -> bool:
        """Return whether texts are edited from training texts."""
        return False

    @cached_property
    def certifier(self) -> Certifier | None:
        """Return the certifier of texts; None without a phrasebook."""
        if self.phrasebook is None:
            return None
        return Certifier(replace(self.phrasebook, forbidden=self.forbidden), self.says_goals)

    @property
    def forbidden(self) -> tuple[str, ...]:
        """Return the claims that the mapping forbids in all texts."""
        return mapped.read(self.mapping).forbidden

    @property
    def says_goals(self) -> bool:
        """Return whether a text has to state its goal, in addition to its agenda."""
        return bool(self.seen and self.seen.asks_goal)


class TableKnowledge(Knowledge):
    """Data on a user's table without a model."""

    @property
    def task(self) -> Task:
        return agenda.TASK.of_table
