"""How values end in German, French and Spanish."""

from __future__ import annotations

import pytest

from allsaid.language.endings import endings, with_ending


@pytest.mark.parametrize(
    ("language", "value", "forms"),
    [
        ("de", "grau", "graue grauer graues grauen grauem graun graus"),
        ("de", "dunkel", "dunkle dunkler dunkles dunklen dunklem dunkeln dunkels"),
        ("de", "beige", "beige beiger beiges beigen beigem beigen beiges"),
        ("de", "teuer", "teure teurer teures teuren teurem teuern teuers"),
        ("de", "hoch", "hohe hoher hohes hohen hohem hochn hochs"),
        ("de", "parallel", "parallele paralleler paralleles parallelen parallelem paralleln parallels"),
        ("de", "lila", "lila lila lila lila lila lila lila"),
        ("fr", "vert", "verte verts vertes"),
        ("fr", "blanc", "blanche blancs blanches"),
        ("fr", "gris", "grise gris grises"),
        ("fr", "rouge", "rouge rouges rouges"),
        ("fr", "actif", "active actifs actives"),
        ("fr", "léger", "légère légers légères"),
        ("fr", "complet", "complète complets complètes"),
        ("fr", "gros", "grosse gros grosses"),
        ("fr", "seul", "seule seuls seules"),
        ("fr", "nouveau", "nouvelle nouveaux nouvelles"),
        ("fr", "marron", "marron marron marron"),
        ("es", "rojo", "roja rojos rojas"),
        ("es", "azul", "azul azules azules"),
        ("es", "feliz", "feliz felices felices"),
    ],
)
def test_the_last_word_of_a_value_ends_as_its_language_has_it(language: str, value: str, forms: str) -> None:
    assert [with_ending(value, one, language) for one in endings(language)] == forms.split()


def test_what_is_no_word_of_a_known_language_stays() -> None:
    assert endings("en") == endings("") == ()
    assert with_ending("hell grün", "es", "de") == "hell grünes"
    assert with_ending("RAL 7016", "e", "de") == "RAL 7016"
