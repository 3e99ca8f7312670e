"""NN-Swap on untrained tiny models: what is forced, what is replaced, and that the choice is the most probable one."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
import torch
from small_data import make_example
from tiny_model import save_tiny_model

from allsaid.modeling.config import Config, SearchConfig
from allsaid.modeling.data.vocabulary import END, START, UNKNOWN
from allsaid.modeling.models import checklist, encdec
from allsaid.modeling.saved import model_folder
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.proof.coverage import Lexicon, measure
from allsaid.proof.known_foods import build_food_lexicon
from schemas.errors import UserError
from schemas.example import Example
from training.baselines.swap import swap

NAMES = Lexicon({"garlic": 30, "olive oil": 25, "salt": 99, "tomatoes": 40, "f": 30})
ITEMS = ["salt", "olive_oil", "tomatoes"]
NO_WORD = ""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    folder: Path = tmp_path_factory.mktemp("model")
    return replace(model_folder.load(save_tiny_model(folder)), lexicon=NAMES)


def recipe(text: str = "", *items: str) -> Example:
    return replace(make_example(1), tokens=text.split(), agenda_tokens=[item.split() for item in items])


def swapped(bundle: Bundle, text: str, *items: str) -> str:
    return " ".join(swap(bundle, [recipe(text)], [recipe("", *items)])[0])


def with_random_weights(bundle: Bundle, seed: int, supervision: bool) -> Bundle:
    torch.manual_seed(seed)
    config = Config(
        model=checklist.Settings(hidden=5, init=1.5, supervision=supervision), search=SearchConfig(width=20)
    )
    return replace(bundle, config=config, model=build_model(config, bundle.vocabularies).eval())


@torch.inference_mode()
def log_probability(bundle: Bundle, text: str, items: list[str]) -> float:
    """Word by word; with supervision the checklist is that of the items named so far, each of one word."""
    state = bundle.model.start(bundle.prompts([recipe("", *items)]))
    last, total, said = START, 0.0, torch.zeros(1, len(items))
    for word in [*text.split(), None]:
        if bundle.config.model.supervision:
            state = replace(state, checklist=said.clone())
        scores, state = bundle.model.step(state, torch.tensor([last]))
        last = END if word is None else bundle.vocabularies.text.ids.get(word, UNKNOWN)
        total += scores.log_probs[0, last].item()
        said = torch.maximum(said, torch.tensor([[float(word == item) for item in items]]))
    return total


def test_only_extraneous_names_are_replaced_by_what_is_open(bundle: Bundle) -> None:
    text = "add salt and garlic . <br> quickly stir the garlic ; unheard-of salt"
    wanted = "add salt and olive_oil . <br> quickly stir the olive_oil ; unheard-of salt"
    assert swapped(bundle, text, "salt", "olive_oil") == wanted


def test_names_of_the_list_of_foods_are_not_swapped(bundle: Bundle) -> None:
    lexicon = replace(build_food_lexicon([]), by_training=NAMES)
    text = "add beef and garlic ."
    assert measure(text.split(), [["salt"]], lexicon).extra == ["beef", "garlic"]
    assert swapped(replace(bundle, lexicon=lexicon), text, "salt") == "add beef and salt ."


def test_a_text_without_extraneous_names_stays_as_it_is(bundle: Bundle) -> None:
    text = "stir unknown oil and tomato , salted <br> ."
    assert swapped(bundle, text, "tomatoes", "salt", "corn oil") == text


def test_names_are_shortened_to_known_words(bundle: Bundle) -> None:
    assert swapped(bundle, "the garlic .", "coarse stir_salt") == "the stir salt ."
    assert swapped(bundle, "the garlic .", "salt cod") == "the ."  # its last word is unknown, so it can't be named


@pytest.mark.parametrize("supervision", [True, False])
@pytest.mark.parametrize(
    ("text", "replacements"),
    [
        # as many open items as names: each name gets one of its own
        ("add {} {} . {} the stir", [(a, b, a) for a, b in permutations(ITEMS, 2)]),
        # one open item; then any item or nothing
        ("the {} salt . {} <br> tomatoes {}", [("olive_oil", b, "olive_oil") for b in [*ITEMS, NO_WORD]]),
        ("salt {} olive_oil stir {} tomatoes {}", [(a, b, a) for a in [*ITEMS, NO_WORD] for b in [*ITEMS, NO_WORD]]),
    ],
)
def test_the_most_probable_of_all_texts_that_the_rule_allows(
    bundle: Bundle, supervision: bool, text: str, replacements: list[tuple[str, ...]]
) -> None:
    allowed = [" ".join(text.format(*words).split()) for words in replacements]
    chosen = set()
    for seed in range(4):
        other = with_random_weights(bundle, seed, supervision)
        best = max(allowed, key=lambda one: log_probability(other, one, ITEMS))
        assert swapped(other, text.format("garlic", "f", "garlic"), *ITEMS) == best
        chosen.add(best)
    if NO_WORD not in replacements[-1]:  # a name that is left out costs nothing, so that nearly always wins
        assert len(chosen) > 1


def test_batches_give_what_single_texts_do(bundle: Bundle) -> None:
    texts = ["add the garlic f . stir f", "f", "add garlic . <br> add salt the garlic f .", "stir .", "garlic f " * 4]
    neighbours = [recipe(text) for text in texts]
    prompts = [recipe("", *items) for items in (["salt", "tomatoes"], ["olive_oil"], ["tomatoes"], ["salt"], ["stir"])]
    single = [swap(bundle, [near], [prompt])[0] for near, prompt in zip(neighbours, prompts, strict=True)]
    assert swap(bundle, neighbours, prompts) == single


def test_other_models_are_refused(bundle: Bundle) -> None:
    config = Config(model=encdec.Settings(hidden=5))
    other = replace(bundle, config=config, model=build_model(config, bundle.vocabularies))
    with pytest.raises(UserError, match="NN-Swap needs a model of kind 'checklist'; this one is of kind 'encdec'"):
        swap(other, [], [])
