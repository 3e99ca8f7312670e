"""Which lines of a flattened ingredient block carry on the one before, and which stand for themselves."""

from __future__ import annotations

import pytest
from mealmaster_records import lines, read

SPRIGS = ["Sprigs of basil or lovage", "Eggs"]
CUT = ["Mint; in bags of paper", "Nuts, toasted and sliced (opt", "Flour wraps", "Eggs"]
DUSTING = ["Leek salt or ground cloves", "Caster sugar for dusting", "Eggs"]
TOMATOES = "Finely chopped tomatoes, drained"


@pytest.mark.parametrize(
    ("block", "names"),
    [
        ("1 c  Rice\nChopped\n2    Eggs", ["Rice Chopped", "Eggs"]),
        ("1 c  Rice\nSalt\n2    Eggs", ["Rice", "Salt", "Eggs"]),
        ("1 c  Cream cheese -- softened\nLeek jam\n2    Eggs", ["Cream cheese -- softened", "Leek jam", "Eggs"]),
        ("1 c  Hard cheese, finely grated\nOnion\n2    Eggs", ["Hard cheese, finely grated", "Onion", "Eggs"]),
        ("1 c  Hard old cheese, finely grat\nOnion\n2    Eggs", ["Hard old cheese, finely grat", "Onion", "Eggs"]),
        (
            "1 bn Leek -- chop finely\nMint -- torn\n2    Eggs",
            ["Leek -- chop finely", "Mint -- torn", "Eggs"],
        ),
        ("1 c  Leek syrup;\nLemon; the rind\n2    Eggs", ["Leek syrup;", "Lemon; the rind", "Eggs"]),
        ("1 c  Rice\n-Salt to taste\n2    Eggs", ["Rice", "Salt to taste", "Eggs"]),
        ("6    7 by 6 1/4 inch sheets\nDough for pasta\n2    Eggs", ["7 by 6 1/4 inch sheets Dough for pasta", "Eggs"]),
        ("1    Sweetener equal to 3/4 c\nSugar\n2    Eggs", ["Sweetener equal to 3/4 c Sugar", "Eggs"]),
        ("2 lb or 4 large leeks\n2    Eggs", ["or 4 large leeks", "Eggs"]),
        ("1 c  Finely shredded sharp yellow\nCheese\n2    Eggs", ["Finely shredded sharp yellow Cheese", "Eggs"]),
        ("1 c  Leeks; chopped coarsely\nMint; torn\n2    Eggs", ["Leeks; chopped coarsely", "Mint; torn", "Eggs"]),
        ("2    Leeks, if available\nCold rice\n2    Eggs", ["Leeks, if available", "Cold rice", "Eggs"]),
        ("1 c  Rice, about 4-5\nOunces\n2    Eggs", ["Rice, about 4-5 Ounces", "Eggs"]),
        ("1 c  Flour, sifted before\nMeasuring\n2    Eggs", ["Flour, sifted before Measuring", "Eggs"]),
        ("1 cn Milk + water to make\n1 cup\n2    Eggs", ["Milk + water to make 1 cup", "Eggs"]),
        ('Leek stick, 2"\nLime peel, 2" strip\n2    Eggs', ['Leek stick, 2"', 'Lime peel, 2" strip', "Eggs"]),
        ('1 lb Leeks, cut into 2"\nStrips\n2    Eggs', ['Leeks, cut into 2" Strips', "Eggs"]),
        ("1 lb Leeks, beaten\nUntil soft\n2    Eggs", ["Leeks, beaten Until soft", "Eggs"]),
        ("1 lb Leeks (small)\nPeeled & Diced\n2    Eggs", ["Leeks (small) Peeled & Diced", "Eggs"]),
        ("2    Leeks, boned\nAbout 1/2 lb total\n2    Eggs", ["Leeks, boned About 1/2 lb total", "Eggs"]),
        ("2    Leeks, boned\nAbout 1/2 lb mint\n2    Eggs", ["Leeks, boned", "About 1/2 lb mint", "Eggs"]),
        ("1 c  Leek oil preferably extra\nVirgin\n2    Eggs", ["Leek oil preferably extra Virgin", "Eggs"]),
        ("1 c  Shredded jack\nCheese, mild\n2    Eggs", ["Shredded jack Cheese, mild", "Eggs"]),
        ("1 c  White rice\nStock\n2    Eggs", ["White rice", "Stock", "Eggs"]),
        ("2    Scoops chocolate\nIce cream\n2    Eggs", ["Scoops chocolate Ice cream", "Eggs"]),
        ("1 ts Salt and cayenne\nPepper, ground\n2    Eggs", ["Salt and cayenne Pepper, ground", "Eggs"]),
        ("1 c  Maple syrup\ncked\n2    Eggs", ["Maple syrup cked", "Eggs"]),
        ("1 ts Each:\nMint\n2    Eggs", ["Each: Mint", "Eggs"]),
        ("1 lb Leeks, sliced thin\npounds)\n2    Eggs", ["Leeks, sliced thin pounds)", "Eggs"]),
        ("1 lb Leeks\n-See: Ada's Leeks\n2    Eggs", ["Leeks See: Ada's Leeks", "Eggs"]),
        ("1 lb Leeks, drained\n-Mint leaf works ok\n2    Eggs", ["Leeks, drained Mint leaf works ok", "Eggs"]),
        ("1 lb Leeks\nLeek News 9-95\nAda Example 8-95\n2    Eggs", ["Leeks", "Eggs"]),
        ("1 lb Leeks\nLeek Circle 10/12/93\nLeek News Dec. 93\n2    Eggs", ["Leeks", "Eggs"]),
        ("1 c  Flour; extra\nWater for kneading\n2    Eggs", ["Flour; extra", "Water for kneading", "Eggs"]),
        ("1 ds Salt, cayenne\nPepper to taste\n2    Eggs", ["Salt, cayenne", "Pepper to taste", "Eggs"]),
        ("1 lb Leeks\nwaldine van example vghc\n2    Eggs", ["Leeks", "Eggs"]),
        ("1 lb Leeks, fresh,\n1 x  Mint, small\n2    Eggs", ["Leeks, fresh,", "Mint, small", "Eggs"]),
        ("1 lb Leeks, fresh,\n1 x  Peeled, halved\n2    Eggs", ["Leeks, fresh, Peeled, halved", "Eggs"]),
        ("1 bn Leeks, 4-5\nMint\n2    Eggs", ["Leeks, 4-5", "Mint", "Eggs"]),
        ("1 c  Leek juice or 2 tb. fresh\nCarrot juice\n2    Eggs", ["Leek juice or 2 tb. fresh Carrot juice", "Eggs"]),
        ("2 tb Fresh mint or 1 tb. dried\nPepper\n2    Eggs", ["Fresh mint or 1 tb. dried", "Pepper", "Eggs"]),
        ("2 c  Leeks,\n1 x  Chopped\n1 x  (or onions)\n2    Eggs", ["Leeks, Chopped (or onions)", "Eggs"]),
        ("1 x  Leeks,\n1 x  Mint,\n2    Eggs", ["Leeks,", "Mint,", "Eggs"]),
        (
            "1 c  Rice\n-cooked\n1 c  Milk\n-warm\n-Mint for the table\n2    Eggs\n-beaten",
            ["Rice cooked", "Milk warm", "Mint for the table", "Eggs beaten"],
        ),
        ("1 c  Rice\n-Leek oil for frying\n2    Eggs", ["Rice", "Leek oil for frying", "Eggs"]),
        ("1    Leeks; sliced thin\nMint sauce\n2    Eggs", ["Leeks; sliced thin", "Mint sauce", "Eggs"]),
        ("1    Leek; cut into 12 slices\nDairy cream\n2    Eggs", ["Leek; cut into 12 slices", "Dairy cream", "Eggs"]),
        ("1    Leek tart -- unbaked\nOnion filling\n2    Eggs", ["Leek tart -- unbaked", "Onion filling", "Eggs"]),
        ("1    Green leek pie -- in small\nSquares\n2    Eggs", ["Green leek pie -- in small Squares", "Eggs"]),
        ("1 c  Leek oil; more for greasing\nPans\n2    Eggs", ["Leek oil; more for greasing Pans", "Eggs"]),
        ("1    Mint; in bags\n-of paper\nNuts, toasted and sliced (opt\nFlour wraps\n2    Eggs", CUT),
        ("-salt & pepper\n1 c  Rice\n2    Eggs", ["salt & pepper", "Rice", "Eggs"]),
        ("Sweetener to equal\n2 tsp sugar\n2    Eggs", ["Sweetener to equal 2 tsp sugar", "Eggs"]),
        ("Sea salt and fresh ground\nPepper\n2    Eggs", ["Sea salt and fresh ground Pepper", "Eggs"]),
        ("1 c  Rice\n-Leek Mills, Inc\n2    Eggs", ["Rice", "Eggs"]),
        ("1 c  Rice\n-NANCY EXAMPLE\n2    Eggs", ["Rice", "Eggs"]),
        ("1    Leeks; halves -- drain\nReserve juice\n2    Eggs", ["Leeks; halves -- drain Reserve juice", "Eggs"]),
        ("Leek salt or ground cloves\nCaster sugar for dusting\n2    Eggs", DUSTING),
        (
            "Freshly ground black pepper\nSausage casings\n2    Eggs",
            ["Freshly ground black pepper", "Sausage casings", "Eggs"],
        ),
        ("1 sm Can\n1 c  Rice\n2    Eggs\nLeek stew", ["Can Leek stew", "Rice", "Eggs"]),
        (
            "1    9-oz. pkg. (2 cups) frozen\nLeeks, chopped\n2    Eggs",
            ["9-oz. pkg. (2 cups) frozen Leeks, chopped", "Eggs"],
        ),
        ("1 sm Can\n1 c  Rice\n2    Eggs\nSalt and pepper", ["Can", "Rice", "Eggs", "Salt and pepper"]),
        ("1 c  Rice\n-Mint\n-Water\n2    Eggs", ["Rice", "Mint", "Water", "Eggs"]),
        ("1    Lemon\n-Juice of a lime\n2    Eggs", ["Lemon", "Juice of a lime", "Eggs"]),
        ("1 c  Leek\n-Juice, warm\n2    Eggs", ["Leek Juice, warm", "Eggs"]),
        ("1 c  Chicken\n-Broth\n2    Eggs", ["Chicken Broth", "Eggs"]),
        ("1 c  Leeks, non-fat\n-Or onions\n2    Eggs", ["Leeks, non-fat Or onions", "Eggs"]),
        ("1 c  Frozen leek concentrate by\n-Example\n2    Eggs", ["Frozen leek concentrate by Example", "Eggs"]),
        ("1 c  Mint tea\n-I use cold tea\n2    Eggs", ["Mint tea I use cold tea", "Eggs"]),
        ("1 c  Sauce from Summer\n-Leeks\n2    Eggs", ["Sauce from Summer Leeks", "Eggs"]),
        ("ADA EXAMPLE\nXBRG76A-----\n1 c  Rice\n2    Eggs", ["Rice", "Eggs"]),
        ("1 lb Leek roll or round\nRoll, boneless\n2    Eggs", ["Leek roll or round Roll, boneless", "Eggs"]),
        ("2    Eggs\n2 c  CANNED LEEKS\nCHOPPED WITH LIQUID", ["Eggs", "CANNED LEEKS CHOPPED WITH LIQUID"]),
        ("4 c  *to*\n5 c  Water\n2    Eggs", ["Water", "Eggs"]),
        ("1 c  Rice or\nBarley\n2    Eggs", ["Rice or Barley", "Eggs"]),
        ("1 c  Rice (long\nGrain) -- cooked\n2    Eggs", ["Rice (long Grain) -- cooked", "Eggs"]),
        ("1    Cucumber; cut into\n1/4    Inch cubes\n2    Eggs", ["Cucumber; cut into 1/4 Inch cubes", "Eggs"]),
        ("1 c  Rice\nNancy Example\n2    Eggs", ["Rice", "Eggs"]),
        ("1 c  Rice\n-Ada Example XBRG76A\n2    Eggs", ["Rice", "Eggs"]),
        ("1 c  Rice\n:\n:          cooked\n2    Eggs", ["Rice cooked", "Eggs"]),
        ("1 c  Rice (long grain)\nBarley\n2    Eggs", ["Rice (long grain)", "Barley", "Eggs"]),
        ("1 cn (14 oz)\nChopped tomatoes\n2    Eggs", ["(14 oz) Chopped tomatoes", "Eggs"]),
        ("2 cn Condensed (10 oz)\nLeek soup\n2    Eggs", ["Condensed (10 oz) Leek soup", "Eggs"]),
        ("20    Potatoes (about\n1 1/2 lbs)\n2    Eggs", ["Potatoes (about 1 1/2 lbs)", "Eggs"]),
        ("1    Whole lobster, about\n1    Pound\n2    Eggs", ["Whole lobster, about 1 Pound", "Eggs"]),
        ("1 c  Broth or cold\nWater\n2    Eggs", ["Broth or cold Water", "Eggs"]),
        ("1 c  Unbleached or all-\n-purpose flour\n2    Eggs", ["Unbleached or all-purpose flour", "Eggs"]),
        (
            "8    Sheets of thick filo\n;defrosted\n;water\n2    Eggs",
            ["Sheets of thick filo defrosted", "water", "Eggs"],
        ),
        (
            "Salt & freshly ground pepper\nSprigs of basil or lovage\n2    Eggs",
            ["Salt & freshly ground pepper", *SPRIGS],
        ),
        (
            "2 lg White potatoes, peeled,\nSalt and pepper\n2    Eggs",
            ["White potatoes, peeled,", "Salt and pepper", "Eggs"],
        ),
        ("1 c  Milk\n-=OR=- cream\n-or- skim milk\n2    Eggs", ["Milk or cream or skim milk", "Eggs"]),
        (
            "1    Bottle of leek\n.  juice, chilled,\n,  25 oz\n2    Eggs",
            ["Bottle of leek juice, chilled, 25 oz", "Eggs"],
        ),
        ("5 c  Vegetables (leeks,\nCook Time:  25 minutes\n-beans)\n2    Eggs", ["Vegetables (leeks, beans)", "Eggs"]),
        ("1 c  Pecans; -=OR=-\n1 c  Walnuts\n2    Eggs", ["Pecans or", "Walnuts", "Eggs"]),
        ("1 c  Rice\n-salt to taste\n2    Eggs", ["Rice", "salt to taste", "Eggs"]),
        ("Ice cubes\nHalf and half; -=OR=-\n- milk\n2    Eggs", ["Ice cubes", "Half and half or milk", "Eggs"]),
        (
            "3 c  Sifted light cake flour\nTopping: mint,\nNuts\n2    Eggs",
            ["Sifted light cake flour", "Topping: mint, Nuts", "Eggs"],
        ),
        ("Salt\nSprigs mint\n2    Eggs", ["Salt", "Sprigs mint", "Eggs"]),
        ("4    Dozen\nmd Leeks\n2    Eggs", ["Dozen md Leeks", "Eggs"]),
        ("Fine dry crumbs or\n-grated\nCheese\n2    Eggs", ["Fine dry crumbs or grated Cheese", "Eggs"]),
        ("1 c  Broth or\n-water\n, Juice of 1 lime\n2    Eggs", ["Broth or water", "Juice of 1 lime", "Eggs"]),
        ("1    Carrot, cut in >>>>\nThick strips\n2    Eggs", ["Carrot, cut in >>>> Thick strips", "Eggs"]),
        ("Whipped cream or vanilla\nIce cream\n2    Eggs", ["Whipped cream or vanilla Ice cream", "Eggs"]),
        ("2 c  Pancake mix -- about\nOil\n2    Eggs", ["Pancake mix -- about", "Oil", "Eggs"]),
        ("1 lb Flour\nRecipe of short pastry*\n2    Eggs", ["Flour", "Recipe of short pastry*", "Eggs"]),
        ("1 c  Milk\n**OR**\n1 c  Cream\n2    Eggs", ["Milk **OR**", "Cream", "Eggs"]),
        ("1 ts Mustard\n-dash of pepper\n2    Eggs", ["Mustard", "dash of pepper", "Eggs"]),
        (
            "Quince Glaze; *\nPartridge; 2 1/2 to 3 Lbs.\n2    Eggs",
            ["Quince Glaze; *", "Partridge; 2 1/2 to 3 Lbs.", "Eggs"],
        ),
        ("Thyme; and\nLeek greens; or chives\n2    Eggs", ["Thyme; and Leek greens; or chives", "Eggs"]),
        (
            "1 ts Freshly ground white pepper\nPlain yogurt\n2    Eggs",
            ["Freshly ground white pepper", "Plain yogurt", "Eggs"],
        ),
        ("2 cn (10 oz) Example's\nLeek and barley soup\n2    Eggs", ["(10 oz) Example's Leek and barley soup", "Eggs"]),
        ("1    Leek; washed and put\nThrough a sieve\n2    Eggs", ["Leek; washed and put Through a sieve", "Eggs"]),
        ("1    Whole unhulled\nHazelnuts\n2    Eggs", ["Whole unhulled Hazelnuts", "Eggs"]),
        ("1 c  chives -- snipped\n-leek -- sliced\n2    Eggs", ["chives -- snipped", "leek -- sliced", "Eggs"]),
        ("1 c  Ground or finely crushed\nAlmonds\n2    Eggs", ["Ground or finely crushed Almonds", "Eggs"]),
        ("1    Fresh or mildly hot\nPepper, sliced\n2    Eggs", ["Fresh or mildly hot Pepper, sliced", "Eggs"]),
        ("1 tb Minced cicely\nPaprika, for garnish\n2    Eggs", ["Minced cicely", "Paprika, for garnish", "Eggs"]),
        (
            "1 c  Olive oil\n-salt\n-ground black pepper\n2    Eggs",
            ["Olive oil", "salt", "ground black pepper", "Eggs"],
        ),
        ("Salt and plenty of fresh\n-ground pepper\n2    Eggs", ["Salt and plenty of fresh ground pepper", "Eggs"]),
        ("1-2 drops Example green food\nColoring\n2    Eggs", ["Example green food Coloring", "Eggs"]),
        ("2    Tomatoes -- halve\nCheddar -- slice\n2    Eggs", ["Tomatoes -- halve", "Cheddar -- slice", "Eggs"]),
        ("1 cn Finely chopped tomatoes,\n-drained\nPeanut oil\n2    Eggs", [TOMATOES, "Peanut oil", "Eggs"]),
        ("1 c  Butter, softened    1 1/2 c  Bananas\n2    Eggs", ["Butter, softened", "Bananas", "Eggs"]),
        ("1 c  Rice\n(4 servings)\n2    Eggs", ["Rice", "Eggs"]),
        ("1 ts Finely slivered lemon\nZest\n2    Eggs", ["Finely slivered lemon Zest", "Eggs"]),
        ("1 pk Lean dried Chinese\nMushrooms\n-sliced\n2    Eggs", ["Lean dried Chinese Mushrooms sliced", "Eggs"]),
        ("2    Sweet peppers, red\nLeeks\n-sliced\n2    Eggs", ["Sweet peppers, red", "Leeks sliced", "Eggs"]),
        ("1 c  Leeks\nTough ends removed\n2    Eggs", ["Leeks Tough ends removed", "Eggs"]),
        ("1 c  Leeks\nThinly sliced and washed\n2    Eggs", ["Leeks Thinly sliced and washed", "Eggs"]),
        ("1 c  Leeks with roots\nAttached\n2    Eggs", ["Leeks with roots Attached", "Eggs"]),
        ("1 cn Leeks [drained\n& sliced]\n2    Eggs", ["Leeks [drained & sliced]", "Eggs"]),
        ("1 c  Leeks -\nmd size\n2    Eggs", ["Leeks - md size", "Eggs"]),
        ("Drained\n2    Eggs\n1 cn Leeks", ["Eggs", "Leeks Drained"]),
        ("Leek mustard and minced\ngarlic to taste\n2    Eggs", ["Leek mustard and minced garlic to taste", "Eggs"]),
        (
            "1 c  Leeks -- washed and dried\nJuice of one lime\n2    Eggs",
            ["Leeks -- washed and dried", "Juice of one lime", "Eggs"],
        ),
        (
            "1 ts Paprika\n-salt & fresh ground pepper\n-leek oil\n2    Eggs",
            ["Paprika", "salt & fresh ground pepper", "leek oil", "Eggs"],
        ),
        ("1 ts Ground pepper\n-(or to taste)\n2    Eggs", ["Ground pepper (or to taste)", "Eggs"]),
        (
            "1 c  Ice or figs in lime juice & frozen\nMint leaves\n2    Eggs",
            ["Ice or figs in lime juice & frozen", "Mint leaves", "Eggs"],
        ),
        ("1 pk Sugar free Chocolate\nPudding\n2    Eggs", ["Sugar free Chocolate Pudding", "Eggs"]),
        ("x  Milk; two shells x 2\nx  Leeks; to taste\n2    Eggs", ["Milk; two shells x 2", "Leeks; to taste", "Eggs"]),
        ("2 c  Plus 2 tb light\nBrown sugar\n2    Eggs", ["light Brown sugar", "Eggs"]),
        (
            "1 c  Leeks -- OR\nOnions, Canned -- OR\nChives\n2    Eggs",
            ["Leeks -- OR Onions, Canned -- OR Chives", "Eggs"],
        ),
        ("1 lb Leeks; sliced\n-ADA B. EXAMPLE (A.EXAMPLE1)\n2    Eggs", ["Leeks; sliced", "Eggs"]),
        (
            "1 c  Rice (I used\nabout half\nNutritional\nYeast)\n2    Eggs",
            ["Rice (I used about half Nutritional Yeast)", "Eggs"],
        ),
        (
            "1 c  Rice\nthis long line says what to do with the rice and is no name\n2    Eggs\n3    Leeks\n4    Figs",
            ["Rice", "Eggs", "Leeks", "Figs"],
        ),
    ],
)
def test_lines_without_amount_carry_on_or_stand_for_themselves(block: str, names: list[str]) -> None:
    recipe = read(
        f"Title: T\nCategories: C\nYield: 1\n{block}\nCook everything in a wide pan until it is done, then serve."
    )
    assert [item.name for item in recipe.ingredients] == names


def test_what_a_serving_holds_is_no_ingredient() -> None:
    block = "1 c  Rice\n-----PER SERVING-----\n16 x  Calories (24% from fat)\n17 g  Protein\n-----SAUCE-----\n2    Eggs"
    recipe = read(f"Title: T\nCategories: C\nYield: 1\n{block}\n\nCook it all.")
    assert [(item.name, item.section) for item in recipe.ingredients] == [("Rice", ""), ("Eggs", "SAUCE")]


def test_a_decimal_keeps_its_point() -> None:
    recipe = read("Title: T\nCategories: C\nYield: 1\n1 pk .70 ounce dry leeks\n2    Eggs\n\nCook it all.")
    assert recipe.ingredients[0].name == ".70 ounce dry leeks"


def test_amounts_typed_without_columns() -> None:
    recipe = read(
        'Title: T\nCategories: C\nYield: 1\n2 c  Rice\n2 cups flour\n3 lbs. beef\n1 stick butter\n9" pie crust\n'
        "Cook everything in a wide pan until it is done, then serve."
    )
    assert [(item.amount, item.unit, item.name) for item in recipe.ingredients] == [
        ("2", "c", "Rice"),
        ("2", "cups", "flour"),
        ("3", "lbs", "beef"),
        ("1", "stick", "butter"),
        ("", "", '9" pie crust'),
    ]


def test_the_two_parts_of_an_amount_are_one() -> None:
    recipe = read("Title: Leeks\nYield: 4\n\n1 tb PLUS\n1 ts Salt\n2    - 3 c Rice\n1    - 10 oz can Leeks\n\nStir.\n")
    assert lines(recipe) == ["1 tb plus 1 ts Salt", "2-3 c Rice", "1 10 oz can Leeks"]


@pytest.mark.parametrize("end", ["Sparingly", "Again", "Quite thin", "Is correct"])
def test_a_line_that_can_name_no_food_goes_on(end: str) -> None:
    recipe = read(f"Title: Leeks\nYield: 1\n\n1    Leek; drained, rinsed very\n{end}\n2 c  Rice\n\nStir.\n")
    assert [item.name for item in recipe.ingredients] == [f"Leek; drained, rinsed very {end}", "Rice"]


@pytest.mark.parametrize(
    ("block", "names"),
    [
        ("2    Cans Sliced Leeks\nDrained (Example's)\n1 c  Rice", ["Cans Sliced Leeks Drained (Example's)", "Rice"]),
        ("1 cn Leeks; do not\nDrain.\n1 c  Rice", ["Leeks; do not Drain.", "Rice"]),
        ("2    Boneless leeks-\n4 oz each\n1 c  Rice", ["Boneless leeks- 4 oz each", "Rice"]),
        ("1 c  Cream, as desired\nLeek chips\n1 c  Rice", ["Cream, as desired", "Leek chips", "Rice"]),
        (
            "1 lb Leeks, cut up coarsely\nWater as needed\n1 c  Rice",
            ["Leeks, cut up coarsely", "Water as needed", "Rice"],
        ),
        ("1 pk Mix leek flavored\nWater\n1 c  Rice", ["Mix leek flavored", "Water", "Rice"]),
        ("1 c  Oil\nAssembly\n1 c  Rice", ["Oil", "Assembly", "Rice"]),
    ],
)
def test_lines_go_on_or_name_another_food(block: str, names: list[str]) -> None:
    recipe = read(f"Title: Leeks\nYield: 1\n\n{block}\n\nStir.\n")
    assert [item.name for item in recipe.ingredients] == names


def test_a_second_column_after_a_long_name_stays_there() -> None:
    block = [
        "    2/3 c  Butter                            1/4 t  Mint",
        "      3 ea (8 oz) cans minced leeks drained    1 x  Pepper to taste",
        "    1/3 c  Chives                              1 lb Noodles",
    ]
    recipe = read("Title: Leeks\nYield: 4\n\n" + "\n".join(block) + "\n\n  Stir.\n")
    names = ["Butter", "(8 oz) cans minced leeks drained", "Chives", "Mint", "Pepper to taste", "Noodles"]
    assert [item.name for item in recipe.ingredients] == names
