"""The parameters of the Dataflow flex template, from the options of the commands that it starts.

python -m deploy.dataflow.metadata > deploy/dataflow/metadata.json
"""

from __future__ import annotations

import json

from deploy.job import find
from pipelines import sources

INGESTS = [f"ingest {source}" for source in sources.shipped_names()]
COMMANDS = [*INGESTS, "train", "generate", "prove", "nightly"]


def metadata() -> dict[str, object]:
    helps: dict[str, dict[str, list[str]]] = {}  # option -> its help -> the commands that have it
    for command in COMMANDS:
        for param in find(command.split()).params:
            name = param.name if param.param_type_name == "argument" else param.opts[0].removeprefix("--")
            if name != "help":
                helps.setdefault(name, {}).setdefault(param.help, []).append(command)
    options = [
        {
            "name": name,
            "label": name,
            "helpText": " ".join(f"{help} ({_shown(commands)})" for help, commands in found.items()),
            "isOptional": True,
        }
        for name, found in sorted(helps.items())
    ]
    command = {
        "name": "command",
        "label": "Command",
        "helpText": f"One of {', '.join(COMMANDS)}.",
        "regexes": [f"^({'|'.join(COMMANDS)})$"],
    }
    return {
        "name": "Allsaid",
        "description": "Runs one command: an ingest of any source, a training, texts, a proof or a nightly run.",
        "parameters": [command, *options],
    }


def _shown(commands: list[str]) -> str:
    """Name the commands that have an option; all ingests by one word."""
    others = [command for command in commands if command not in INGESTS]
    return ", ".join(["ingest", *others] if {*INGESTS} <= {*commands} else commands)


if __name__ == "__main__":
    print(json.dumps(metadata(), indent=2, ensure_ascii=False))
