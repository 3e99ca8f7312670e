"""HTML in a cell -> its text: tags are removed and separate words or sentences, entities become characters.

A ``<`` begins a tag only before an element of HTML, or before another name that has an attribute or an end tag. An
entity needs its semicolon and a known name. So ``a < b``, ``<3``, ``AT&T`` and ``<U+2153>`` remain unchanged.
"""

from __future__ import annotations

import re
import warnings
from functools import cache
from html import escape, unescape
from html.entities import html5
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

ELEMENTS = frozenset((
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont", "bdi",
    "bdo", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite", "code", "col",
    "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed",
    "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5",
    "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "img", "input", "ins", "kbd", "label", "legend",
    "li", "link", "main", "map", "mark", "marquee", "math", "menu", "meta", "meter", "nav", "nobr", "noframes",
    "noscript", "object", "ol", "optgroup", "option", "output", "p", "param", "picture", "pre", "progress", "q", "rp",
    "rt", "ruby", "s", "samp", "script", "section", "select", "slot", "small", "source", "span", "strike", "strong",
    "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead",
    "time", "title", "tr", "track", "tt", "u", "ul", "var", "video", "wbr",
))  # fmt: skip
_UNSAID = ("script", "style", "head", "template", "noscript", "iframe", "object", "svg", "math")
_BLOCKS = (
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "legend", "li", "main", "menu", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody",
    "tfoot", "thead", "tr", "ul",
)  # fmt: skip
_CELLS = ("td", "th", "img", "input", "wbr")  # separate words
_BARE = frozenset(("nowrap", "noshade", "compact", "disabled", "checked", "selected", "controls", "hidden"))
_ATTRIBUTE = r"""\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?"""
_VALUE = re.compile(r"""\s*=\s*("[^"]*"|'[^']*')?""")
_NOT_TEXT = re.compile(
    rf"""<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9]*(?::[A-Za-z0-9]+)?)(?P<more>(?:{_ATTRIBUTE})*)\s*/?>
    |(?P<other><!--[^<]*(?:<(?!!--)[^<]*)*?-->|<!(?:DOCTYPE\b|\[(?:if|endif)\b)[^<>]*>|<\?\w[^<>]*>|<!\[CDATA\[|\]\]>)""",
    re.VERBOSE | re.IGNORECASE,
)
_CUT_OFF = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)(\s+[\w:-]+\s*=[^<>]*|\s*)$")  # a tag cut by a limit of cells
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|([A-Za-z][A-Za-z0-9]{1,31}));")
_RUN = re.compile(r"\s+")
_BREAK, _LINE = "\x1e", "\x1d"  # whitespace to Python, and in no text
SENTENCE = ". "


def has_markup(text: str) -> bool:
    return ("&" in text and has_entity(text)) or ("<" in text and (_has_tags(text) or _is_cut_off(text)))


def _has_tags(text: str) -> bool:
    return any(map(_is_markup, _NOT_TEXT.finditer(text)))


def has_entity(text: str) -> bool:
    return any(map(_is_entity, _ENTITY.finditer(text)))


def text_of_markup(text: str, part: str = SENTENCE) -> str:
    """Return the text in one line, with ``part`` between blocks that no punctuation separates."""
    text = without_entities(_without_tags(text, part))
    while "<" in text and _has_tags(text):  # tags that were written as entities
        text = without_entities(_without_tags(text, part))
    return text


def without_entities(text: str) -> str:
    return _ENTITY.sub(lambda found: unescape(found[0]) if _is_entity(found) else found[0], text)


def _is_entity(found: re.Match[str]) -> bool:
    return found[1] is None or f"{found[1]};" in html5


def _is_markup(found: re.Match[str]) -> bool:
    if found["other"]:
        return True
    if not all("=" in attribute or attribute in _BARE for attribute in _VALUE.sub("=", found["more"]).split()):
        return False  # words, as in "a <b and c> d"
    name = found["name"].lower()
    is_known = bool(found["more"] or found["end"]) or name in ELEMENTS or ":" in name
    return is_known or f"</{name}>" in found.string.lower()


def _is_cut_off(text: str) -> bool:
    found = _CUT_OFF.search(text)
    if found is None or found[2].lower() not in ELEMENTS:
        return False
    return bool(found[1] or found[3].strip() or len(found[2]) > 1)  # "a <b" is no tag


def _without_tags(text: str, part: str) -> str:
    if _is_cut_off(text):
        text = text[: text.rindex("<")]
    if "<" not in text:
        return text
    pieces, end = [], 0
    for found in filter(_is_markup, _NOT_TEXT.finditer(text)):
        pieces += [escape(text[end : found.start()], quote=False), "" if found["other"] else found[0]]
        end = found.end()
    soup = _reader()("".join([*pieces, escape(text[end:], quote=False)]), "html.parser")
    for tag in soup.find_all(_UNSAID):
        tag.decompose()
    for tag in soup.find_all("br"):
        tag.insert_before(_LINE)
    for tag in soup.find_all(_BLOCKS):
        tag.insert_before(_BREAK)
        tag.insert_after(_BREAK)
    for tag in soup.find_all(_CELLS):
        tag.insert_before(" ")
        tag.insert_after(" ")
    return _RUN.sub(lambda run: _between(run, part), soup.get_text().strip())


@cache
def _reader() -> type[BeautifulSoup]:
    """Return the parser of HTML, which is imported for the first table with HTML."""
    from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning

    warnings.filterwarnings("ignore", category=MarkupResemblesLocatorWarning)  # a cell may be the name of a file
    return BeautifulSoup


def _between(run: re.Match[str], part: str) -> str:
    if _BREAK not in run[0] and run[0].count(_LINE) < 2:
        return " "
    return " " if run.string[run.start() - 1] in f".,;:!?…-–—•({part}" else part.rstrip() + " "
