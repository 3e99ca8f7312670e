"""Lists of words that identify the kind of a line: preparation, openings, headings, first names."""

from __future__ import annotations

from allsaid.language.text import listed

# Dropped wherever they lead or follow a name. "ground", "dried", "smoked", "canned" and the like stay: they name
# another thing ("ground beef", "dried apricots").
PREPARED = listed("""
    chopped diced minced sliced grated shredded peeled seeded cored melted softened beaten cubed halved quartered
    julienned trimmed drained rinsed washed thawed packed sifted crumbled mashed pitted divided separated squeezed
    juiced zested slivered flaked crushed slightly finely coarsely thinly freshly lightly firmly roughly thickly well
    very cut torn broken split scrubbed cleaned hulled stemmed snipped cooled chilled warmed heated scalded soaked
    undrained unpeeled reserved optional opt approximately approx about heaping level scant generous rounded
    additional extra preferably desired needed deveined shelled skinned boned blanched pared scraped
    uncooked room temperature temp taste garnish serving sized bite-size lengthwise crosswise diagonally fine
    fresh-grated removed discarded husked shucked cracked bruised pressed pureed liquefied parboiled dissolved
    patted tightly crisped browned sauteed unsifted dried-out loosely plus more less also like few several some each
    any your favorite
    """)

# Preparation only after a separator ("Rice; cooked"), else part of the name ("cooked rice").
PREPARED_AFTER = PREPARED | listed("""
    cooked uncooked toasted roasted grilled steamed boiled fried raw hot cold warm fresh frozen large medium small lg md
    sm thick thin long inch inches half halves quarters chunks pieces cubes strips slices rings wedges bits wide at to
    for in into if as or and with the a of on dry from not only until tender soft stiff ripe firm whole see note recipe
    below above size lb oz cup cups tb ts tsp tbsp pkg can cans g ml each overnight whipped dice option smooth
    chunky
    """)

# Sizes, which are never part of a name.
SIZES = listed("large medium small big sm md lg med lrg jumbo medium-sized med-large")

# Words that name no thing by themselves, so that the next part continues the name.
ADJECTIVES = listed("""
    fresh smoked dried dry cooked uncooked boneless skinless ripe firm hot cold lean unsalted salted sweet plain
    nonfat fat low-fat lowfat canned frozen raw soft extra dark light thin thick whole green red yellow white black
    young baby tender condensed pure non-fat
    """)

# Words that may precede a name without being part of it.
LEADING = SIZES | listed("of the a an x ea each one two three four five six half several few couple some about")

# Counting words that may close a name: "celery stalks" is celery.
TRAILING = listed("stalk stalks sprig sprigs slice slices piece pieces rib ribs")

# Heads that two alternatives share: "chicken or beef broth" means chicken broth.
SHARED_HEADS = listed("""
    oil broth stock pepper peppers sugar cheese beans flour milk cream vinegar wine juice sauce onion onions bread rice
    pasta noodles eggs yogurt yoghurt apples potatoes tomatoes seeds nuts chips crumbs syrup mustard chocolate powder
    soup salt butter lettuce cabbage olives raisins yogurt mushrooms sausage salad dressing mayonnaise crust
    extract round
    """)

# First names of people who sign recipes, without those that are also food (rosemary, ginger, basil).
FIRST_NAMES = listed("""
    alan albert alex alice allen amy andrea andrew andy angela anita ann anna anne annette annie anthony april
    arlene arnold arthur art barb barbara barry ben bernice bert beth bev beverly bill billy bob bobbi bobbie bobby
    bonnie brad brenda brian bruce bryan carl carla carol carole caroline carolyn cathy catherine charles charlene
    charlie cheryl chris christina christine christopher chuck cindy claire colleen connie craig cynthia dan daniel
    darlene dave david dawn deb debbie deborah debra dee deidre dennis diana diane dianne dick don donald donna
    doris dorothy dottie doug douglas earl ed eddie edith edna edward eileen elaine elayne eleanor elizabeth ellen
    ellie emily eric ernie esther ethel eva evelyn fran frances frank fred freda gail gary gaye gene george geri
    gerald gloria gordon greg gwen harold harriet harry harvey heather helen henry howard ian indra irene irwin
    jackie jacqueline james jan jane janet janice janie jason jayne jean jeanne jeff jennifer jenny jeri jerry
    jessica jill jim jimmy jo joan joann joanne joe joel joell john jon joseph joy joyce juanita judi judith judy
    julia julie june karen karl kate kathleen kathy katherine katie kay keith kelly ken kenneth kevin kim kris larry
    laura laurie lawrence leah lee len leon leonard leslie linda lisa liz lois loren loretta lori lorraine lou
    louise lucille lucy lyman lynn lynne manny marcia margaret margie maria marian marie marilyn marina mario marion
    marjorie mark marlene marne marsha martha mary matt maureen maxine meg melanie melinda melissa michael michelle
    micki mike mildred miriam mitch molly monica nadine nan nancy naomi neil nina norma norman olga pam pamela pat
    patricia patrick patti patty paul paula pauline peg peggy penny perry pete peter phil philip phillip phyllis
    rachel ralph randy ray rebecca renee rhonda richard rick rita rob robbie robert roberta robin roger ron ronald
    ronnie roy russ russell ruth sallie sally sam samantha sandee sandi sandra sandy sara sarah scott sean shannon
    sharon sheila shelley sheri sherilyn sherree sherri shirley stan stella stephanie stephen steve steven stuart
    sue susan suzanne suzy sylvia tammy tanya ted teresa terri terry theresa thomas tiffany tim tina todd tom tony
    tracy valerie vera vicki vickie victor victoria virginia vivian waldine walt walter wanda warren wayne wendy wes
    wesley wilma yvonne
    """)

# Words that may precede such a head: "olive or vegetable oil".
MODIFIERS = listed("""
    olive vegetable canola peanut corn salad red green yellow white black brown chicken beef turkey veal fish cider
    rice cheddar swiss jack parmesan romano mozzarella sour light heavy whipping fresh frozen dried canned hot sweet
    mild strawberry raspberry orange lemon lime apple dark wheat rye kidney pinto navy lima whole skim plain vanilla
    unbleached homemade natural northern poached sliced
    dijon sherry tarragon malt balsamic sesame safflower sunflower grape cranberry pineapple tomato golden bread
    cake oyster veg american monterey almond bottom top purpose
    """)

# Last words of names that the next line continues at least five times as often as not (on the library, by dashes).
UNFINISHED = listed("""
    green brown black red unsweetened italian canned semi-sweet semisweet all-purpose bell other vegetable sweet
    candied bittersweet kidney artichoke sharp unbleached flavored flavoured unflavored raspberry yellow roasted
    sour peanut sweetened prepared confectioners' plum regular american refrigerated monterey chinese
    flat-leaf mexican plain cracker mild grape french light-brown low-fat lowfat reduced stewed crustless angel
    evaporated pillsbury including maraschino purpose
    """)

# First words of a line that continues the name before it, if no "of" follows.
PARTS = listed("zest rind rinds peel sprigs stalks florets kernels leaves thighs breasts lengthwise crosswise attached")

# Parts that follow their whole: "Chicken; thighs" is chicken thighs.
BODY_PARTS = listed("""
    breast breasts thigh thighs leg legs wing wings fillet fillets steak steaks chop chops roast ribs shoulder seed
    seeds leaf leaves juice zest rind peel powder flakes root roots sprouts tops greens hearts heart liver livers
    bones bone skins skin yolk yolks whites kernels crumbs chips meat tips florets caps stems bulb
    """)

# Words that open a paragraph of directions at least ten times as often as a bare ingredient line (on the library).
OPENERS = listed("""
    in combine preheat heat mix place add cook this put remove melt bake pour beat wash stir prepare saute bring
    peel sift serve when make meanwhile soak sprinkle blend cover boil rinse dissolve using spread trim arrange chop
    spoon line you divide turn grease transfer while variation fry roll fill let toss rub season drop simmer after
    these puree whisk return mash measure brush soften separate break steam coat grind punch reduce fold crush dip
    marinate strain shape my step thaw grate gently start pat carefully select scald thoroughly top layer grill
    dredge store whip halve knead pick scrub allow shake here first chill position wipe lay there tip wrap scoop
    refrigerate before pare form shred gradually blanch taken scrape broil we slowly discard core choose prick dust
    assemble quick microwave cut drain slice use lightly preparation process pound i original day yield note notes
    adapted posted typed from source recipe variations tips hint copyright nutritional nutrition reprinted shared
    """)

# Words that, alone in capitals or before a colon, head a section of ingredients.
HEADINGS = listed("""
    filling cake sauce topping glaze crust marinade frosting dressing garnish batter dough icing salad stuffing
    pastry soup syrup custard meatballs optional toppings garnishes streusel ganache mousse broth dumplings base
    vegetables accompaniments seasoning
    """)

# First words of lines without an amount that begin an ingredient at least twice as often as they continue the line
# before (on the library, by whether they would have fitted there).
STANDALONE = listed("""
    salt pepper fresh freshly oil vegetable water black lemon pinch dash paprika sugar olive hot garlic milk a few
    whipped powdered ice egg cinnamon cayenne sea tabasco cornstarch sour vanilla orange zest nutmeg coarse cooking
    cornmeal juice butter parsley grated glaze sesame tomato mint lime icing essence celery frosting chili soy
    margarine seasoned sweet clove cracked assorted brown oregano thyme kosher salsa mixed rind light curry lettuce
    watercress worcestershire several candied splash honey lots msg sprig bay one handful beer salted romaine green
    pastry topping filling food cake raisins dill graham pie coffee spices shrimp buttered
    chopped ground white red sliced shredded cooked crushed toasted dried french finely coarsely thinly minced boiling
    unsalted granulated confectioners cilantro basil chives coriander rosemary tarragon almonds pecan nuts poppy bacon
    cherry maraschino avocado ghee fried sprigs couple additional extra
    """)
