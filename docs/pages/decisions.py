"""The figures of docs/architecture.md."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import facts, result


def tokenisers() -> str:
    """Return the effect of spaCy's rules for German and French."""
    found = result("tokenisers")
    shop, boxes = (found["german texts"][name] for name in ("moebel", "wikibio german"))
    own, german, english = (
        boxes["by rules"][name] for name in ("German", "spaCy's German, all of it", "spaCy's English, all of it")
    )
    french, linked = found["tables"]["french"], found["tables"]["moebel"]["own"]
    values, seconds = french["own"]["values"], found["seconds"]
    return facts(
        {
            f"French: of {values} values found, French rules": french["own"]["found"],
            f"French: of {values} values found, English rules": french["English"]["found"],
            f"French: of {french['own']['sentences']} sentences unchanged by tokenising, French rules": french["own"][
                "survived"
            ],
            f"French: of {french['own']['sentences']} sentences unchanged by tokenising, English rules": french[
                "English"
            ]["survived"],
            f"`samples/moebel.csv`: of {shop['texts']} texts split differently by the German rules": shop[
                "split differently"
            ],
            f"`samples/moebel.csv`: of {linked['values']:,} values found, either rules": f"{linked['found']:,}",
            f"German boxes: of {boxes['texts']:,} texts split differently by the German rules": boxes[
                "split differently"
            ],
            "German boxes: abbreviations that keep their stop": own["abbreviations with their stop"],
            "seconds to split the German texts, German rules": seconds["de"],
            "seconds to split the German texts, English rules": seconds["en"],
            "seconds to split the German texts, French rules": seconds["fr"],
            'all of spaCy\'s German rules: numbers with the stop behind them ("300.")': (
                f"{german['numbers with their stop']:,}"
            ),
            "all of spaCy's German rules: words with a number behind a hyphen": german[
                "words that hold a number behind a hyphen"
            ],
            "all of spaCy's German rules: brackets as smileys": german["smileys"],
            'all of spaCy\'s English rules: texts with "im" in two pieces': english["texts with 'im' in pieces"],
        }
    )


def numbers_in_words() -> str:
    """Return what libraries for numbers in words and for quantities read, next to our rules."""
    found = result("number_words")
    numbers, units = found["numbers"], found["units"]
    rows = {}
    for name in ("text2num", "text2num and ours", "quantulum3"):
        right, phrases, micros = (numbers[name][key] for key in ("right", "phrases", "microseconds"))
        rows[f"{name}: of {phrases} phrases with numbers read"] = f"{right}, in {micros:,} µs each"
    for name in ("pint", "ours"):
        right, pairs, micros = (units[name][key] for key in ("right", "pairs", "microseconds"))
        rows[f"{name}: of {pairs} pairs of quantities compared as by a reader"] = f"{right}, in {micros:,} µs each"
    return facts(rows | {"seconds to import quantulum3": found["seconds to import"]["quantulum3.parser"]})


def bootstrap() -> str:
    """Return the intervals of scipy's and sacrebleu's bootstrap next to ours."""
    found = result("libraries")["bootstrap"]
    ours, scipy, sacrebleu = found["ours"], found["scipy"], found["sacrebleu"]
    return facts(
        {
            "interval of corpus BLEU, ours": f"{ours['low']:.4f} to {ours['high']:.4f}",
            "interval of corpus BLEU, scipy": f"{scipy['low']:.4f} to {scipy['high']:.4f}",
            "interval of corpus BLEU, sacrebleu": f"{sacrebleu['mean']:.2f} ± {sacrebleu['half the interval']:.2f}",
            "seconds to import `scipy.stats`": found["seconds to import scipy.stats"],
            "scipy on a single text": f'"{scipy["one text"]}"',
        }
    )


def training() -> str:
    """Return how PyTorch's schedulers and averaged weights differ from ours."""
    found = result("libraries")
    schedules, averages = found["schedules"], found["averages"]
    return facts(
        {
            "epochs with the same rate by `ReduceLROnPlateau`": f"{schedules['equal epochs']} of {schedules['epochs']}",
            "its own state": ", ".join(f"`{name}`" for name in schedules["kept"]),
            "largest difference of `PolynomialLR`, relative to the rate": (
                f"{schedules['largest relative difference']:.0e}"
            ),
            f"largest difference of `AveragedModel` after {averages['steps']} steps": (
                f"{averages['largest difference']:.2g}"
            ),
            "names of its tensors": ", ".join(f"`{name}`" for name in averages["tensors"]),
        }
    )


def stems() -> str:
    """Return what would change if linking and coverage used the same rule of stems."""
    found = result("stems")
    return facts(
        {
            "recipes": f"{found['examples']:,}",
            "words with different stems": f"{found['words with another stem']:,} of {found['words']:,}",
            "share of these words among all uses": f"{found['share of uses']:.1%}",
            "references of linking that coverage's rule changes": (
                f"{found['references that change']:,} of {found['references']:,}"
            ),
            "texts whose given items linking's rule changes": f"{found['texts whose given items change']:,}",
            "% given by coverage's rule": found["% given by snowball"],
            "% given by linking's rule": found["% given by key"],
        }
    )


def low_precision() -> str:
    """Return time and error of the product with the vocabulary in bfloat16 and int8."""
    rows = [
        [name, f"{way['times_float32']:.2f}", f"{way['error']:.1%}"]
        for name, way in result("low_precision")["ways"].items()
    ]
    return table(["product", "time over float32", "error, % of the scores' deviation"], rows)


def object_stores() -> str:
    """Return the speed of obstore next to Beam's filesystems."""
    ways = result("object_stores")["ways"]
    figures = {
        "lines of code": "",
        "small writes a second": ".1f",
        "small reads a second": ".1f",
        "seconds to list": ".1f",
        "MB a second written": ".0f",
        "MB a second read": ".0f",
        "seconds to import": ".2f",
    }
    rows = [[name, *(f"{way[name]:{form}}" for way in ways.values())] for name, form in figures.items()]
    return table(["figure", *ways], rows)
