"""Talk about a dish goes; what advises, commands or says what goes with it stays."""

from __future__ import annotations

import pytest

from pipelines.recipes.steps import clean_steps
from pipelines.recipes.talk import is_introduction, is_talk

STEP = "Melt the butter in a deep pot."


@pytest.mark.parametrize(
    "sentence",
    [
        "This bread is really delicious!",
        "Very good and simple.",
        "A nice cold winter evening recipe.",
        "It is a favorite of my husband.",
        "My grandmother was famous for her leek pies.",
        "The pie was invented by a chef in Springfield in 1924.",
        'Very loosely based on Ada Example, "Leeks".',
        "The recipe comes from an old newspaper.",
        "I have never tried it.",
        'It makes an excellent "dunking" cookie!',
        "The author describes this soup as an outstanding one.",
        "Even children who hate leeks love it.",
        "This rich leek soup is an old classic.",
        "This pie is often made during Lent.",
        "A favorite for holidays.",
        "Some of my friends say they even like this, but I don't.",
        "Many of the recipes in this book did not have oven temperatures.",
        "Leeks are common in African food.",
        "These leek cookies tied for third place.",
        "The flavor of this soup may remind you of your childhood.",
    ],
)
def test_praise_and_stories_are_talk(sentence: str) -> None:
    assert is_talk(sentence, after_talk=False)
    assert clean_steps([f"{STEP} {sentence}"]) == clean_steps([STEP, sentence]) == [STEP]


@pytest.mark.parametrize(
    "sentence",
    [
        "Excellent with beef and beans.",
        "Serve with your favorite bread.",
        "Frost the cake with the classic leek cream.",
        "The leeks are done when they are easy to cut.",
        "I used oil instead of butter and it was good.",
        "I dip the leeks into it.",
        "We eat them buttered, either hot or cold.",
        "Tips: the best leeks are thin and green.",
        "The traditional way is to add wine.",
        "Other kinds of noodles won't work.",
        "It keeps for a week and tastes great.",
        "It makes a good sauce for fish.",
        "Makes an excellent garnish of soups and stews in winter.",
        "(Dark leeks make a more delicious sauce.)",
        "Leeks are hard to clean.",
        "This sauce is the one to serve with fish.",
    ],
)
def test_work_advice_and_facts_are_none(sentence: str) -> None:
    assert not is_talk(sentence, after_talk=False)
    assert clean_steps([f"{STEP} {sentence}"]) == [f"{STEP} {sentence}"]


def test_after_talk_less_evidence_will_do() -> None:
    story = "My aunt won a prize for this pie. She lived in a small town. They had no oven there. "
    assert clean_steps([story + STEP]) == [STEP]
    assert clean_steps([f"{STEP} She lived in a small town."]) == [f"{STEP} She lived in a small town."]
    assert clean_steps(["It was my aunt's recipe. It can be frozen for a month."]) == ["It can be frozen for a month."]


@pytest.mark.parametrize(
    "story",
    [
        "Leeks are at home in the valleys of the north.",
        "This filling is sharp and sweet, like that of a leek pie.",
        "The taste of the north in every bite!",
        "(Author's Note): These small cakes are perfect for a feast.",
        "The leek came to the island with merchants. The name was used by sailors, who called it a stick.",
    ],
)
def test_a_story_above_the_first_command_goes(story: str) -> None:
    assert is_introduction([story])
    assert clean_steps([story, STEP]) == clean_steps([f"{story} {STEP}"]) == [STEP]
    assert clean_steps([STEP, "Stir.", story])[:2] == [STEP, "Stir."]


def test_what_the_first_command_points_at_stays() -> None:
    begin = ["There is a membrane at the north of each leek.", "Remove this membrane with a fork."]
    assert clean_steps([" ".join(begin)]) == [" ".join(begin)]


def test_a_quotation_above_the_first_command_goes() -> None:
    story = '"Recipes for this pie appear in countless books. But where it is from is a hot topic."'
    tip = '"It goes exceptionally well with leek bread."'
    assert clean_steps([story, STEP]) == [STEP]
    assert clean_steps([tip, STEP]) == [tip, STEP]


@pytest.mark.parametrize(
    "useful",
    [
        "The leeks are peeled and cut small.",
        "You need a pan with a lid.",
        "* Leek butter is also known as green butter.",
        "Note: The leeks are those of spring.",
        "Young leeks work best for this recipe.",
        "Read the whole recipe.",
        "Leeks; wash; cut.",
        "Ensure that the rice is cold.",
        "As soon as they are tender, drain and quickly peel them.",
        "The sharp part is in the seeds, so remove them.",
        "The leeks are soaked for 2 days.",
        "It is good tossed with noodles.",
        "Dried leeks are used where they are sold.",
    ],
)
def test_what_helps_above_the_first_command_stays(useful: str) -> None:
    assert clean_steps([useful, STEP]) == [useful, STEP]


def test_without_a_command_nothing_is_an_introduction() -> None:
    story = "Der Lauch is in den Topf."
    assert clean_steps([story]) == [story]


def test_what_a_dish_is_good_for_stays() -> None:
    assert clean_steps([f"{STEP} Good for leeks, beans and other favorites."]) == [
        f"{STEP} Good for leeks, beans and other favorites."
    ]


@pytest.mark.parametrize(
    "story",
    [
        "The name of this pie is long forgotten.",
        "The leek is a symbol of the north.",
        "These brownies are the pride of Springfield.",
    ],
)
def test_a_story_below_the_last_command_goes(story: str) -> None:
    assert clean_steps([STEP, story]) == [STEP]
    assert clean_steps([STEP, story, STEP]) == [STEP, story, STEP]


@pytest.mark.parametrize("ending", ["The leek is a symbol of the north.", "They have no thorns.", "Why is it green?"])
def test_stories_beside_tips_go(ending: str) -> None:
    tip = "It can be frozen for a month."
    assert clean_steps([STEP, f"{ending} {tip}"]) == clean_steps([STEP, ending, tip]) == [STEP, tip]
    assert clean_steps([f"{ending} {tip}", STEP]) == [tip, STEP]


@pytest.mark.parametrize(
    "name", ["Ada Example.", "Springfield, OR", "The Old Leek Inn, Springfield.", "Also from Leeks Forever."]
)
def test_a_name_below_the_last_command_goes(name: str) -> None:
    assert clean_steps([STEP, name]) == [STEP]


@pytest.mark.parametrize(
    "tip",
    [
        "Mint is an alternative.",
        "You are free in the choice of greens.",
        "It keeps a week.",
        "Slide whole leeks into this.",
        "The mint is optional.",
        "This goes well on top of leeks.",
    ],
)
def test_a_tip_below_the_last_command_stays(tip: str) -> None:
    assert clean_steps([STEP, tip]) == [STEP, tip]


def test_a_story_above_work_without_a_command_goes() -> None:
    work = "In dry pan over medium heat, stir fry leeks."
    assert clean_steps([f"Alecha is a curry-like meal. {work} {STEP}"]) == [f"{work} {STEP}"]


def test_a_direction_behind_talk_without_a_full_stop_stays() -> None:
    work = "In deep frying pan saute the leeks."
    assert clean_steps([f"Recipes from chef Ada Example, a famous chef {work} {STEP}"]) == [f"{work} {STEP}"]


STORY = "My grandmother won a prize with this famous leek soup in 1924."


@pytest.mark.parametrize(
    "advice",
    [
        "This classic recipe can be adapted for more than one person by more of all but the egg.",
        "If you make it with dried leeks, my favorite ones, it will be even more delicious.",
        "Be sure to use the classic unsalted butter my mother bought.",
        "Leek oil is sold in most health food stores of my famous town.",
        "Some people like my traditional soup a little thicker.",
        "The more holes in our famous noodles, the more sauce they hold.",
        "Margarine will ruin this famous old recipe.",
        "My friends say that leftovers are delicious cold.",
    ],
)
def test_advice_stays_beside_a_story(advice: str) -> None:
    assert not is_talk(advice, after_talk=True)
    assert clean_steps([f"{STORY} {advice}", STEP]) == [advice, STEP]
    assert clean_steps([STEP, f"{STORY} {advice}"]) == [STEP, advice]


@pytest.mark.parametrize(
    "useful",
    [
        "The size of the leeks is more important than their color.",
        "The secret to a good soup is always to rinse the leeks.",
        "These leeks go well with tea.",
        "It is very good eaten straight.",
        "This is good hot (as a soup) or cold.",
        "It makes a wonderful dipping sauce for breads.",
        "The soup is spicy, so adjust to your taste.",
        "I have used red leeks with good success.",
        "The leeks will look white with thin green stripes.",
        "They would become tough and lose their color.",
        "Mix flour with favorite spices such as pepper.",
        "Strip the leeks and wash them real good.",
        "When buying leeks, look for the famous red ones.",
        "Our leeks can be decorated with leaves.",
        "I advise you to bake the full amount.",
        "The leek I would recommend is a red one.",
        "I have occasionally used red leeks and it still worked.",
        "It is usually made with wild leeks, but red ones are also good.",
        "Watch out for fake leeks.",
        "A red leek would also be suitable for this soup.",
        "These quantities are approximate.",
        "It is especially good with red leeks.",
    ],
)
def test_advice_in_other_words_stays_beside_a_story(useful: str) -> None:
    assert clean_steps([f"This is a famous old soup. {useful}", STEP]) == [useful, STEP]
    assert clean_steps([STEP, f"This is a famous old soup. {useful} My mother was famous for it."]) == [STEP, useful]


@pytest.mark.parametrize(
    "story",
    [
        "This delicious soup may be called the pride of my town.",
        "The recipe may be found in my famous old book.",
        "If you like this recipe, let my mother know.",
        "The traditional use of leeks is what my mother loved.",
        "I have added a few comments to this famous recipe.",
        "The famous old soup will fool anyone.",
    ],
)
def test_stories_in_words_of_advice_still_go(story: str) -> None:
    assert clean_steps([story, STEP]) == clean_steps([STEP, story]) == [STEP]


def test_advice_stays_with_the_food_that_it_is_about() -> None:
    steps = [STEP, "Leek Sweet is made of leeks and syrup. It is available from Example Orchards in Springfield."]
    assert clean_steps(steps) == steps
    above = "Leek salt contains a leek unknown here. I'd substitute plain salt."
    assert clean_steps([f"This is a famous old soup. {above}", STEP]) == [above, STEP]
    use = "There is a small leaf, known as the heart, in each of them. Use a knife to remove this leaf."
    assert clean_steps([use, STEP]) == [use, STEP]


def test_a_quoted_story_keeps_its_advice() -> None:
    advice = "Red leeks are the hottest ones. Or substitute a milder leek, such as the white one."
    assert clean_steps([f'"{STORY} The leeks lend it an accent. {advice}"', STEP]) == [advice, STEP]


def test_what_only_tells_between_descriptions_goes() -> None:
    story = "The leek people lived in Springfield. The men hunted, and the women gathered leeks. They were many."
    assert clean_steps([STEP, story]) == [STEP]


@pytest.mark.parametrize("useful", ["Butter one side of each leek.", "* Pure leek oil contains no salt."])
def test_work_and_notes_between_descriptions_stay(useful: str) -> None:
    assert clean_steps([STEP, f"Leeks are a lovely food. {useful} They were always popular."])[1:] == [useful]


@pytest.mark.parametrize(
    "text",
    [
        "Slices of leek are braised in a dark stock seasoned with mint.",
        "The light rolls have a leek glaze that's spread over them while they are still warm.",
    ],
)
def test_a_paragraph_above_the_first_command_may_go(text: str) -> None:
    assert clean_steps([text, STEP]) == [STEP]
