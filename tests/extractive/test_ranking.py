"""Sentences in the order in which they answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.expected_answer_kinds import AnswerKind
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_cues import says_what_it_is
from research.extractive.sentence_ranking import (
    WEIGHTS,
    Ranker,
    RankingFeatures,
    _get_heading,
    answer_fit,
    in_context,
    total,
    weights_of,
)
from research.extractive.short_forms import find_short_forms
from research.extractive.term_rarity import Rarity
from research.extractive.terms import forms
from research.parsing.parsed_table_rows import NamedRow
from tests.extractive.conftest import candidate, hash_vectors


def best(found):
    return found[0].candidate.text


def test_the_named_edition_answers(rank_sentences):
    assert (
        best(rank_sentences("How deep must wells be under the ACME Well Guide 2.0?"))
        == "Wells shall be at least 30 metres deep."
    )


def test_the_named_author_answers(rank_sentences):
    assert best(rank_sentences("What minimum depth does the Borealis manual give?")).startswith(
        "The minimum depth of a well"
    )


def test_a_figure_comes_before_a_sentence_without(rank_sentences):
    assert (
        best(rank_sentences("How often should pumps be inspected?"))
        == "Pumps should be inspected every 12 months."
    )


@pytest.mark.parametrize("text", ["Is a deep well worth it?", "Copyright 2020 by wells.", "Wells"])
def test_a_question_boilerplate_and_a_fragment_are_set_back(ranker, text):
    assert ranker("Are deep wells worth it?").score(candidate("blog", text)).features.form > 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Assume your well runs dry in summer.",
        "On my farm the well is 30 metres deep.",
        "A user reports that old wells run dry.",
        "Example: You own a well and measure how deep it is.",
        "Contributions to the survey of wells are always welcome!",
    ],
)
def test_a_scenario_an_anecdote_and_an_appeal_are_set_back(ranker, text):
    assert ranker("How deep are wells?").score(candidate("blog", text)).features.form > 0.0


@pytest.mark.parametrize("text", ["The colour of a well is grey.", "The color of a well is gray."])
@pytest.mark.parametrize("question", ["Which colour are wells?", "Which color are wells?"])
def test_british_and_american_spellings_are_the_same_word(ranker, question, text):
    of = ranker(question)
    same, none = of.score(candidate("blog", text)), of.score(candidate("blog", "The rim of a well is cold."))
    assert same.features.own_coverage > none.features.own_coverage


@pytest.mark.parametrize(
    ("question", "is_set_back"), [("How deep are wells?", True), ("Are wells still allowed?", False)]
)
def test_what_is_deprecated_is_set_back_unless_it_is_asked_for(ranker, question, is_set_back):
    item = candidate("blog", "Wells below 20 metres are deprecated.")
    assert (ranker(question).score(item).features.form > 0.0) == is_set_back


def test_who_says_how_something_is_not_done_gives_no_step(ranker):
    of = ranker("How do I close a well?")
    denied = of.score(candidate("blog", "You can ensure that some wells are never closed."))
    done = of.score(candidate("blog", "You can close a well with a lid."))
    assert denied.features.cue == 0.0 < done.features.cue


def test_a_letter_that_is_a_name_is_no_anecdote(ranker):
    item = candidate("blog", "Wells of type I or II are 30 metres deep.")
    assert ranker("How deep are wells?").score(item).features.form == 0.0


def test_a_sentence_need_not_repeat_what_its_document_is_about(ranker):
    of = ranker("What does the Borealis manual forbid drillers?")
    plain = of.score(candidate("manual", "Drillers must not use untreated water."))
    repeating = of.score(
        candidate("manual", "Borealis drillers must not use water, says the Borealis manual.")
    )
    assert plain.features.own_coverage == repeating.features.own_coverage


def test_the_heading_lends_its_words(ranker):
    of = ranker("What casing is required in sandy soil?")
    alone = of.score(candidate("guide-2", "Use steel of 5 mm."))
    under = of.score(candidate("guide-2", "Use steel of 5 mm.", section="Guide > Casing in sandy soil"))
    assert under.features.coverage > alone.features.coverage


def test_a_question_right_before_a_sentence_is_its_heading():
    item = candidate("blog", "Very deep.", section="Notes", before="How deep should a well be?")
    assert _get_heading(item) == "How deep should a well be?"


def test_a_verdict_opens_with_yes_or_no_if_that_is_asked(ranker):
    verdict = candidate("blog", "Yes, wells last for decades.")
    assert ranker("Do wells last long?").score(verdict).features.verdict == 1.0
    assert ranker("How long do wells last?").score(verdict).features.verdict == 0.0


def test_a_verdict_on_another_question_is_set_back(ranker):
    found = [
        candidate("blog", "Yes, they nearly always do.", number, section=f"Questions > {question}")
        for number, question in enumerate(("Do pumps need power?", "Do wells last long?"))
    ]
    first, second = ranker("Do wells last long?").rank(found, hash_vectors)
    assert first.candidate.heading == "Do wells last long?"
    assert first.features.verdict == 1.0
    assert second.features.verdict == -1.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much water does a pump need?", "The amount of water a pump uses depends on its age."),
        ("How many wells may a farm have?", "There is no limit on the number of wells."),
        ("How many wells may a farm have?", "A farm may have as many wells as it likes."),
        ("How many pumps are in use?", "Hundreds of thousands of pumps are in use."),
    ],
)
def test_an_amount_may_be_given_in_words(ranker, question, text):
    assert ranker(question).score(candidate("blog", text)).features.answer == 1.0


def test_the_release_that_began_it_tells_since_when(ranker):
    of = ranker("When did the pump get a second valve?")
    assert (
        of.score(candidate("blog", "The pump has a second valve since version 2.2.")).features.answer == 1.0
    )
    assert of.score(candidate("blog", "The pump has a second valve.")).features.answer < 0.5


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ('The term "dry well" (or sometimes "soakaway well") is used to describe a pit for rainwater.', 1.0),
        ("The concept of dry wells is a pit that lets rainwater drain.", 1.0),
        ("The symbol for dry wells is a circle with a bar.", 0.0),
        ("A dry well aims to be a simple way to let rainwater drain.", 1.0),
        ("The kit includes a dry well, a simple pit for rainwater.", 0.7),
        ("Unlike a dry well, a pond of this size needs care.", 0.0),
        ("Dry Well Plugin: This plugin draws pits.", 0.0),
        ("Dry Well Plugin: This plugin computes the depth of pits.", 0.9),
    ],
)
def test_a_definition_is_about_the_thing_itself(text, worth):
    assert says_what_it_is(text, "dry well") == worth


def test_a_member_of_a_module_is_not_the_module():
    assert says_what_it_is("pumplib.valves -- a list of all valves.", "pumplib") == 0.0
    assert says_what_it_is("pumplib.valves.brass is a valve of brass.", "pumplib") == 0.0
    assert says_what_it_is("pumplib.js is a library for pumps.", "pumplib") == 1.0
    assert says_what_it_is("Pumplib is a library for pumps.", "pumplib") == 1.0


def test_the_lead_in_lends_its_words(ranker):
    of = ranker("What casing is required in sandy soil?")
    item = of.score(
        candidate("guide-2", "steel, 5 mm", kind="list", lead_in="In sandy soil the casing is one of:")
    )
    assert item.credits["sandi"] > 0


def test_the_other_edition_is_set_back(ranker):
    of = ranker("How deep must wells be under the ACME Well Guide 2.0?")
    assert (
        of.score(candidate("guide-1", "Wells shall be at least 20 metres deep.")).features.other_version
        == 1.0
    )


def test_a_section_of_the_asked_version_redeems_its_document(ranker):
    of = ranker("How deep must wells be under the ACME Well Guide 2.0?")
    inside = candidate("guide-1", "Wells shall be at least 30 metres deep.", section="Changes in 2.0")
    assert of.score(inside).features.other_version == 0.0


def test_code_is_set_back_unless_it_holds_the_figure(ranker):
    of = ranker("How many wells does the survey count?")
    assert of.score(candidate("blog", "from survey import wells", kind="code")).features.form > 0
    assert of.score(candidate("blog", "survey_wells = 400", kind="code")).features.form == 0


def test_a_table_row_answers_with_the_unit_in_its_head(ranker):
    of = ranker("What throughput do pumps have?")
    row = candidate("blog", "P7 | 400.5", kind="table", lead_in="Pump | Throughput (l/s)")
    assert of.score(row).features.answer == 0.8


def test_a_row_of_another_thing_gives_no_figure_of_the_asked_one(ranker):
    of = ranker("How much water does a household need?")
    scores = {
        name: of.score(
            candidate(
                "blog",
                f"| {name} | 30 litres |",
                kind="table",
                section="Water and bread",
                row=NamedRow(name, (("A day", "30 litres"),)),
            )
        ).features.answer
        for name in ("Water", "Bread")
    }
    assert scores["Water"] > scores["Bread"]


def test_no_more_sentences_are_embedded_than_allowed(ranker, candidates):
    embedded = []

    def embed(texts):
        embedded.extend(texts)
        return hash_vectors(texts)

    found = ranker("How deep is a well?").rank(candidates, embed, limit=3)
    assert len(found) == 3
    assert len(embedded) == 5  # the question too, and the one heading


def test_nothing_is_embedded_without_candidates(ranker):
    assert ranker("How deep is a well?").rank([], lambda texts: 1 / 0) == []


def test_a_short_sentence_is_embedded_with_its_heading():
    assert in_context(candidate("x", "At least 8.", section="A > Depth")) == "Depth. At least 8"


def test_the_score_is_the_weighted_sum_of_its_features(rank_sentences):
    question = "How deep is a well?"
    weights = weights_of(analyse(question))
    assert all(item.score == total(item.features, weights) for item in rank_sentences(question))


def test_every_feature_has_a_weight():
    of_forms = (WEIGHTS, weights_of(analyse("What is a well?")))
    assert all(any(getattr(weights, name) for weights in of_forms) for name in RankingFeatures.__slots__)


def test_a_definition_that_says_more_than_the_kind_leads():
    ranker = Ranker.of(analyse("What is a well?"), Cards(()), Rarity(10, {}))
    short, long = (
        Candidate("x", 0, len(text), text)
        for text in (
            "A well is a hole.",
            "A well is a hole in the ground that is dug or drilled to reach the water below it.",
        )
    )
    assert ranker.score(long).score > ranker.score(short).score


@given(st.text(min_size=1, max_size=200), st.text(max_size=100))
def test_features_stay_within_their_range(text, asked):
    ranker = Ranker.of(analyse(asked), Cards(()), Rarity(10, {}))
    features = ranker.score(Candidate("x", 0, len(text), text)).features
    assert all(-1e-9 <= getattr(features, name) <= 1 + 1e-9 for name in RankingFeatures.__slots__)


def test_the_order_does_not_depend_on_the_order_of_the_candidates(ranker, candidates):
    of = ranker("How deep is a well?")
    one = of.rank(candidates, hash_vectors)
    other = of.rank(candidates[::-1], hash_vectors)
    assert [item.candidate.key for item in one] == [item.candidate.key for item in other]


def test_a_measure_of_the_thing_asked_for_comes_first(ranker):
    of = ranker("How long should a casing bolt be?")
    own = of.score(candidate("guide-2", "A bolt shall be at least 90 mm long."))
    other = of.score(candidate("guide-2", "A casing shall be at least 30 metres long."))
    assert own.features.answer > other.features.answer


def test_a_time_is_no_number_of_things(ranker):
    of = ranker("How many tries should be allowed?")
    own = of.score(candidate("guide-2", "Stop after five tries."))
    other = of.score(candidate("guide-2", "The first of these tries lasts ten minutes."))
    assert own.features.answer > other.features.answer


def test_a_count_stands_right_before_what_is_counted(ranker):
    of = ranker("How many spare seconds have there been?")
    own = of.score(candidate("guide-2", "There have been only 27 spare seconds."))
    other = of.score(candidate("guide-2", "Spare seconds are inserted after line 59."))
    assert own.features.answer > other.features.answer


@pytest.mark.parametrize(
    "text",
    [
        "pump_depth(well, casing): Converts the depth of a pump in a well.",
        "pump.depth(well: Well, casing?: Casing) Converts the depth of a pump in a well.",
        "Depth Step: Used by the pump, this parameter is the number of steps in a well.",
    ],
)
def test_an_entry_of_a_reference_is_set_back_unless_it_is_asked_for(ranker, text):
    entry = candidate("guide-2", text)
    assert ranker("How does a pump reach the depth of a well?").score(entry).features.setting == 1
    assert ranker("Which parameters does the function pump_depth have?").score(entry).features.setting == 0


def test_a_readme_with_a_changelog_has_more_than_changes():
    cards = Cards(
        [DocumentCard("readme", "Pump 5.0: readme and changelog"), DocumentCard("log", "Pump 5.0: changelog")]
    )
    of = Ranker.of(analyse("Is a pump safe to use?"), cards, Rarity(2, {}))
    text = "A pump remains an acceptable choice for a well."
    assert of.score(candidate("readme", text, section="Alternatives")).features.release_note == 0
    assert of.score(candidate("readme", text, section="Changelog > 5.0.0")).features.release_note == 1
    assert of.score(candidate("log", text, section="Alternatives")).features.release_note == 1


def test_a_release_that_is_called_one_is_asked_for_without_the_name_of_its_software():
    cards = Cards(
        [DocumentCard("new", "Pump 5.2 release notes"), DocumentCard("old", "Pump 4.2 release notes")]
    )
    of = Ranker.of(
        analyse("What has changed in the valves or the filter in version 5.2?"), cards, Rarity(2, {})
    )
    own = of.score(candidate("new", "The filter is now new.", section="Pump 5.2 release notes > Filter"))
    other = of.score(candidate("old", "The filter is now new.", section="Pump 4.2 release notes > Filter"))
    assert own.features.other_version == 0
    assert other.features.other_version == 1


def test_a_reason_is_worded_as_one(ranker):
    of = ranker("Why should casings be sealed?")
    told = of.score(candidate("guide-2", "Casings are sealed so that no water of the surface enters."))
    bare = of.score(candidate("guide-2", "Casings come in four widths."))
    assert told.features.cue > bare.features.cue


def test_an_adverb_is_found_by_its_adjective(ranker):
    of = ranker("Should wells be drilled slowly?")
    assert of.score(candidate("guide-2", "Use slow drills.")).credits["slowli"] > 0


@pytest.mark.parametrize(
    ("question", "is_setting_first"),
    [
        ("Should pumps be inspected every year?", False),
        ("Which setting says that pumps are inspected every year?", True),
    ],
)
def test_what_a_setting_does_comes_first_only_where_settings_are_asked_for(
    ranker, question, is_setting_first
):
    setting = candidate(
        "manual",
        "If set to True, pumps should be inspected every year.",
        section="Settings > PUMP_INSPECTION",
    )
    advice = candidate("manual", "Pumps that run in sand should be inspected every year.", section="Upkeep")
    first = ranker(question).rank([setting, advice], hash_vectors)[0].candidate
    assert (first is setting) == is_setting_first


def test_what_another_work_says_too_is_borne_out_and_an_edition_of_the_same_work_is_not(ranker):
    text = "Pumps that run in sand should be inspected every year."

    def agreement(*documents):
        ranked = ranker("How often should pumps be inspected?").rank(
            [candidate(document, text) for document in documents], hash_vectors
        )
        return {item.features.agreement for item in ranked}

    assert agreement("manual", "blog") == {0.25}
    assert agreement("manual", "manual") == {0.0}


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("TOTP codes are derived from a secret and the time.", "Methods > TOTP"),
        ("A function used to hash passwords is slow by design.", "Storage"),
        ("List comprehensions with conditions are read from left to right.", "Syntax"),
    ],
)
def test_a_statement_on_the_matter_itself_is_no_description_of_a_setting(ranker, text, section):
    scored = ranker("How does it work?").score(candidate("manual", text, section=section))
    assert scored.features.setting == 0.0


def test_things_that_share_a_word_are_not_contrasted_by_listing_them(ranker):
    of = ranker("What is the difference between outer casings and inner casings?")
    listed = of.score(candidate("guide-2", "Fill in the depth of outer casings, inner casings, and bolts."))
    contrasted = of.score(candidate("guide-2", "Outer casings are wider than inner casings."))
    assert contrasted.features.cue > 0.6 > listed.features.cue


def test_a_hyphenated_word_is_found_in_two(ranker):
    of = ranker("What is a well-head pump?")
    found = of.score(candidate("guide-2", "A well head pump lifts water."))
    assert found.credits["well-head"] == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("reconcile", "reconciliation"),
        ("verification", "verify"),
        ("maintain", "maintenance"),
        ("erosion", "erode"),
    ],
)
def test_a_verb_is_found_by_its_noun(ranker, asked, said):
    [term] = [term for term in analyse(f"Who should {asked} pumps?").terms if term.surface == asked]
    assert set(forms(said)) & {term.form, *term.alternatives}


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("What is a DPW?", "The Deep Pump of Wells, Shafts and Mines (DPW) is a machine that lifts water."),
        ("What is a DPW?", "DPW (deep pump of wells) is a machine that lifts water."),
        (
            "What does it mean to reconcile a well?",
            "Reconciliation is a comparison of its depth with the plan.",
        ),
    ],
)
def test_a_definition_may_begin_with_the_full_name_or_the_noun(ranker, asked, text):
    assert ranker(asked).score(candidate("guide-2", text)).features.cue == 1


@pytest.mark.parametrize(
    ("asked", "explained"),
    [
        ("What is a deep pump?", "Each deep pump (DP) has a handle."),
        ("What is a DP?", "Each deep pump (DP) has a handle."),
        ("What is a deep pump handle?", "Handles are red."),  # initials need no explanation
    ],
)
def test_a_short_form_stands_for_the_name_in_the_question(ranker, asked, explained):
    name = "DPH" if "handle" in asked else "deep pump" if "DP" in asked else "DP"
    sentences = [
        candidate("guide-2", explained),
        candidate("guide-2", f"A {name} is a machine that lifts water.", 100),
    ]
    best = ranker(asked).rank(sentences, hash_vectors)[0]
    assert best.candidate.start == 100
    assert best.features.cue == 1
    assert best.features.own_coverage == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Predicted Mean Vote (PMV) is an index.", {"PMV": "Predicted Mean Vote"}),
        ("A numerical weather prediction (NWP) model", {"NWP": "numerical weather prediction"}),
        ("It lasts an hour (UTC).", {}),
        ("the heart rate (see below)", {}),
        ("Call the pump (P) or the well (W).", {}),
    ],
)
def test_short_forms_are_those_whose_letters_stand_before_the_brackets(text, found):
    assert find_short_forms([text]) == found


@pytest.mark.parametrize(
    "text",
    [
        "The pump of the well can be turned off by setting pump_speed=0.",
        "The depth of the well is given to the well_depth keyword of the pump.",
    ],
)
def test_how_to_set_a_program_describes_a_setting(ranker, text):
    asked = ranker("How does a pump reach the depth of a well?")
    assert asked.score(candidate("guide-2", text)).features.setting == 1.0


def test_what_stands_after_a_default_describes_a_setting(ranker):
    told = candidate("manual", "Pumps that run in sand stop after an hour.", before="Default: 60")
    bare = candidate("manual", "Pumps that run in sand stop after an hour.")
    of = ranker("Why do pumps stop?")
    assert (of.score(told).features.setting, of.score(bare).features.setting) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("text", "fit"),
    [
        ("A log must be at most 50 cm long.", 1.0),
        ("The maximum length is 50 cm.", 0.6),
        ("The flue is at most 50 cm wide.", 0.4),
    ],
)
def test_a_measure_without_its_thing_answers_less_and_another_measure_least(text, fit):
    asked = "What is the maximum length of a log?"
    assert answer_fit(AnswerKind.LENGTH, candidate("guide", text), asked) == pytest.approx(fit)
