"""Credits in directions, and the split of a text into sentences, of which a credit is one."""

from __future__ import annotations

import re

from allsaid.language.text import has_any

# Patterns for a search begin with a rare character and then look behind, which is faster.
_CAPITAL = r"[\"'(\[]?[A-Z0-9*]"
_AFTER_STOP = (
    r"(?:(?<=[.!?] )(?<!pprox\. )(?<!\b[Cc]a\. )"
    r"(?<![A-Za-z.] [A-BDEG-Z]\. )(?<!\bp\. )(?<!\bpp\. )(?<!\b[MD]r\. )(?<!\bMrs\. )(?<!\bpg\. )|(?<=[.!?][\"')\]] ))"
)
_SENTENCE = re.compile(rf" (?={_CAPITAL}){_AFTER_STOP}")  # of text with single blanks
_FROM = re.compile(
    rf" (?={_CAPITAL}|(?:-- ?)?from:? (?:the )?[_A-Z]){_AFTER_STOP}"
)  # also "from Ada's kitchen", slower
_FROM_HINTS = (". from", "! from", "-- from", ") from", '" from')

# Openings of a credit that also occur within a line, without a full stop before them.
_MARKS = (
    r"(?:Source|SOURCE|From|FROM|Date|DATE|Subj(?:ect)?|ISBN|Copyright|Newsgroups|Notes? from)\b ?[:#]"
    r"|Copyright,? (?:\(|\d|by\b|©)|All [Rr]ights [Rr]eserved|(?:Scanned|Typos|typos) (?:&|and|by)\b"
    r"|(?:Re)?(?:[Pp]osted|POSTED|Typed|TYPED|Submitted|SUBMITTED|Shared|Formatted|Contributed|Converted"
    r"|Downloaded|Uploaded"
    r"|Entered|Compiled|Transcribed|Reprinted|Recipe|RECIPE|MM|MMed|Meal-?[Mm]aster [Ff]ormat)"
    r" (?:and \w+ )?(?:[Bb]y|BY|[Ff]or you|to the .{0,20} by|courtesy|via|from|with permission)\b"
    r"|(?:Per|PER|Each|EACH) (?:serving|Serving|SERVING|portion)s?\b ?[:(]?|(?<=\. )per (?:serving ?[:(]|[A-Z][a-z]+\b)"
    r"|(?:Nutrition|Nutritional|NUTRITION\w*) (?:[Ii]nfo\w*|[Aa]nalysis|[Ff]acts|[Dd]ata|per|INFO\w*"
    r"|ANALYSIS)|Recipe By ?:"
    r"|(?:Prep(?:aration)?|Cooking|Total|Baking) [Tt]ime ?:|Temperature\(s\) ?:|(?:Diabetic|Food) [Ee]xchanges?\b"
)
_MARK = re.compile(rf" (?=[A-Z]|posted|typos|per )(?={_MARKS})")  # which begin with these
CREDIT = re.compile(
    rf"(?:{_MARKS})"
    r"|(?i:[-~*:(\[\s]*(?:"
    r"(?:(?:re)?posted|submitted|typed|formatted|shared|contributed|converted|downloaded|reprinted"
    r"|uploaded|entered|compiled"
    r"|collected|transcribed|copied|taken|adapted|brought to you|courtesy|reformatted|keyed|scanned"
    r"|edited|busted|mm(?:ed)?"
    r"|presented|recipe|(?:mm|mc|meal-?master|mastercook|electronic) format(?:ted|ting)?|as (?:written|told|published))"
    r" *(?:(?:and|&) \w+ )?(?:by\b|for you\b|for .{1,20}\bby\b|from\b|to .{1,30}\bby\b|in .{1,20}\bby\b"
    r"|of\b|via\b|with perm|:)"
    r"|(?:re)?posted\b|(?:d/l|stolen|gleaned|obtained|received|clipped|swiped) (?:from|off)\b|typing errors|typos\b"
    r"|scanned (?:and|&)|recipe collections?\b|recipe may be reprinted|all recipes\b|used (?:with|by) permission"
    r"|meal-?master (?:\w+ )*format|mm format\b"
    r"|notes?: (?:obtained|from|taken|adapted|typed|posted|recipe (?:by|from))\b"
    r"|published\b|internet:|e-?mail\b|subscription|chef: *[a-z]|contributor:|weight watchers info"
    r"|from (?:my|our) (?:kitchen|house|home)\b"
    r"|(?:about |approx\w*\.? )?[\d.]+ ?(?:(?:calories|cals?\.?|kcal|fat grams)\b|% fat\W*$)"
    r"|(?:one|1|each|per) serving ?[:=(]"
    r"|(?:total )?(?:fat|calories|cholesterol|sodium|protein) (?:grams )?per (?:serving|portion)\b"
    r"|cal(?:orie)?s?\.? ?[:=] ?\d"
    r"|(?:fat|chol\w*|cholesterol|protein|sodium|carbo\w*)[ :=]+(?:[\d.<]|o\.\d)|(?:serving size|selections) *: *\d"
    r"|per (?:\S+ ){0,3}\S+ ?[:=] ?(?:\d+ )?k?cal|meal-?master conversion|preparation:? \d(?!\d?[-.)] ?[a-z])"
    r"|(?:erfasser|stichworte) ?:|an? (?:\w+ )?recipe from (?:my|our)\b|(?-i:an? (?:19|20)\d\d [A-Z])"
    r"|sources? *[-:=;(]|(?:recipe|original) (?:source|origin|adapted|courtesy|created)"
    r"|origin(?:al(?:ly)?)?(?: recipe)? *(?:from|:)|from *:|by *:"
    r"|m[mc] formatting\b|by (?-i:(?:[A-Z][a-z]+ ){1,4}[A-Z][a-z]+\)$)"
    r"|(?:from|in) (?:the )?(?:[\"_]|.{0,45}\b(?:cookbook|cook book|cookery|magazine|newspaper|kitchen of"
    r"|collection of|digest|archives?|calendar)\b)|(?-i:from (?:the |an? )?[A-Z])"
    r"|from [\w.-]+\.(?:zip|mmf?|txt|com|net|org|edu)\b|aus .{3,40}\d ?/ ?\d\d\W*$"
    r"|copy of recipe|individual recipes copyright|recipe collections copyright|dietary exchanges\b"
    r"|both (?:of these )?recipes (?:are )?(?:from|by)\b|(?:each|one|1) (?:[a-z\d/]+ ){1,5}contains?\b"
    r"(?=\W*$|.{0,12}\d)|no nutrition(?:al)? info|also from [\"_]?(?-i:[A-Z])|original recipe\W*$"
    r"|isbn\b|copyright\b|\(c\) *\d|©|reprint"
    r"|(?:to|date|subject|subj|newsgroups|msg id|reply-to|organization|sender|message-id|x-\w+|area|comments?"
    r"|categories) *: *\S"
    r"|(?:nutrition(?:al)?|nutritive|nutrients?|exchanges?|calories)\b.{0,40}(?::|\d|=|per )"
    r"|(?:temperature\(s\)|effort|time|cost|rating|difficulty|precision|keywords?) *:|(?-i:S: [A-Z])"
    r"|approx(?:imate(?:ly)?|\.)? (?:nutrition|calories|\d+ cal)|mm *:|fidonet\b|file (?:courtesy|ftp)"
    r"|uploaded|http:|www\."
    r"|authors? *:|compliments of\b|courtesy\b|created (?:by\b|\d)|.{0,30}\bBBS\b|notes? from .{1,30}:"
    r"|typed *-|shared (?:on|and)\b|\d+\D\d+\D\d+ (?:typed by|courtesy of)\b"
    r"|(?:also )?from (?:the )?(?:recipe )?(?:files|kitchens?|collection) of\b"
    r"|(?:blue wave|gecho|tmail|bbs|qwk|fmail)\b.{0,12}\d"
    r"))"
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text with single blanks; a credit begins one, too."""
    pattern = _FROM if " from" in text and has_any(text, _FROM_HINTS) else _SENTENCE
    return [sentence for part in _MARK.split(text) for sentence in pattern.split(part)]
