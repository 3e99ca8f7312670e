"""The questions for raters, with the papers' figures.

- Kiddon et al. 2016 (section 6, table 2): five people rate the texts of each system and the reference text for 100
  random recipes. There are three questions with a scale from 1 to 5.
- Benmalek et al. 2019 (section 5.1, table 4), for pairs: three people rate from 0 to 10 how fluent each text is,
  reference texts included; then how much of the reference's meaning each other text has (adequacy).
- Head to head (their table 5): which of two systems' texts is better, next to the reference text.

The papers print neither the wording of the questions nor the labels of the scales; both are ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from allsaid.modeling.tasks.agenda import DIALOGUE, RECIPES

PAIRS = "pairs"
SYNTAX, ITEM_USE, FOLLOWS_GOAL = QUESTIONS = ("syntax", "ingredient_use", "follows_goal")
FLUENCY, ADEQUACY, BETTER = "fluency", "adequacy", "better"
FIRST, BOTH_GOOD, BOTH_BAD, SECOND = 1, 2, 3, 4  # the answers of a head-to-head
PAPER = {
    "attention": (4.47, 3.02, 3.47),
    "encdec": (4.58, 3.29, 3.61),
    "nn": (4.22, 3.02, 3.36),
    "nn-swap": (4.11, 3.51, 3.78),
    "checklist": (4.58, 3.80, 3.94),
    "checklist+": (4.39, 3.95, 4.10),
    "truth": (4.39, 4.03, 4.34),
}


@dataclass(frozen=True)
class Form:
    """The layout and the questions of a sheet."""

    title: str  # title of the table of results
    how: str  # instructions for raters; the sheet adds the explanation of the keys
    goal: str  # labels of a row's parts; "" for a part that is not shown
    agenda: str
    text: str
    questions: Mapping[str, str]
    scale: Mapping[int, str]  # rating -> its meaning, "" if the sheet gives none
    parts: Sequence[Sequence[str]]  # questions asked together; a sheet goes through all texts for each part
    compares: Sequence[str] = ()  # questions that compare with the reference text, which is shown then
    paper: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # system, question -> figure
    paper_of: Sequence[str] = ()  # sources of the data behind the paper's figures; (): all sources of the task
    is_duel: bool = False  # whether a sheet shows two systems' texts at a time

    @property
    def lowest(self) -> int:
        return min(self.scale)

    @property
    def highest(self) -> int:
        return max(self.scale)


_KIDDON = Form(
    title="Mean ratings, 1 to 5, beside Kiddon et al. 2016, table 2",
    how="Read each text by itself and answer the three questions: 1 is the worst rating, 5 the best. The keys 1 to 5",
    goal="Dish",
    agenda="Ingredients",
    text="Recipe",
    questions={
        SYNTAX: "How grammatical is the recipe?",
        ITEM_USE: "How well does the recipe keep to the list of ingredients?",
        FOLLOWS_GOAL: "How well does the recipe make the dish?",
    },
    scale={1: "not at all", 2: "", 3: "", 4: "", 5: "fully"},
    parts=(QUESTIONS,),
    paper={system: dict(zip(QUESTIONS, figures, strict=True)) for system, figures in PAPER.items()},
)
FORMS = {
    RECIPES: _KIDDON,
    DIALOGUE: replace(
        _KIDDON,
        goal="Purpose",
        agenda="To be said",
        text="Text",
        questions={
            SYNTAX: "How grammatical is the text?",
            ITEM_USE: "How well does the text keep to what is to be said?",
            FOLLOWS_GOAL: "How well does the text serve its purpose?",
        },
        paper={},
    ),
    PAIRS: Form(
        title="Mean ratings, 0 to 10, beside Benmalek et al. 2019, table 4",
        how="First rate the language of each text, read by itself. Then the texts come again beside a reference: rate "
        "how much of its meaning they have. 0 is the worst rating, 10 the best. The keys 0 to 9, and x for 10,",
        goal="",
        agenda="",
        text="Text",
        questions={
            FLUENCY: "How fluent is the text?",
            ADEQUACY: "How much of the meaning of the reference does the text have?",
        },
        scale={0: "not at all", **dict.fromkeys(range(1, 10), ""), 10: "fully"},
        parts=((FLUENCY,), (ADEQUACY,)),
        compares=(ADEQUACY,),
        paper={"truth": {FLUENCY: 9.13}, "scratchpad": {FLUENCY: 7.38, ADEQUACY: 6.59}},
        paper_of=("wikisql", "webqsp"),
    ),
}


def head_to_head(form: Form) -> Form:
    """Return the form for a head-to-head of the texts that ``form`` rates one by one."""
    content = "what is to be said" if form.goal else "what the reference says"
    return replace(
        form,
        title="Head to head, in % of the judgements, as in Benmalek et al. 2019, table 5",
        how="Read both texts and say which is better. The keys 1 to 4",
        questions={BETTER: f"Which text says better, and in better language, {content}?"},
        scale={FIRST: "the first", BOTH_GOOD: "both are good", BOTH_BAD: "both are bad", SECOND: "the second"},
        parts=((BETTER,),),
        compares=(BETTER,),
        paper={},
        is_duel=True,
    )


def form_of(task: str, is_duel: bool) -> Form:
    """Return the form of a study."""
    return head_to_head(FORMS[task]) if is_duel else FORMS[task]
