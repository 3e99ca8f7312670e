"""Clean directions: remove signatures, sources, nutrition facts, ends of mails and stories."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from allsaid.language.text import has_any
from pipelines.recipes.advice import ENJOYED, advice_in, advises
from pipelines.recipes.captions import TITLED, heads, is_caption, is_stray, is_subtitle, names_part, only_names
from pipelines.recipes.commands import BEGINS, RESUMES, VERBS, WORK
from pipelines.recipes.credits import CREDIT, sentences
from pipelines.recipes.paragraphs import headed, without_marks, without_numbers
from pipelines.recipes.signatures import is_signature
from pipelines.recipes.talk import commands, counsels, is_note, is_quoted_story, is_talk, without_descriptions
from pipelines.recipes.wordlists import OPENERS
from pipelines.recipes.yields import COUNT, VOLUME, heads_part, hints_at_yield, is_yield, is_yield_alone, yields_apart

# A sentence that is not a step, although the sentence after it may be.
_ASIDE = re.compile(
    r"(?:(?:recipe|mm|p\.s\.|approx\.)\W*$"
    r"|(?:(?:prep(?:aration|\.)?|cook(?:ing)?|total|baking|start to finish|standing"
    r"|chilling|marinating|broiling) *time) *[:=-].{0,60}$"
    r"|(?:preparation|cooking|baking|total) time\b.{0,40}$"
    rf"|(?:hope|thanks?|enjoy(?!{ENJOYED})|hi|hello|happy|here's|here (?:is|are)|good luck"
    r"|delicious|yummy?|bon appetit"
    r"|note from|in response|someone(?! else)|does anyone|can anyone|anyone(?: else)? (?:know|ha)"
    r"|the following(?! (?:day|morning|night|evening|week)\b))\b"
    r"|this (?:recipe |one |dish |is (?:a|an|my|one|from|the|our|very|so|really)\b|was |came |comes |has been)"
    r"|(?:(?:total )?cost|prep|bake|chill|cook): *\$?\d[^,;]{0,16}\W*$"
    r"|\W*(?:(?:cooking|author'?s'?|cook'?s'?|chef'?s'?) )?(?:directions?|instructions?|method|procedure"
    r"|ingredients?|preparation|notes?|comments?|hints?"
    r"|tips?|variations?"
    r"|info|food facts)\W*$"
    r"|\W*(?:for (?:the )?(?:directions|instructions|rest),? )?(?:please )?(?:see|continued in) part #?\d\W*$"
    r"|(?:cholesterol|calories|fat grams) per serving\W*[\d.]*$|total calories\W*$|end recipe export|my files\W*$"
    r"|\d+ recipe\W*$|.{0,60}\bserving size\W*$|this dish:|continued (?:from|to|in) (?:part|next)\b"
    r"|(?:pg|pp|page)\b\.? *[A-Z]?\d|\W*(?:source|date|author|origin) unknown|u/l to\b"
    r"|(?:called|named) (?!for\b).{3,60} (?:for|because|after)\b|well,? (?:there you (?:go|have)|that's it)\b"
    r"|regards,|if you have any (?:questions|comments))",
    re.IGNORECASE,
)
_ORIGIN = re.compile(  # names of books and papers, years, rights and nutrition, in a sentence without a command
    r"\b(?:Cook ?[Bb]ooks?|COOK ?BOOKS?|Magazine|MAGAZINE|Mag|Newsletter|Chronicle|Gazette|Tribune|Digest|Publish\w+)\b"
    r"|^\W*(?:[A-Z\d][\w'&.,/-]* (?:(?:of|and|&|the|from|in) )*){1,9}magazine\W*$"
    r"|\b19[3-9]\d\b(?! ?[FCmg]\b)|\b\d?\d/\d?\d/\d\d|trademark|[Pp]ermission|[Rr]eprint"
    r"|\b[Hh]ome ?[Pp]age\b|brings you|\d ?(?:calories|Calories|CALORIES)\b"
    r"|^From (?:the |an? )?[A-Z]|(?:[Ee]|\be)xchanges?\b.{0,20}\d"
    r"|\b(?:[Tt]yped|[Ss]ubmitted|[Ff]ormatted|[Ee]ntered|[Pp]osted)(?: in)?(?: for you)? by "
    r"(?:[^,;]{0,40}|Mrs?\. .{0,60})$"
)
# A text without any of these does not match _ORIGIN; to look for them first is faster.
_HINTS = (
    "kbook|KBOOK|k book|k Book|K BOOK|Mag| magazine|MAGAZINE|Newsletter|Chronicle|Gazette|Tribune|Digest|Publish"
    "| 19|(19|/9|/8|trademark|ermission|eprint|brings you|omepage|ome page|ome Page|alories|CALORIES|xchange|From "
    "|ed by |you by "
)
_ORIGIN_HINTS = tuple(_HINTS.split("|"))
_HEADING = re.compile(
    r"(?:cooking )?(?:directions?|instructions?|method|preparation|procedure|ingredients) *: *(?=\S)"
    r"|(?-i:\d{1,2}\. (?=[a-z]))"
    r"|(?-i:DIRECTIONS|INSTRUCTIONS|METHOD|PROCEDURE|PREPARATION) +(?=(?-i:[A-Z][a-z]))",
    re.IGNORECASE,
)
_SURE_VERBS = VERBS - {"Cook", "COOK"}  # first words of commands that no credit begins with, unlike "Cook time: 5"
_COMMAND_INSIDE = re.compile(  # the blank before a command that begins within a sentence: "From Ada Slice the leeks."
    rf"\s(?<=\S\s)(?<!\b[Tt]he\s)\s*(?=(?:\d+ *[.)] *)?(?!\w+ (?:by|milk)\b|\w+ (?:and|or|plus) {COUNT}){BEGINS})"
)
# Ends with a measure: in "2 tb. Mrs. Dash", "Mrs." begins an ingredient, not a signature.
_MEASURE = re.compile(r"\d (?:tsps?|ts?|tbsps?|tbs?|c|oz|lbs?|pkgs?)\.$", re.IGNORECASE)
_CLOSING = re.compile(  # at the end: "Mrs. A. Example, Ohio", "a 1968 Gourmet favorite"
    r" (?<=[.!] )(?:(?:--? ?)?(?:Mrs?|Miss)\b\.? [A-Z](?:\.(?! )|(?<=\b[A-Z])\.(?= )|[^.:;!?()]){0,60}"
    r"|an? (?:[A-Z][\w.]* ){0,3}19[3-9]\d (?:[A-Z]|favou?rite)[^:;!?()]{0,40}"
    r"|(?<=[.!] )[A-Z][a-z]+ (?:in|from) [A-Z]{2})$"
)
_POINTS_AT = re.compile(r"\b(?:this|these|that|those) (\w{3,})")
_ADVICE = re.compile(
    r"\b(?:recipe|one) to (?:double|triple|halve|freeze)\b"
    r"|\d (?:minutes?|hours?)\b|\b(?:can|may|should|must) (?:also )?be (?:made|\w+(?:ed|en))\b|\b(?:don't|do not) [a-z]"
    r"|\byou (?:can|may|should|must)\b|\b(?:freezes|keeps|reheats) (?:well|for)\b"
)
_NUTRIENT = re.compile(
    r"\b(?:cal(?:orie)?s?|kcal|protein|carbo\w*|carbs?|sodium|chol\w*|fib(?:er|re)|fat|potassium|mg|gm?)\b"
)
_LETTER = re.compile(r"[^\W\d_]")
_INTRODUCES = re.compile(r"((?:\S+ ){3,}(?!by\b|of\b|from\b)[\w\"')]+ ?(?::|-+)) (?=[A-Z])")
_STATE = re.compile(r", [A-Z]{2}\.$")  # Ada Example, Springfield, OH.
_BOOK = re.compile(
    r"[\"_)] by [A-Z]|, author of [A-Z\"_]"
    r"|^(?:[Ff]rom|Adapted|FROM|Recipe) .{0,90}(?:\bby [A-Z]|[\"_]|\b(?:19|20)\d\d\b|\d/\d\d(?!\W*inch))"
    r"|\d/\d+.{0,12}\d:\d\d|\bISBN\b|^.{0,90}\b(?:http:|www\.)"
)
_BOOK_HINTS = (" by ", "author of ", ":", "ISBN", "www.", "From ", "FROM ", "Adapted ", "Recipe ")
_FOOTNOTE = re.compile(r"\*{1,3} ?(?=.*\b(?:cans?|ounces?|oz|cups?|pints?|pounds?|lbs?|inch(?:es)?)\b)[^*]+$")
_OVEN = "Oven temperature"
_TIMES_OVEN = re.compile(rf"(?:Cooking|Baking) time ?:.{{1,60}}{_OVEN}|{_OVEN} (?:Cooking|Baking) time ?:")
_TIP = re.compile(r"\W*(?:[a-z]+ )?(?:hint|tip)s? ?:", re.IGNORECASE)
_LONG = 160  # characters; a longer sentence may contain a direction as well as a credit
_NUTRITION_HINTS = ("cal", "fat", "prot", "sod", "mg")


def clean_steps(steps: list[str]) -> list[str]:
    """Return the paragraphs of directions, cleaned and with single blanks."""
    cleaned: list[str] = []
    heading = ""  # heading of a part of the dish, to be put before the next step
    has_command = False  # whether a command has been read
    paragraphs = headed([without_marks(text) for text in headed(without_numbers(steps))])
    for place, text in enumerate(paragraphs, 1):
        if names_part(text):
            heading = f"{heading}{text}: "
            continue
        if place == 1 and is_stray(text, paragraphs[1:]):
            continue
        if (cleaned or (place < len(paragraphs) and is_subtitle(text))) and is_caption(text) and not _is_volume(text):
            if cleaned and not _ASIDE.match(text) and heads(text, paragraphs[place : place + 1]):
                heading = f"{heading}{text}: "
            continue
        if place > 1 and is_yield_alone(text):
            continue
        if label := _HEADING.match(text):
            text = text[label.end() :]
        if not has_command and is_quoted_story(text):
            text = " ".join(advice_in(sentences(text.strip('"'))))
        closing = _CLOSING.search(text)
        if closing and not _MEASURE.search(text, 0, closing.start()):
            text = text[: closing.start()]
        kept = _sentences_kept(text)
        if not has_command:
            directions = (place for place, sentence in enumerate(kept) if commands(sentence) or _resumes(sentence))
            first = next(directions, len(kept))
            has_command = first < len(kept)
            if has_command and first and _refers(kept[first], kept[first - 1]):
                first -= 1
            if first and (has_command or any(map(commands, steps))):
                kept = [*without_descriptions(kept[:first], apart=not has_command), *kept[first:]]
        text = " ".join(kept).lstrip(" :~>|,;.").rstrip(" :~>|")
        if _LETTER.search(text):
            cleaned.append(text if text.startswith(heading[:-2]) else f"{heading}{text}")
            heading = ""
    if heading:
        return [*cleaned, heading.rstrip(": ")]
    return _without_ending(cleaned)


def _is_volume(text: str) -> bool:
    """Return whether a paragraph states what a part of the dish makes: "Glaze: Makes 1/2 cup"."""
    return heads_part(text) and is_yield(text.partition(":")[2].strip())


def _refers(command: str, sentence: str) -> bool:
    """Return whether a command refers to a noun of the sentence before: "Remove this membrane."."""
    return any(word in sentence.lower() for word in _POINTS_AT.findall(command.lower()))


def _without_ending(paragraphs: list[str]) -> list[str]:
    """Return the paragraphs without sentences after the last command that only describe or name something."""
    end = len(paragraphs)
    endings: list[str] = []
    while end > 1:
        if RESUMES.match(paragraphs[end - 1]):  # the usual case, decided before the paragraph is split
            break
        parts = sentences(paragraphs[end - 1])
        if any(commands(part) or _resumes(part) for part in parts):
            break
        end -= 1
        useful = without_descriptions(parts)
        kept = [part for part in parts if part in useful or counsels(part) or is_note(parts[0])]
        endings += [" ".join(kept)] if kept and not only_names(paragraphs[end]) else []
    return [*paragraphs[:end], *reversed(endings)]


def _sentences_kept(text: str) -> list[str]:
    """Return the sentences of a paragraph without talk and without credits; a credit reaches to the next command."""
    kept: list[str] = []
    in_credit = in_talk = False
    oven = ""  # _OVEN and a blank if the sentence before gave the oven's temperature
    may_name_origin, of_part = has_any(text, _ORIGIN_HINTS), heads_part(text)
    lowercase = text.lower()
    may_name_nutrients = has_any(lowercase, _NUTRITION_HINTS)
    may_name_book = has_any(text, _BOOK_HINTS)
    is_tip = _TIP.match(text) is not None  # a story in a tip explains it, and stays
    parts = yields_apart(sentences(text)) if hints_at_yield(lowercase) else sentences(text)
    for sentence in chain.from_iterable(map(_introduced, parts)):
        is_sure = sentence.partition(" ")[0] in _SURE_VERBS
        if oven or _OVEN in sentence:
            is_sure = is_sure or _TIMES_OVEN.match(f"{oven}{sentence}") is not None
            oven = f"{_OVEN} " if _OVEN in sentence else ""
        is_person = sentence[:1] == "M" and TITLED.match(sentence) and not (kept and _MEASURE.search(kept[-1]))
        if (
            (not is_sure and _names_origin(sentence, may_name_origin))
            or is_person
            or _is_credit(sentence, may_name_nutrients, may_name_book)
        ):
            in_credit = not _INTRODUCES.match(sentence + " A")  # a name that introduces a direction ends the credit
            if kept and kept[-1].endswith(":") and not WORK.search(kept[-1]):  # it introduced the credit
                kept.pop()
            sentence = _command_in(sentence)
            if not sentence:
                continue
        elif in_credit and not (_resumes(sentence) or advises(sentence)):
            sentence = _command_in(sentence)
            if sentence[-1:] != ".":
                continue
        in_credit = False
        if is_sure or _LETTER.search(sentence):
            if not is_sure and _is_aside(sentence) and not (of_part and is_yield(sentence) and VOLUME.search(sentence)):
                sentence = _command_in(sentence)
                if not sentence:
                    continue
            in_talk = not (is_sure or is_tip) and is_talk(sentence, after_talk=in_talk)
            command = _COMMAND_INSIDE.search(sentence) if in_talk else None
            if command and WORK.search(sentence, command.end()):  # the full stop before the command is missing
                sentence, in_talk = sentence[command.end() :], False
            if not in_talk:
                kept.append(sentence)
    if len(kept) > 1 and _is_tail(kept[-1], kept[:-1]):
        kept.pop()
    return kept


def _is_tail(sentence: str, before: Sequence[str]) -> bool:
    """Return whether a paragraph's last sentence is a name: "Ada Example, Ohio", "The Leek Book".

    The sentences before it must have words in lower case, since some recipes are in capitals.
    """
    if len(sentence) > 90 or ":" in sentence or sentence.endswith((".", "!", "?", ")")):
        return False
    words = [word for word in sentence.split() if word[0].isalpha() and len(word) > 3]
    if len(words) < 2 or words[0].lower().strip(",.") in OPENERS or not words[0][0].isupper():
        return False
    lowercase = sum(word[0].islower() for word in words)
    return lowercase <= 0.2 * len(words) and sum(word[0].islower() for other in before for word in other.split()) > 3


def _command_in(sentence: str) -> str:
    """Return a sentence from its command on; "" if it has none."""
    is_card = sentence.startswith("Precision") and not advises(sentence)  # rating that a news group put into recipes
    command = None if is_card else _COMMAND_INSIDE.search(sentence)
    rest = sentence[command.end() :] if command else ""
    # In a sentence with a mail address, "Cook leek mixes" may be a name.
    is_name = "@" in sentence and rest[-1:] not in (".", ")", "!") and WORK.search(rest) is None
    return "" if is_name else rest


def _resumes(sentence: str) -> bool:
    """Return whether a sentence after a credit is a direction again."""
    return RESUMES.match(sentence) is not None or len(set(WORK.findall(sentence))) > 1


def _introduced(sentence: str) -> list[str]:
    """Split a sentence in which a credit introduces a direction: "Here's one I found in a paper: Slice the leeks."."""
    found = _INTRODUCES.match(sentence) if ": " in sentence or "- " in sentence else None
    if found is None or not (CREDIT.match(sentence) or _is_aside(sentence) or is_talk(found[1], after_talk=False)):
        return [sentence]
    rest = sentence[found.end() :]
    lowercase = sum(word[0].islower() for word in rest.split())
    return [found[1], rest] if rest[-1] in ".!" and 2 * lowercase > len(rest.split()) else [sentence]


def _is_aside(sentence: str) -> bool:
    if is_yield(sentence):
        return True
    if not _ASIDE.match(sentence):
        return False
    is_advice = sentence[:5].lower() == "this " and _ADVICE.search(sentence)  # This should be made a day before
    return not is_advice or is_talk(sentence, after_talk=False)


def _names_origin(sentence: str, may_name_origin: bool) -> bool:
    if CREDIT.match(sentence):
        return True
    if (
        not may_name_origin
        or len(sentence) >= _LONG
        or not has_any(f" {sentence}", _ORIGIN_HINTS)
        or _FOOTNOTE.match(sentence)
    ):
        return False
    return _ORIGIN.search(sentence) is not None and not _resumes(sentence)


def _is_credit(sentence: str, may_name_nutrients: bool, may_name_book: bool) -> bool:
    if may_name_book and has_any(sentence, _BOOK_HINTS) and _BOOK.search(sentence):
        return True
    if (
        len(sentence) < 100
        and (not sentence.endswith((".", "!")) or "@" in sentence or _STATE.match(sentence[-5:]))
        and is_signature(sentence)
    ):
        return True
    if not may_name_nutrients:
        return False
    lowercase = sentence.lower()
    return has_any(lowercase, _NUTRITION_HINTS) and len(set(_NUTRIENT.findall(lowercase))) > 2
