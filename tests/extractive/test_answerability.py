"""The library can answer a question, or it says why not."""

from dataclasses import replace

import pytest

from research.extractive.answerability import judge, list_search_terms
from research.extractive.question.parsed_question import analyse
from tests.extractive.conftest import candidate, hash_vectors


def scored(ranker, text, semantic):
    """Score a sentence as if its cosine to the question were `semantic`."""
    item = ranker.score(candidate("guide-2", text))
    return replace(item, features=replace(item.features, semantic=semantic), parts=(semantic,))


@pytest.fixture
def verdict(ranker, rank_sentences):
    return lambda text: judge(ranker(text), rank_sentences(text))


def over(ranker, text, *sentences):
    of = ranker(text)
    return judge(of, of.rank(sentences, hash_vectors))


@pytest.mark.parametrize(
    "question",
    [
        "How deep must wells be under the ACME Well Guide 2.0?",
        "What minimum depth does the Borealis Drilling Manual give?",
        "How often should pumps be inspected?",
        "How many wells does Borealis survey each year?",
        "Is a casing required in sandy soil?",
    ],
)
def test_what_the_library_says_can_be_answered(verdict, question):
    assert verdict(question).is_answerable


@pytest.mark.parametrize("asked", ["Conf'21", "Conf’21", "Conf 2021"])
@pytest.mark.parametrize("written", ["Conf'21", "Conf 2021"])
def test_a_conference_is_known_by_its_year_however_it_is_written(ranker, asked, written):
    said = candidate("paper", f"The {written} challenge compared five submissions on pump throughput.")
    assert over(ranker, f"What did the {asked} challenge compare?", said).is_answerable
    other = over(ranker, "What did the Conf'24 challenge compare?", said)
    assert not other.is_answerable


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How deep must wells be under the Zephyr Code?", "No source mentions ‘Zephyr Code’."),
        (
            "How deep must wells be under ACME Well Guide 3.0?",
            "No source about ‘ACME Well Guide’ is of or mentions ‘3.0’.",
        ),
    ],
)
def test_an_unknown_name_is_the_reason(verdict, question, reason):
    found = verdict(question)
    assert not found.is_answerable
    assert reason in found.reasons


def test_a_missing_name_is_listed_as_missing(verdict):
    assert "Zephyr Code" in verdict("How deep must wells be under the Zephyr Code?").missing


@pytest.mark.parametrize(
    "question",
    [
        "What does a pump cost in US dollars?",
        "What percentage of wells are inspected by drillers?",
        "How many drillers use pumps?",
    ],
)
def test_the_asked_kind_of_figure_must_be_there(verdict, question):
    assert not verdict(question).is_answerable


def test_the_reason_says_what_kind_of_figure_is_missing(verdict):
    (reason,) = verdict("What percentage of wells are inspected by drillers?").reasons
    assert reason.startswith("No passage gives a percentage or share for ‘")


def test_two_names_must_meet_in_one_place(ranker):
    apart = over(
        ranker,
        "What depth does Alphaville dig under Betacode?",
        candidate("blog", "Alphaville digs wells to a depth of 10 metres."),
        candidate("manual", "Betacode is a rule for the depth of wells, 12 metres at least."),
    )
    assert not apart.is_answerable
    assert apart.reasons[0] == "No source speaks of ‘Alphaville’ and ‘Betacode’ together."


def test_names_set_side_by_side_may_be_answered_in_two_places(ranker):
    both = over(
        ranker,
        "What depth do Alphaville and Betatown dig?",
        candidate("blog", "Alphaville digs to a depth of 10 metres."),
        candidate("manual", "Betatown digs to a depth of 12 metres."),
    )
    assert both.is_answerable


def test_a_sentence_about_another_thing_supports_nothing(ranker):
    found = over(
        ranker,
        "What penalty does Zephyr provide for untreated water in deep wells?",
        candidate("blog", "Zephyr is a rule."),
        candidate("manual", "Untreated water in deep wells must not be used; the penalty is closure."),
    )
    assert not found.is_answerable


def test_a_version_elsewhere_in_the_text_is_another_things(ranker):
    found = over(
        ranker,
        "What depth does Zephyr v4.0 require?",
        candidate("blog", "Zephyr 3.1 requires a depth of 10 metres, as pump standard 4.0 does."),
    )
    assert not found.is_answerable


def test_a_version_right_after_its_name_is_its_own(ranker):
    found = over(
        ranker,
        "What depth does Zephyr v4.0 require?",
        candidate("blog", "Zephyr v4.0 requires a depth of 10 metres."),
    )
    assert found.is_answerable


def test_one_part_without_an_answer_stays_open(ranker):
    found = over(
        ranker,
        "How deep are the wells of Alphaville, and when was the town founded by settlers?",
        candidate("blog", "The wells of Alphaville are 10 metres deep."),
    )
    assert found.is_answerable
    assert any("date or year" in reason for reason in found.reasons)


def test_without_sentences_nothing_is_answerable(ranker):
    found = over(ranker, "How deep is it?")
    assert not found.is_answerable
    assert found.reasons


def test_what_was_looked_for_is_said_in_the_questions_words():
    said = list_search_terms(analyse("How deep must pits be under the ACME Well Guide 2.0?"))
    assert said == ("ACME Well Guide 2.0", "deep pits", "a size or number")


def test_a_question_without_content_words_is_judged_too(verdict):
    assert not verdict("What is it?").is_answerable


def test_a_thing_is_defined_only_by_who_speaks_of_it(ranker):
    said = candidate("blog", "A pump checker is a program that holds stuff about each casing.")
    refused = over(ranker, "What is pump casing?", said)
    assert not refused.is_answerable
    assert refused.reasons[0] == "No source speaks of ‘pump casing’."
    assert over(ranker, "What is a pump checker?", said).is_answerable
    assert over(ranker, "What is the purpose of a pump checker?", said).is_answerable


def test_a_second_question_is_no_part_of_what_is_to_be_defined(ranker):
    said = candidate("guide", "A casing is a pipe that keeps a well open, and Borealis decides on its width.")
    assert over(ranker, "What is a casing and who decides on its width?", said).is_answerable


@pytest.mark.parametrize(
    ("said", "is_answer"),
    [
        ("The new casing rule will be published in March 2031.", True),
        ("The new casing rule is expected by 2031.", True),
        ("The casing rule was published in March 2021.", False),
        ("The new casing rule will be published one day.", False),
    ],
)
def test_what_will_be_is_not_answered_by_what_was(ranker, said, is_answer):
    question = "When will the new casing rule be published?"
    assert over(ranker, question, candidate("guide", said)).is_answerable == is_answer


@pytest.mark.parametrize(
    ("said", "is_answer"),
    [
        ("The Borealis casing rule was released in March 2021.", True),
        ("The Borealis casing rule follows a standard of 2021.", False),
    ],
)
def test_when_a_thing_was_released_is_not_answered_by_any_date(ranker, said, is_answer):
    question = "When was the Borealis casing rule released?"
    assert over(ranker, question, candidate("guide", said)).is_answerable == is_answer


@pytest.mark.parametrize(
    ("said", "is_answer"),
    [
        ("A Borealis pump filters the water of a well.", True),
        ("A Borealis pump is painted red.", False),
    ],
)
def test_what_a_named_thing_does_is_answered_by_who_speaks_of_that(ranker, said, is_answer):
    assert over(ranker, "Does Borealis filter water?", candidate("guide", said)).is_answerable == is_answer


@pytest.mark.parametrize(
    ("said", "is_answer"),
    [
        ("Of all pumps in the survey Borealis pumps have the most stages.", True),
        ("Most pumps in the survey of Borealis run on three phases.", False),
    ],
)
def test_who_has_the_most_is_answered_by_what_speaks_of_what_is_counted(ranker, said, is_answer):
    question = "Which pump in the Borealis survey has the most stages?"
    assert over(ranker, question, candidate("survey", said)).is_answerable == is_answer


def test_who_made_a_thing_is_answered_by_who_made_it_alone(ranker):
    named = candidate(
        "blog", "The manuals of the pump, which Ada Lovell praised in 1999, are written in verse."
    )
    assert not over(ranker, "Who wrote the manuals of the pump?", named).is_answerable
    by = candidate("blog", "The manuals of the pump were written by Ada Lovell in 1999.")
    assert over(ranker, "Who wrote the manuals of the pump?", named, by).is_answerable


def test_the_maker_of_something_else_is_not_the_maker_of_the_thing(ranker):
    other = candidate("blog", "When the valve is open, the records created by Ada Lovell are tagged.")
    assert not over(ranker, "Who created Borealis?", other).is_answerable
    own = candidate("blog", "Borealis was created by Ada Lovell in 1999.")
    assert over(ranker, "Who created Borealis?", other, own).is_answerable


def test_a_maker_is_named_in_other_words_than_the_questions(ranker):
    said = candidate("blog", "The manuals of the pump were designed and developed by Ada Lovell.")
    assert over(ranker, "Who wrote the manuals of the pump?", said).is_answerable


def test_the_heading_of_a_release_names_no_maker(ranker):
    said = candidate("blog", "A pump does not block its writer.", section="New Steel Pumps created with care")
    assert not over(ranker, "Who wrote the manuals of the pump?", said).is_answerable


def test_how_to_do_something_is_not_answered_by_what_speaks_of_the_thing_alone(ranker):
    said = candidate("survey", "Borealis pumps have three stages and a casing of steel.")
    refused = over(ranker, "How do I galvanize the casing of a Borealis pump?", said)
    assert (refused.is_answerable, refused.reasons[0]) == (False, "No source speaks of ‘galvanize’.")


def test_the_number_of_a_release_is_no_number_of_things(ranker):
    said = candidate("survey", "The stages of Borealis pumps are listed.", section="Survey 4 (May 12, 2020)")
    assert not over(ranker, "How many stages do Borealis pumps have?", said).is_answerable


def test_what_a_thing_can_do_is_answered_by_who_speaks_of_that(ranker):
    other = candidate("survey", "Borealis pumps support three phases and a manual start.")
    refused = over(ranker, "Does the Borealis pump support remote metering?", other)
    assert not refused.is_answerable
    assert refused.reasons[0] == "No passage about it mentions ‘remote metering’."
    said = candidate("survey", "Borealis pumps offer remote metering from the second edition on.")
    assert over(ranker, "Does the Borealis pump support remote metering?", other, said).is_answerable


def test_a_definition_that_no_sentence_gives_is_told_as_open(ranker):
    question = "What is a casing joint?"
    spoken = candidate("guide", "Each casing joint shall be tested before the well opens.")
    found = over(ranker, question, spoken)
    assert found.is_answerable
    assert "No source says in a sentence what ‘casing joint’ is." in found.reasons
    said = candidate("guide", "A casing joint is a sleeve that holds two pipes together.")
    assert not over(ranker, question, said).reasons


def test_a_part_that_refers_back_asks_about_what_the_part_before_it_names(ranker):
    said = candidate("handbook", "The tokens of a counter should be stored in a database.")
    found = over(ranker, "What is a diving regulator and where should it be stored?", said)
    assert not found.is_answerable


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How many inhabitants does Skarn have?", "Skarn has a population of 1 234 567."),
        ("How many people live in Skarn?", "Skarn has a population of 1 234 567."),
        ("How many employees does Skarn have?", "Skarn has a staff of 48."),
        ("What does the bridge of Skarn cost in Swiss francs?", "The bridge of Skarn costs CHF 1,250,000."),
    ],
)
def test_a_figure_may_be_given_in_another_word_for_what_is_counted(ranker, question, sentence):
    assert over(ranker, question, candidate("gazetteer", sentence)).is_answerable


def test_who_made_a_thing_may_stand_in_a_list_of_its_authors(ranker):
    said = candidate("readme", "The main authors of Skarn are Ada Lee and Bo Ash of the Borealis institute.")
    assert over(ranker, "Who created Skarn?", said).is_answerable


def test_when_a_thing_came_may_stand_in_the_heading_of_a_release(ranker):
    said = candidate("log", "Support for Borealis sensors.", section="Skarn > [1.4.0] - 2025-01-30 > Added")
    assert over(ranker, "When did Skarn get support for Borealis sensors?", said).is_answerable


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How large is the window of Skarn by default?", "The window of Skarn defaults to 30 seconds."),
        (
            "What is the default size of the list of candidates for search in Skarn?",
            "Skarn: the size of the dynamic list of candidates for search (40 by default).",
        ),
        ("What limit did Skarn set in 2020 and in 2022?", "In 2022 the limit that Skarn set was 40 wells."),
    ],
)
def test_a_size_may_be_a_time_stand_far_behind_or_be_told_of_one_of_two_years(ranker, question, sentence):
    assert over(ranker, question, candidate("gazetteer", sentence)).is_answerable


def test_a_time_is_no_length_of_a_thing_that_has_a_size(ranker):
    said = candidate("manual", "The password of Skarn is changed every 90 days.")
    assert not over(ranker, "How long should the password of Skarn be?", said).is_answerable


def test_several_sentences_near_the_question_answer_it_in_other_words(ranker):
    question = ranker("Why are big photos made smaller?")
    near = [scored(question, f"Sentence {n} is on making images smaller.", semantic=0.55) for n in range(5)]
    assert judge(question, near[:3]).is_answerable
    assert not judge(question, near[:2]).is_answerable


def test_a_price_alone_does_not_tell_how_prices_have_changed(ranker):
    question = ranker("How has the price of batteries changed over the last five years?")
    priced = [scored(question, "A battery costs $1,267, the price of batteries.", semantic=0.6)]
    assert not judge(question, priced).is_answerable
    told = [scored(question, "The price of batteries fell from $900 in 2021 to $400.", semantic=0.6)]
    assert judge(question, told).is_answerable


@pytest.mark.parametrize(
    ("matter", "is_told"), [("casings", True), ("casings and depth", True), ("earthquakes", False)]
)
def test_a_source_is_not_quoted_on_what_it_does_not_speak_of(ranker, matter, is_told):
    said = [
        candidate("manual", "Borealis requires casings in sandy soil."),
        candidate("manual", "Borealis requires a depth of 25 metres."),
    ]
    found = over(ranker, f"What does Borealis say about {matter}?", *said)
    assert found.is_answerable is is_told


@pytest.mark.parametrize(
    ("question", "said", "is_answer"),
    [
        ("Should I use plastic casings?", "Plastic casings are sold in lengths of three metres.", False),
        ("Should I use plastic casings?", "Plastic casings should not be used below thirty metres.", True),
        ("Should I use plastic casings?", "Your best bet below thirty metres is plastic casings.", True),
        ("Should I use plastic casings?", "Plastic casings are well suited to soft ground.", True),
        ("Are plastic casings safe?", "Plastic casings are made of three layers of polyethylene.", False),
        ("Are plastic casings safe?", "Plastic casings are vulnerable to frost.", True),
        ("Is it ok to use plastic casings?", "Plastic casings come with the starter kit.", False),
        (
            "Are plastic casings made of polyethylene?",
            "Plastic casings are made of three layers of polyethylene.",
            True,
        ),
    ],
)
def test_advice_and_judgements_are_not_answered_by_descriptions(ranker, question, said, is_answer):
    found = over(ranker, question, candidate("guide-2", said))
    assert found.is_answerable is is_answer
    assert is_answer or found.reasons[0] == "The passages on it give neither advice nor a judgement."
