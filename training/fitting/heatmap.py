"""Heat maps of a model's attention over a generated text."""

from __future__ import annotations

from pathlib import Path
from typing import Any  # Any: an example of the task, known only at run time

from allsaid.decoding.reread import read_again
from allsaid.modeling.data.vocabulary import END, SPECIALS
from allsaid.modeling.models.base.contract import ShowsAttention
from allsaid.modeling.saved.model_folder import Bundle
from training.fitting import plots
from training.fitting.scores import generate


def draw_attention(path: Path, bundle: Bundle, example: Any) -> bool:
    """Draw the heat maps of the text generated for an example; return whether the model has any."""
    if not isinstance(bundle.model, ShowsAttention):
        return False
    search = bundle.config.search
    (text,) = generate(bundle, [example], search)
    (reading,) = read_again(bundle, [example], [text.tokens], search, attention=True)
    if reading.weights:
        plots.attention_maps(path, [*bundle.words(text.tokens, example), SPECIALS[END]], reading.weights)
    return bool(reading.weights)
