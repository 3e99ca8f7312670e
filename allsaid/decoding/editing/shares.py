"""Scale the amounts in edited texts: "1/2 cup of the milk" becomes 1/4 cup for a row with half as much milk."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.decoding.editing.draft import Member
from allsaid.decoding.editing.items import Item
from allsaid.proof.recipes import amounts


def _is_share(before: Sequence[str], stated: amounts.Stated) -> bool:
    """Return whether words before a name state a share of it: "half the", "1/3 of the"."""
    return not stated.amount.unit and stated.amount.number < 1 and {*before[stated.end :]} & {"the", "of"} != set()


def fix_amount(member: Member, item: Item, replaced_items: Sequence[Item]) -> None:
    """Rewrite the amount before a name as the same share of the item's amount, or leave it out.

    replaced_items: the items of the prototype that it replaces.
    """
    stated = amounts.find(member.before, 0, len(member.before))
    if stated is None or _is_share(member.before, stated):
        return
    if replaced_items and replaced_items[0].line == item.line:
        return
    end = stated.end
    if member.before[end : end + 1] == ["of"]:
        end += 1
    before, rest = member.before[: stated.start], member.before[end:]
    share = stated.amount.share_of(replaced_items[0].amount) if replaced_items and replaced_items[0].amount else None
    if share is None or share > 1 + amounts.SAME:
        member.before = [word for word in (*before, *rest) if word not in ("about", "approximately")] or ["the"]
        return
    words = item.amount.times(share).written() if item.amount else []
    if not words:
        part = "half" if 0.4 < share < 0.6 else "most" if share > 0.5 else "some"
        words = [part, *([] if part == "half" else ["of"]), "the"]
        rest = [word for word in rest if word not in ("the", "more")]
    member.before = [*before, *words, *(["of"] if rest[:1] == ["the"] and len(words) > 1 else []), *rest]
