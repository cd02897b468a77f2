"""The page on the life of a run says what the table says."""

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from research.engine.states.state_diagram import mermaid
from research.engine.states.state_exit_reasons import BESIDE_THE_TABLE
from research.engine.states.state_machine import STATES
from research.engine.states.state_replanning import TRIGGERS
from research.management.commands import lifecycle_picture
from research.models import FINISHED, State

PAGE = Path(lifecycle_picture.PAGE).read_text(encoding="utf-8")
ARROW = re.compile(r"^ {4}(\w+) --> (\w+): (.+)$", re.MULTILINE)


def rows() -> list[list[str]]:
    table = PAGE.partition("## The states")[2].partition("\n\nA kind")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_picture_has_every_exit_of_the_table_and_no_other():
    drawn = {
        (was, word.replace(" ", "_"), to)
        for was, to, words in ARROW.findall(mermaid())
        for word in words.split("<br/>")
        if not word.startswith("not ")
    }
    assert drawn == {(state, one.when.__name__, one.to) for state in STATES for one in STATES[state].exits}


def test_the_picture_has_every_way_back():
    drawn = {
        (was, to)
        for was, to, words in ARROW.findall(mermaid())
        if words.split("<br/>")[-1].startswith("not ")
    }
    assert drawn == {(state, spec.rollback) for state, spec in STATES.items() if spec.rollback}


def test_the_picture_begins_and_ends_where_a_run_does():
    assert "[*] --> created" in mermaid()
    assert {line.split()[0] for line in mermaid().splitlines() if line.endswith("--> [*]")} == FINISHED


def test_the_page_has_the_picture_of_today():
    assert f"```mermaid\n{mermaid()}\n```" in PAGE


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_the_page_s_table_is_that_of_the_code(row):
    spec = STATES[State(row[0])]
    assert row[1:] == [
        f"{spec.limit_s:_}".replace("_", " "),
        str(spec.retries),
        str(spec.role),
        "yes" if spec.parallel else "no",
        "yes" if spec.person else "no",
        str(spec.rollback or "–"),
        spec.needs.__name__.replace("_", " ") if spec.rollback else "–",
    ]


def test_the_page_s_table_has_every_state_of_work():
    assert [row[0] for row in rows()] == [state for state, spec in STATES.items() if spec.limit_s]


def test_the_page_names_every_trigger_and_every_way_beside_the_table():
    for name in {*TRIGGERS.values(), *BESIDE_THE_TABLE}:
        assert f"`{name}`" in PAGE


def test_the_command_prints_the_picture(capsys):
    call_command("lifecycle_picture")
    assert capsys.readouterr().out == mermaid() + "\n"


def test_the_command_draws_an_old_picture_anew(tmp_path, monkeypatch):
    page = tmp_path / "lifecycle.md"
    page.write_text("Before.\n\n```mermaid\nold\n```\n\nAfter.\n", encoding="utf-8")
    monkeypatch.setattr(lifecycle_picture, "PAGE", page)
    call_command("lifecycle_picture", "--write")
    assert page.read_text(encoding="utf-8") == f"Before.\n\n```mermaid\n{mermaid()}\n```\n\nAfter.\n"


def test_a_page_without_a_picture_is_left_alone(tmp_path, monkeypatch):
    page = tmp_path / "lifecycle.md"
    page.write_text("No picture.\n", encoding="utf-8")
    monkeypatch.setattr(lifecycle_picture, "PAGE", page)
    with pytest.raises(CommandError, match="no picture"):
        call_command("lifecycle_picture", "--write")
    assert page.read_text(encoding="utf-8") == "No picture.\n"
