"""The shape that an answer takes, by what is asked."""

from dataclasses import replace

import pytest

from research.extractive.answer_comparisons import COMPARED, aspect_of
from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.answer_sections import format_heading, name_subject
from research.extractive.answer_timelines import OVER_TIME, asks_for_all_changes, find_dated_documents
from research.extractive.compose_answer import STEPS, compose
from research.extractive.question.adapt_question_to_library import with_names
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_cues import cue_of, find_subject
from research.extractive.sentence_ranking import Ranker, RankingFeatures, ScoredCandidate
from research.extractive.term_rarity import Rarity
from research.parsing.parsed_document import BlockKind
from tests.extractive.conftest import candidate, hash_vectors
from tests.extractive.test_candidates import Page

CARDS = Cards(
    [
        DocumentCard("rules-1", "Boiler Rules 1.0", "Institute", "2015-03", path="boiler-rules-1.0.pdf"),
        DocumentCard("rules-2", "Boiler Rules 2.0", "Institute", "2021-06", path="boiler-rules-2.0.pdf"),
        DocumentCard("guide", "Heating at home", "Agency", "2022"),
        DocumentCard("blog", "Notes on stoves", "", ""),
    ]
)


def compose_answer(text, candidates, limit=40):
    question = analyse(text)
    ranked = Ranker.of(question, CARDS, Rarity(len(candidates), {})).rank(candidates, hash_vectors)
    return compose(question, ranked, CARDS, limit)


def list_sentences(section):
    return [claim.best.candidate.shown for claim in section.all_statements]


def test_what_each_thing_is_and_what_sets_them_apart_comes_first():
    sections = compose_answer(
        "What is the difference between a boiler and a stove?",
        [
            candidate("guide", "A boiler is a device that heats water for radiators."),
            candidate("blog", "A stove is a device that heats the room it stands in.", 100),
            candidate("guide", "Unlike a stove, a boiler heats every room of a house.", 200),
            candidate("guide", "Insurers ask for a boiler and a stove to be inspected.", 300),
        ],
    )
    assert sections[0].is_short
    assert set(list_sentences(sections[0])) == {
        "Unlike a stove, a boiler heats every room of a house.",
        "A boiler is a device that heats water for radiators.",
        "A stove is a device that heats the room it stands in.",
    }


def test_what_a_thing_is_comes_before_how_it_differs_if_both_are_asked():
    sections = compose_answer(
        "What is a boiler and how is it different from a stove?",
        [
            candidate("guide", "Unlike a stove, a boiler heats every room of a house, unlike a stove."),
            candidate("guide", "A boiler is a device that heats water for radiators.", 100),
        ],
    )
    assert list_sentences(sections[0])[0] == "A boiler is a device that heats water for radiators."


def test_how_a_thing_does_something_stands_below_a_heading_on_its_algorithm():
    question = analyse("How does a boiler choose its flame?")
    found = candidate("guide", "Each burner is weighed and ranked.", section="Guide > Algorithm overview")
    assert cue_of(question, found) == 1.0


def test_below_a_heading_on_one_thing_a_sentence_contrasts_it_with_the_other():
    sections = compose_answer(
        "Boiler or stove: what are the differences?",
        [
            candidate("guide", "A house is warm much sooner than with a stove.", section="Boilers"),
            candidate("guide", "A boiler and a stove both burn wood.", 100),
        ],
    )
    assert "A house is warm much sooner than with a stove." in list_sentences(sections[0])


def test_two_editions_are_a_table_of_what_both_rule_on():
    sections = compose_answer(
        "How does Boiler Rules 1.0 compare with Boiler Rules 2.0 on inspection?",
        [
            candidate("rules-1", "Inspection of the flue pipe is due every 12 months."),
            candidate("rules-2", "Inspection of the flue pipe is due every 24 months."),
            candidate("rules-1", "Inspection of burner parts needs two persons present.", 100),
            candidate("rules-2", "Inspection of burner parts needs one person present.", 100),
        ],
    )
    short, table = sections
    assert (short.is_short, table.heading) == (True, COMPARED)
    assert table.columns == ("Boiler Rules 1.0", "Boiler Rules 2.0")
    assert all(cell for row in table.rows for cell in row.cells)
    assert list_sentences(short) == list_sentences(table)[:2]


@pytest.mark.parametrize(
    ("mine", "theirs", "label"),
    [
        (
            "Users can view the masked password once.",
            "Let users view the masked password.",
            "view the masked password",
        ),
        (
            "Rotation on a schedule is out.",
            "No schedule of any kind asks for rotation.",
            "rotation, schedule",
        ),
        ("Users can log in.", "Doors are red.", ""),
    ],
)
def test_an_aspect_is_named_by_what_both_say(mine, theirs, label):
    assert aspect_of(mine, theirs, analyse("How do doors compare with windows?")) == label


def test_steps_are_instructions_of_one_source_in_its_order():
    steps = [
        "Close the valve of the boiler.",
        "Drain the boiler into a bucket.",
        "Remove the cover of the boiler.",
    ]
    sections = compose_answer(
        "How do I clean a boiler?",
        [candidate("guide", text, 100 * place, section="Clean a boiler") for place, text in enumerate(steps)]
        + [candidate("blog", "A boiler that is clean needs less gas than one that is not.")],
    )
    found = next(section for section in sections if section.heading == STEPS)
    in_order = [text for text in steps if text in list_sentences(found)]
    assert list_sentences(found) == in_order
    assert len(in_order) >= 2


def test_advice_alone_is_no_list_of_steps():
    sections = compose_answer(
        "How do I clean a boiler?",
        [
            candidate("guide", f"A clean boiler should be looked after in {month}.", 100 * place)
            for place, month in enumerate(("May", "June", "July", "August"))
        ],
    )
    assert STEPS not in [section.heading for section in sections]


def test_a_list_is_the_one_that_is_introduced_as_what_is_asked_for():
    lead = "The boilers that we sell are:"
    text = lead + " Lumen 9 of Borealis Heating"
    fuels = ("Oak logs, dried for boilers", "Pellets of pine for boilers", "Heating oil for boilers")
    sections = compose_answer(
        "List all boilers that are sold.",
        [
            candidate(
                "guide", name, 100 * place, kind="list", lead_in=lead, lead=(0, len(lead)), lead_text=lead
            )
            for place, name in enumerate(("Lumen 9 of Borealis", "Norfell 12 of Acme", "Cask 3 of Acme"))
        ]
        + [
            candidate("blog", name, 100 * place, kind="list", lead_in="Fuels for them:", section="Fuel")
            for place, name in enumerate(fuels)
        ],
    )
    assert text.startswith(lead)
    assert [shown.rpartition(": ")[2][:5] for shown in list_sentences(sections[0])] == [
        "Lumen",
        "Norfe",
        "Cask ",
    ]


def test_changes_stand_in_the_order_of_time():
    sections = compose_answer(
        "How has the inspection interval of Boiler Rules changed?",
        [
            candidate(
                "rules-2",
                "The inspection interval was raised from 12 to 24 months.",
                section="What's new in Boiler Rules 2.0",
            ),
            candidate("rules-1", "The inspection interval was lowered from 18 to 12 months."),
        ],
    )
    [table] = sections
    assert (table.is_short, table.heading) == (True, OVER_TIME)
    assert [row.label for row in table.rows] == ["Boiler Rules 1.0", "Boiler Rules 2.0"]
    assert [row.date for row in table.rows] == ["2015-03", "2021-06"]


def test_a_change_of_something_else_is_no_row():
    (table,) = compose_answer(
        "How has the inspection interval of boilers changed?",
        [
            candidate("rules-1", "Since 2015 boilers have an inspection interval of 12 months."),
            candidate("rules-2", "Since 2021 boilers have an inspection interval of 24 months."),
            candidate(
                "rules-2",
                "The fee was raised from 50 to 80 euros and changed its name.",
                200,
                section="Inspection interval of boilers",
            ),
        ],
    )
    assert list_sentences(table) == [
        "Since 2015 boilers have an inspection interval of 12 months.",
        "Since 2021 boilers have an inspection interval of 24 months.",
    ]


def test_a_part_is_answered_by_what_holds_what_it_asks_for():
    sections = compose_answer(
        "Who invented the boiler and when was it sold first?",
        [
            candidate("guide", "The boiler was invented by Ada Norfell in her workshop."),
            candidate("guide", "The boiler was first sold in 1931 at a fair.", 100),
            candidate("guide", "The boiler was invented and sold for reasons of comfort.", 200),
        ],
    )
    assert {"The boiler was invented by Ada Norfell in her workshop.",
            "The boiler was first sold in 1931 at a fair."} <= set(list_sentences(sections[0]))  # fmt: skip


def test_a_part_that_asks_for_a_definition_is_led_by_it():
    sections = compose_answer(
        "What is a damper and how is it cleaned?",
        [
            candidate("guide", "The damper of the flue of a boiler is cleaned with a damper brush."),
            candidate("guide", "A damper is a plate that narrows the flue.", 100),
            candidate("guide", "What the damper of a boiler is made of depends on the damper maker.", 200),
        ],
    )
    assert list_sentences(sections[0])[0] == "A damper is a plate that narrows the flue."


def test_what_a_letter_names_is_not_told_of_another_letter():
    sections = compose_answer(
        "What is damper B?",
        [
            candidate("guide", "Damper A is a plate that narrows the flue."),
            candidate("guide", "Damper B encompasses the two valves of the boiler.", 100),
        ],
    )
    assert list_sentences(sections[0])[0] == "Damper B encompasses the two valves of the boiler."


def test_a_sentence_that_names_them_all_answers_a_request_for_a_list():
    question = analyse("List the methods used to clean a boiler.")
    cues = [
        cue_of(question, candidate("guide", sentence))
        for sentence in (
            "Cleaning methods include brushing, flushing with acid, and blowing steam.",
            "A boiler is cleaned once a year.",
        )
    ]
    assert cues == [1.0, 0.0]


def test_a_part_that_asks_who_is_answered_by_a_maker_or_not_at_all():
    sections = compose_answer(
        "Who designed the damper and when was the damper sold first?",
        [
            candidate("guide", "The damper was first sold in 1931 at a fair."),
            candidate("guide", "The designed damper is better than the others.", 100),
        ],
    )
    assert [one for section in sections for one in list_sentences(section)] == [
        "The damper was first sold in 1931 at a fair."
    ]


def test_who_made_something_is_answered_by_a_maker_if_any_source_names_one():
    sections = compose_answer(
        "Who invented the damper?",
        [
            candidate("guide", "The damper is the part of a boiler that was improved most often."),
            candidate("guide", "The damper was invented by Ada Lee.", 100),
        ],
    )
    assert [list_sentences(section) for section in sections] == [["The damper was invented by Ada Lee."]]


def test_an_answer_without_any_maker_still_says_what_there_is():
    texts = [
        candidate("guide", "The damper is narrow."),
        candidate("guide", "The stove is hot and big.", 100),
    ]
    sections = compose_answer("Who designed the damper and who built the stove?", texts)
    assert sections[0].all_statements


def test_the_words_of_one_part_decide_what_answers_it():
    sections = compose_answer(
        "How much coal does a boiler need, and how can I make the flue narrower?",
        [
            candidate("guide", "A boiler in a house is made of 2 plates."),
            candidate("guide", "A boiler needs 3 tons of coal each year.", 100),
            candidate("guide", "A narrower flue is made by a damper.", 200),
        ],
    )
    assert list_sentences(sections[0])[0] == "A boiler needs 3 tons of coal each year."
    assert "A narrower flue is made by a damper." in list_sentences(sections[0])


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What is a damper and how does it work?", "How does a damper work"),
        ("What are the dampers and are they safe?", "Are the dampers safe"),
        ("How does ACME Flue 2.0 work and who sells it?", "Who sells ACME Flue 2.0"),
        ("How much does an ACME boiler need, and how can I turn it off?", "How can I turn ACME off"),
        ("How is it made and who sells it?", "Who sells it"),
    ],
)
def test_a_heading_names_what_a_part_asks_about(question, heading):
    parsed = analyse(question)
    assert format_heading(name_subject(parsed.parts[1], find_subject(parsed))) == heading


def test_no_more_is_said_than_there_is_room_for():
    found = [candidate("guide", f"A boiler is a device of kind {n} for heat.", 100 * n) for n in range(8)]
    assert (
        sum(len(section.all_statements) for section in compose_answer("What is a boiler?", found, limit=3))
        <= 3
    )


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("A damper is a plate that narrows the flue.", 1.0),
        ("Dampers are used to narrow the flue.", 1.0),
        ("The house has a damper, which narrows the flue.", 0.7),
        ("A plate known as a damper narrows the flue.", 0.7),
        ("damper -- a plate that narrows the flue.", 0.9),
        ("A damper plate divides the flue in two.", 0.6),
        ("The maker of a damper divides it in two.", 0.0),
        ("A damper lets the owner narrow the flue.", 0.6),
        ("A damper is essential for the flue.", 0.0),
        ("flue.damper_plate is a plate of steel.", 0.0),
        ("Improved the damper of the chimney.", 0.0),
        ("The chimney is swept each May.", 0.0),
    ],
)
def test_what_says_what_a_thing_is_is_worded_as_a_definition(text, cue):
    assert cue_of(analyse("What is a damper in a chimney?"), candidate("guide", text)) == cue


def test_what_one_has_to_do_is_no_capability():
    question = analyse("Do owners have to clean the damper?")
    assert cue_of(question, candidate("guide", "Owners should clean the damper.")) == 1.0


@pytest.mark.parametrize(
    ("question", "is_shown"),
    [
        ("What is the default flueWidth in the stove struct?", True),
        ("Why is flueWidth of the stove struct so small?", False),
    ],
)
def test_code_answers_only_if_its_value_is_asked_for(question, is_shown):
    sections = compose_answer(
        question,
        [
            candidate("guide", "int flueWidth = 40", section="Stove struct"),
            candidate("guide", "The flueWidth is small because the stove is.", 100),
        ],
    )
    shown = [text for section in sections for text in list_sentences(section)]
    assert ("int flueWidth = 40" in shown) is is_shown


def test_who_takes_no_side_holds_no_position():
    sections = compose_answer(
        "Is it safe to dry wood on a stove?",
        [
            candidate("guide", "Wood should never be dried on a stove; it is unsafe."),
            candidate("blog", "To dry wood on a stove is safe and recommended.", 100),
            candidate("blog", "Wood on a stove dries within a day or so.", 200),
        ],
    )
    sides = [section for section in sections if section.heading in ("In favour", "Against", "It depends")]
    assert len({section.level for section in sections if not section.is_short}) <= 1
    assert "Wood on a stove dries within a day or so." not in [
        text for side in sides for text in list_sentences(side)
    ]


def test_advice_on_something_else_is_no_position():
    sections = compose_answer(
        "Should wood be dried on a stove?",
        [
            candidate("guide", "Wood should never be dried on a stove; it is unsafe."),
            candidate("blog", "Wood should be dried on a stove; that is recommended.", 100),
            candidate("blog", "A chimney should be swept every year, which is recommended.", 200),
        ],
    )
    assert "A chimney should be swept every year, which is recommended." not in [
        text
        for section in sections
        if section.heading in ("In favour", "Against", "It depends")
        for text in list_sentences(section)
    ]


def test_nobody_is_for_or_against_a_fact():
    found = [
        candidate("guide", "The boiler can heat water for two bathrooms and should be descaled."),
        candidate("blog", "The boiler cannot heat water for a pool; that is not recommended.", 100),
        candidate("blog", "The boiler should never heat water without a filter.", 200),
        candidate("guide", "The boiler must be able to heat water above 60 degrees.", 300),
    ]
    sides = {"In favour", "Against", "It depends"}
    asked = {
        text: {section.heading for section in compose_answer(text, found)}
        for text in ("Can the boiler heat water?", "Should the boiler heat water?")
    }
    assert not asked["Can the boiler heat water?"] & sides
    assert asked["Should the boiler heat water?"] & sides


def test_a_list_of_names_is_one_statement_with_every_item_behind_its_line():
    page = Page().add("Available boilers are:")
    for name in ("gas boilers of steel", "oil boilers", "pellet boilers with a hopper", "electric"):
        page.add(name, BlockKind.LIST, gap="\n- ")
    ranked = [ScoredCandidate(item, RankingFeatures(), 1.0, {}) for item in page.candidates() if item.lead]
    cards = Cards([DocumentCard("doc", "Heating at home")])
    [section] = compose(analyse("List all boilers that are available."), ranked, cards, 40)
    [statement] = section.statements
    assert statement.best.candidate.shown == (
        "Available boilers are: gas boilers of steel; oil boilers; pellet boilers with a hopper; electric."
    )
    assert statement.best.candidate.places == ((0, len(page.text)),)


def test_a_short_list_is_quoted_whole_where_one_of_its_items_answers():
    page = Page().add("The supported kinds of flue are:")
    for item in ("steel, up to 12 metres", "brick, up to 30 metres", "clay, up to 9 metres"):
        page.add(item, BlockKind.LIST, gap="\n")
    candidates = [replace(item, document_id="guide") for item in page.candidates()]
    [section] = compose_answer("How tall can a brick flue be?", candidates)
    assert list_sentences(section) == [
        "The supported kinds of flue are: steel, up to 12 metres; brick, up to 30 metres; clay, up to 9 metres."
    ]


def test_a_list_of_another_product_does_not_lead():
    page = Page().add("The full list of boilers is:")
    for name in ("gas boilers", "oil boilers", "pellet boilers"):
        page.add(name, BlockKind.LIST, gap="\n- ")
    ranked = [ScoredCandidate(item, RankingFeatures(), 1.0, {}) for item in page.candidates() if item.lead]
    cards = Cards([DocumentCard("doc", "Acme handbook"), DocumentCard("other", "Kettle handbook")])
    [acme], kettle = (
        compose(analyse(f"List all boilers of {name}."), ranked, cards, 40) for name in ("acme", "kettle")
    )
    assert acme.statements[0].best.candidate.items
    assert not any(claim.best.candidate.items for section in kettle for claim in section.statements)


def test_a_title_that_begins_with_a_word_of_the_question_names_no_product():
    page = Page().add("The full list of boilers is:")
    for name in ("gas boilers", "oil boilers", "pellet boilers"):
        page.add(name, BlockKind.LIST, gap="\n- ")
    ranked = [ScoredCandidate(item, RankingFeatures(), 1.0, {}) for item in page.candidates() if item.lead]
    cards = Cards([DocumentCard("doc", "Heating handbook"), DocumentCard("other", "Selling stoves")])
    [section] = compose(analyse("List all boilers that you sell."), ranked, cards, 40)
    assert section.statements[0].best.candidate.items


def test_a_line_introduces_what_its_subject_has():
    page = Page().add("The gas boiler has three options:")
    for name in ("a larger tank", "a second pump", "a steel door"):
        page.add(name, BlockKind.LIST, gap="\n- ")
    ranked = [ScoredCandidate(item, RankingFeatures(), 1.0, {}) for item in page.candidates() if item.lead]
    cards = Cards([DocumentCard("doc", "Heating at home")])
    boilers, options = (
        compose(analyse(f"List all {name}."), ranked, cards, 40) for name in ("boilers", "options")
    )
    assert options[0].statements[0].best.candidate.items
    assert not boilers[0].statements[0].best.candidate.items


def test_brackets_around_a_list_in_code_are_no_items():
    page = Page().add("The full list of boilers is:")
    for line in ("[", '"boilers.Gas",', '"boilers.Oil",', '"boilers.Pellet",', "]"):
        page.add(line, BlockKind.CODE, gap="\n")
    ranked = [ScoredCandidate(item, RankingFeatures(), 1.0, {}) for item in page.candidates() if item.lead]
    cards = Cards([DocumentCard("doc", "Heating at home")])
    [section] = compose(analyse("List all boilers."), ranked, cards, 40)
    [statement] = section.statements
    assert statement.best.candidate.shown == (
        "The full list of boilers is: boilers.Gas; boilers.Oil; boilers.Pellet."
    )


def test_advice_of_a_source_is_shown_over_time_without_that_of_others():
    cards = Cards(
        DocumentCard(id, title, author, published)
        for id, title, author, published in (
            ("old", "BRI Rules for boilers", "", "2006-09"),
            ("new", "Boilers in homes", "Boiler Research Institute", "2022-12"),
            ("other", "What BRI says", "Acme", "2024-01"),
        )
    )
    said_by = {
        "old": "Owners should have their boilers inspected every year.",
        "new": "Inspectors should not require that boilers are inspected every year.",
        "other": "Boilers should be inspected whenever they smell.",
    }
    ranked = [
        ScoredCandidate(candidate(id, text), RankingFeatures(own_coverage=0.5), 1.0, {})
        for id, text in said_by.items()
    ]
    [table] = compose(analyse("How has BRI's advice on boilers changed?"), ranked, cards, 40)
    assert [(row.date, row.cells[0][0].best.candidate.document_id) for row in table.rows] == [
        ("2006-09", "old"),
        ("2022-12", "new"),
    ]


NEWS = Cards([DocumentCard("news", "Boilerlib: Changes", "Institute", "2023-01")])


def compose_from_news(text, entries):
    found = [
        candidate("news", sentence, 200 * start, section=f"Changes > {release}")
        for start, (release, sentence) in enumerate(entries)
    ]
    question = analyse(text)
    ranked = Ranker.of(question, NEWS, Rarity(len(found), {})).rank(found, hash_vectors)
    return compose(question, ranked, NEWS, 40)


ENTRIES = [
    ("1.9.0 (2020-01-07)", "Removed the brass valve of the boiler."),
    ("2.0.0 (April 26th, 2021)", "Added a second pump to the boiler."),
    ("2.0.1 (2021-06-03)", "Fixed the leaking seal of the boiler."),
    ("2.1.0 (2022-02-09)", "Replaced the iron grate of the boiler."),
]


def test_changes_of_one_release_are_a_timeline_of_one_row():
    [timeline] = compose_from_news("What changed in Boilerlib 2.1.0?", ENTRIES)
    assert [row.label for row in timeline.rows] == ["2.1.0 (2022-02-09)"]


def test_a_remark_under_no_release_is_no_change_of_the_latest():
    remark = ("Usage", "As of 1.5.0 the brass valve of the boiler was replaced.")
    [timeline] = compose_from_news("How has Boilerlib changed?", [*ENTRIES, remark])
    assert {row.label for row in timeline.rows} <= {release for release, _text in ENTRIES}


def test_changes_since_a_release_are_those_of_it_and_of_later_ones():
    [timeline] = compose_from_news("How has Boilerlib changed since 2.0?", ENTRIES)
    assert [(row.label, row.date) for row in timeline.rows] == [
        ("2.0.0 (April 26th, 2021)", "2021-04-26"),
        ("2.0.1 (2021-06-03)", "2021-06-03"),
        ("2.1.0 (2022-02-09)", "2022-02-09"),
    ]


def test_changes_of_one_release_are_not_told_by_those_of_another():
    sections = compose_from_news("What changed in Boilerlib 2.1?", ENTRIES)
    assert list_sentences(sections[0]) == ["Replaced the iron grate of the boiler."]


def test_changes_of_a_major_release_begin_with_its_first():
    later = [
        (f"2.{minor}.0 (2023-{minor:02}-01)", f"Added pump {minor} to the boiler.") for minor in range(2, 13)
    ]
    [timeline] = compose_from_news("What changed in Boilerlib 2?", [*later, *ENTRIES, *later])
    assert "2.0.0 (April 26th, 2021)" in [row.label for row in timeline.rows]


def test_changes_of_a_major_release_are_those_of_its_minor_ones():
    [timeline] = compose_from_news("what changed in boilerlib 2", ENTRIES)
    assert [row.label for row in timeline.rows] == [
        "2.0.0 (April 26th, 2021)",
        "2.0.1 (2021-06-03)",
        "2.1.0 (2022-02-09)",
    ]


def test_releases_that_are_numbered_by_their_date_are_dated():
    entries = [("2025.11.12", "Added a pump to the boiler."), ("2026.02.09", "Added a grate to the boiler."),
               ("2026.10.20", "Removed the valve of the boiler.")]  # fmt: skip
    [timeline] = compose_from_news("What changed in Boilerlib in 2026?", entries)
    assert [row.date for row in timeline.rows] == ["2026-02-09", "2026-10-20"]


def test_what_a_release_brought_is_no_step():
    question = analyse("How do I connect a pump to a boiler?")
    found = [
        candidate("news", f"Allow {n} pumps to connect to a boiler.", 200 * n, section=f"Changes > {n}.0.0")
        for n in range(2, 7)
    ]
    ranked = Ranker.of(question, NEWS, Rarity(5, {})).rank(found, hash_vectors)
    assert all(section.heading != STEPS for section in compose(question, ranked, NEWS, 40))


@pytest.mark.parametrize(
    ("question", "text", "cue"),
    [
        (
            "What are the advantages of a boiler over a stove?",
            "A boiler is more efficient than a stove.",
            1.0,
        ),
        ("What are the advantages of a boiler over a stove?", "A boiler must stand on stone.", 0.3),
        ("What are the drawbacks of a boiler?", "A boiler cannot heat the yard.", 1.0),
        ("What are the pros and cons of a boiler?", "A boiler is slower than a stove.", 1.0),
        ("Is a tiled stove still safe to use?", "A tiled stove remains an acceptable choice.", 1.0),
        ("Is a tiled stove still safe to use?", "A tiled stove should build in a day.", 0.4),
        ("Is a tiled stove still safe to use?", "The chimney is no longer safe.", 0.5),
        ("What is wrong with a boiler?", "A boiler cannot heat the yard.", 1.0),
        ("Should a house let people light a stove?", "Allow guests to light the stove.", 1.0),
        ("Should a house let people light a stove?", "Most stoves allow lighting by a button.", 0.5),
        ("How do I light a stove?", "To light the stove, open the flue first.", 1.0),
        ("How do I light a stove?", "The stove can be lit by pressing the button.", 0.8),
        ("What is the maximum length of a log?", "A log must be at least 20 cm long.", 0.5),
        ("What is the minimum length of a log?", "A log must be at least 20 cm long.", 1.0),
        ("How long may a stove burn?", "By default, a stove burns for 8 hours.", 1.0),
        ("How long may a stove burn?", "Set to 5, a stove burns for 5 hours.", 0.5),
        ("How long may a stove burn?", "For example, a stove burns for 5 hours by default.", 0.0),
        ("Can a stove burn peat?", "Peat is supported since the second edition.", 1.0),
        ("Can a stove burn peat?", "A stove should stand on stone.", 0.0),
    ],
)
def test_an_answer_is_worded_as_the_question_wants_it(question, text, cue):
    assert cue_of(analyse(question), candidate("guide", text)) == cue


def test_a_name_within_another_name_is_not_the_thing_that_is_compared():
    sections = compose_answer(
        "What is the difference between a boiler and a stove?",
        [
            candidate("guide", "A boiler-cover is a lid that spares a stove the soot."),
            candidate("guide", "A boiler is a device that heats water for radiators.", 100),
            candidate("blog", "A stove is a device that heats the room it stands in.", 200),
        ],
    )
    assert list_sentences(sections[0]) == [
        "A boiler is a device that heats water for radiators.",
        "A stove is a device that heats the room it stands in.",
    ]


def test_a_common_word_alone_is_not_the_thing_that_is_compared():
    sections = compose_answer(
        "What is the difference between a winter stove and a summer stove?",
        [
            candidate("guide", "In winter and in summer the price of coal differs, unlike that of wood."),
            candidate("guide", "A winter stove is a stove that heats the room.", 100),
            candidate("blog", "A summer stove is a stove that only cooks.", 200),
        ],
    )
    assert list_sentences(sections[0]) == [
        "A winter stove is a stove that heats the room.",
        "A summer stove is a stove that only cooks.",
    ]


def test_what_names_both_things_without_a_difference_does_not_lead():
    sections = compose_answer(
        "What is the difference between a boiler and a stove?",
        [
            candidate("guide", "Clean a boiler and a stove once a year."),
            candidate("guide", "A boiler is a device that heats water for radiators.", 100),
            candidate("blog", "A stove is a device that heats the room it stands in.", 200),
        ],
    )
    assert "Clean a boiler and a stove once a year." not in list_sentences(sections[0])


def test_the_date_below_the_title_of_a_release_answers_when_it_was_released():
    title = "Boilerlib 5.2 release notes"
    dated = candidate("guide", "April 2, 2025", 40, section=title, release=(0, 27), release_text=title)
    other = candidate("guide", "Boilerlib 5.2 is supported until April 2028.", 80, section=title)
    [short, *_rest] = compose_answer("When was Boilerlib 5.2 released?", [other, dated])
    assert list_sentences(short)[0] == "Boilerlib 5.2 release notes: April 2, 2025"


def test_a_decimal_number_is_no_release():
    entries = [(release, f"{text} The fee is now 1.5 percent.") for release, text in ENTRIES]
    [timeline] = compose_from_news("How has the boiler fee of 1.5 percent changed?", entries)
    assert len(timeline.rows) == len(ENTRIES)


def test_of_many_changes_the_most_important_are_shown_if_no_aspect_is_asked_for():
    releases = [f"2.{minor}.0 (2021-{minor:02}-07)" for minor in range(1, 10)]
    entries = [
        (release, sentence)
        for number, release in enumerate(releases)
        for sentence in (
            f"Fixed the seal of valve {number}.",
            f"Added a pump for circuit {number}.",
            f"Bumped the version of tool {number}.",
        )
    ]
    [timeline] = compose_from_news("How has Boilerlib changed?", entries)
    shown = [row.cells[0][0].best.candidate.change for row in timeline.rows]
    assert [text for text in shown if text.startswith("Added")] == [
        f"Added a pump for circuit {number}." for number in range(9)
    ]
    assert len(shown) == 12


def test_releases_without_dates_are_in_the_order_of_their_numbers():
    entries = [
        ("boilerlib 1.10.0", "Added a second pump to the boiler."),
        ("boilerlib 1.9.0", "Removed the brass valve of the boiler."),
    ]
    cards = Cards([DocumentCard("news", "Boilerlib: Changes", "Institute", "")])
    found = [
        candidate("news", sentence, 200 * start, section=release)
        for start, (release, sentence) in enumerate(entries)
    ]
    question = analyse("How has Boilerlib changed since version 1.8?")
    ranked = Ranker.of(question, cards, Rarity(len(found), {})).rank(found, hash_vectors)
    [timeline] = compose(question, ranked, cards, 40)
    assert [(row.label, row.date) for row in timeline.rows] == [
        ("boilerlib 1.9.0", ""),
        ("boilerlib 1.10.0", ""),
    ]


def test_what_is_off_the_question_does_not_lead_a_part_to_which_nothing_else_belongs():
    cards = Cards([DocumentCard("guide", "Guide", "Institute", "2023")])
    said = {"Ada Lovell wrote the guide in Bern.": 1.0, "A mason started the bridge.": 0.2}
    ranked = [
        ScoredCandidate(candidate("guide", text, 100 * n), RankingFeatures(), score, {})
        for n, (text, score) in enumerate(said.items())
    ]
    sections = compose(analyse("Who wrote the guide and where did it come from?"), ranked, cards, 40)
    assert [text for section in sections for text in list_sentences(section)] == [
        "Ada Lovell wrote the guide in Bern."
    ]


def test_a_word_of_another_title_is_an_aspect_of_the_changes():
    cards = Cards(
        [
            DocumentCard("news", "Boilerlib 2 release notes", "Institute", "2021-04"),
            DocumentCard("older", "Boilerlib 1 release notes", "Institute", "2020-01"),
            DocumentCard("guide", "Valve guide", "Institute", "2020-01"),
        ]
    )
    assert asks_for_all_changes(analyse("What is new in Boilerlib?"), cards)
    assert not asks_for_all_changes(analyse("What is new in Boilerlib valves?"), cards)
    assert find_dated_documents(analyse("How has boilerlib changed?"), cards) == {"news", "older"}


def test_what_changed_is_not_told_by_the_changes_of_another_thing():
    cards = Cards(
        [
            DocumentCard("news", "Boilerlib release notes", "Institute", "2021-04"),
            DocumentCard("other", "Pumplib changes", "Institute", "2020-01"),
        ]
    )
    assert find_dated_documents(analyse("how has boilerlib changed"), cards) == {"news"}


def test_the_latest_release_is_told_alone():
    entries = [
        ("2.0.0 (2021-04-02)", "Added a second pump."),
        ("2.2.0 (2023-04-02)", "Added a fourth pump."),
        ("2.1.0 (2022-04-02)", "Added a third pump."),
    ]
    [timeline] = compose_from_news("What changed in the latest version of Boilerlib?", entries)
    assert [row.cells[0][0].best.candidate.change for row in timeline.rows] == ["Added a fourth pump."]


def test_the_latest_release_is_asked_for_by_the_name_alone():
    entries = [("2.1.0 (2022-04-02)", "Added a third pump."), ("2.2.0 (2023-04-02)", "Added a fourth pump.")]
    [timeline] = compose_from_news("What is new in the latest Boilerlib?", entries)
    assert [row.cells[0][0].best.candidate.change for row in timeline.rows] == ["Added a fourth pump."]


def test_release_notes_without_dates_may_be_of_the_time_that_is_asked_about():
    entries = [
        ("2.0.0", "Added a second pump to the boiler."),
        ("2.1.0", "Replaced the grate of the boiler."),
    ]
    [timeline] = compose_from_news("How has Boilerlib changed in the last two years?", entries)
    assert [row.label for row in timeline.rows] == ["2.0.0", "2.1.0"]


def test_release_notes_are_known_by_their_file_name():
    notes = DocumentCard("a", "13.0.0", path="pumplib-13.0.0-release-notes.rst")
    manual = DocumentCard("b", "Pumplib manual", path="pumplib-manual.rst")
    assert notes.tells_changes
    assert not manual.tells_changes
    assert find_dated_documents(analyse("What is new in Pumplib?"), Cards([notes, manual])) == {"a"}


def test_changes_of_one_year_are_told_also_if_they_are_of_one_release():
    entries = [("2.0.0 (2021-04-02)", "Added a second pump."), ("2.2.0 (2023-04-02)", "Added a fourth pump.")]
    [timeline] = compose_from_news("What is new in Boilerlib in 2023?", entries)
    assert [row.date for row in timeline.rows] == ["2023-04-02"]


def test_a_readme_tells_the_changes_of_what_it_is_about():
    cards = Cards([DocumentCard("readme", "pumplib", "Institute", "2023-04")])
    section = "pumplib > Changelog > "
    found = [
        replace(
            candidate("readme", sentence, 200 * start, section=section + release),
            release=(0, 5),
            release_text=release,
        )
        for start, (release, sentence) in enumerate(
            [("1.1.0 (2022-05-01)", "Added a hose."), ("1.2.0 (2023-04-02)", "Added a second valve.")]
        )
    ]
    question = with_names(analyse("what is new in pumplib"), cards.has)
    ranked = Ranker.of(question, cards, Rarity(len(found), {"pumplib": 1})).rank(found, hash_vectors)
    [timeline] = compose(question, ranked, cards, 40)
    assert [row.date for row in timeline.rows] == ["2022-05-01", "2023-04-02"]


def test_a_row_of_a_timeline_does_not_repeat_its_release():
    entries = [("2.0.0", "2.0.0\n\n* Added a second pump."), ("2.1.0", "2.1.0\n\n* Added a third pump.")]
    [timeline] = compose_from_news("How has Boilerlib changed?", entries)
    [first, _second] = [row.cells[0][0].best.candidate for row in timeline.rows]
    assert (first.shown, first.text) == ("Added a second pump.", "* Added a second pump.")
    assert first.start == len(entries[0][1]) - len(first.text)


def test_each_of_two_figures_is_answered_by_a_statement_that_has_it():
    sections = compose_answer(
        "Who designed the damper, and when was it sold first?",
        [
            candidate("guide", "The damper was designed and sold first in 1931 at a fair of dampers."),
            candidate("guide", "The damper is sold on markets and was designed by volunteers.", 100),
        ],
    )
    assert list_sentences(sections[0]) == [
        "The damper is sold on markets and was designed by volunteers.",
        "The damper was designed and sold first in 1931 at a fair of dampers.",
    ]


def test_a_later_part_is_answered_only_by_what_speaks_of_the_subject():
    sections = compose_answer(
        "What is a damper and when do I need it?",
        [
            candidate("guide", "A damper is a plate that narrows the flue."),
            candidate("guide", "You need it when the guests arrive, since you need more chairs then.", 100),
        ],
    )
    said = [text for section in sections for text in list_sentences(section)]
    assert said == ["A damper is a plate that narrows the flue."]


def test_what_only_a_later_part_names_is_not_asked_of_the_first():
    sections = compose_answer(
        "When was the iron grate added and which Norfell stove did that edition drop?",
        [
            candidate("guide", "The iron grate was added in 2021."),
            candidate("guide", "The edition of 2021 dropped the Norfell stove of 1994.", 100),
        ],
    )
    assert "The iron grate was added in 2021." in list_sentences(sections[0])


def test_a_part_on_another_thing_needs_not_speak_of_the_first():
    sections = compose_answer(
        "What is a damper and how does a stove burn?",
        [
            candidate("guide", "A damper is a plate that narrows the flue."),
            candidate("guide", "A stove burns wood with air from below.", 100),
        ],
    )
    said = {text for section in sections for text in list_sentences(section)}
    assert {"A damper is a plate that narrows the flue.", "A stove burns wood with air from below."} <= said
