"""Sentences that talk about a dish, with praise, its origin or stories, and give no direction.

Words of praise and of stories are evidence for talk, words of work and advice against it. Commands, notes, tips and
suggestions of what to serve with the dish are never talk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.recipes.advice import advice_in, advises
from pipelines.recipes.commands import COMMAND, VERBS, any_of

_PRAISE = r"""
    delicious\w* wonderful\w* excellent tast(?:y|iest) yumm?(?:y|iest)? fantastic terrific superb scrumptious
    sensational marvell?ous fabulous outstanding awesome (?<!your_)favou?rites? mouth-?watering unusual lovely luscious
    (?:so|very|really|real|mighty|pretty|especially|particularly)_good (?:very|so)_(?:easy|simple|nice|rich|quick)
    (?:is|are|was|were|tastes?|it's|they're)_(?:great|good|perfect) the_(?:\w+_)?best best_\w+_ever love[ds]?
    enjoy(?:ed|s)? raves? a_hit hearty elegant nice_(?:and|change|treat) great_(?:\w+_)?(?:gifts?|recipe|dish|snack)
    feast_for a_\w+_treat
"""
_STORY = r"""
    invent(?:ed|or|ion) originat\w+ legend\w* centur(?:y|ies) ancient famous histor(?:y|ic\w*) immigrants? named_after
    grand(?:m\w+|p\w+) mom mother\w* dad father\w* aunt uncle husband wife sister brother daughter neighbou?rs?
    contest prize winn(?:er|ing) won(?!') award newspaper cook_?books? chefs?(?!'s_kni) owner restaurants?
    writes wrote recalls
    recipe_(?:is|was|comes?|came|from|by|has|had|appeared|that) based_on adapted inspired_by (?:19|18|17)\d\d years_ago
    recipes_in_(?:this|the)_(?:book|collection) (?:first|second|third)_place honou?rable_mention childhood
    (?:african|mexican|american|greek|thai|indian|\w+nese|\w+lian)_(?:cooking|food(?!_(?:sections?|specialt|stores?|markets?)))
    i_(?:hope|have_never|never|must_say|remember|guess)
"""
_HINTS = r"""
    originally traditional\w* traditions? popular classic well[-_]known created developed version kids children
    famil(?:y|ies) friends? guests? church recipes? says? said told tells called known regional magazine holidays?
    (?:this|these)_(?:\w+_){1,6}(?:is|are)_(?:an?|the|one|often|frequently|usually) lent people age-old
    last_(?:night|week|year|summer|month) christmas thanksgiving birthday yesterday remember\w* remind\w*
    intriguing refreshing slick comments_and cuisines?
    common_in_(?:the_)?\w+_cuisine
"""
_TELLERS = "I I've I'd I'm me [Mm]y mine [Ww]e we've [Oo]ur us [Hh]e [Ss]he [Hh]is [Hh]er"
_PAST = "was were had did went got came found tried gave ate"
_WORK = r"""
    minutes? mins? hours? hrs? days? overnight oven bowls? pans? skillet pot until till? degrees refrigerat\w+ stir\w*
    boil\w* simmer\w* bak(?:e|ed|ing) mix\w* heat\w* pour\w* cover\w* cook(?:ed|ing)? cool\w* chill\w* drain\w* cut
    slic\w+ chop\w* sprinkl\w+ combin\w+ remov\w+ blend\w* fr(?:y|ied) roast\w* grill\w* toast\w* garnish\w* dough
    season\w* put turn\w* spread process\w* done ready tender with_an?_(?:fork|spoon)
    teaspoons? tablespoons? cups? \d{1,3}(?:_?\d?/\d)?
"""
_ADVICE = r"""
    if can may might should must could need\w* use[sd]?(?!_to) using
    (?<!they_)serv(?:e|ed|es|ing) add(?:s|ed|ing)? substitut\w+
    instead stor(?:e|ed|es|ing) keeps? freez\w+ try doubled? omit\w* leave left_out eaten reheat\w* leftovers? don't
    do_not never careful sure replac\w+ available means instructions directions recommended
    makes?(?!_an?_(?:(?!more)\w+_)?(?:excellent|delicious|wonderful|great|superb|lovely|terrific|fantastic)\b[^,]{0,20}$)
    because follows below above calls?_for once necessary won't accompan\w+ suggest\w* optional
"""
# Words that begin a step, but begin a name or a story too often to be among the commands.
_OPENINGS = any_of("""
    Frost Attach Dress Proceed Pass Take Pull Pick Work Try See Follow Choose Select Tie Thread Lay Invert Unmold
    Decorate Ice Glaze Dot Skewer Mound Hang Keep Store Save Start Begin Continue Finish Check Test Taste Adjust
    Correct Have Get Be Do Go Give Leave Let Lift Hold Tuck Tear Push Open Close Multiply Double Freeze Run Smooth Swirl
    Smear Score Slit Split Clean Pop Look Buy Wait Eat Enhance Team Experiment Proof Bread Deep Finely Then Next
    Now First Finally To For Reserve Slide Snip Sear Truss Bind Lower Raise Thin Stack Sieve Steep Feed Sterilize
    Substitute Use(?!_of) Strip_(?:the|off|each|them|it)
""")
# Of sentences in lower case, with a blank before them: a search for the mark before a word is several times faster.
_ALL = f"{_PRAISE} {_STORY} {_HINTS} {_PAST} i me my mine we our us he she his her"
_EVIDENCE = re.compile(rf"\W(?:{any_of(_ALL)})\b|recipe")  # any of the following
_SURE = re.compile(rf"\W(?:{any_of(_PRAISE + _STORY)})\b")
_HINT = re.compile(rf"\W(?:{any_of(_HINTS)})\b")
_ADVICE_OR_NUMBER = re.compile(rf"\W(?:{any_of(_ADVICE)})\b|\d|, so |\b(?:good|benefits?|go(?:es)? (?:\w+ )?with)\b")
_USEFUL = re.compile(rf"\W(?:{any_of(_WORK + _ADVICE)})\b")
_GOOD_WITH = re.compile(
    rf"(?:\b(?!favou?rite)(?:{any_of(_PRAISE)})|^\W*(?:good|great|nice|perfect|ideal))\W+(?:\w+ )?"
    r"(?:with|for|as|on|in|over|served|spread|when)\b"
)
_COUNSELS = re.compile(
    r"\b(?:you|if|goes? (?:\w+ )?well|alternatives?|modif\w+|probably|especially"
    r"|good (?:on|with|in|over|for)|notes?|recommend)\b"
)
_PREFERS = re.compile(r"\b(?:best|better|works?|prefer\w*|goes? (?:\w+ )?well)\b")
_A_RECIPE = re.compile(r"\ban? (?:\w+ ){1,5}recipe\W*$", re.IGNORECASE)  # a nice cold winter evening recipe
_NARRATES = re.compile(rf"\W(?:{any_of(_TELLERS)}|{any_of(_PAST)})\b")
_COMMAND = re.compile(rf"(?:^|(?<=[ (\"])){COMMAND}|^\W*(?:{_OPENINGS})\b")
_LABEL = re.compile(r"[^:]{0,20}\b(?:notes?|tips?|hints?|variations?|serving|options?)\b *[:.-]", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\W*(?:I|I'm|I've|I'd|My|We|We've|Our)\b")
_COOKS = re.compile(  # "I dip the leeks into it" is a direction for the reader
    r"(?:dip|drop|dump|layer|whip|whisk|press|peel|form|shape|set|melt|grease|place|take|toss|let|top|dust|soak|rub"
    r"|wrap|strain|thicken)\w*|eat \w+ (?:with|on|over|hot|cold|warm|plain|buttered)|large|medium|small"
)
_GOES_ON = re.compile(r"\W*(?:it|they|this|these|that|he|she|we|i|my|our|but|and|so|here|there)\b", re.IGNORECASE)
_VERB = re.compile(
    r"\W(?:is|are|was|were|has|have|had|adds?|comes?|came|makes?|gives?|becomes?|takes?|tells?|means?)\b"
    r"|^\W*(?:the|this|these|it|they|she|he|i|we|my|our|some|many|most|never|none|not)\b"  # a subject, no command
)
_EXPLAINS = re.compile(  # what footnotes, labels and commands with other verbs begin with
    r"[*\d]|[^:]{0,40}:|(?!(?:In|On|At|For|With|From|By|To|Of|As|When|While|If|Since|Like|Because|Once|After|Before|Until"
    r"|Among|Throughout|Despite|Unlike|Is|Are|Was|Were|And|But|Or|So|All|Both|Not|Half|Such|What)\b)"
    r"[A-Z][a-z]+ (?:the|an?|your|each|it|them)\b"
)
_NO_SUBJECT = re.compile(  # what a sentence that commands, now or further on, may begin with
    r"\W*(?:the other|another|when|if|while|after|before|once|until|as soon|note|tip|for|to|with"
    r"|from|any|you|i|we|using|by|be|do|can)\b|.*(?:,|\band|\bthen) (?:quickly |then )?"
    rf"(?:hit|{any_of(' '.join(sorted({verb.lower() for verb in VERBS})))})\b",
    re.IGNORECASE,
)
_HANDLED = re.compile(
    r"\W(?!(?:fill|top|dress|stuff|coat|frost)\w?ings?\b)"  # of the dish
    r"(?!cookies?\b|cook ?books?\b|brownies?\b)"
    rf"(?:{any_of(' '.join(sorted({verb.lower().removesuffix('e') for verb in VERBS})))})\w{{0,4}}\b"
)
_FORETELLS = re.compile(  # of a dish, not of people
    r"\b(?:will|would)\b(?! (?:\w+ )?(?:find|fool|believe|want|wish|like|love|enjoy|think|say|agree|guess|know|appeal"
    r"|surprise|please|delight|impress|amaze|knock|shudder)\b)"
)
_QUOTATION = re.compile(r'"[^"]*"')
_AUTHORS_NOTE = re.compile(r"\W*author'?s'? notes?\W", re.IGNORECASE)
_REMARK = re.compile(r"\([^()]*\)")
_LETTERS = re.compile(r"[^\W\d_]{3}")


def commands(sentence: str) -> bool:
    """Return whether a sentence gives a command."""
    return _COMMAND.search(sentence) is not None


def without_descriptions(sentences: Sequence[str], apart: bool = False) -> list[str]:
    """Return the sentences without a command that do more than describe the dish, judged one by one and together.

    ``apart``: whether the sentences are a paragraph above the first command. There a sentence about the work ("it is
    baked slowly") describes the dish, too.
    """
    advice = advice_in(sentences)
    informative = _informative(sentences, advice)
    if not apart:
        return informative
    return [sentence for sentence in informative if sentence in advice or not _describes(sentence)]


def _informative(sentences: Sequence[str], advice: Sequence[str]) -> list[str]:
    informing = [sentence in advice or _informs(sentence) for sentence in sentences]
    if is_introduction([sentence for sentence in sentences if sentence not in advice]):
        return [sentence for sentence, informs in zip(sentences, informing, strict=True) if informs]
    if len(sentences) == 1:
        return [*sentences]
    described = [
        not informs and not sentence[0].islower() and is_introduction([sentence])
        for sentence, informs in zip(sentences, informing, strict=True)
    ]
    return [
        sentence
        for sentence, here, before, after in zip(
            sentences, described, [True, *described], [*described[1:], True], strict=False
        )
        if not here
        and (sentence in advice or sentence[0].islower() or not (before and after and _may_describe(sentence)))
    ]


def _describes(sentence: str) -> bool:
    """Return whether a sentence describes: it has a subject and a verb, but no number and no word of advice."""
    small = f" {sentence.lower()}"
    if sentence[-1] not in '.!"' or sentence[0].islower() or not _VERB.search(small):
        return False
    if _ADVICE_OR_NUMBER.search(small) or _PREFERS.search(small) or _FORETELLS.search(small) or counsels(sentence):
        return False
    if _EXPLAINS.match(sentence) or _NO_SUBJECT.match(sentence) or _GOOD_WITH.search(small) or advises(sentence):
        return False
    return sentence.split(maxsplit=1)[0].strip('"(').capitalize() not in VERBS


def _informs(sentence: str) -> bool:
    """Return whether a sentence has words of work or predicts a result, without words of praise or stories."""
    small = f" {sentence.lower()}"
    if _SURE.search(small) or _HINT.search(small) or _NARRATES.search(f" {sentence}"):
        return False
    return (small[-1] == "." and _FORETELLS.search(small) is not None) or _USEFUL.search(small) is not None


def _may_describe(sentence: str) -> bool:
    """Return whether a sentence between two descriptions describes, too: it has a subject, but no words of work."""
    small = sentence.lower()
    explains = _EXPLAINS.match(sentence) or _GOOD_WITH.search(small) or is_useful(sentence)
    return not explains and _VERB.search(f" {small}") is not None


def is_introduction(sentences: Sequence[str]) -> bool:
    """Return whether the sentences above a recipe's first command only describe it, without work, measure or advice.

    They are weighed together, since they are about the same thing.
    """
    text = f" {' '.join(sentences)}"
    if _AUTHORS_NOTE.match(text):
        return True
    if text[-1] not in '.!?"' or any(_EXPLAINS.match(part) or _GOOD_WITH.search(part.lower()) for part in sentences):
        return False
    small = text.lower()
    if _PREFERS.search(small):
        return False
    outside = _REMARK.sub("", text) if len(sentences) == 1 else text
    narrating = min(len(_NARRATES.findall(outside)), len(sentences))
    evidence = 2 * len(_SURE.findall(small)) + len(_HINT.findall(small)) + narrating
    useful = max(len(_USEFUL.findall(small)), len(_HANDLED.findall(small)))
    return evidence > useful or (not useful and (text[-1] in "!?" or _VERB.search(outside.lower()) is not None))


def is_quoted_story(text: str) -> bool:
    """Return whether a text is a quotation, as books print above a recipe, without words on how to make the dish."""
    if not _QUOTATION.fullmatch(text):
        return False
    return not (commands(text) or counsels(text) or _GOOD_WITH.search(text.lower()))


def is_note(text: str) -> bool:
    """Return whether a text begins with a label such as "Note:"."""
    return _LABEL.match(text) is not None


def counsels(text: str) -> bool:
    """Return whether a text has words that address readers or compare things."""
    return _COUNSELS.search(text.lower()) is not None


def is_useful(text: str) -> bool:
    """Return whether a text has words of work or advice."""
    return _USEFUL.search(f" {text.lower()}") is not None or counsels(text)


def is_talk(sentence: str, after_talk: bool) -> bool:
    """Return whether a sentence is talk about the dish or its cook; after other talk, less evidence is needed."""
    if not after_talk and not _EVIDENCE.search(f" {sentence.lower()}"):  # the usual case
        return False
    outside = _REMARK.sub("", sentence)
    about = outside if _LETTERS.search(outside) else sentence
    narrating = len(_NARRATES.findall(f" {sentence}"))
    recipe = "ecipe" in about and _A_RECIPE.search(about) is not None
    small = f" {about.lower()}"
    evidence = 2 * (len(_SURE.findall(small)) + recipe) + len(_HINT.findall(small)) + min(narrating, 1)
    if not evidence and not after_talk:
        return False
    if _LABEL.match(sentence) or _COMMAND.search(sentence) or _GOOD_WITH.search(sentence.lower()) or advises(sentence):
        return False
    useful = len(_USEFUL.findall(f" {sentence.lower()}"))
    if _FIRST_PERSON.match(sentence):
        return (not useful and not _COOKS.search(sentence)) or evidence > max(1, 2 * useful)
    if after_talk and max(evidence, narrating) + (_GOES_ON.match(sentence) is not None) > useful:
        return True
    return evidence > max(1, 2 * useful)
