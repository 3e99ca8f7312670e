"""Directions -> steps: what tells nobody what to do goes (signatures, sources, nutrition, mail tails, chatter)."""

from __future__ import annotations

import re

from pipelines.commands import COMMAND
from pipelines.signatures import is_signature

_SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"')\]]))\s+(?=[\"'(\[]?[A-Z0-9*])")

# Openings of a credit that stand in the middle of a line too, where the full stop before them was forgotten.
_MARKS = (
    r"(?:Source|SOURCE|From|FROM|Date|DATE|Subj(?:ect)?|ISBN|Copyright|Newsgroups|Notes? from)\b ?[:#]"
    r"|(?:Re)?(?:[Pp]osted|POSTED|Typed|TYPED|Submitted|SUBMITTED|Shared|Formatted|Contributed|Converted"
    r"|Downloaded|Uploaded"
    r"|Entered|Compiled|Transcribed|Reprinted|Recipe|RECIPE|MM|MMed|Meal-?[Mm]aster [Ff]ormat)"
    r" (?:and \w+ )?(?:[Bb]y|BY|[Ff]or you|to the .{0,20} by|courtesy|via|from|with permission)\b"
    r"|(?:Per|PER|Each|EACH) (?:serving|Serving|SERVING|portion)s?\b ?[:(]?"
    r"|(?:Nutrition|Nutritional|NUTRITION\w*) (?:[Ii]nfo\w*|[Aa]nalysis|[Ff]acts|[Dd]ata|per|INFO\w*"
    r"|ANALYSIS)|Recipe By ?:"
    r"|(?:Prep(?:aration)?|Cooking|Total|Baking) [Tt]ime ?:|Temperature\(s\) ?:|(?:Diabetic|Food) [Ee]xchanges?\b"
)
_MARK = re.compile(rf" (?={_MARKS})")
_CREDIT = re.compile(
    rf"(?:{_MARKS})"
    r"|(?i:[-~*:(\[\s]*(?:"
    r"(?:(?:re)?posted|submitted|typed|formatted|shared|contributed|converted|downloaded|reprinted"
    r"|uploaded|entered|compiled"
    r"|collected|transcribed|copied|taken|adapted|brought to you|courtesy|reformatted|keyed|scanned"
    r"|edited|busted|mm(?:ed)?"
    r"|presented|recipe|(?:mm|mc|meal-?master|mastercook|electronic) format(?:ted)?)"
    r" *(?:(?:and|&) \w+ )?(?:by\b|for you\b|for .{1,20}\bby\b|from\b|to .{1,30}\bby\b|in .{1,20}\bby\b"
    r"|of\b|via\b|with perm|:)"
    r"|sources? *[-:=]|(?:recipe|original) (?:source|origin|adapted|courtesy|created)"
    r"|origin(?:ally)? *(?:from|:)|from *:|by *:"
    r"|(?:from|in) (?:the )?(?:[\"_]|.{0,30}\b(?:cookbook|cook book|magazine|newspaper|kitchen of"
    r"|collection of|digest|archive)\b)"
    r"|copy of recipe|individual recipes copyright|recipe collections copyright|dietary exchanges\b"
    r"|isbn\b|copyright\b|\(c\) *\d|©|reprint"
    r"|(?:to|date|subject|subj|newsgroups|msg id|reply-to|organization|sender|message-id|x-\w+|area|comments?) *: *\S"
    r"|(?:nutrition(?:al)?|nutritive|nutrients?|exchanges?|calories)\b.{0,40}(?::|\d|=|per )"
    r"|(?:temperature\(s\)|effort|time|cost|rating|difficulty|equipment|keywords?) *:"
    r"|approx(?:imate(?:ly)?|\.)? (?:nutrition|calories|\d+ cal)|mm *:|fidonet\b|file (?:courtesy|ftp)"
    r"|uploaded|http:|www\."
    r"))"
)
# A sentence that is no step by itself; what follows may be one.
_NUMBER = r"(?:\d|one\b|two\b|three\b|four\b|five\b|six\b|eight\b|ten\b|twelve\b|a dozen|half|enough\b|several\b)"
_ASIDE = re.compile(
    rf"(?:(?:this |recipe )?(?:yields?|servings?|serves|makes|portions?)\b *[:=-]* *"
    rf"(?:about|approximately|approx\.?|enough|from|at least|up to|a|generously)? *{_NUMBER}[^!?]{{0,70}}$"
    r"|(?:yields?|servings|serves|number of servings|(?:prep(?:aration|\.)?|cook(?:ing)?|total|baking"
    r"|start to finish|standing"
    r"|chilling|marinating|broiling) *time|oven temp\w*) *[:=-].{0,60}$"
    r"|(?:preparation|cooking|baking|total) time\b.{0,40}$"
    r"|(?:i|i'm|i've|i'd|my|we|our|hope|thanks?|enjoy|hi|hello|happy|here's|here (?:is|are)|good luck"
    r"|delicious|yummy?|bon appetit"
    r"|note from|in response|someone|anyone|does anyone|can anyone|the following)\b"
    r"|this (?:recipe |one |dish |is (?:a|an|my|one|from|the|our|very|so|really)\b|was |came |comes |has been)"
    r"|(?:directions?|instructions?|method|procedure|ingredients?|preparation)[: ]*$)",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:cooking )?(?:directions?|instructions?|method|preparation|procedure) *: *(?=\S)", re.IGNORECASE
)
_VESSEL = "blender|bowl|saucepan|skillet|pan|pot|oven|processor|kettle|dish|wok"
_BEGINS = (
    rf"(?:{COMMAND}|In (?:[a-z\d-]+ ){{0,3}}(?:{_VESSEL})\b|(?:Peel|Wash|Clean|Trim|Core|Drain|Chop|Slice), [a-z])"
)
_RESUMES = re.compile(rf"(?:\d+ *[.)] *)?{_BEGINS}")
_RESUMES_INSIDE = re.compile(rf"(?<=\S)\s+(?=(?:\d+ *[.)] *)?(?!\w+ (?:by|milk)\b){_BEGINS})")
_PERSON = re.compile(r"(?<=[.!]) (?:Mrs?|Miss)\b\.? [A-Z][^:;!?()]{0,60}$")  # at the end: "Mrs. A. Example, Ohio"
_NUTRIENT = re.compile(
    r"\b(?:cal(?:orie)?s?|kcal|protein|carbo\w*|carbs?|sodium|chol\w*|fib(?:er|re)|fat|potassium|mg|gm?)\b", re.I
)
_NOISE = re.compile(r"[-=_~*+#<>|](?:\s?[-=_~*+#<>|]){2,}|\s:(?=\s)|\.(?:\s?\.){3,}")
_LETTER = re.compile(r"[^\W\d_]")
_NO_LETTERS_OR_DIGITS = re.compile(r"[\W_]+")
_NOISE_HINTS = ("--", "==", "__", "**", "++", "~", "##", "- -", "|", "<", ">", "* *", " :", "..", ". .")
_BOOK = re.compile(
    r"[\"_)] by [A-Z]|^(?:From|Adapted|FROM|Recipe) .{0,90}(?:\bby [A-Z]|[\"_]|\b(?:19|20)\d\d\b|\d/\d)"
    r"|\d/\d+.{0,12}\d:\d\d|\bISBN\b"
)
_BOOK_HINTS = (" by ", "/", "ISBN", "From ", "FROM ", "Adapted ", "Recipe ")
_NUTRITION = re.compile(r"cal|fat|prot|sod|mg", re.IGNORECASE)


def clean_steps(steps: list[str]) -> list[str]:
    """The paragraphs that tell what to do, in written form; blanks normalised."""
    cleaned: list[str] = []
    for paragraph in steps:
        if any(hint in paragraph for hint in _NOISE_HINTS):
            paragraph = _NOISE.sub(" ", paragraph)
        text = " ".join(paragraph.split())
        if cleaned and _is_caption(text):
            continue
        kept = " ".join(_sentences_kept(_PERSON.sub("", _without_label(text)))).lstrip(" :~>|*,;.").rstrip(" :~>|")
        if _LETTER.search(kept):
            cleaned.append(kept)
    return cleaned


def _without_label(text: str) -> str:
    """The text after "Directions:" and the like."""
    label = _HEADING.match(text)
    return text[label.end() :] if label else text


def _sentences_kept(text: str) -> list[str]:
    """Sentences of one paragraph, from a credit to the next command left out."""
    kept: list[str] = []
    in_credit = False
    for sentence in _split(text):
        if _is_credit(sentence):
            in_credit = True
            command = _RESUMES_INSIDE.search(sentence)
            if command is None:
                continue
            sentence = sentence[command.end() :]
            in_credit = False
        elif in_credit and not _RESUMES.match(sentence):
            continue
        in_credit = False
        if _LETTER.search(sentence) and not _ASIDE.match(sentence):
            kept.append(sentence)
    return kept


def _split(text: str) -> list[str]:
    return [sentence for part in _MARK.split(text) for sentence in _SENTENCE.split(part)]


def _is_credit(sentence: str) -> bool:
    if _CREDIT.match(sentence):
        return True
    if any(hint in sentence for hint in _BOOK_HINTS) and _BOOK.search(sentence):
        return True
    if len(sentence) < 100 and not sentence.endswith((".", "!")) and is_signature(sentence):
        return True
    return bool(_NUTRITION.search(sentence)) and len(set(_NUTRIENT.findall(sentence.lower()))) > 2


def _is_caption(text: str) -> bool:
    """A later paragraph that is no sentence: names of books, people, shows, all in capitals or titled."""
    if len(text) < 60 and ". " not in text and is_signature(text):
        return True
    if len(text) > 160 or text.endswith((".", "!", ")", ":", ";", ",")) or _RESUMES.match(text):
        return False
    words = [word for word in text.split() if word[:1].isalpha()]
    return sum(word[0].isupper() or len(word) < 4 for word in words) >= 0.8 * len(words)


def content_letters(steps: list[str]) -> str:
    """Letters and digits of cleaned directions, lower case: equal for duplicates, hashed for the split."""
    return _NO_LETTERS_OR_DIGITS.sub("", "".join(steps).lower())
