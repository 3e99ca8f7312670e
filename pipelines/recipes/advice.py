"""Advice to cooks: what to use, avoid, substitute, buy, keep or serve, also within a story about a dish."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.recipes.commands import any_of

# Forms of verbs for what is done to food. "Can be reprinted" and "may be called" say nothing to a cook.
_DONE = """
    substituted replaced adapted used made stored frozen kept served eaten doubled tripled halved increased decreased
    reduced adjusted reheated refrigerated chilled cooled cooked baked fried grilled roasted steamed boiled
    microwaved added omitted left varied stirred mixed cut sliced chopped shaped assembled canned dried ground thinned
    thickened sweetened seasoned garnished topped filled stuffed thawed warmed cleaned peeled soaked drained rinsed
    washed wrapped covered sealed decorated sprinkled spread drizzled accompanied
"""
_DO = """
    add use substitute replace make store freeze keep serve double halve omit leave adjust vary reduce increase prepare
    reheat refrigerate chill cook bake fry grill roast steam boil microwave cut slice chop grind thin thicken season
    garnish top fill stuff need put mix stir skip buy
"""
_PEOPLE = r"(?:\w+ )?(?:friends?|family|families|kids|children|guests?|people|others|us|me|him|her|them|someone)"
ENJOYED = rf" (?!.*!)(?:[\w,]+ ){{1,9}}(?:with(?! {_PEOPLE}\b)|warm|hot|cold|over|immediately)\b"  # how to serve it
_OPENING = re.compile(
    r"\W*(?:(?:or|so|but|and|please|just|also|note:?|then)\W+)*"
    r"(?:be (?:sure|careful|certain)|make (?:sure|certain)|ensure|take care|look for|watch (?:out )?for|buy|to use"
    r"|avoid|substitute"
    r"|do not (?!know|have|remember|let)|don't (?!know|have|remember|let|worry|forget to (?:let|tell|write|visit))"
    rf"|beware|use|enjoy{ENJOYED})\b"
    r"|\W*(?:warning|caution)\b.{9}|\W*the (?:more|less|\w+er) .{3,60}, the (?:more|less|\w+er)\b"
)
_ADVICE = re.compile(  # with the mark before it, which a search finds faster than the border of a word
    rf"\W(?:(?:can|may|could|should|must|might|cannot|can't)(?: \w+ly| also| even| not| then| be){{0,3}}"
    rf" be(?: \w+ly| also| easily| even| well)?(?: \w+ or)? (?:{any_of(_DONE)})\b(?! to (?:describe|refer|mean))"
    rf"|you (?:can|may|could|should|must|might|will|would)(?: \w+ly| also| even| not| just| still| either)?"
    rf" (?:{any_of(_DO)})\b|you(?:'ll| will)? (?:need|have to|don't (?:need|have to))\b"
    r"(?! (?:to )?(?:try|admit|taste|see|believe))"
    r"|if you (?:like|prefer|want|wish|use|make|are using|can't|cannot|can not|don't have|do not have)\b"
    r"(?!.{0,20}\b(?:recipe|let)\b)"
    r"|substitut(?:e|es|ed|ing)\b|(?:recipe|one) to (?:double|triple|halve|freeze)\b"
    r"|(?:it|they|this|these|sauce|cake|bread|soup) (?:keeps?|freezes?|reheats?|stores?)\b"
    r"|keeps? (?:well|for|up to|in|about|an?|several|\d)|go(?:es)? (?:\w+ )?well with\b"
    r"|(?:good|great|nice|delicious|wonderful|excellent) "
    r"(?:(?:eaten|choices?|at (?:room|tea|breakfast|brunch|lunch))\b"
    r"|(?:cold|hot|warm|plain|chilled)(?=\W*$|[,;]| \(| (?:or|and|as|with|on|in|from)\b))\b"
    r"|makes? (?:an? )?(?:\w+ )?(?:\w+ )?(?:sauce|dip|gravy|topping|filling|spread) for\b"
    r"|(?:is|are|be) (?:also|just as|equally) (?:good|fine|nice|suitable)\b|would (?:also )?be suitable\b"
    r"|(?:quantities|amounts|proportions) (?:\w+ )*(?:are|is) (?:only )?(?:approximate|flexible)\b"
    r"|(?:secret|trick|key) (?:to|of|is)\b|(?:important|essential) (?:to|than|that)\b"
    r"|at (?:its|their) (?:best|finest|peak)\b"
    r"|be (?:fore)?warned\b|so (?:adjust|watch|beware|be careful)\b"
    r"|(?<=[,:] )(?:look for|choose|be sure|omit|use|leave out)\b"
    r"|i (?:would )?(?:advise|recommend|suggest)\b"
    r"|i(?:'ve| have)? (?:(?:also|often|usually|always|sometimes|occasionally|normally) )?"
    r"(?:used?|add(?:ed)?|substituted?|omit(?:ted)?|replaced?|le(?:ave|ft) out|doubled?)\b"
    r"(?! (?:to|it|this|mine|up)\b|.*\b(?:recipes?|comments?|notes?)\b)"
    r"|(?:freezes?|reheats?|stores?) (?:\w+ )?(?:well|beautifully|nicely)\b"
    r"|leftovers (?:are|can|may|will|make|keep|freeze)\b"
    r"|(?:some|many|most) (?:people|cooks|folks) (?:like|prefer|use|add|serve|omit|put)\b"
    r"|(?:available|sold|(?:is|are|be) found|bought|purchased|get)\b.{0,40}\b(?:at|in|from) .{0,50}"
    r"\b(?:stores?|markets?|shops?|supermarkets?|groce\w+|delis?|delicatessens?)\b"
    r"|(?:is|are) available (?:from|at|in)\b|will (?:\w+ )?(?:ruin|spoil|destroy|curdle)\b)"
)
_POINTS_BACK = re.compile(  # at a food
    r"\W*(?:it|they|this|these) (?:is|are|can be|may be) (?:\w+ )?(?:available|sold|found|bought|purchased)\b"
    r"|(?!.*\bfor\b).*\bsubstitut",
    re.IGNORECASE,
)


def advises(sentence: str) -> bool:
    """Return whether a sentence tells a cook what to do, use, avoid, substitute or buy, or how to keep or serve."""
    text = f" {sentence.lower()}"
    return _ADVICE.search(text) is not None or _OPENING.match(text) is not None


def advice_in(sentences: Sequence[str]) -> list[str]:
    """Return the sentences with advice, and those before them that they point at ("It is sold in most stores.")."""
    kept = [*map(advises, sentences), False]
    return [
        sentence
        for place, sentence in enumerate(sentences)
        if kept[place] or (kept[place + 1] and _POINTS_BACK.match(sentences[place + 1]))
    ]
