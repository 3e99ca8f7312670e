"""Words of an ingredient line that tell how a thing is prepared, not what it is."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Dropped wherever they lead or follow a name. "ground", "dried", "smoked", "canned" and the like stay: they name
# another thing ("ground beef", "dried apricots").
PREPARED = _words("""
    chopped diced minced sliced grated shredded peeled seeded cored melted softened beaten cubed halved quartered
    julienned trimmed drained rinsed washed thawed packed sifted crumbled mashed pitted divided separated squeezed
    juiced zested slivered flaked crushed slightly finely coarsely thinly freshly lightly firmly roughly thickly well
    very cut torn broken split scrubbed cleaned hulled stemmed snipped cooled chilled warmed heated scalded soaked
    undrained unpeeled reserved optional opt approximately approx about heaping level scant generous rounded
    additional extra preferably desired needed deveined shelled skinned boned blanched pared scraped
    uncooked room temperature temp taste garnish serving sized bite-size lengthwise crosswise diagonally fine
    fresh-grated removed discarded husked shucked cracked bruised pressed pureed liquefied parboiled dissolved
    patted dry dried-out loosely plus more less also like few several some each any your favorite
    """)

# Preparation only where a separator stands before it ("Rice; cooked"), else part of the name ("cooked rice").
PREPARED_AFTER = PREPARED | _words("""
    cooked uncooked toasted roasted grilled steamed boiled fried raw hot cold warm fresh frozen large medium small lg md
    sm thick thin long inch inches half halves quarters chunks pieces cubes strips slices rings wedges bits wide at to
    for in into if as or and with the a of on from not only until tender soft stiff ripe firm whole see note recipe
    below above size lb oz cup cups tb ts tsp tbsp pkg can cans g ml each
    """)

# Sizes and the like that lead a name and are no part of it.
LEADING = _words("large medium small big sm md lg med lrg of the a an x ea each")

# Counting words that may close a name: "celery stalks" is celery.
TRAILING = _words("stalk stalks sprig sprigs slice slices piece pieces rib ribs")

# Heads that two alternatives share: "chicken or beef broth" means chicken broth.
SHARED_HEADS = _words("""
    oil broth stock pepper peppers sugar cheese beans flour milk cream vinegar wine juice sauce onion onions bread rice
    pasta noodles beef chicken pork apples potatoes tomatoes seeds nuts chips crumbs syrup mustard chocolate powder
    soup salt butter lettuce cabbage olives raisins yogurt mushrooms sausage salad dressing mayonnaise crust
    """)
