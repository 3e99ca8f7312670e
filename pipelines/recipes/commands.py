"""Commands, which begin the steps of a recipe."""

from __future__ import annotations

import re

_VERBS = """
    add allow arrange assemble bake baste beat blanch blend boil bone break bring broil brown brush carefully
    chill chop coat combine cook cool core cover cream crumble crush cube cut deglaze dice dip discard dissolve
    divide debone decorate defrost devein distribute drain drape dredge drizzle drop dust fill flatten flip fluff
    fold form fry garnish gather gently gradually grate grease grill grind halve heat immerse increase insert
    invert knead ladle layer let lightly line loosen make marinate mash measure meanwhile melt microwave mince mix
    moisten pack pare pat peel pierce pinch pit place plunge poach pound pour preheat prepare press process puree
    put reduce refrigerate reheat remove repeat return rinse roast roll rub saute scald scatter scoop scrape scrub
    seal season separate serve set shake shape shell shred sift simmer skim slice slowly soak soften spoon spray
    spread sprinkle squeeze steam stir strain stuff thaw thicken thread toast top toss transfer trim turn uncover
    unfold unmold unroll unwrap warm wash whip whisk wipe wrap
"""
# Verbs that begin no name of a food: "Heat oil" is a command, but "Brown sugar" and "Cream cheese" are foods.
_SURE = """
    add allow arrange assemble beat boil bring brush chop combine cook cool debone decorate devein distribute drain
    drizzle fluff fold garnish gather heat immerse increase insert invert knead let loosen marinate mash measure melt
    microwave mix moisten place plunge pour preheat prepare put reduce refrigerate reheat remove repeat return rinse
    rub saute scatter scrape separate serve simmer sift skim sprinkle stir thaw thicken toss transfer trim uncover
    unfold unmold unroll unwrap whisk wipe
"""
# Words that make a food of one of the other verbs, if they follow it.
_FOODS = """
    beef beer biscuits bread broth butter carrots cheese chicken chips chops cracker crumbs cubes filling flour food
    garlic gravy green ham lamb lettuce meat mix mustard nuts of oil olives onion onions parsley peas pepper peppers
    points pork puff puffs rice roast round salt sauce sausage shells sherry sirloin soup spinach squash steak style
    sugar tartar tomatoes topping turkey veal vegetables
"""


def any_of(patterns: str) -> str:
    """Join patterns that are separated by white space; an underscore in them means a blank.

    Those with the same first letter are one branch, so that a word is compared with few of them.
    """
    branches: dict[str, list[str]] = {}
    for pattern in patterns.split():
        letter = pattern[0] if pattern[0].isalpha() else ""
        branches.setdefault(letter, []).append(pattern.removeprefix(letter).replace("_", " "))
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in branches.items())


def _written(verbs: str) -> frozenset[str]:
    return frozenset(form for verb in verbs.split() for form in (verb.capitalize(), verb.upper()))


# The first words of commands, capitalised or in capitals.
VERBS = _written(_VERBS)
_OPENINGS = any_of(" ".join(sorted(VERBS)))
_SURE_OPENINGS = any_of(" ".join(sorted(_written(_SURE))))
_NO_FOOD = (  # "Cut bread into" is a command in spite of its food
    rf"(?!(?:{'|'.join(_FOODS.split())})\b(?!(?: (?:into|until|(?:in|on|with) (?:an?|the|hot|large"
    r"|small|oil|butter))|; (?:add|stir|mix|pour))\b))"
)

# A verb with its object, or a place such as "In a bowl". Capitals mark the beginning of a sentence.
COMMAND = (
    rf"(?:(?:{_OPENINGS}) +{_NO_FOOD}(?:[a-z]|\d[\d/. -]* |I\b)"
    rf"|(?:{_SURE_OPENINGS}) +(?!of\b)(?:[a-z]|\d)|In an? |Using )"
)
_COMMAND = re.compile(COMMAND)
_PLACE = re.compile(r"\b(?:oven|broiler|grill|pans?|skillet|degrees|\d+ (?:min|hour|hr)\w*|[1-5]\d\d)(?=\W|F\b|$)")
_SURE_LENGTH = 60  # characters; a shorter command without a full stop may be a name ("Pound thinly sliced ham")
_LEAST_LENGTH = 18

_VESSEL = "blender|bowl|saucepan|skillet|pan|pot|oven|processor|kettle|dish|wok"
BEGINS = (
    rf"(?:{COMMAND}|In(?:to)? (?:[a-z\d-]+ ){{0,3}}(?:{_VESSEL})\b"
    r"|(?:Peel|Wash|Clean|Trim|Core|Drain|Chop|Slice|Cook|Bake|Stir|Simmer), [a-z]"
    r"|To (?:make|prepare|assemble|serve) [a-z]|On an? |Oven temperature ?: *\d)"
)
_ADVISES = r"You (?:may|can) (?:also )?(?:add|double|freeze|leave|make|omit|replace|serve|store|substitute|use)\b"
# Begins a sentence after a credit, or a paragraph below a heading, if it is a direction.
RESUMES = re.compile(rf"(?:[A-Z][A-Z &'/]{{2,30}}: *)?(?:\d+ *[.)] *)?(?:{BEGINS}|{_ADVISES})")
WORK = re.compile(
    r"\b(?:minutes?|hours?|oven|bowls?|pan|skillet|pot|until|degrees|stir|boil|simmer"
    r"|bake|mix(?:ture)?|heat|add|pour|cover)\b"
)


def is_command(text: str) -> bool:
    """Return whether the text of an ingredient line is a direction."""
    if not _COMMAND.match(text) or " -- " in text:
        return False
    if _PLACE.search(text):  # Preheat oven to 350
        return True
    return len(text) > _SURE_LENGTH or (len(text) > _LEAST_LENGTH and (text.endswith(".") or ". " in text))
