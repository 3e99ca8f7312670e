"""Examples of a training part -> its phrasebook.

Not all that people wrote is a form. A clause is left out

- of a sentence that begins with a word that begins hardly any other sentence ("is 329 dollars.");
- that has a word twice in a row, or says a value's own word again beside the value ("15 inch inch");
- that says yes where its row says no, by the negations in it, unless the same words say so of more rows than otherwise.

Of many different clauses only those are kept that several texts have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from schemas.act import PREFIX, parse_agenda_line
from schemas.example import Example
from training.forms import bounds, synonyms
from training.forms.clauses import Clause, Form, Sentence, cut, written
from training.forms.phrasebook import Known, Phrasebook, agreeing, pairs
from training.forms.symbols import CARRIES, Reader, View, learn_gaps
from training.metrics.polarity import BEGINS, is_negated
from training.metrics.seen import plain

MIN_PLACES = 20  # of a word, from which its share of sentence beginnings is known
MIN_BEGINS = 0.05  # of a word's places: so many begin sentences of a word that may begin one
MIN_OPENS, MIN_OPENING = 2, 0.2  # the same of two words: so many sentences, so many of their places
MAX_SINGLE = 5000  # different clauses; where there are more, those that only one text has are left out
MAX_FORMS = 8000  # the most frequent ones
MIN_AGREE = 0.8  # of the clauses with the same words that say of a yes/no column what this one says
USUAL = 0.1  # of the texts have a word that is no value's own
MIN_MARKED = 0.95  # of the texts end with a mark where a text has to


@dataclass
class _Counts:
    """What the first pass over the texts counts."""

    texts: int = 0
    marked: int = 0  # texts that end with a mark
    places: Counter[str] = field(default_factory=Counter)  # symbol -> places
    begins: Counter[str] = field(default_factory=Counter)  # symbol -> sentences that begin with it
    pairs: Counter[Form] = field(default_factory=Counter)  # two symbols in a row -> places
    opens: Counter[Form] = field(default_factory=Counter)  # two symbols -> sentences that begin with them
    having: Counter[str] = field(default_factory=Counter)  # token -> texts
    clauses: Counter[Form] = field(default_factory=Counter)
    said: defaultdict[Form, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # words -> carried


@dataclass(frozen=True)
class Text:
    """A training text as it is learned from."""

    example: Example
    view: View
    sentences: list[Sentence]
    opposed: frozenset[str]  # agenda tokens whose yes or no the text denies, by its negations


def learn(
    examples: Callable[[], Iterable[Example]],
    spoken: dict[str, frozenset[str]],
    subject: str = "",
    abbreviations: Collection[str] = frozenset(),
    has_goals: bool = True,
    is_strict: bool = False,
) -> Phrasebook:
    """The phrasebook of a training part; ``examples`` gives its texts anew at each call.

    spoken: the words by which texts speak of each yes/no column; subject: the column that they say first; has_goals:
    whether goals recur; is_strict: whether a form belongs to the goals that it was seen with.
    """
    reader = Reader(spoken, learn_gaps((one.tokens, one) for one in examples()), names_goal=not is_strict)
    if has_goals and not is_strict:
        found, frames = synonyms.learn(_texts(examples(), reader, abbreviations))
        reader = replace(reader, synonyms=found, frames=frames)
    counts = _count(_texts(examples(), reader, abbreviations))
    kept = _kept(counts)
    known: dict[Form, Counter[str]] = {}
    shown: dict[Form, str] = {}
    beginnings = Counter[tuple[Form, ...]]()
    follows = Counter[tuple[str, str]]()
    goals = Counter[str]()
    columns: defaultdict[str, Counter[str]] = defaultdict(Counter)
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    learner = bounds.Learner()
    subject_token = ""
    for text in _texts(examples(), reader, abbreviations):
        goal = plain(text.example.goal)
        goals[goal] += 1
        subject_token = subject_token or _subject(text, subject)
        for token in (*text.view.columns.values(), *text.view.spoken):
            columns[token][goal] += 1
        learner.add_row(text.example, text.view, goal)
        beginning: list[Form] = []
        is_beginning, in_text = True, set[str]()
        for sentence in text.sentences:
            sound = [_is_sound(clause, sentence, text, counts) and clause.form in kept for clause in sentence.clauses]
            for clause, is_form in zip(sentence.clauses, sound, strict=True):
                if is_form:
                    learner.add(clause.form, text.example, text.view, goal)
                    in_text.update(clause.form, pairs(clause.form), agreeing(clause.form))
            form = written(sentence)
            if all(sound) and sound:
                known.setdefault(form, Counter())[goal] += 1
                shown.setdefault(form, _surface(text.example, sentence))
            is_beginning = is_beginning and all(sound)
            if is_beginning:
                beginning.append(form)
                if subject_token in form or not subject_token:
                    beginnings[tuple(beginning)] += 1
                    is_beginning = False
        firsts = [one.clauses[0].form[0] for one in text.sentences if one.clauses and one.clauses[0].form]
        follows.update(pairwise(firsts))
        for word in in_text:
            words[word][goal] += 1
    ordered = sorted(known.items(), key=lambda entry: (-entry[1].total(), entry[0]))
    return Phrasebook(
        reader,
        tuple(Known(form, dict(sorted(seen.items())), shown[form]) for form, seen in ordered),
        tuple(sorted(beginnings.items(), key=lambda entry: (-entry[1], entry[0]))),
        dict(sorted(follows.items())),
        dict(sorted(goals.items())) if has_goals else {},
        {token: dict(sorted(seen.items())) for token, seen in sorted(columns.items())} if has_goals else {},
        {word: dict(sorted(seen.items())) for word, seen in sorted(words.items())} if has_goals else {},
        learner.bounds(),
        frozenset(abbreviations),
        counts.marked >= MIN_MARKED * counts.texts,
        is_strict,
        subject_token,
    )


def _texts(examples: Iterable[Example], reader: Reader, abbreviations: Collection[str]) -> Iterator[Text]:
    for example in examples:
        view = reader.view(example)
        symbols = reader.read(example.tokens, view)
        opposed = set()
        for item in view.spoken:
            places = {place for one in symbols if one.carries == item for place in range(one.first, one.last)}
            negated = is_negated(example.tokens, places)
            if negated is not None and item.endswith("_NO" if not negated else "_YES"):
                opposed.add(item)
        yield Text(example, view, cut(symbols, abbreviations), frozenset(opposed))


def _count(texts: Iterable[Text]) -> _Counts:
    counts = _Counts()
    for text in texts:
        counts.texts += 1
        counts.marked += bool(text.sentences and text.sentences[-1].mark)
        counts.having.update(set(text.example.tokens))
        for sentence in text.sentences:
            for clause in sentence.clauses:
                counts.clauses[clause.form] += 1
                counts.places.update(clause.form)
                counts.said[_bare(clause.form)][_said(clause.form)] += 1
                counts.pairs.update(pairwise(clause.form))
            if sentence.clauses and sentence.clauses[0].form:
                counts.begins[sentence.clauses[0].form[0]] += 1
                counts.opens[sentence.clauses[0].form[:2]] += 1
    return counts


def _kept(counts: _Counts) -> set[Form]:
    least = 1 if len(counts.clauses) <= MAX_SINGLE else 2
    often = [form for form, count in counts.clauses.items() if count >= least]
    return set(sorted(often, key=lambda form: (-counts.clauses[form], form))[:MAX_FORMS])


def _bare(form: Form) -> Form:
    """The words of a form without what they carry."""
    return tuple(word.partition(CARRIES)[0] for word in form)


def _said(form: Form) -> str:
    return " ".join(word.partition(CARRIES)[2] for word in form if CARRIES in word)


def _is_sound(clause: Clause, sentence: Sentence, text: Text, counts: _Counts) -> bool:
    """Whether what people wrote here may become a form."""
    if not clause.form or any(one.text.startswith(PREFIX) and not one.carries for one in clause.symbols):
        return False
    first = sentence.clauses[0].form[:2]
    if clause is sentence.clauses[0] and not _may_begin(first, counts):
        return False
    tokens = text.example.tokens
    words = [token for one in clause.symbols for token in tokens[one.first : one.last]]
    if any(one == other and one.isalnum() for one, other in pairwise(words)):
        return False
    carried = {one.carries for one in clause.symbols} - {""}
    return _agrees(clause.form, carried, text, counts) and not _says_again(clause, text, counts)


def _may_begin(first: Form, counts: _Counts) -> bool:
    """Whether sentences begin with these two symbols, or at least with the first of them."""
    if not first:
        return False
    opens = counts.opens[first]
    if first[0] in BEGINS or (opens >= MIN_OPENS and opens >= MIN_OPENING * counts.pairs[first]):
        return True
    places = counts.places[first[0]]
    return places < MIN_PLACES or counts.begins[first[0]] >= MIN_BEGINS * places


def _agrees(form: Form, carried: Collection[str], text: Text, counts: _Counts) -> bool:
    """Whether a clause says the yes or no of its row: by its negations, or else since it is said again so."""
    said = counts.said[_bare(form)]
    is_usual = said[_said(form)] >= MIN_AGREE * said.total()
    return is_usual and (text.opposed.isdisjoint(carried) or said[_said(form)] > 1)


def _says_again(clause: Clause, text: Text, counts: _Counts) -> bool:
    """Whether a word of a value stands beside the value again; words that many texts have are no value's own."""
    values: set[str] = set()
    for tokens, line in zip(text.example.agenda_tokens, text.example.agenda, strict=True):
        if any(tokens[0] in text.example.tokens[one.first : one.last] for one in clause.symbols if one.carries):
            values.update(parse_agenda_line(line).value.lower().split())
    return any(
        not one.carries
        and one.text in values
        and len(one.text) > 2
        and one.text.isalpha()
        and counts.having[one.text] < USUAL * counts.texts
        for one in clause.symbols
    )


def _subject(text: Text, subject: str) -> str:
    """The placeholder of the subject's column."""
    lines = zip(text.example.agenda_tokens, text.example.agenda, strict=True)
    return next((tokens[0] for tokens, line in lines if parse_agenda_line(line).slot == subject), "")


def _surface(example: Example, sentence: Sentence) -> str:
    symbols = [one for clause in sentence.clauses for one in clause.symbols]
    first, last = symbols[0].first, symbols[-1].last
    return " ".join(example.surface[first:last]) + sentence.mark
