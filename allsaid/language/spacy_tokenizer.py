"""spaCy's tokenisers for English, German and French. Only this module loads spaCy, and only for its tokenisers.

docs/architecture.md shows what the rules of each language change.
"""

from __future__ import annotations

from allsaid.imports import without

# spaCy loads torch if it is installed, and always its command line, to export the function `info`. Loading torch takes
# seconds and much memory in every process of a pipeline; loading the command line takes a third of the remaining time.
with without("torch", stand_ins={"spacy.cli.info": {"info": None}}):
    from spacy.lang.tokenizer_exceptions import BASE_EXCEPTIONS
    from spacy.tokenizer import Tokenizer
    from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex, get_lang_class
    from spacy.vocab import Vocab

# Abbreviations whose full stop ends no sentence, in addition to the contractions that spaCy knows.
ABBREVIATIONS = ("a.m.", "p.m.", "A.M.", "P.M.", "Dr.", "Mr.", "Mrs.", "Ms.", "St.", "e.g.", "i.e.", "U.S.", "and/or")

# Hyphenated words stay whole ("all-purpose"); a hyphen next to a digit is a token ("9 - inch", "20 - 25"), so that a
# number is a token in every language.
INFIXES = (
    r"\.\.+",
    r"(?<=[0-9])[+*^×-](?=[0-9A-Za-z])",
    r"(?<=[A-Za-z])-(?=[0-9])",
    r"--+",
    r"(?<=[a-z\"])\.(?=[A-Z])",
    r"(?<=[^\W\d_]),(?=[^\W\d_])",
    r"(?<=\w)[:<>=/;()](?=[^\W\d_])",
    r"(?<=[A-Za-z])/(?=[0-9])",
)
ELISIONS = (r"(?<=[^\W\d_]['’])(?=[^\W\d_])",)  # d'acier
# spaCy leaves the stop of "350 F." on the letter, as if it were an initial, and in German that of "300." as if it were
# an ordinal. A stop that belongs to no known abbreviation is a token.
SUFFIXES = (r"\.",)


def make(language: str) -> Tokenizer:
    """Build a tokeniser from spaCy's rules for a language ("en", "de", "fr"), without spaCy's pipeline."""
    defaults = get_lang_class(language).Defaults
    special = defaults.tokenizer_exceptions or {}
    infixes = (*INFIXES, *ELISIONS) if language == "fr" else INFIXES
    return Tokenizer(
        Vocab(),  # that of a language computes attributes of each word, which nothing here reads
        rules={case: parts for case, parts in special.items() if _is_kept(case, language)},
        prefix_search=compile_prefix_regex(defaults.prefixes or ()).search,
        suffix_search=compile_suffix_regex([*(defaults.suffixes or ()), *SUFFIXES]).search,
        infix_finditer=compile_infix_regex(infixes).finditer,
        token_match=defaults.token_match,
    )


def _is_kept(case: str, language: str) -> bool:
    """Return whether a special case of spaCy is used: no smiley and no initial.

    Of the English ones only contractions and ABBREVIATIONS are used; others split "cannot" and "id".
    """
    if not any(map(str.isalpha, case)):
        return False
    if language == "en":
        return case in ABBREVIATIONS or "'" in case
    return case not in BASE_EXCEPTIONS
