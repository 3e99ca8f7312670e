"""JoeyNMT's training step, for train_step.py beside it: runs in an environment of its own, which holds JoeyNMT 2.3.

    joeynmt==2.3 torch==2.5.1 "numpy<2" "setuptools<80" importlib_metadata

Reads sizes and batches (JSON: hidden, words, source_words, source, batches of text lengths) from the standard input;
prints of each batch its target tokens and processor seconds, and the process's peak memory. The model is JoeyNMT's
recurrent encoder-decoder with its default attention; what is timed is what its `TrainManager` does with a batch.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from types import SimpleNamespace

import torch
from joeynmt.batch import Batch
from joeynmt.builders import build_gradient_clipper, build_optimizer
from joeynmt.model import Model, build_model
from joeynmt.vocabulary import Vocabulary

UNK, PAD, BOS, EOS = range(4)
SPECIALS = SimpleNamespace(
    **{f"{name}_id": number for number, name in enumerate(("unk", "pad", "bos", "eos"))},
    **{f"{name}_token": f"<{name}>" for name in ("unk", "pad", "bos", "eos")},
    sep_token=None,
    sep_id=None,
    lang_tags=[],
)


def vocabulary(words: int) -> Vocabulary:
    return Vocabulary([f"word{number}" for number in range(words - 4)], SPECIALS)


def model_of(hidden: int, source_words: int, words: int) -> Model:
    embeddings = {"embedding_dim": hidden}
    recurrent = {"type": "recurrent", "rnn_type": "gru", "hidden_size": hidden, "embeddings": embeddings}
    decoder = recurrent | {"attention": "luong", "input_feeding": True, "init_hidden": "bridge"}
    config = {"encoder": recurrent | {"bidirectional": True}, "decoder": decoder}
    model = build_model(config, vocabulary(source_words), vocabulary(words))
    model.loss_function = ("crossentropy", 0.0)
    return model.train()


def made_up_batch(lengths: list[int], source: int, source_words: int, words: int) -> Batch:
    """Texts of so many tokens, their ends included; filled up to the longest."""
    texts = torch.full((len(lengths), max(lengths) + 1), PAD)
    for row, length in enumerate(lengths):
        texts[row, 0], texts[row, length] = BOS, EOS
        texts[row, 1:length] = torch.randint(4, words, (length - 1,))
    sources = torch.randint(4, source_words, (len(lengths), source))
    return Batch(
        src=sources,
        src_length=torch.full((len(lengths),), source),
        src_prompt_mask=None,
        trg=texts,
        trg_prompt_mask=None,
        indices=torch.arange(len(lengths)),
        device=torch.device("cpu"),
        pad_index=PAD,
        eos_index=EOS,
    )


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    asked = json.load(sys.stdin)
    model = model_of(asked["hidden"], asked["source_words"], asked["words"])
    optimiser = build_optimizer({"optimizer": "sgd", "learning_rate": 0.1}, model.parameters())
    clip = build_gradient_clipper({"clip_grad_norm": 5.0, "clip_grad_val": None})
    steps = []
    for lengths in asked["batches"]:
        batch = made_up_batch(lengths, asked["source"], asked["source_words"], asked["words"])
        begun = time.process_time()
        batch.sort_by_src_length()
        loss, _, _, correct = model(return_type="loss", **vars(batch))
        batch.normalize(loss, "batch").backward()
        clip(parameters=model.parameters())
        optimiser.step()
        model.zero_grad()
        steps.append((batch.ntokens, time.process_time() - begun))
        assert batch.ntokens == sum(lengths) and correct >= 0
    print(json.dumps({"steps": steps, "peak_kilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))


if __name__ == "__main__":
    main()
