"""Phrases that hedge a statement: "almost waterproof", "supposedly red", "we believe", "is planned"."""

from __future__ import annotations

from allsaid.language.text import listed

Words = tuple[str, ...]
NEARLY = listed(
    """almost nearly partly partially semi virtually practically hardly scarcely probably possibly perhaps presumably
    apparently seemingly likely
    largely mostly mainly
    fast beinahe nahezu teilweise wahrscheinlich vermutlich vielleicht kaum presque quasi partiellement casi"""
)


def phrases(written: str) -> list[Words]:
    return [tuple(phrase.split()) for line in written.splitlines() for phrase in line.split("|")]


# DOUBTS are before the hedged value in its clause; DEGREES are anywhere in its clause, or right after the value.
DOUBTS = phrases(
    """supposedly|allegedly|reportedly|purportedly|said to|rumoured to|rumored to|claimed to|believed to
thought to|claims to|as good as|all but|something like|should probably|angeblich"""
)
DEGREES = phrases(
    """we believe|we think|we assume|we guess|we suppose|as far as we know
as far as we can tell|to our knowledge|to the best of our knowledge|we are told
if memory serves|in principle|in theory|on paper|more or less|to a certain degree|to a certain extent|to some degree
for the most part|of a sort|of sorts|to some extent
to a degree|give or take|up to a point|within limits|at a pinch|im prinzip|theoretisch|en principe|en principio"""
)
# "Photos may be taken" and "may be up to 90 cm" are permissions.
MODALS = phrases("might be|might well|might even|may well|could well")
PLANNED: list[Words] = [(be, "planned") for be in ("is", "are", "was", "were")]  # after the value
PLANNED += [(be, "optional") for be in ("is", "are", "as an", "as")]
DOUBTS += MODALS
PLANNED += [
    (modal, "be", done) for modal in ("might", "may") for done in ("offered", "included", "available", "possible")
]
DOUBTFUL = frozenset(phrase[-1] for phrase in (*DOUBTS, *DEGREES, *PLANNED)) - {
    "to",
    "as",
    "be",
    "have",
    "well",
    "even",
} | listed("might may could said rumoured rumored would claimed claims believed thought good")
HEDGES: dict[str, list[Words]] = {}  # by their first word
for _phrase in (*DOUBTS, *DEGREES, *PLANNED):
    HEDGES.setdefault(_phrase[0], []).append(_phrase)
SOME = frozenset([("some", "of", "the"), ("most", "of", "the"), ("half", "of", "the")])
