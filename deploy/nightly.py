"""What a scheduler starts: one night's ingest of Meal-Master dumps, every option as ``--name=value``."""

import sys

from allsaid.__main__ import main

if __name__ == "__main__":
    main(["ingest", "mealmaster", *sys.argv[1:]])
