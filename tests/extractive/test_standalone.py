"""Claims are shown clean, and only where they can be read without their neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.standalone_sentences import (
    clean,
    end_before_code,
    flaw,
    is_anaphoric,
    is_imperative,
)


@pytest.mark.parametrize(
    ("source", "media_type", "shown"),
    [
        ("- **Do not** dry wet wood `indoors` [3].", "text/markdown", "Do not dry wet wood indoors."),
        ("However, pumps need power.", "", "Pumps need power."),
        ("2.1.4 Verify that valves are closed.", "", "Verify that valves are closed."),
        (".. note:: The :class:`~pumps.Pump` is now public.", "text/x-rst", "The pumps.Pump is now public."),
        ("See the [guide](https://example.org/a) before use.", "text/markdown", "See the guide before use."),
        ("It resists wear. ([see](https://example.org/a))", "text/markdown", "It resists wear."),
        ("The valve is made of alu\ufffeminium.", "application/pdf", "The valve is made of aluminium."),
        ("The limit was raised.18 It holds.", "application/pdf", "The limit was raised. It holds."),
        ("First names are required.", "", "First names are required."),
        ("1234567 People live on stilts.", "", "1234567 People live on stilts."),
        ("Clamp the lid at max. 64", "", "Clamp the lid at max. 64"),
        ("Verify that the lid is shut. ✓ ✓ 620 5.1.2", "application/pdf", "Verify that the lid is shut."),
        ("Use the {attr}`pumps.Pump` class.", "text/markdown", "Use the pumps.Pump class."),
        ("The new :attr:`.Pump.speed` is read.", "text/x-rst", "The new Pump.speed is read."),
        ("✅ Runs on .NET and on paper.", "text/markdown", "Runs on .NET and on paper."),
        ("Raised the limit of the pump. Thanks @ada and @bob!", "", "Raised the limit of the pump."),
        ("79f59edcfc17 Add a second valve (#42, #43)", "text/markdown", "Add a second valve"),
        ("Add a second valve to the pump. 2969", "text/x-rst", "Add a second valve to the pump."),
        ("`#57 <https://a.example/57>`_: The pump is new.", "text/x-rst", "The pump is new."),
        (
            "The valve will be removed. `#97 <https://a.example/97>`_",
            "text/x-rst",
            "The valve will be removed.",
        ),
        ("* Add a valve by @ada in https://a.example/pull/42", "text/markdown", "Add a valve"),
        ("8.4 – least depth: 9 m", "", "8.4 – least depth: 9 m"),
        ("#3 is the best pump of all.", "", "#3 is the best pump of all."),
        ("The lid measures 75 cm² and weighs 3 kg.", "", "The lid measures 75 cm² and weighs 3 kg."),
        ("It pumps 5 m³/h at 9.81 m/s².", "", "It pumps 5 m³/h at 9.81 m/s²."),
        ("Wells per km² rose; E = mc² holds.", "", "Wells per km² rose; E = mc² holds."),
        ("A floor of 40 feet² costs (x + y)² more.", "", "A floor of 40 feet² costs (x + y)² more."),
        ("Most owners agree² on that.", "", "Most owners agree on that."),
        (
            "Pumps leak.¹ Lids do not,² they say (in 2019)³.",
            "",
            "Pumps leak. Lids do not, they say (in 2019)³.",
        ),
        ("The pump got a second valve. (1377)", "text/x-rst", "The pump got a second valve."),
        ("Use a hand pump, see :ref:`pumps` for more information.", "text/x-rst", "Use a hand pump."),
        ("If you need more water, see the pumps.", "", "If you need more water, see the pumps."),
        ("Close the lid first. See :ref:`lids` for further details.", "text/x-rst", "Close the lid first."),
        (
            "You can see it, see for yourself, and drink it.",
            "",
            "You can see it, see for yourself, and drink it.",
        ),
    ],
)
def test_clean_removes_marks_and_keeps_words(source, media_type, shown):
    assert clean(source, media_type) == shown


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (":white_check_mark:", "✓"),
        (":octicons-check-16:", "✓"),
        (":x:", "✗"),
        (":material-alert: hot", "hot"),
        ("10:30:15", "10:30:15"),
    ],
)
def test_shortcodes_of_symbols_are_drawn_or_left_out(cell, shown):
    assert clean(f"Pump | {cell}", is_row=True, header="Name | State") == f"Pump: {shown}"


def test_clean_names_the_cells_of_a_row():
    header, row = "Pump | Power | Weight", "Lumen 9 | 6.1 kW | 80 kg"
    assert clean(row, is_row=True, header=header) == "Lumen 9: Power 6.1 kW; Weight 80 kg"
    assert clean("Relay | Switches a load.", is_row=True) == "Relay: Switches a load."
    assert (
        clean("Relay | int | | It switches a load of ten amps.", is_row=True)
        == "It switches a load of ten amps."
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("This makes the motor faster.", "refers back"),
        ("For example, the second pump was older.", "refers back"),
        ("Shows as yellow water in the youngest wells.", "refers back"),
        ("Above, we used a casing of steel for the pump.", "refers back"),
        ("As you can see from this result, the pump is fast.", "refers back"),
        ("The code above created and used only one pump.", "refers back"),
        ("From tests of pumps, they quote the maximum errors below.", "refers back"),
        ("In Pumphouse they are implemented as valves.", "refers back"),
        ("If you do not know valves, please see the encyclopedia.", "speaks of the document"),
        (
            "A good thread on valves, in much more detail, can be found @ valves/pump#43",
            "speaks of the document",
        ),
        ("Because valves come up in many projects, it needs to be said.", "speaks of the document"),
        ("The following valves are supported:", "introduces a list"),
        ("For single heavy pumps.", "cut"),
        ("For pumps use oil.", ""),
        ("![Plan of the cellar with the boiler on the left and the tank beside it.", "cut"),
        ("Is the valve closed in winter?", "asks"),
        ("result = pump.start(power=3, mode='eco') # begins", "code"),
        ("This chapter describes how valves are tested.", "speaks of the document"),
        ("Section 2.9.4, “Valves”, gives instructions on how to close valves.", "speaks of the document"),
        ("Before discussing valves in depth, it is helpful to have a glossary.", "speaks of the document"),
        ("The terms presented below are basic concepts of pumps.", "speaks of the document"),
        ("An image of the pump after the valve has been closed.", "speaks of the document"),
        ("For more information, see the safety guide.", "speaks of the document"),
        ("Miller, A., Smith, B.: Pumps in Practice, Journal of Pumps, 2014.", "a reference"),
        ("The pump can be used with the", "cut"),
        ("Maintenance And Repair Of Valves.", "a heading"),
        ("The authors thank the staff of the laboratory.", "speaks of the document"),
        ("Figure 3-1 illustrates the flow of water.", "speaks of the document"),
    ],
)
def test_flaw_tells_what_cannot_stand_alone(text, why):
    assert flaw(text) == why


@pytest.mark.parametrize(
    "text",
    [
        "At minus 15 degrees the Lumen 9 delivered 6.1 kilowatts of heat.",
        "It is important to close the valve first.",
        "Close the valve before winter.",
        "bcrypt is limited to 72 bytes.",
        "Rather than a fixed delay, some controllers use a growing one.",
        "There are plans to close the old valve by 2035.",
        "The Upper Drainage System is opened by the Keeper of Locks.",
    ],
)
def test_flaw_lets_statements_pass(text):
    assert flaw(text) == ""


def test_an_entry_of_a_list_of_questions_is_cut():
    assert flaw("? 8.1. Does the pump run dry? ? 8.2.") == "cut"


def test_a_manual_page_may_begin_a_sentence():
    assert flaw("wellwatch(8) uses several measurements to find leaks.") == ""


def test_expletive_it_does_not_point_back():
    assert not is_anaphoric("It is recommended to flush the pipe.")
    assert is_anaphoric("It prevents corrosion.")


@given(st.text(max_size=200))
def test_any_text_is_cleaned_and_judged_without_an_error(text):
    shown = clean(text, "text/markdown")
    assert isinstance(flaw(shown), str) or not shown


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Define a task", True),
        ("Second way: Heat the kettle until it sings.", True),
        ("Open-source pumps for everybody", False),
        ("In the end all is well.", False),
        ("Data: all the values", False),
        ("Salt is mixed with the water first.", False),
        ("Use of the pump is free.", False),
        ("Salt the water first.", True),
    ],
)
def test_instructions_are_told_from_other_sentences(text, is_one):
    assert is_imperative(text) is is_one


def test_what_has_no_subject_points_to_the_line_before():
    assert is_anaphoric("Throws an exception if the pump is off.")
    assert not is_anaphoric("Works of art hang there.")


@pytest.mark.parametrize(
    "text", ["The default is 8 litres.", "If true, the pump starts.", "Its maximum value is 9."]
)
def test_a_default_points_to_the_setting_named_before(text):
    assert is_anaphoric(text)
    assert not is_anaphoric("The default pump is made of brass.")
    assert not is_anaphoric("Controls must be tested each year.")
    assert not is_anaphoric("Marks and Spencer sells food.")


def test_a_row_with_one_sentence_is_that_sentence_without_its_number_and_level():
    row = "| 6.4.3 | Verify that a process for resetting a forgotten password is in place. | ✓ | 2 |"
    shown = clean(row, is_row=True, header="| # | Description | L1 | Level |")
    assert shown == "Verify that a process for resetting a forgotten password is in place."


def test_emphasis_is_taken_off_and_products_stay():
    assert clean("*Issues:* its speed is 2 * 3 * 4 of *that* of others.") == (
        "Issues: its speed is 2 * 3 * 4 of that of others."
    )


def test_a_signature_with_types_is_code():
    assert flaw("well.dig(depth: number, soil?: string): void Asynchronously digs a well.") == "code"
    assert flaw("well.dig([depth: number, ]done: Callback): void Asynchronously digs a well.") == "code"
    assert flaw("A well (depth: 20 metres): it is lined with stone from top to bottom.") != "code"


@pytest.mark.parametrize(
    "text", ["Technique 2 (auto-gen a salt and hash).", "Step 3 (choose the cost of the hash)."]
)
def test_a_heading_with_its_gloss_is_no_statement(text):
    assert flaw(text) == "a heading"


@pytest.mark.parametrize(
    "text",
    [
        "Salts are random values (at least 16 bytes).",
        "Removed SHA1PasswordHasher (deprecated since 4.0).",
    ],
)
def test_a_statement_may_hold_a_gloss(text):
    assert not flaw(text)


WORDS = st.from_regex(r"[A-Za-z][A-Za-z'-]{0,9}|\d{1,4}(?:[.,]\d{1,3})?%?", fullmatch=True)
STARTS = st.one_of(
    st.from_regex(r"[A-Z][a-z]{1,9}", fullmatch=True), st.sampled_from(["However", "Note that", "Also"])
)


@given(
    STARTS,
    st.lists(st.tuples(st.sampled_from([" ", ", "]), WORDS), max_size=12),
    st.sampled_from([".", "?", ""]),
)
def test_a_sentence_without_marks_is_cleaned_like_any_other(start, rest, end):
    text = start + "".join(gap + word for gap, word in rest) + end
    assert clean(text) == clean(f" {text}") == clean(f"{text}\n", "text/plain")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("To clean each pump on its own run:", "To clean each pump on its own run:"),
        ("In the file of the pump, you'd put:", "In the file of the pump, you'd put:"),
        (
            "Pass the number of times you'd like the pump to run:",
            "Pass the number of times you'd like the pump to run.",
        ),
        ("When the pump is ready to run:", "When the pump is ready to run:"),
        ("When the pump is ready, start it:", "When the pump is ready, start it."),
    ],
)
def test_a_line_before_code_is_kept_open_where_its_verb_has_no_object(text, shown):
    assert end_before_code(text) == shown


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The former one needs no casing at all.", "refers back"),
        ("Either pump should be fitted to the casing, but not both.", "refers back"),
        ("Either a pump or a bucket should be at hand.", ""),
        ("If this is lower than the limit, the pump is stopped.", "refers back"),
        ("If it is possible, stop the pump before the filter is changed.", ""),
        ("When it comes to pumps, a small one is enough.", ""),
        ("In many cases, these filters also hold back sand.", "refers back"),
        ("Despite being much newer than the others, it has seen heavy use.", "refers back"),
        ("Despite its age, the pump is reliable.", ""),
        ("Even with such filters, sand gets into the pump.", "refers back"),
        ("Others may exist that hold back the sand as well.", "refers back"),
        ("Empty the filter, and then goto step 5.", "refers back"),
        ("struct PumpFlat: public pumps::Pump", "code"),
    ],
)
def test_flaw_names_what_a_sentence_lacks_without_its_neighbours(sentence, reason):
    assert flaw(sentence) == reason


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "[![NPM version][npm-image]][npm-url]\n[![Build](https://ci.example/b.svg)](https://ci.example)",
            "",
        ),
        ("[![NPM version][npm-image]][npm-url] It reads rules of calendars.", "It reads rules of calendars."),
    ],
)
def test_badges_are_left_out(text, shown):
    assert clean(text, "text/markdown") == shown


def test_name_without_its_module_is_shown_without_the_tilde():
    assert (
        clean("Set the ~LoginManager.login_view attribute.") == "Set the LoginManager.login_view attribute."
    )
    assert clean("It takes ~5 ms on average.") == "It takes ~5 ms on average."
    assert (
        clean("Override Pump.__init__ in pumps_, if needed.") == "Override Pump.__init__ in pumps, if needed."
    )


def test_sentence_that_ends_in_what_code_completes_keeps_its_colon():
    assert end_before_code("You can reset the password using:") == "You can reset the password using:"
