"""Sentences that may be quoted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.candidate_sentences import LONGEST, SHORTEST, RankedChunk, Statements
from research.parsing.parse_sentences import SentenceSpan
from research.parsing.parsed_document import BlockKind


class Page:
    """A text written piece by piece, with its sentences."""

    def __init__(self) -> None:
        self.text = ""
        self.spans: list[SentenceSpan] = []

    def add(
        self, piece: str, kind: BlockKind = BlockKind.PARAGRAPH, section: str = "", gap: str = "\n\n"
    ) -> "Page":
        start = len(self.text) + len(gap if self.text else "")
        self.text += (gap if self.text else "") + piece
        self.spans.append(SentenceSpan(start, start + len(piece), section, kind, None))
        return self

    def candidates(self):
        return Statements("doc", self.text, self.spans).within([RankedChunk(0, len(self.text), 1.0)])

    def quotes(self):
        return [item.text for item in self.candidates()]


def test_an_instruction_of_an_item_is_shown_with_the_case_in_which_it_holds():
    page = (
        Page()
        .add("The code is valid.", BlockKind.LIST)
        .add("Open the gate of the well.", BlockKind.LIST, gap=" ")
    )
    assert page.quotes()[-1] == "The code is valid. Open the gate of the well."
    steps = (
        Page()
        .add("Sign in to the gate.", BlockKind.LIST)
        .add("Open the gate of the well.", BlockKind.LIST, gap=" ")
    )
    assert steps.quotes()[-1] == "Open the gate of the well."


def test_a_sentence_is_quoted_as_it_stands():
    assert Page().add("Wells are deep enough.").quotes() == ["Wells are deep enough."]


def test_a_remark_goes_with_the_sentence_it_belongs_to():
    page = Page().add("The least depth of a well is set here.").add("Default: 8", gap=" ")
    assert page.quotes() == ["The least depth of a well is set here. Default: 8"]


def test_a_remark_in_another_block_stays_alone():
    page = Page().add("The least depth of a well is set here.").add("The default is 8.")
    assert len(page.quotes()) == 2


def test_a_comment_goes_with_the_setting_below_it():
    page = Page()
    for line in ("# Tries before a lockout.", "# Default: 3", "tries = 3", "wait_time = 20", "other = 5"):
        page.add(line, BlockKind.CODE, gap="\n")
    assert page.quotes()[:2] == ["# Tries before a lockout.\n# Default: 3\ntries = 3", "wait_time = 20"]


def test_a_declared_member_goes_with_what_it_is():
    page = Page()
    for line in ("int depth = 16", "least depth in metres", "bool is_dry = true", "pipe::Size size = 4"):
        page.add(line, BlockKind.LIST, gap="\n")
    assert page.quotes() == [
        "int depth = 16\nleast depth in metres",
        "bool is_dry = true",
        "pipe::Size size = 4",
    ]


def test_a_short_code_block_is_one_statement():
    page = Page().add("tries = 6", BlockKind.CODE).add("wait_time = 1800", BlockKind.CODE, gap="\n")
    assert page.quotes() == ["tries = 6\nwait_time = 1800"]


def test_a_line_of_a_program_that_goes_on_behind_it_is_no_quote():
    page = Page()
    for line in (
        "tbl.search(query) \\",
        "    .nprobes(20) \\",
        "    .refine_factor(10) \\",
        "    .to_pandas()",
    ):
        page.add(line, BlockKind.CODE, gap="\n")
    assert [quote.strip() for quote in page.quotes()] == [".to_pandas()"]


def test_a_version_heading_goes_with_the_first_line_under_it():
    page = Page().add("0.5.0 (2023-08-28)", BlockKind.HEADING, "0.5.0 (2023-08-28)")
    page.add("Added a new index type", BlockKind.LIST, "0.5.0 (2023-08-28)")
    page.add("Added parallel builds of it", BlockKind.LIST, "0.5.0 (2023-08-28)")
    assert page.quotes() == ["0.5.0 (2023-08-28)\n\nAdded a new index type", "Added parallel builds of it"]


def test_the_first_line_of_a_release_is_shown_behind_the_release_and_its_date():
    page = Page().add("1.4.0 (2021-05-03)", BlockKind.HEADING, "Changes > 1.4.0 (2021-05-03)")
    page.add("Removed support for wooden pumps.", BlockKind.LIST, "Changes > 1.4.0 (2021-05-03)")
    assert [item.shown for item in page.candidates()] == [
        "1.4.0 (2021-05-03): Removed support for wooden pumps."
    ]


def test_the_title_of_a_chapter_stays_apart_from_the_line_under_it():
    page = Page().add("5.1.1 Deep Wells", BlockKind.HEADING, "5.1.1 Deep Wells")
    page.add("Deep wells shall be cased with steel.", BlockKind.PARAGRAPH, "5.1.1 Deep Wells")
    assert page.quotes() == ["Deep wells shall be cased with steel."]


def test_a_sentence_before_code_says_what_the_code_does():
    page = Page().add("To stop the pump, pass the halt parameter::").add("pump(halt=True)", BlockKind.CODE)
    [sentence, *_] = page.candidates()
    assert (sentence.text, sentence.shown, sentence.flaw) == (
        "To stop the pump, pass the halt parameter::",
        "To stop the pump, pass the halt parameter.",
        "",
    )


@pytest.mark.parametrize(
    "line", ["The default timeout of the pump is:", "Use the pump as follows:", "A program looks like this:"]
)
def test_a_sentence_that_needs_its_code_is_no_quote(line):
    [sentence, *_] = Page().add(line).add("pump(halt=True)", BlockKind.CODE).candidates()
    assert sentence.flaw


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (":param float timeout: seconds to wait for the pump", "timeout: seconds to wait for the pump"),
        (":param str | None name: the name of the pump", "name: the name of the pump"),
        (":returns: the depth of the well in metres", "Returns: the depth of the well in metres"),
        (":raises ValueError: if the well is dry", "Raises ValueError: if the well is dry"),
    ],
)
def test_a_field_of_documentation_is_shown_as_the_name_that_it_documents(field, shown):
    page = Page().add("Allowed values are:").add(field, BlockKind.LIST)
    assert page.candidates()[-1].shown == shown


def test_a_title_with_a_year_stays_apart_from_the_line_under_it():
    title = "Annual report of the mill 2024"
    page = Page().add(title, BlockKind.HEADING, title).add("The cost of flour fell by 3 %.", section=title)
    assert page.quotes() == ["The cost of flour fell by 3 %."]


def test_other_headings_are_no_quotes():
    page = (
        Page().add("About wells and pits", BlockKind.HEADING, "About").add("Wells are deep.", section="About")
    )
    assert page.quotes() == ["Wells are deep."]


@pytest.mark.parametrize("kind", [BlockKind.HEADING, BlockKind.CAPTION])
def test_a_heading_or_a_caption_is_no_quote_however_long(kind):
    words = "Verify that wells are at least 12 metres deep"
    assert Page().add(words, kind, words).quotes() == []


def test_a_list_item_knows_the_line_that_introduces_it():
    page = (
        Page()
        .add("A well needs:")
        .add("a casing of steel", BlockKind.LIST)
        .add("a lid of oak", BlockKind.LIST)
    )
    assert [item.lead_in for item in page.candidates()][1:] == ["A well needs:", "A well needs:"]


def test_a_table_row_knows_its_head():
    page = Page().add("Pump | Throughput", BlockKind.TABLE).add("P7 large | 400.5", BlockKind.TABLE, gap="\n")
    assert page.candidates()[-1].lead_in == "Pump | Throughput"


def test_neighbours_of_another_section_lend_no_context():
    page = Page().add("Wells are deep here.", section="A").add("Pits are not deep at all.", section="B")
    assert [(item.before, item.after) for item in page.candidates()] == [("", ""), ("", "")]


def test_a_sentence_in_two_passages_is_quoted_once_with_the_better_score():
    page = Page().add("Wells are deep enough.")
    statements = Statements("doc", page.text, page.spans)
    (found,) = statements.within([RankedChunk(0, 22, 0.2), RankedChunk(5, 22, 0.9)])
    assert found.chunk_score == 0.9


def test_sentences_outside_the_passages_are_left_out():
    page = Page().add("Wells are deep enough here.").add("Pits are not deep at all here.")
    (found,) = Statements("doc", page.text, page.spans).within([RankedChunk(0, 10, 1.0)])
    assert found.text == "Wells are deep enough here."


CHANGES = "Changes > 1.3.0 - 2025-11-10 > Removed"


def changelog():
    page = Page().add("Changes", BlockKind.HEADING, "Changes")
    page.add("1.3.0 - 2025-11-10", BlockKind.HEADING, "Changes > 1.3.0 - 2025-11-10")
    page.add("Removed", BlockKind.HEADING, CHANGES)
    page.add("- Support for wooden casings", BlockKind.LIST, CHANGES)
    return page.add("- Drop the second valve of the pump", BlockKind.LIST, CHANGES)


def test_an_entry_is_shown_after_the_category_that_reverses_it():
    found = [item.shown for item in changelog().candidates()]
    assert found == ["Removed: Support for wooden casings", "Drop the second valve of the pump"]


def test_an_entry_is_quoted_with_the_heading_of_its_release_if_that_is_shown():
    page = changelog()
    entry = page.candidates()[1].with_release
    assert entry.shown == "1.3.0 - 2025-11-10: Drop the second valve of the pump"
    assert [page.text[start:end] for start, end in entry.places][-1] == "1.3.0 - 2025-11-10"


def test_a_sentence_outside_release_notes_has_no_release_to_show():
    (found,) = Page().add("Wells are deep enough here.").candidates()
    assert found.with_release is found


def test_an_item_that_begins_with_a_literal_is_not_cut():
    page = (
        Page()
        .add("Wells have two depths.")
        .add("* ``shallow``: the default depth of a well in sand.", BlockKind.LIST)
    )
    assert [item.flaw for item in page.candidates()] == ["", ""]


_PIECES = st.lists(
    st.tuples(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=60),
        st.sampled_from(list(BlockKind)),
        st.sampled_from(["", "A", "A > 1.0"]),
        st.sampled_from([" ", "\n", "\n\n"]),
    ),
    max_size=20,
)


@given(_PIECES)
def test_every_quote_is_an_unbroken_slice_and_stands_once(pieces):
    page = Page()
    for piece, kind, section, gap in pieces:
        page.add(piece, kind, section, gap)
    found = page.candidates()
    assert all(item.text == page.text[item.start : item.end] for item in found)
    assert all(SHORTEST <= len(item.text) <= LONGEST for item in found)
    assert all(one.end <= other.start for one, other in zip(found, found[1:], strict=False))


def test_a_definition_list_shows_each_term_with_its_description():
    page = Page().add("The plant has two inlets and an outlet for them.")
    page.add("Inlet A", BlockKind.LIST).add("Fed by the river.", BlockKind.LIST, gap="\n")
    page.add("It freezes in winter, so that it is closed.", BlockKind.LIST, gap=" ")
    page.add("Inlet B", BlockKind.LIST, gap="\n").add("Fed by the lake.", BlockKind.LIST, gap="\n")
    shown = [item.shown for item in page.candidates()]
    assert shown[1:2] + shown[3:] == ["Inlet A: Fed by the river.", "Inlet B: Fed by the lake."]
    assert page.quotes()[1] == "Inlet A\nFed by the river."


def test_a_later_sentence_of_a_description_is_shown_after_its_term():
    page = Page().add("Inlet A", BlockKind.LIST).add("Fed by the river.", BlockKind.LIST, gap="\n")
    page.add("Closed in winter from the first frost on.", BlockKind.LIST, gap=" ")
    page.add("Inlet B", BlockKind.LIST, gap="\n").add("Fed by the lake.", BlockKind.LIST, gap="\n")
    later = page.candidates()[1]
    assert later.shown == "Inlet A: Closed in winter from the first frost on."
    assert later.places == ((26, 67), (0, 7))


def test_short_items_of_a_plain_list_are_no_terms():
    page = Page().add("Sand", BlockKind.LIST).add("Gravel from the old pits.", BlockKind.LIST, gap="\n")
    page.add("Clay", BlockKind.LIST, gap="\n")
    assert [item.shown for item in page.candidates()] == ["Gravel from the old pits."]


def test_the_name_of_a_setting_goes_with_what_is_said_of_it():
    page = Page().add("``PUMP_MAX_AGE``", BlockKind.HEADING, section="Settings > PUMP_MAX_AGE")
    page.add("Default: ``12`` (months)", section="Settings > PUMP_MAX_AGE")
    page.add("The age of a pump, in months.", section="Settings > PUMP_MAX_AGE")
    assert [item.shown for item in page.candidates()] == [
        "PUMP_MAX_AGE: Default: 12 (months)",
        "PUMP_MAX_AGE: The age of a pump, in months.",
    ]


def test_an_ordinary_heading_does_not_go_with_the_sentence_below_it():
    page = Page().add("Pumps", BlockKind.HEADING, section="Pumps").add("Pumps are tested.", section="Pumps")
    assert page.quotes() == ["Pumps are tested."]


def test_a_declaration_at_the_beginning_of_a_section_is_code():
    page = Page().add("struct PumpFlat : public pumps::Pump", section="Pumps")
    assert [item.flaw for item in page.candidates()] == ["code"]


def test_an_item_that_completes_the_clause_before_its_list_is_shown_after_it():
    page = Page().add("The pump keeps the water clean. The pump does not:")
    page.add("Impose a filter or another way to keep sand out on you.", BlockKind.LIST)
    assert page.candidates()[-1].shown == (
        "The pump does not: Impose a filter or another way to keep sand out on you."
    )


def test_an_item_without_its_subject_is_shown_after_the_line_before_its_list():
    page = Page().add("The pump has a valve that:").add("Checks for sand in the water.", BlockKind.LIST)
    page.add("The default is 8 bar.", BlockKind.LIST, gap=" ")
    assert page.candidates()[-1].shown == (
        "The pump has a valve that checks for sand in the water. The default is 8 bar."
    )


def test_an_item_of_a_clause_without_its_subject_is_not_quoted():
    page = Page().add("It does not:").add("Impose a filter on anybody who has none.", BlockKind.LIST)
    assert page.candidates()[-1].flaw == "refers back"


def test_a_term_is_not_shown_twice_before_a_joined_description():
    page = Page().add("Inlet A", BlockKind.LIST).add("Fed by the river in summer.", BlockKind.LIST, gap="\n")
    page.add("It is closed in winter, from the first frost on.", BlockKind.LIST, gap=" ")
    page.add("Inlet B", BlockKind.LIST, gap="\n").add("Fed by the lake.", BlockKind.LIST, gap="\n")
    joined = page.candidates()[1]
    assert joined.shown == (
        "Inlet A: Fed by the river in summer. It is closed in winter, from the first frost on."
    )
    assert joined.lead is None


@pytest.mark.parametrize(
    ("headings", "said", "shown"),
    [
        (["Depth Plugin"], "This plugin adds depths.", "Depth Plugin: This plugin adds depths."),
        (
            ["Wells", "Depth Plugin", "Use"],
            "This plugin adds depths.",
            "Depth Plugin: This plugin adds depths.",
        ),
        (
            ["wellkit", "About"],
            "This small library counts wells.",
            "wellkit: This small library counts wells.",
        ),
        (["About"], "This library counts wells.", "This library counts wells."),
        (["wellkit"], "This makes wells deeper by far.", "This makes wells deeper by far."),
    ],
)
def test_what_this_plugin_is_stands_before_the_sentence(headings, said, shown):
    page = Page()
    for depth, heading in enumerate(headings, 1):
        page.add(heading, BlockKind.HEADING, " > ".join(headings[:depth]))
    page.add(said, section=" > ".join(headings))
    assert page.candidates()[-1].shown == shown


def test_a_paragraph_that_begins_with_it_is_shown_with_the_lone_sentence_before_it():
    page = Page().add("The siphon is a bent pipe.").add("It was invented in 1850 by Ada Lovell.")
    assert page.quotes()[-1] == "The siphon is a bent pipe.\n\nIt was invented in 1850 by Ada Lovell."
    page = Page().add("The siphon is a bent pipe.").add("Old pumps had only straight pipes of wood.", gap=" ")
    assert page.add("It was invented in 1850.").quotes()[-1] == "It was invented in 1850."


def test_an_item_in_lower_case_is_shown_after_the_line_before_its_list():
    page = Page().add("There are two kinds of pumps:")
    page.add("type 0 (single): all water is lifted in one pipe", BlockKind.LIST)
    page.add("type 1 (double): each pipe lifts its own water", BlockKind.LIST, gap="\n")
    first = page.candidates()[-2]
    assert first.shown == ("There are two kinds of pumps: type 0 (single): all water is lifted in one pipe")
    assert not first.flaw


def test_an_item_that_explains_its_own_label_is_shown_without_the_line_before_its_list():
    page = (
        Page()
        .add("Models predict one of two temperatures:")
        .add("water temperature: the temperature of the water in the well", BlockKind.LIST)
        .add("air temperature: the temperature of the air above it", BlockKind.LIST, gap="\n")
    )
    item = page.candidates()[-1]
    assert item.shown == "air temperature: the temperature of the air above it"
    assert [page.text[start:end] for start, end in item.places] == [
        item.text
    ]  # what is quoted is what is shown
