"""What docs/decisions.md says was measured."""

from __future__ import annotations

from pages.results import point, result, when


def tokenisers() -> str:
    """spaCy as a tokeniser, and its rules for German and French."""
    found = result("tokenisers")
    moebel, boxes = (found["german texts"][name] for name in ("moebel", "wikibio german"))
    own, all_of_it = (boxes["by rules"][name] for name in ("German", "spaCy's German, all of it"))
    english = boxes["by rules"]["English"]
    french, german = found["tables"]["french"], found["tables"]["moebel"]
    seconds = found["seconds"]
    return point(
        f"""
        **spaCy as a tokeniser only: yes; its rules for German and French: yes.** Its taggers and parsers need models
        that are downloaded apart from the package, and nothing here needs them. As a tokeniser it brings what would be
        our own code otherwise: marks before and after words, contractions, abbreviations, in each language. A table
        with `language: fr` needs the French rules: of {french["own"]["texts"]} texts written for this measurement,
        linking finds {french["own"]["found"]} of {french["own"]["values"]} values with them and
        {french["English"]["found"]} with the English ones, which leave "d'acier" in one piece. As many sentences
        survive the round trip through tokens ({french["own"]["survived"]} and {french["English"]["survived"]} of
        {french["own"]["sentences"]}). German gains little. Of {moebel["texts"]} texts of `samples/moebel.csv` the
        German rules split {moebel["split differently"]} differently, and linking finds {german["own"]["found"]:,} of
        {german["own"]["values"]:,} values with either. Of {boxes["texts"]:,} texts of WikiBio's German boxes they split
        {boxes["split differently"]:,} differently; there {own["abbreviations with their stop"]} abbreviations keep
        their stop, which the English rules take for the end of a sentence. They cost nothing: the German texts are
        split in {seconds["de"]} s, in {seconds["en"]} s by the English rules, in {seconds["fr"]} s by the French ones.
        Not all of spaCy's rules are used. All of its German ones would keep {all_of_it["numbers with their stop"]:,}
        numbers whole with the stop behind them ("300."), {all_of_it["words that hold a number behind a hyphen"]} words
        with a number in them, and {all_of_it["smileys"]} brackets as smileys; all of its English ones would split "im"
        in {boxes["by rules"]["spaCy's English, all of it"]["texts with 'im' in pieces"]} texts, ours in
        {english["texts with 'im' in pieces"]}. {when("tokenisers")}
        """
    )


def numbers_in_words() -> str:
    """text2num, pint and quantulum3."""
    found = result("number_words")
    numbers, units, load = found["numbers"], found["units"], found["seconds to import"]
    alone, both, quantulum = (numbers[name] for name in ("text2num", "text2num and ours", "quantulum3"))
    ours, pint = units["ours"], units["pint"]
    return point(
        f"""
        **text2num: yes; pint and quantulum3: no.** Of {alone["phrases"]} phrases that were written for our rules,
        text2num alone reads the numbers of {alone["right"]}, in {alone["microseconds"]} µs a text. It knows the whole
        numbers of seven languages ("fünfundzwanzig"), and neither halves nor dozens; it takes "one" in "this one" for a
        number. With our patterns on top of it ({both["microseconds"]} µs) all but {both["phrases"] - both["right"]} are
        read. quantulum3 reads {quantulum["right"]}, in {quantulum["microseconds"]:,} µs, knows English only, and takes
        {load["quantulum3.parser"]} s to import. Of {ours["pairs"]} pairs of quantities, which were written for our
        table of units, pint compares {pint["right"]} as a reader would, in {pint["microseconds"]} µs each; ours
        {ours["right"]}, in {ours["microseconds"]} µs. For pint "kilos" are kiloseconds and pounds no money.
        {when("number_words")}
        """
    )


def bootstrap() -> str:
    """scipy's and sacrebleu's bootstrap beside ours."""
    found = result("libraries")["bootstrap"]
    ours, scipy, sacrebleu = found["ours"], found["scipy"], found["sacrebleu"]
    return point(
        f"""
        **scipy's and sacrebleu's bootstrap: no.** Of the same corpus BLEU ours gives [{ours["low"]:.4f},
        {ours["high"]:.4f}] and scipy [{scipy["low"]:.4f}, {scipy["high"]:.4f}] (percentile method, the same
        generator): nothing is gained, it takes as many lines, importing it takes
        {found["seconds to import scipy.stats"]} s, and of a single text, for which ours gives a point, it says:
        "{scipy["one text"]}" sacrebleu gives {sacrebleu["mean"]:.2f} ± {sacrebleu["half the interval"]:.2f}, a
        mean of its draws and half a width instead of the two ends, of BLEU alone, by draws of its own: here all
        figures of some texts see the same draws. {when("libraries")}
        """
    )


def schedules() -> str:
    """torch's schedulers beside the loop's learning rate."""
    found = result("libraries")["schedules"]
    return point(
        f"""
        **torch's schedulers: no.** The learning rate is one line from where the run stands (steps done, epochs
        without a better dev loss), which a checkpoint holds anyway and which also ends a training.
        `ReduceLROnPlateau` comes to the same rate in {found["equal epochs"]} of {found["epochs"]} epochs, but
        keeps `{"`, `".join(found["kept"])}` a second time, which checkpoints of before lack. `PolynomialLR`
        multiplies step by step, so that a rate depends on the rounding of all before it: by up to
        {found["largest relative difference"]:.0e} of the rate. {when("libraries")}
        """
    )


def averages() -> str:
    """torch's averaged weights beside ours."""
    found = result("libraries")["averages"]
    return point(
        f"""
        **torch's `AveragedModel`: no.** With our own rule of how much each step keeps it comes to the same
        weights: after {found["steps"]} steps at most {found["largest difference"]:.2g} apart. But it wraps the
        model that is measured and kept, and calls its tensors `{"`, `".join(found["tensors"])}`, so that no
        checkpoint of before would go on without a translation, which is longer than the loop that it saves.
        {when("libraries")}
        """
    )


def stems() -> str:
    """The two rules of stems, each with the other's words."""
    found = result("stems")
    return point(
        f"""
        **One rule of stems: no; one stemmer: yes** (`allsaid/language/snowball.py`). Linking
        (`allsaid/language/stems.py`) keeps words in -ing and -ed apart from their verb, so that no "dressing" is
        found in "dressed"; coverage takes Snowball's stem of every word, as the committed figures do. On a part of the
        library ({found["examples"]:,} recipes) {found["words with another stem"]:,} of {found["words"]:,} words,
        {found["share of uses"]:.1%} of all uses, have another stem by the one rule than by the other. With
        coverage's rule {found["references that change"]:,} of {found["references"]:,} references of linking would
        change, and with them the fingerprints of data sets; with linking's rule the given items of
        {found["texts whose given items change"]:,} texts, and the mean from {found["% given by snowball"]}% to
        {found["% given by key"]}%. {when("stems")}
        """
    )


def low_precision() -> str:
    """bfloat16 and int8 for the product with the vocabulary."""
    found = result("low_precision")
    ways = found["ways"]
    fast, slow, half = ways["int8, fbgemm"], ways["int8, torch._int_mm"], ways["bfloat16"]
    return point(
        f"""
        **bfloat16 and int8 for the search's product with the vocabulary: no.** On one core ({found["rows"]} states of
        {found["hidden"]} numbers, {found["words"]:,} words) bfloat16 takes {half["times_float32"]:.0f} times as long
        as float32 and `torch._int_mm` {slow["times_float32"]:.0f} times. fbgemm's int8 takes
        {fast["times_float32"]:.2f} of float32's time, at errors of {fast["error"]:.1%} of the scores' standard
        deviation, but it has one scale for the states of all texts together: a text's bytes would depend on its
        neighbours. A shortlist saves more of the same product and computes its words exactly.
        {when("low_precision")}
        """
    )


def object_stores() -> str:
    """obstore for object stores, beside Beam's filesystems."""
    found = result("object_stores")
    ways = found["ways"]
    beam, each, obstore = ways["Beam"], ways["Beam, a client for each file"], ways["obstore"]
    return point(
        f"""
        **obstore for object stores: no; one client for all files: yes** (`allsaid/storage/s3.py`). A prototype with
        the same errors, retries, credentials and options (`benchmarks/speed/obstore_stores.py`, which only the
        measurement has run) on obstore {found["obstore"]} takes {obstore["lines of code"]} lines of code in place
        of {beam["lines of code"]}. It can write an object on condition that there is none, but a disk has nothing
        like it for a lock that another machine left, so that the lock's settling would stay. Beam set up a client
        for every file: {each["small writes a second"]:.1f} small writes and {each["small reads a second"]:.1f}
        small reads a second against the tests' S3 server. With one client they are
        {beam["small writes a second"]:.1f} and {beam["small reads a second"]:.1f}, with obstore
        {obstore["small writes a second"]:.1f} and {obstore["small reads a second"]:.1f}. {found["objects"]:,}
        objects are listed in {beam["seconds to list"]:.1f} s and {obstore["seconds to list"]:.1f} s; a file of
        {found["large"] / 1e6:.0f} MB is written at {beam["MB a second written"]:.0f} and
        {obstore["MB a second written"]:.0f} MB a second, and read at {beam["MB a second read"]:.0f} and
        {obstore["MB a second read"]:.0f}. obstore is loaded in {obstore["seconds to import"]:.2f} s and Beam in
        {beam["seconds to import"]:.1f} s, which commands on a store pay that need no Beam else. Local paths load
        neither. Other work ran on the machine meanwhile, so that only the ratios count. {when("object_stores")}
        """
    )
