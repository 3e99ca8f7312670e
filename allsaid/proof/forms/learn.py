"""Examples of a training part -> its phrasebook, of what is sound in them (`allsaid.proof.forms.soundness`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from allsaid.proof.foods.names import stems_of, trie_of
from allsaid.proof.forms import bounds, synonyms
from allsaid.proof.forms.clauses import Form, Sentence, cut, written
from allsaid.proof.forms.phrasebook import Known, Phrasebook, agreeing, pairs
from allsaid.proof.forms.soundness import Soundness, Text, count
from allsaid.proof.forms.symbols import Reader, learn_gaps
from allsaid.proof.polarity import Idioms, answer_of
from allsaid.proof.values.contexts import MIN_AGAIN
from allsaid.proof.values.seen import plain
from schemas.act import column_and_answer, parse_agenda_line
from schemas.example import Example

MIN_MARKED = 0.95  # of the texts end with a mark where a text has to


def learn(
    examples: Callable[[], Iterable[Example]],
    spoken: dict[str, frozenset[str]],
    subject: str = "",
    abbreviations: Collection[str] = frozenset(),
    has_goals: bool = True,
    is_strict: bool = False,
    values: Iterable[str] = (),
    idioms: Mapping[str, Idioms] = MappingProxyType({}),
) -> Phrasebook:
    """The phrasebook of a training part; ``examples`` gives its texts anew at each call.

    spoken: the words by which texts speak of each yes/no column; subject: the column that they say first; has_goals:
    whether goals recur; is_strict: whether a form belongs to the goals that it was seen with; values: all known ones,
    which no form may say as words; idioms: the phrases of the mapping that mean yes or no.
    """
    reader = Reader(spoken, learn_gaps((one.tokens, one) for one in examples()), names_goal=not is_strict)
    if has_goals and not is_strict:
        found, frames = synonyms.learn(_texts(examples(), reader, abbreviations, idioms))
        reader = replace(reader, synonyms=found, frames=frames)
    trie = trie_of((name, name) for name in {stems_of(value.split()) for value in values} if name)
    counts = count(_texts(examples(), reader, abbreviations, idioms), trie)
    soundness, kept = Soundness(counts), counts.kept
    known: dict[Form, Counter[str]] = {}
    shown: dict[Form, str] = {}
    beginnings = Counter[tuple[Form, ...]]()
    follows = Counter[tuple[str, str]]()
    goals = Counter[str]()
    columns: defaultdict[str, Counter[str]] = defaultdict(Counter)
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    carrying, repeating = Counter[str](), Counter[str]()  # columns -> texts that have them in a clause, and in several
    learner, said = bounds.Learner(), bounds.Values()
    subject_token = ""
    for text in _texts(examples(), reader, abbreviations, idioms):
        goal = plain(text.example.goal)
        goals[goal] += 1
        subject_token = subject_token or _subject(text, subject)
        for token in (*text.view.columns.values(), *text.view.spoken):
            columns[token][goal] += 1
        learner.add_row(text.example, text.view, goal)
        held = bounds.values_of(text.example.agenda, text.example.agenda_tokens, text.view)
        beginning: list[Form] = []
        is_beginning, in_text = True, set[str]()
        for sentence in text.sentences:
            sound = [soundness.is_sound(clause, sentence, text) and clause.form in kept for clause in sentence.clauses]
            for clause, is_form in zip(sentence.clauses, sound, strict=True):
                if is_form:
                    said.add(clause.form, held)
                    if len(clause.form) > 1:  # one symbol counts as a word
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
        clauses = [clause for sentence in text.sentences for clause in sentence.clauses]
        having = Counter(token for clause in clauses for token in {one.carries for one in clause.symbols})
        carrying.update(text.view.named[token] for token in having if token in text.view.named)
        repeating.update(
            text.view.named[token] for token, count in having.items() if count > 1 and token in text.view.named
        )
        for word in in_text:
            words[word][goal] += 1
            learner.add((word,), text.example, text.view, goal)
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
        said.of_columns(),
        said.of_forms(),
        frozenset(abbreviations),
        counts.marked >= MIN_MARKED * counts.texts,
        is_strict,
        subject_token,
        counts.is_crowd,
        learner.seen_ranges(),
        frozenset(column for column, texts in carrying.items() if repeating[column] >= MIN_AGAIN * texts),
    )


def _texts(
    examples: Iterable[Example], reader: Reader, abbreviations: Collection[str], idioms: Mapping[str, Idioms]
) -> Iterator[Text]:
    for example in examples:
        view = reader.view(example)
        symbols = reader.read(example.tokens, view)
        opposed = set()
        for item, column in view.spoken.items():
            places = {place for one in symbols if one.carries == item for place in range(one.first, one.last)}
            answer = answer_of(example.tokens, places, idioms.get(column, {}))
            if answer is not None and column_and_answer(item)[1] == ("no" if answer else "yes"):
                opposed.add(item)
        yield Text(example, view, cut(symbols, abbreviations), frozenset(opposed))


def _subject(text: Text, subject: str) -> str:
    """The placeholder of the subject's column."""
    lines = zip(text.example.agenda_tokens, text.example.agenda, strict=True)
    return next((tokens[0] for tokens, line in lines if parse_agenda_line(line).slot == subject), "")


def _surface(example: Example, sentence: Sentence) -> str:
    symbols = [one for clause in sentence.clauses for one in clause.symbols]
    first, last = symbols[0].first, symbols[-1].last
    return " ".join(example.surface[first:last]) + sentence.mark
