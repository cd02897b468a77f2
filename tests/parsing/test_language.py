from __future__ import annotations

import pytest

from research.parsing.detect_language import _identifier, _two_letters, detect_language

COUNTRIES = ("Afghanistan", "Albania", "Algeria", "Andorra", "Angola", "Antarctica", "Argentina", "Armenia")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "The password must be long enough that nobody can guess it, and easy to remember for its owner.",
            "en",
        ),
        (
            "Das Passwort muss so lang sein, dass es niemand erraten kann, und sein Besitzer merkt es sich.",
            "de",
        ),
        ("Le mot de passe doit être assez long pour que personne ne puisse le deviner facilement.", "fr"),
        ("La contraseña debe ser lo bastante larga para que nadie la pueda adivinar con facilidad.", "es"),
    ],
)
def test_the_language_of_a_sentence_is_found(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text", ["", "Password", "12345 67890 | 2017 ---", "https://example.org/a/long/path " * 9]
)
def test_what_is_too_short_to_tell_has_no_language(text: str) -> None:
    assert detect_language(text) is None


def test_every_code_has_two_letters() -> None:
    """Lists of names pass for languages that have none: they would not go into the row."""
    countries = " | ".join(f"{name} | pages/{name[:3].lower()}" for name in COUNTRIES)
    assert detect_language(countries) is None
    cantonese = "佢哋喺邊度呀 我哋而家去食飯 唔該晒你哋 佢話唔知點解係咁嘅 我哋都冇去過嗰度 " * 2
    assert detect_language(cantonese) == "zh"
    codes = [_two_letters(code) for code in _identifier().nb_classes]
    assert {len(code) for code in codes if code} == {2}


def test_a_foreign_title_does_not_decide() -> None:
    body = (
        "The password must be long enough that nobody can guess it, and easy to remember for its owner. " * 60
    )
    assert detect_language("Leitfaden für sichere Kennwörter und Anmeldungen\n\n" + body) == "en"
