"""Libraries are imported as if some others were not installed, and only then."""

from __future__ import annotations

import sys

import pytest

from allsaid.imports import without


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("this", "antigravity"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.usefixtures("unloaded")
def test_a_hidden_module_is_missing_inside_the_block_only() -> None:
    with without("this", "json"):
        import json  # it is loaded, so it stays

        with pytest.raises(ImportError):
            import this
    import this

    assert this.s and json.loads("1") == 1


@pytest.mark.usefixtures("unloaded")
def test_a_stand_in_gives_the_names_asked_for() -> None:
    with without(stand_ins={"antigravity": {"geohash": None}}):
        from antigravity import geohash
    assert geohash is None and "antigravity" not in sys.modules


@pytest.mark.usefixtures("unloaded")
def test_after_a_failed_import_nothing_stays_hidden() -> None:
    with pytest.raises(ZeroDivisionError), without("this"):
        raise ZeroDivisionError
    assert "this" not in sys.modules
