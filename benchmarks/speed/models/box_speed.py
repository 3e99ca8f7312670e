"""Speed of Table NLM at the paper's sizes, next to its matrix products alone, with and without a shortlist of words.

    python -m benchmarks.speed.models.box_speed --data DIR --model FOLDER [--output benchmarks/results/box_speed.json]

DIR is a data set of boxes, FOLDER a model of kind table_nlm that copies. Its vocabulary is filled up to the paper's
20,000 words with made-up words, which are too unlikely to change any text. Times are processor seconds of one core. All
systems are measured in one run, in turn; figures are medians of the rounds.

- Training consists of the loss, gradients, clipping of their norm and Adam, on batches of an epoch. Its limit is the
  time of the products that loss and gradients need: for the vocabulary, the window of words, the queries and the copy
  scores.
- Generation is everything from boxes to texts: a part of the dev boxes in each round, over all words and with
  shortlists of several lengths. Its limit is the time of the same products, with the shapes of the search's steps.

Limits are the best of five runs into existing buffers. BLEU is of all dev boxes. The interval of its difference from
BLEU over all words is drawn in pairs.
"""

from __future__ import annotations

import argparse
import copy
import json
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

from allsaid.decoding.write import write
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.dataset import DataSet, epoch_order, fixed_sample
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary
from allsaid.modeling.saved.model_folder import Bundle, build_model, load
from benchmarks import result_file
from benchmarks.speed.models.train_step import best_of_five, products
from evaluation.measures.bootstrap import bleu_of, bleu_statistics, sums_interval
from evaluation.tasks.boxes import as_read
from training.fitting.scores import fingerprint

WORDS, WIDTH = 20_000, 5
ROUNDS, STEPS = 3, 4  # of training
PARTS = 2  # of the dev boxes, a round of generation each
UNLIKELY = -30.0  # the bias of a made-up word; its probability is still a number that is not denormal
LISTS = (500, 1000, 1500, 2000)  # frequent words

Products = Counter[tuple[tuple[int, ...], int]]  # (shape of the left matrix, columns of the right one) -> how often


def filled_up(bundle: Bundle) -> Bundle:
    """Return the model with a vocabulary of the paper's size; its known words keep their weights."""
    known = bundle.vocabularies.text.words
    words = (*known, *(f"made-up-{number}" for number in range(WORDS - len(known))))
    vocabularies = replace(bundle.vocabularies, text=Vocabulary(words))
    model = build_model(bundle.config, vocabularies)
    with torch.no_grad():
        model.b_o.fill_(UNLIKELY)
        for name, weights in bundle.model.named_parameters():
            model.get_parameter(name)[: len(weights)] = weights
    return replace(bundle, model=model.eval(), vocabularies=vocabularies)


def training(model: Any, optimiser: Any, batches: Sequence[Any], clip: float) -> float:
    """Return the processor seconds of training steps on these batches."""
    begun = time.process_time()
    for batch in batches:
        loss = model.loss(batch).total
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimiser.step()
    return time.process_time() - begun


def training_limit(model: Any, batch: Any) -> float:
    """Return the processor seconds of the products alone, forward and backward."""
    texts, length = batch.targets.shape
    words, places = batch.prompts.words.shape[1], batch.prompts.fields.numel()
    tokens, hidden = int((batch.targets != 0).sum()), model.config.hidden
    return (
        products(tokens, hidden, WORDS)
        + products(tokens, model.read.in_features, hidden)
        + products(places, model.config.embedding, hidden)
        + products(length, hidden, words, texts=texts)
    )


def generation(bundle: Bundle, rows: Sequence[Any], search: SearchConfig) -> tuple[list[list[str]], float, Products]:
    """Return the words of the best texts, processor seconds, and the products of the search."""
    model, found = bundle.model, Products()
    start, step, k = model.start, model.step, model.config.hidden

    def counted_start(prompts: Any) -> Any:
        (texts, words), d = prompts.words.shape, model.config.embedding
        width = model.read.in_features // model.context - d
        found[(texts * (1 + words), width), model.context * k] += 1
        found[(prompts.fields.numel(), d), k] += 1
        return start(prompts)

    def counted_step(state: Any, tokens: torch.Tensor) -> Any:
        vocabulary, short = len(state.project.weight), state.project.shortlist
        found[(len(tokens), k), vocabulary] += 1
        for words in (state.words.shape[1], short.size - vocabulary if short else 0):
            found[(len(state.words), WIDTH, k), words] += 1
        return step(state, tokens)

    model.start, model.step = counted_start, counted_step
    begun = time.process_time()
    texts = [hypotheses[0] for hypotheses in write(bundle, rows, search)]
    seconds = time.process_time() - begun
    model.start, model.step = start, step
    return [bundle.words(text.tokens, row) for text, row in zip(texts, rows, strict=True)], seconds, found


def generation_limit(found: Products) -> float:
    """Return the processor seconds of these products alone."""
    return sum(count * _product(left, columns) for (left, columns), count in found.items() if columns)


def _product(left: tuple[int, ...], columns: int) -> float:
    first, second = torch.randn(left), torch.randn(*left[:-2], left[-1], columns)
    out = torch.matmul(first, second)
    return best_of_five(lambda: torch.matmul(first, second, out=out))


def batches_of(bundle: Bundle, data: DataSet, ids: Any) -> list[list[Any]]:
    """Return the batches of each round, chosen from an epoch."""
    order = epoch_order(ids.lengths, bundle.config.data.batch_size, 1, 0)
    chosen = np.random.default_rng(1).choice(len(order), ROUNDS * STEPS, replace=False)
    batches = [bundle.task.collate(ids, order[at], bundle.config.data.max_text) for at in chosen]
    return [batches[first : first + STEPS] for first in range(0, len(batches), STEPS)]


def measured_training(bundle: Bundle, data: DataSet) -> dict[str, float]:
    model = copy.deepcopy(bundle.model).train()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    clip, found = bundle.config.fit.clip, []
    with TemporaryDirectory() as folder:
        rounds = batches_of(bundle, data, bundle.task.encode(data, "train", bundle.vocabularies, Path(folder)))
    training(model, optimiser, rounds[0], clip)  # allocates the optimiser's state
    for batches in rounds:
        tokens, texts = sum(map(_tokens, batches)), sum(len(batch.targets) for batch in batches)
        seconds = training(model, optimiser, batches, clip)
        limit_seconds = sum(training_limit(model, batch) for batch in batches)
        found.append((tokens / seconds, texts / seconds, tokens / limit_seconds))
    speed, sentences, limit = (statistics.median(column) for column in zip(*found, strict=True))
    share = statistics.median(measured / bare for measured, _, bare in found)
    return {
        "tokens_per_second": round(speed),
        "sentences_per_second": round(sentences, 1),
        "limit": round(limit),
        "of_limit": round(share, 3),
    }


def _tokens(batch: Any) -> int:
    return int((batch.targets != 0).sum())


def measured_generation(bundle: Bundle, rows: Sequence[Any], search: SearchConfig) -> dict[str, dict[str, Any]]:
    """Return number of frequent words in the shortlists, 0 for all words -> milliseconds per sentence, and BLEU."""
    found: dict[int, list[tuple[float, float]]] = {frequent: [] for frequent in (0, *LISTS)}
    texts: dict[int, list[list[str]]] = {frequent: [] for frequent in found}
    generation(bundle, rows[:WIDTH], search)
    for number in range(PARTS):
        part = rows[number::PARTS]
        for frequent, each in found.items():
            written, seconds, search_products = generation(bundle, part, replace(search, shortlist=frequent))
            bare = generation_limit(search_products)
            each.append((1000 * seconds / len(part), 1000 * bare / len(part)))
            texts[frequent] += written
            print(frequent, *each[-1], flush=True)
    references = [row for number in range(PARTS) for row in rows[number::PARTS]]
    return {
        str(frequent): _times(each)
        | _quality(texts[frequent], texts[0], references)
        | {"repeated": _repeated(texts[frequent], bundle.vocabularies.text)}
        for frequent, each in found.items()
    }


def _times(rounds: Sequence[tuple[float, float]]) -> dict[str, float]:
    return {
        "milliseconds": round(statistics.median(measured for measured, _ in rounds), 2),
        "limit": round(statistics.median(bare for _, bare in rounds), 2),
        "of_limit": round(statistics.median(bare / measured for measured, bare in rounds), 3),
    }


def _quality(texts: list[list[str]], whole: list[list[str]], examples: Sequence[Any]) -> dict[str, float]:
    """Return BLEU, and the interval of its difference from BLEU of the texts searched over all words."""
    true = [[" ".join(example.tokens)] for example in examples]
    both = [bleu_statistics([" ".join(as_read(text)) for text in some], true) for some in (texts, whole)]
    change = sums_interval(np.hstack(both), lambda sums: bleu_of(sums[:10]) - bleu_of(sums[10:]))
    bleu, (length, true_length) = bleu_of(both[0].sum(0)), both[0].sum(0)[:2]
    brevity = min(1, float(np.exp(1 - true_length / length)))
    return {
        "bleu": round(bleu, 2),
        "brevity": round(brevity, 3),
        "precision": round(bleu / brevity, 1),  # the geometric mean of those of n-grams
        "low": round(change.low, 2),
        "high": round(change.high, 2),
        "percent_equal": round(100 * sum(map(list.__eq__, texts, whole)) / len(texts), 1),
    }


def _repeated(texts: list[list[str]], vocabulary: Vocabulary) -> dict[str, Any]:
    """Return the most frequent text, its number of boxes, and its rarest word with the word's rank, from 1."""
    (text, count), *_ = Counter(map(tuple, texts)).most_common(1)
    rarest = max((vocabulary.ids[word], word) for word in text if word in vocabulary.ids)
    return {"text": " ".join(text), "texts": count, "rarest": rarest[1], "place": rarest[0] - len(SPECIALS) + 1}


def run(where: str, folder: Path) -> dict[str, Any]:
    data, loaded = DataSet(where), load(folder)
    bundle = filled_up(loaded)
    # Numbers are tokens, as in the paper.
    search = replace(bundle.config.search, width=WIDTH, supported_numbers_only=False)
    examples = fixed_sample(bundle.task.examples(data, "dev"), None)
    return {
        "training": measured_training(bundle, data),
        "generation": measured_generation(bundle, examples, search),
        "words": WORDS,
        "known": len(loaded.vocabularies.text),
        "hidden": bundle.config.model.hidden,
        "order": bundle.config.model.order,
        "width": WIDTH,
        "batch": bundle.config.data.batch_size,
        "boxes": len(examples),
        "rounds": ROUNDS,
        "parts": PARTS,
        "examples_fingerprint": fingerprint(examples),
        "fingerprint": data.manifest.fingerprint,
        **result_file.machine(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="a data set of boxes")
    parser.add_argument("--model", required=True, type=Path, help="a model folder of kind table_nlm")
    parser.add_argument("--output", type=Path, default=result_file.RESULTS / "box_speed.json")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    result = run(given.data, given.model)
    result_file.write(given.output, result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
