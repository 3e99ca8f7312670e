"""An editor of recipes that knows all foods and has counted nothing."""

from __future__ import annotations

from allsaid.decoding.editing.align import Pairing
from allsaid.decoding.editing.draft import draft_of
from allsaid.decoding.editing.edit import Editor
from allsaid.decoding.editing.items import items_of
from allsaid.modeling.prototypes.roles import Counts, Roles
from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.recipes.mentions import Namer
from allsaid.proof.recipes.parser import parse
from pipelines.recipes.ingredients import name_words

LEXICON = Lexicon(dict.fromkeys(load_foods().names.values(), 1), foods=load_foods())


def editor(text: str, theirs: list[str], ours: list[str]) -> Editor:
    """An editor of a text of ``theirs`` for ``ours``, which knows no counts."""
    words, roles = text.split(), Roles.build(Counts())
    their_names, our_names = ([name_words(line) for line in lines] for lines in (theirs, ours))
    old, new = items_of(theirs, their_names), items_of(ours, our_names)
    draft = draft_of(parse(words, Namer(their_names, LEXICON).find(words)))
    return Editor(draft, old, new, Pairing(new, roles).pairs(old)[0], roles, Namer(our_names, LEXICON))


def edited(text: str, theirs: list[str], ours: list[str]) -> str:
    one = editor(text, theirs, ours)
    one.run()
    return " ".join(one.draft.words)
