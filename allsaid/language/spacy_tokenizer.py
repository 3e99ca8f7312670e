"""spaCy's English tokeniser with our infixes; only this module loads spaCy, and nothing else of it is used."""

from __future__ import annotations

import sys

# spaCy loads torch if it is installed. That takes seconds and much memory in every process of a pipeline, which needs
# no tensors. A None in sys.modules makes that import fail as if torch were missing. There is no plainer way: thinc,
# which tries the import, has neither a setting nor a variable for it.
_WITHOUT_TORCH = "torch" not in sys.modules
if _WITHOUT_TORCH:
    sys.modules["torch"] = None  # type: ignore[assignment]
try:
    from spacy.lang.en import English
    from spacy.tokenizer import Tokenizer
    from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex
    from spacy.vocab import create_vocab
finally:
    if _WITHOUT_TORCH:
        del sys.modules["torch"]

# Abbreviations whose full stop ends no sentence, in addition to the contractions that spaCy knows.
ABBREVIATIONS = ("a.m.", "p.m.", "A.M.", "P.M.", "Dr.", "Mr.", "Mrs.", "Ms.", "St.", "e.g.", "i.e.", "U.S.", "and/or")

# Hyphenated words stay whole ("all-purpose"); a hyphen next to a digit is a token ("9 - inch", "20 - 25").
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
SUFFIXES = (r"\.",)  # spaCy leaves the stop of "350 F." on the letter, as if it were an initial


def make() -> Tokenizer:
    """Build a tokeniser from spaCy's rules for English, without spaCy's pipeline.

    It keeps only contractions and a few abbreviations of spaCy's special cases: the others split "cannot" and "id",
    or take "8)" for a smiley.
    """
    usual = English.Defaults
    rules = {
        written: parts
        for written, parts in (usual.tokenizer_exceptions or {}).items()
        if written in ABBREVIATIONS or ("'" in written and any(letter.isalpha() for letter in written))
    }
    return Tokenizer(
        create_vocab("en", usual),
        rules=rules,
        prefix_search=compile_prefix_regex(usual.prefixes or ()).search,
        suffix_search=compile_suffix_regex([*(usual.suffixes or ()), *SUFFIXES]).search,
        infix_finditer=compile_infix_regex(INFIXES).finditer,
    )
