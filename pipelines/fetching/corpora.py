"""The table of public dumps: their addresses, licences and citations.

An address is listed only if the corpus's paper or its authors' page gives it; other corpora have instructions. A size
and a SHA-256 are listed only for files that were checked; for others, the first download records them.
"""

from __future__ import annotations

from pipelines.fetching.corpus import Corpus, Download, Paper
from schemas.errors import UserError

_RNNLG = "https://raw.githubusercontent.com/shawnwun/RNNLG/49e8e66eadaabbaecd75b5436cb7957512631b5a/data/original"
_TEXT2SQL = "https://raw.githubusercontent.com/jkkummerfeld/text2sql-data/7954fa681b448de7af41bb70aa389c7d7feffa20/data"
_DSTC = "https://github.com/matthen/dstc/releases/download/v1"

CORPORA = (
    Corpus(
        name="mealmaster",
        title="Now You're Cooking! recipe library",
        what="Over 150,000 recipes in the Meal-Master format, typed in by many people in the 1980s and 1990s.",
        page="http://www.ffts.com/recipes.htm",
        licence="No licence is stated. The recipes belong to the people who wrote them; keep them for research.",
        licence_id="unknown",
        paper=Paper(
            key="kiddon-etal-2016-globally",
            authors=("Chloé Kiddon", "Luke Zettlemoyer", "Yejin Choi"),
            title="Globally Coherent Text Generation with Neural Checklist Models",
            venue="Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing",
            pages="329-339",
            year=2016,
            address="https://aclanthology.org/D16-1032/",
        ),
        obtain=(
            "The paper names the page http://www.ffts.com/recipes.htm, which links to archives of recipes; no address "
            "of a single archive can be vouched for. Download archives there, unpack them, and give the .mmf files "
            "to `allsaid ingest mealmaster`; any other Meal-Master export will do as well."
        ),
    ),
    Corpus(
        name="allrecipes",
        title="Recipes of allrecipes.com",
        what="About 31,000 recipes that the authors of the paper collected from the site, each with its ingredients.",
        page="",
        licence="No licence is stated. The texts belong to the site and to the cooks who wrote them.",
        licence_id="unknown",
        paper=Paper(
            key="yang-etal-2017-reference",
            authors=("Zichao Yang", "Phil Blunsom", "Chris Dyer", "Wang Ling"),
            title="Reference-Aware Language Models",
            venue="Proceedings of the 2017 Conference on Empirical Methods in Natural Language Processing",
            pages="1850-1859",
            year=2017,
            address="https://aclanthology.org/D17-1197/",
        ),
        obtain=(
            "The authors collected the recipes from www.allrecipes.com and published no file. Collect your own within "
            "the site's terms, one JSON object a line with title, ingredients (a list) and directions or instructions "
            "(a list), and give the file to `allsaid ingest allrecipes`."
        ),
    ),
    Corpus(
        name="dstc2",
        title="Dialog State Tracking Challenge 2",
        what="Phone calls with a restaurant guide to Cambridge: 2,118 to train and tune on, and the test calls.",
        page="https://github.com/matthen/dstc",  # by the challenge's organiser; formerly camdial.org/~mh521/dstc
        licence="The challenge's page states no licence; it names the papers to cite.",
        licence_id="unknown",
        paper=Paper(
            key="henderson-etal-2014-second",
            authors=("Matthew Henderson", "Blaise Thomson", "Jason D. Williams"),
            title="The Second Dialog State Tracking Challenge",
            venue="Proceedings of the 15th Annual Meeting of the Special Interest Group on Discourse and Dialogue",
            pages="263-272",
            year=2014,
            address="https://aclanthology.org/W14-4337/",
        ),
        files=(
            Download("dstc2_traindev.tar.gz", f"{_DSTC}/dstc2_traindev.tar.gz"),
            Download("dstc2_test.tar.gz", f"{_DSTC}/dstc2_test.tar.gz"),
        ),
        obtain=(
            "The table of restaurants is no part of the challenge's files, and no public address of it can be vouched "
            "for. Give it as a JSON list of objects with name, pricerange, food, area, addr, postcode and phone, one "
            "for each restaurant, with a further --input."
        ),
        ingests=(("dstc2_traindev.tar.gz", "dstc2_test.tar.gz"),),
    ),
    Corpus(
        name="wikibio",
        title="WikiBio",
        what="728,321 infoboxes of people in the English Wikipedia, each with the first paragraph of its article.",
        page="https://github.com/DavidGrangier/wikipedia-biography-dataset",
        licence="Creative Commons Attribution-ShareAlike 3.0 (https://creativecommons.org/licenses/by-sa/3.0/).",
        licence_id="cc-by-sa-3.0",
        paper=Paper(
            key="lebret-etal-2016-neural",
            authors=("Rémi Lebret", "David Grangier", "Michael Auli"),
            title="Neural Text Generation from Structured Data with Application to the Biography Domain",
            venue="Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing",
            pages="1203-1213",
            year=2016,
            address="https://aclanthology.org/D16-1128/",
        ),
        # The authors' page holds the archive in parts whose number it does not tell; one of them has it whole here.
        files=(
            Download(
                "wikipedia-biography-dataset.zip",
                "https://huggingface.co/datasets/michaelauli/wiki_bio/resolve/main/data/wikipedia-biography-dataset.zip",
            ),
        ),
        ingests=(("wikipedia-biography-dataset.zip",),),
    ),
    Corpus(
        name="dialogue-acts",
        title="RNNLG, San Francisco hotels and restaurants",
        what="10,565 dialogue acts of a guide to hotels and restaurants, each with a text that a person wrote for it.",
        page="https://github.com/shawnwun/RNNLG",
        licence="Apache License 2.0 (https://www.apache.org/licenses/LICENSE-2.0).",
        licence_id="apache-2.0",
        paper=Paper(
            key="wen-etal-2015-semantically",
            authors=(
                "Tsung-Hsien Wen",
                "Milica Gašić",
                "Nikola Mrkšić",
                "Pei-Hao Su",
                "David Vandyke",
                "Steve Young",
            ),
            title="Semantically Conditioned LSTM-based Natural Language Generation for Spoken Dialogue Systems",
            venue="Proceedings of the 2015 Conference on Empirical Methods in Natural Language Processing",
            pages="1711-1721",
            year=2015,
            address="https://aclanthology.org/D15-1199/",
        ),
        # Hashes of files at hand that have, to the byte, the size of those at this address, and the same last lines.
        files=(
            Download(
                "hotel/train.json",
                f"{_RNNLG}/hotel/train.json",
                634_759,
                "f933b294fcd32d401602abb39d22bc6a360946672132c2b2079e95ccc2e46f9d",
            ),
            Download(
                "hotel/valid.json",
                f"{_RNNLG}/hotel/valid.json",
                211_371,
                "d8ce28f0e4e7e108f349153a7d8f7f72010ce97f2c4de633fe9b5b38cab86108",
            ),
            Download(
                "hotel/test.json",
                f"{_RNNLG}/hotel/test.json",
                211_098,
                "4d0b6dc1da1efd4aabec39a45815aac5f0251c636a6a4a7a51cc2f70cec819b3",
            ),
            Download(
                "restaurant/train.json",
                f"{_RNNLG}/restaurant/train.json",
                634_877,
                "c59ea956404dc4512a430a06c48412a9bde72c30bd92a78e649312c9075f2fca",
            ),
            Download(
                "restaurant/valid.json",
                f"{_RNNLG}/restaurant/valid.json",
                213_617,
                "4061af548f50fc1a5ed63c5763b021e08a1b167919fcbceccbba40e4a696801d",
            ),
            Download(
                "restaurant/test.json",
                f"{_RNNLG}/restaurant/test.json",
                215_457,
                "e52a84edf121d46a0cbfec66a211f24ccc3e2dd4043317639200904a206c3f9b",
            ),
        ),
        ingests=(("hotel/*.json",), ("restaurant/*.json",)),
    ),
    Corpus(
        name="coref",
        title="LitBank, coreference in English literature",
        what="About 2,000 words of each of 100 English works of fiction, with who and what is mentioned where.",
        page="https://github.com/dbamman/litbank",
        licence="Creative Commons Attribution 4.0 International (https://creativecommons.org/licenses/by/4.0/).",
        licence_id="cc-by-4.0",
        paper=Paper(
            key="bamman-etal-2020-annotated",
            authors=("David Bamman", "Olivia Lewke", "Anya Mansoor"),
            title="An Annotated Dataset of Coreference in English Literature",
            venue="Proceedings of the 12th Language Resources and Evaluation Conference",
            pages="44-54",
            year=2020,
            address="https://arxiv.org/abs/1912.01140",
        ),
        obtain=(
            "The corpus's page https://github.com/dbamman/litbank has a file for each work in its folder coref/conll. "
            "Download them there, and give them to `allsaid ingest coref`; other files of CoNLL columns will do as "
            "well, such as those of OntoGUM (Zhu, Pradhan and Zeldes 2021, https://aclanthology.org/2021.acl-short.59/)."
        ),
    ),
    Corpus(
        name="wikisql",
        title="WikiSQL",
        what="80,654 questions about tables of Wikipedia, each with its query, in the form of text2sql-data.",
        page="https://github.com/jkkummerfeld/text2sql-data",
        licence=(
            "WikiSQL (Zhong et al. 2017, https://arxiv.org/abs/1709.00103) is under the BSD 3-Clause licence. "
            "The names of columns were written into its queries by text2sql-data, the paper below; cite both."
        ),
        licence_id="bsd-3-clause",
        paper=Paper(
            key="finegan-dollak-etal-2018-improving",
            authors=(
                "Catherine Finegan-Dollak",
                "Jonathan K. Kummerfeld",
                "Li Zhang",
                "Karthik Ramanathan",
                "Sesh Sadasivam",
                "Rui Zhang",
                "Dragomir Radev",
            ),
            title="Improving Text-to-SQL Evaluation Methodology",
            venue="Proceedings of the 56th Annual Meeting of the Association for Computational Linguistics",
            pages="351-360",
            year=2018,
            address="https://aclanthology.org/P18-1033/",
        ),
        files=(Download("wikisql.json.bz2", f"{_TEXT2SQL}/wikisql.json.bz2"),),
        ingests=(("wikisql.json.bz2",),),
    ),
    Corpus(
        name="webqsp",
        title="WebQSP, questions with their relations",
        what="4,649 questions that people asked a search engine, each with the relations of Freebase that answer it.",
        page="http://aka.ms/WebQSP",
        licence="No licence is stated beside the two files of questions and relations; keep them for research.",
        licence_id="unknown",
        paper=Paper(
            key="yih-etal-2016-value",
            authors=("Wen-tau Yih", "Matthew Richardson", "Chris Meek", "Ming-Wei Chang", "Jina Suh"),
            title="The Value of Semantic Parse Labeling for Knowledge Base Question Answering",
            venue="Proceedings of the 54th Annual Meeting of the Association for Computational Linguistics",
            pages="201-206",
            year=2016,
            address="https://aclanthology.org/P16-2033/",
        ),
        obtain=(
            "The corpus itself stands at http://aka.ms/WebQSP. Others made pruning_train.txt and pruning_test.txt of "
            "it, which `allsaid ingest webqsp` reads; no address of these can be vouched for. A line of them is a "
            "question, a tab, and the relations of its query, parted by |, so that they can be made of the corpus, too."
        ),
    ),
)


def by_name(name: str) -> Corpus | None:
    """The corpus that the source of this name reads; None for a user's own table."""
    return next((corpus for corpus in CORPORA if corpus.name == name), None)


def find(name: str) -> Corpus:
    """The corpus of this name; UserError with all names where there is none."""
    corpus = by_name(name)
    if corpus is None:
        known = "\n".join(f"  {one.name}: {one.what}" for one in CORPORA)
        raise UserError(f"There is no corpus '{name}'. These are known:\n{known}")
    return corpus
