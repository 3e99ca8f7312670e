"""Examples of a training part -> its phrasebook, without what is damaged (`allsaid.proof.forms.soundness`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from allsaid.proof.foods.names import stems_of, trie_of
from allsaid.proof.forms import bounds, synonyms
from allsaid.proof.forms.clauses import Form, cut, surface_of
from allsaid.proof.forms.phrasebook import Known, Phrasebook, agreeing, pairs
from allsaid.proof.forms.soundness import Counts, Soundness, Text
from allsaid.proof.forms.symbols import Reader, learn_gaps
from allsaid.proof.polarity import Idioms, answer_of
from allsaid.proof.values.contexts import MIN_AGAIN
from allsaid.proof.values.seen import plain
from schemas.act import column_and_answer, parse_agenda_line
from schemas.example import Example

MIN_MARKED = 0.95  # smallest share of texts with a mark at the end for which a text must have one


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
    """Learn the phrasebook of a training part; ``examples`` yields its texts anew at each call.

    spoken: the words by which texts mention each yes/no column; subject: the column that they mention first; has_goals:
    whether goals recur; is_strict: whether a form belongs to the goals that it was seen with; values: all known ones,
    which no form may contain as words; idioms: the phrases of the mapping that mean yes or no.
    """
    reader = Reader(spoken, learn_gaps((example.tokens, example) for example in examples()), names_goal=not is_strict)
    if has_goals and not is_strict:
        found, frames = synonyms.learn(_texts(examples(), reader, abbreviations, idioms))
        reader = replace(reader, synonyms=found, frames=frames)
    trie = trie_of((name, name) for name in {stems_of(value.split()) for value in values} if name)
    counts = Counts(trie)
    for text in _texts(examples(), reader, abbreviations, idioms):
        counts.add(text)
    soundness, usable = Soundness(counts), counts.usable_forms
    known: defaultdict[Form, Counter[str]] = defaultdict(Counter)  # sentence -> goals
    shown: dict[Form, str] = {}
    beginnings = Counter[tuple[Form, ...]]()
    follows = Counter[tuple[str, str]]()
    goals = Counter[str]()
    columns: defaultdict[str, Counter[str]] = defaultdict(Counter)
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    carrying, repeating = Counter[str](), Counter[str]()  # column -> texts with it in a clause, and in several clauses
    learner, expressed = bounds.Learner(), bounds.Values()
    subject_token = ""
    for text in _texts(examples(), reader, abbreviations, idioms):
        goal = plain(text.example.goal)
        goals[goal] += 1
        subject_token = subject_token or _subject(text, subject)
        for token in (*text.index.columns.values(), *text.index.spoken):
            columns[token][goal] += 1
        learner.add_row(text.example, text.index, goal)
        values = bounds.values_of(text.example.agenda, text.example.agenda_tokens, text.index)
        in_text, is_sound = set[str](), list[bool]()
        for sentence in text.sentences:
            sound = [
                soundness.is_sound(clause, sentence, text) and clause.form in usable for clause in sentence.clauses
            ]
            is_sound.append(all(sound))
            for clause, is_form in zip(sentence.clauses, sound, strict=True):
                if is_form:
                    expressed.add(clause.form, values)
                    if len(clause.form) > 1:  # one symbol counts as a word
                        learner.add(clause.form, text.example, text.index, goal)
                    in_text.update(clause.form, pairs(clause.form), agreeing(clause.form))
            if all(sound) and sound:
                known[sentence.written][goal] += 1
                shown.setdefault(sentence.written, surface_of(sentence, text.example) + sentence.mark)
        if beginning := _beginning(text, is_sound, subject_token):
            beginnings[beginning] += 1
        follows.update(
            pairwise(
                sentence.clauses[0].form[0]
                for sentence in text.sentences
                if sentence.clauses and sentence.clauses[0].form
            )
        )
        clauses = [clause for sentence in text.sentences for clause in sentence.clauses]
        clauses_with = Counter(token for clause in clauses for token in {symbol.expresses for symbol in clause.symbols})
        named = {token: text.index.named[token] for token in clauses_with if token in text.index.named}
        carrying.update(named.values())
        repeating.update(column for token, column in named.items() if clauses_with[token] > 1)
        for word in in_text:
            words[word][goal] += 1
            learner.add((word,), text.example, text.index, goal)
    return Phrasebook(
        reader,
        tuple(
            Known(form, dict(sorted(seen.items())), shown[form])
            for form, seen in sorted(known.items(), key=lambda entry: (-entry[1].total(), entry[0]))
        ),
        tuple(sorted(beginnings.items(), key=lambda entry: (-entry[1], entry[0]))),
        dict(sorted(follows.items())),
        goals=dict(sorted(goals.items())) if has_goals else {},
        columns=bounds.in_order(columns) if has_goals else {},
        words=bounds.in_order(words) if has_goals else {},
        bounds=learner.bounds(),
        values=expressed.of_columns(),
        values_of=expressed.of_forms(),
        abbreviations=frozenset(abbreviations),
        has_end_marks=counts.marked >= MIN_MARKED * counts.texts,
        is_strict=is_strict,
        subject=subject_token,
        is_crowd=counts.is_crowd,
        seen_ranges=learner.seen_ranges(),
        again=frozenset(column for column, texts in carrying.items() if repeating[column] >= MIN_AGAIN * texts),
    )


def _texts(
    examples: Iterable[Example], reader: Reader, abbreviations: Collection[str], idioms: Mapping[str, Idioms]
) -> Iterator[Text]:
    for example in examples:
        index = reader.index(example)
        symbols = reader.read(example.tokens, index)
        opposed = set()
        for item, column in index.spoken.items():
            places = {
                place for symbol in symbols if symbol.expresses == item for place in range(symbol.first, symbol.end)
            }
            answer = answer_of(example.tokens, places, idioms.get(column, {}))
            if answer is not None and column_and_answer(item)[1] == ("no" if answer else "yes"):
                opposed.add(item)
        yield Text(example, index, cut(symbols, abbreviations), frozenset(opposed))


def _beginning(text: Text, is_sound: Sequence[bool], subject: str) -> tuple[Form, ...]:
    """Return the sentences up to the first with the subject; none if one of them is damaged or none has the subject."""
    found = []
    for sentence in text.sentences[: [*is_sound, False].index(False)]:
        found.append(sentence.written)
        if subject in sentence.written or not subject:
            return tuple(found)
    return ()


def _subject(text: Text, subject: str) -> str:
    """Return the placeholder of the subject's column; "" if the row lacks it."""
    lines = zip(text.example.agenda_tokens, text.example.agenda, strict=True)
    return next((tokens[0] for tokens, line in lines if parse_agenda_line(line).slot == subject), "")
