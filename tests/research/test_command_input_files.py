"""`manage.py research --input`: what is asked, from a file."""

import json
from io import BytesIO, TextIOWrapper

import pytest

from research.management.command_input_files import input_of
from research.models import Kind
from research.pipelines.pipeline_kinds import kind_of
from research.pipelines.report.report_config import ConfigError


def test_words_ask_a_kind_that_takes_them():
    assert input_of(kind_of(Kind.REPORT), "Why is it so?", None).question == "Why is it so?"


def test_a_file_is_read_as_json_and_words_take_their_place_in_it(tmp_path):
    file = tmp_path / "asked.json"
    file.write_text(json.dumps({"prompt": "x", "items": ["Acme"]}))
    asked = input_of(kind_of(Kind.TABLE), "Year of each", str(file))
    assert (asked.prompt, asked.items) == ("Year of each", ["Acme"])


def test_a_dash_is_the_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b'{"question": "Why is it so?"}')))
    assert input_of(kind_of(Kind.REPORT), "", "-").question == "Why is it so?"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[1]", "but not an object"),
        ('{"colour": 1}', "colour: there is no such setting"),
    ],
)
def test_a_file_that_asks_nothing_is_refused(tmp_path, content, complaint):
    file = tmp_path / "asked.json"
    file.write_text(content)
    with pytest.raises(ConfigError, match=complaint):
        input_of(kind_of(Kind.REPORT), "", str(file))


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match="“/no/such.json” can't be read"):
        input_of(kind_of(Kind.REPORT), "", "/no/such.json")
