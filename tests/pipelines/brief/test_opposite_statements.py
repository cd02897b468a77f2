"""The opposite of a statement is a sentence that denies it or judges it otherwise, not one that lacks a word."""

import pytest

from research.pipelines.brief.drafting.opposite_statements import find_opposite


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("Gekippte Fenster sind die beste Vorbeugung.", "Gekippte Fenster sind wenig wirksam."),
        ("Die Geräte verursachen keinen Lärm.", "Die Außengeräte verursachen Lärm und brauchen Abstand."),
        ("Ohne Fußbodenheizung geht es nicht.", "Eine Fußbodenheizung ist nicht zwingend nötig."),
        (
            "Use placeholder text as the label to save space.",
            "Do not use placeholder text in place of a label.",
        ),
        ("Music reduces pain.", "Music did not reduce pain in this trial."),
        ("Tea raises blood pressure.", "Tea lowers blood pressure."),
        ("Der Autoverkehr ging um fünf Prozent zurück.", "Der Autoverkehr nahm nicht messbar ab."),
        ("Speed above 1.5x lowered recall.", "Recall did not fall at 1.5x and 2x speed."),
        ("A licence is required.", "A licence is not required."),
        ("It dries faster than the old dryer.", "The dryer takes longer to dry a load than the old one."),
        (
            "Blue filters make screens harmless.",
            "Blue filters made no difference to the time to fall asleep.",
        ),
        ("SMS-Codes bringen gar nichts.", "Ein SMS-Code verhinderte 96 Prozent der Angriffe."),
        (
            "Watch with subtitles in your mother tongue to learn more words.",
            "Subtitles in the mother tongue improved comprehension but had no effect on vocabulary.",
        ),
    ],
)
def test_who_says_the_opposite_is_found(statement, text):
    assert find_opposite(statement, text)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("Airing is more effective than tilted windows.", "Tilted windows are of little use."),
        (
            "One hour without screens before bed is the advice of the academy.",
            "The academy advises switching off screens one hour before bedtime and keeping them out of the bedroom.",
        ),
        (
            "In Deutschland müssen Radfahrer keinen Helm tragen.",
            "Kinder müssen in Österreich beim Radfahren einen Helm tragen.",
        ),
        (
            "Screen-free bedrooms help children sleep longer.",
            "Children with a television in the bedroom slept less.",
        ),
        (
            "The extra cost of a dryer is recovered after 5 to 7 years with four loads a week.",
            "With four loads a week the cost of a dryer was recovered in 6 years; with one load it was not recovered.",
        ),
        ("Reading aloud works just as well.", "Blue filters made no difference to the time to fall asleep."),
        ("Tomatoes contain no fat.", "Nuts contain fat and protein."),
        ("Store cheese in the fridge.", "Do not store potatoes in the fridge."),
        ("Do not charge the battery below 0 °C.", "Do not leave the battery on the bike."),
        ("Daily walks help against back pain.", "Bed rest makes back pain worse."),
        ("People on pills should ask their team first.", "Do not fast on pills without asking your team."),
        ("Sales rose in May.", "Costs did not rise in May."),
        ("Bears sleep through the winter.", "Bears need 20 kg of fat for the winter."),
    ],
)
def test_who_speaks_of_something_else_is_not(statement, text):
    assert not find_opposite(statement, text)
