"""A statement that no rule decides is shown with the sentence of the excerpts that is nearest to it."""

import pytest

from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.drafting.draft_brief_by_rules import SAYS, UNCARRIED, draft, refusal

EVIDENCE = [
    EvidenceWords("https://a.example", 0, "Warm side light raised appetite ratings by 18 %.", "Light"),
    EvidenceWords("https://b.example", 0, "Prices lie between 300 and 700 euros per tonne.", "Costs"),
]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Warm side light and flowers sell best.", SAYS.format(words=EVIDENCE[0].text)),
        (
            "Costs of 700 euros make it uneconomic for most farms in the north.",
            SAYS.format(words=EVIDENCE[1].text),
        ),
        ("Self-hosting is cheaper above roughly two terabytes.", UNCARRIED),
    ],
)
def test_a_refusal_shows_the_nearest_sentence(statement, reason):
    assert refusal(statement, EVIDENCE, lambda first, second: 0.0).reason == reason


def test_a_sentence_near_in_meaning_alone_is_shown():
    refused = refusal("Sentimental lamps please diners.", EVIDENCE[:1], lambda first, second: 0.6)
    assert refused.reason == SAYS.format(words=EVIDENCE[0].text)


def test_a_bare_yes_is_compared_together_with_its_question():
    statement, question = "Yes, but later than most people think.", "Do prices per tonne fall?"
    found = [
        refusal(statement, EVIDENCE, lambda first, second: 0.0, asked).reason for asked in ("", question)
    ]
    assert found == [UNCARRIED, SAYS.format(words=EVIDENCE[1].text)]


def test_a_quantity_that_no_excerpt_gives_is_named():
    refused = refusal("Warm side light lasts two hours and sells.", EVIDENCE, lambda first, second: 0.0)
    assert refused.reason == "No excerpt says “two hours”: the claims are what they do say."


def test_what_a_source_says_in_other_words_is_not_refused():
    answer = "For long storage keep the pack at 30 to 60 percent charge in a dry room between 10 and 20 °C."
    text = "Packs should be stored at a charge level of 30 to 60 percent, in a dry place at 10 to 20 °C."
    made = draft(answer, [EvidenceWords("https://a.example", 0, text, "Care")], lambda first, second: 0.0)
    assert [claim.text for claim in made.claims] == [text]
    assert made.refused == []


def test_who_says_i_is_named():
    text = "I charged it to 100 percent for two years and 91 percent is left."
    made = draft(
        "It lasts.", [EvidenceWords("https://a.example", 0, text, "A forum")], lambda first, second: 0.0
    )
    assert made.claims[0].text == f"A forum: {text}"


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (
            "The extra cost of a dryer is recovered after 5 to 7 years with four loads a week.",
            "With four loads a week the extra cost of a dryer was recovered in 5.2 to 6.8 years; with one load a week"
            " it was not recovered in 15 years.",
        ),
        (
            "Fahrradfahrer müssen in Deutschland keinen Helm tragen.",
            "Kinder unter 12 Jahren müssen in Österreich beim Radfahren einen Helm tragen.",
        ),
    ],
)
def test_another_case_or_place_contradicts_nothing(statement, text):
    evidence = [EvidenceWords("https://a.example", 0, text, "A page")]
    assert not refusal(statement, evidence, lambda first, second: 0.0).contradicted


def test_another_range_is_named_with_the_figure_of_its_source():
    text = "With four loads a week the extra price of a heat pump dryer was recovered in 5.2 to 6.8 years."
    refused = refusal(
        "A heat pump dryer pays off in two years.",
        [EvidenceWords("https://a.example", 0, text, "A page")],
        lambda first, second: 0.0,
    )
    assert refused.contradicted
    assert "“two years”" in refused.reason


@pytest.mark.parametrize(
    ("statement", "text", "reason"),
    [
        (
            "Seit dem 1. April 2021 gilt für Kinder unter 12 Jahren in Österreich eine Helmpflicht.",
            "Kinder unter 12 Jahren müssen in Österreich beim Radfahren einen Helm tragen; die Helmpflicht gilt seit"
            " dem 31. Mai 2011.",
            "Its own source says otherwise. The claim says “1. April 2021”, the source says “31. Mai 2011”.",
        ),
        (
            "The bridge over the river was opened in 1984.",
            "The bridge over the river was opened in 1948.",
            "Its own source says otherwise. The claim says “1984”, the source says “1948”.",
        ),
    ],
)
def test_another_date_of_the_same_event_contradicts(statement, text, reason):
    refused = refusal(statement, [EvidenceWords("https://a.example", 0, text)], lambda first, second: 0.0)
    assert (refused.contradicted, refused.reason) == (True, reason)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("In 2020 sales of bicycles rose in the city.", "In 2019 sales of bicycles rose in the city."),
        ("The bridge was opened in May 1984.", "The bridge over the river was opened in 1984."),
        ("The bridge over the river was opened in 1984.", "The station in the north was opened in 1948."),
    ],
)
def test_a_date_of_something_else_contradicts_nothing(statement, text):
    refused = refusal(statement, [EvidenceWords("https://a.example", 0, text)], lambda first, second: 0.0)
    assert not refused.contradicted
