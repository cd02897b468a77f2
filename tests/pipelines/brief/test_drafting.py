"""A brief drafted by rules quotes its sources: where no excerpt says a statement, their sentences take its place."""

import pytest

from citations.text.claim_words_and_stems import content_stems
from research.pipelines.brief.brief_config import BriefContext
from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.compare_text_for_brief import compare_own_text
from research.pipelines.brief.drafting.brief_prompt_edits import apply_edits
from research.pipelines.brief.drafting.draft_brief_by_rules import HANGS, draft, is_reservation, is_said_by
from research.pipelines.brief.finish_brief import own_text_notes
from research.pipelines.brief.stored_brief import PromptEdit


def alike(first: str, second: str) -> float:
    mine, theirs = content_stems(first), content_stems(second)
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))


def evidence(*pages: tuple[str, str]) -> list[EvidenceWords]:
    return [
        EvidenceWords(f"https://{place}.example", 0, text, title) for place, (title, text) in enumerate(pages)
    ]


PRICES = evidence(
    (
        "Prices",
        "For the same server managed offers cost between 2.1 and 2.9 times the price of the plain one.",
    ),
    ("Failover tests", "Managed services failed over in 35 to 58 seconds."),
)


def test_the_figure_of_a_source_takes_the_place_of_a_rounded_one():
    made = draft("Managed services cost 2 to 3 times as much as a plain server.", PRICES, alike)
    assert made.claims[0].text.endswith("between 2.1 and 2.9 times the price of the plain one.")
    assert [span.source for span in made.claims[0].spans] == ["https://0.example"]
    assert not made.refused[0].contradicted


def test_a_source_that_shares_only_words_does_not_support_a_claim():
    assert not is_said_by("Managed services cost 3 times as much.", PRICES[1].titled_text)


def test_a_reservation_that_the_answer_leaves_out_is_a_claim():
    pages = evidence(
        ("Pilot", "The number of staff leaving fell by 57 %."),
        ("Critique", "The firms had volunteered, so the results cannot be carried over to every sector."),
        ("More", "Sick days fell by 65 % in the same months."),
    )
    made = draft("Resignations fell: the number of staff leaving fell by 57 %.", pages, alike)
    assert [is_reservation(claim.text) for claim in made.claims] == [False, True, False]


def test_a_sentence_against_the_answer_does_not_lead():
    pages = evidence(
        ("Guide", "Cyclists should always wear a compulsory helmet, the authors recommend."),
        ("Laws", "After helmets became compulsory for adults, cycling trips fell by 20 %."),
    )
    answer = (
        "No, a compulsory helmet for cyclists is not recommended. Compulsory helmets lower cycling trips."
    )
    made = draft(answer, pages, alike)
    assert not made.claims[0].text.startswith("Cyclists should")


def test_a_source_that_takes_a_part_back_is_quoted_with_it():
    pages = evidence(
        ("Review", "Desks reduced sitting by 84 minutes a day. However, the evidence was of low quality."),
        ("Survey", "They were liked. Nine of ten owners would buy the desk again after a year."),
    )
    made = draft("Desks reduced sitting by about 84 minutes a day.", pages, alike)
    assert made.claims[0].text == pages[0].text
    assert made.claims[1].text == "Nine of ten owners would buy the desk again after a year."


def test_a_promise_and_words_that_point_elsewhere_are_no_claims():
    pages = evidence(
        ("Agency", "Air rooms several times a day with the windows wide open."),
        ("Shop", "With our paint the mould in your rooms is gone forever, without any airing."),
        ("Thread", "Several tenants report the same: no more mould after two winters of airing rooms."),
    )
    made = draft("Air rooms several times a day with windows wide open.", pages, alike)
    assert [claim.spans[0].source for claim in made.claims] == ["https://0.example"]


def test_a_german_article_does_not_refer_to_the_sentence_before():
    pages = evidence(("Amt", "Lüften Sie mehrmals täglich fünf bis zehn Minuten."))
    answer = (
        "Stoßlüften ist wirksamer als gekippte Fenster. Das Umweltbundesamt rät zu fünf bis zehn Minuten."
    )
    assert HANGS not in [sentence.reason for sentence in draft(answer, pages, alike).refused]


def test_one_claim_that_has_all_words_of_another_is_enough():
    pages = evidence(
        (
            "Study",
            "Shoppers rated pictures with a person hiking on a trail higher than studio shots on white.",
        )
    )
    answer = "Pictures of boots in use convince. Shoppers rated pictures with a person hiking higher than studio shots."
    assert len(draft(answer, pages, alike).claims) == 1


def test_a_reservation_in_a_later_clause_stays_with_its_claim():
    text = "Children with a television in the bedroom slept 31 minutes less per night; the study was observational."
    made = draft(
        "Children with a television in the bedroom slept 31 minutes less.", evidence(("", text)), alike
    )
    assert [claim.text for claim in made.claims] == [text]


def own_text(text: str, *sentences: str):
    claims = draft("", evidence(*(("", sentence) for sentence in sentences)), alike).claims
    return compare_own_text(claims, alike, BriefContext(content_type="text", existing_content=text))


@pytest.mark.parametrize(
    ("text", "outcome", "words"),
    [
        ("Biochar always pays off for farmers.", "wrong", ["always"]),
        ("Biochar prices exceed the yield benefit unless credits are paid to farmers.", "said", []),
        ("Biochar smells nice.", "unsaid", []),
        ("Biochar never burns.", "unsaid", ["never"]),
    ],
)
def test_a_text_is_told_where_it_goes_further_than_its_sources(text, outcome, words):
    [judged] = own_text(text, "Biochar prices exceed the yield benefit unless credits are paid to farmers.")
    assert (judged.outcome, judged.words) == (outcome, words)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Mark required fields with an asterisk.", "Never mark mandatory fields with asterisks."),
        ("Use placeholder text as the label.", "Do not use placeholder text in place of a label."),
        ("Passwords must not be pasted into the form.", "Passwords can be pasted into the form by users."),
    ],
)
def test_a_text_that_a_source_denies_is_wrong(text, source):
    [judged] = own_text(text, source)
    assert (judged.outcome, judged.denied_by) == ("wrong", source)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (
            "Keep televisions out of bedrooms.",
            "The Academy advises switching off screens and keeping them out of the bedroom.",
        ),
        (
            "Hardware-Schlüssel halten Phishing sicher ab.",
            "Sicherheitsschlüssel wehrten in der Untersuchung alle Angriffe ab.",
        ),
    ],
)
def test_what_a_source_says_in_other_words_is_shown_without_a_verdict(text, source):
    [judged] = own_text(text, source)
    assert (judged.outcome, judged.near) == ("unsaid", source)
    assert own_text_notes([judged]) == [f"Your text says “{text}” A source says: “{source}”"]


def test_a_denial_stands_where_no_source_is_near():
    [judged] = own_text("Reading aloud works.", "The Academy advises switching off screens before bedtime.")
    assert judged.near == ""


def test_an_image_has_no_text_to_compare():
    context = BriefContext(content_type="image", existing_content="a cat, always")
    assert compare_own_text([], alike, context) == []


def edit(action: str, value: str, target: str = "base_prompt") -> PromptEdit:
    return PromptEdit.model_construct(target=target, action=action, value=value)


def test_a_prompt_reads_as_its_edits_say():
    edits = [
        edit("replace", "no people → hands, flour"),
        edit("remove", "on a white background, glossy"),
        edit("add", "soft light", "style_modifier"),
        edit("add", "needles", "negative_prompt"),
    ]
    prompt = "a loaf on a white background, glossy, no people --no text --ar 3:2"
    assert apply_edits(prompt, edits).startswith("A loaf, hands, flour, soft light --no text")
    assert "needles" in apply_edits(prompt, edits)
