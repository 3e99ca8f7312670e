"""The keys of a mapping that hold sentences and claims: `say` of a column, and `claims`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any  # Any: values of YAML, checked here

from allsaid.proof.forms.claims import ALLOWED, FORBIDDEN
from pipelines.sources.mappings import known_keys, strings_at, text_at
from pipelines.sources.records.other_words import NO, YES
from schemas.errors import UserError


def check_say(given: Mapping[str, Any], is_yes_no: bool, where: str) -> None:
    """Raise UserError if the sentences of a column can't be filled in (`allsaid.proof.forms.mapped` reads them)."""
    say = given.get("say")
    if say is None:
        return
    if not is_yes_no:
        _check_sentence(text_at(given, "say", where), 1, where)
        return
    if not isinstance(say, dict) or not say:
        raise UserError(f"{where}: 'say' should hold a sentence for yes, for no or for both: {{yes: It is …., no: …}}.")
    answers = {(YES if key else NO) if isinstance(key, bool) else key: text for key, text in say.items()}
    known_keys(answers, (YES, NO), f"{where}: 'say'")
    for key in answers:
        _check_sentence(text_at(answers, key, where), 0, where)


def _check_sentence(text: str, values: int, where: str) -> None:
    """Raise UserError unless the text is one sentence with this number of places for a value."""
    written = text.strip()
    if re.search(r"[.!?]\s", written) or not re.search(r"\w[^\w]*[.!?]$", written):
        raise UserError(f"{where}: 'say' should be one sentence that ends with a full stop; '{text}' is not.")
    if re.search("[{}]", written.replace("{goal}", "").replace("{}", "")) or written.count("{}") != values:
        place = "one {} for the value" if values else "no {}"
        raise UserError(
            f"{where}: 'say' should have {place}, and no other braces than those of {{goal}}; see '{text}'."
        )


def allowed_claims(given: Mapping[str, Any], path: str) -> tuple[str, ...]:
    """Return the allowed claims; raise UserError if these or the forbidden ones are no claims."""
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
    return allowed
