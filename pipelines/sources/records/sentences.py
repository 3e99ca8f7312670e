"""The keys of a mapping that hold sentences and claims: `say` of a column, and `claims`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipelines.sources.mappings import known_keys, strings_at, text_at
from schemas.errors import UserError

ALLOWED, FORBIDDEN = "allowed", "forbidden"
YES, NO = "yes", "no"


def say_at(given: Mapping[str, Any], is_yes_no: bool, where: str) -> tuple[str, ...]:
    """The sentences of a column; raises UserError where they can't be filled in."""
    say = given.get("say")
    if say is None:
        return ()
    if not is_yes_no:
        return (_sentence(text_at(given, "say", where), 1, where),)
    if not isinstance(say, dict) or not say:
        raise UserError(f"{where}: 'say' should hold a sentence for yes, for no or for both: {{yes: It is …., no: …}}.")
    answers = {(YES if key else NO) if isinstance(key, bool) else key: text for key, text in say.items()}
    known_keys(answers, (YES, NO), f"{where}: 'say'")
    return tuple(_sentence(text_at(answers, key, where), 0, where) for key in answers)


def _sentence(text: str, values: int, where: str) -> str:
    """A sentence with so many places for a value."""
    written = text.strip()
    if re.search(r"[.!?]\s", written) or not re.search(r"\w[^\w]*[.!?]$", written):
        raise UserError(f"{where}: 'say' should be one sentence that ends with a full stop; '{text}' is not.")
    if re.search("[{}]", written.replace("{goal}", "").replace("{}", "")) or written.count("{}") != values:
        place = "one {} for the value" if values else "no {}"
        raise UserError(
            f"{where}: 'say' should have {place}, and no other braces than those of {{goal}}; see '{text}'."
        )
    return written


def claims_at(given: Mapping[str, Any], path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The allowed and the forbidden claims."""
    where = f"{path}: 'claims'"
    found = known_keys(given.get("claims") or {}, (ALLOWED, FORBIDDEN), where)
    allowed, forbidden = (strings_at(found, key, where) for key in (ALLOWED, FORBIDDEN))
    for claim in (*allowed, *forbidden):
        if not any(map(str.isalpha, claim)):
            raise UserError(
                f"{where} has '{claim}', which has no word. Write the claim's words, such as easy to carry."
            )
    plain = {" ".join(claim.casefold().split()) for claim in allowed}
    both = [claim for claim in forbidden if " ".join(claim.casefold().split()) in plain]
    if both:
        raise UserError(f"{where} has '{both[0]}' under both 'allowed' and 'forbidden'. Take it out of one of them.")
    return allowed, forbidden
