"""``python -m allsaid``: the command without its script."""

from allsaid.commands.cli import main

if __name__ == "__main__":
    main()
