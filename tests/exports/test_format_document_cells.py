"""Values of tables in papers and files that people open."""

import pytest
from django.utils.translation import override

from exports.document.document_tree import CellEntry
from exports.formats.export_options import ExportOptions
from exports.formats.to_html import write as write_html
from exports.formats.to_markdown import write as write_markdown
from exports.labels.format_document_cells import statistic_name, statistic_value, value_words
from tests.exports.generated import document


@pytest.mark.parametrize(
    ("value", "column_type", "english", "german"),
    [
        (True, "boolean", "Yes", "Ja"),
        (False, "boolean", "No", "Nein"),
        (1_250_000.0, "number", "1,250,000", "1.250.000"),
        (1998.0, "number", "1998", "1998"),
        (-4.5, "number", "-4.5", "-4,5"),
        (0.000012, "number", "0.000012", "0,000012"),
        ("2024-06", "date", "June 2024", "Juni 2024"),
        ("https://www.acme.example/about/", "url", "acme.example/about", "acme.example/about"),
        (("Dari", "Pashto"), "string", "Dari, Pashto", "Dari, Pashto"),
        ("Berlin", "string", "as stored", "as stored"),
    ],
)
def test_a_value_reads_as_its_reader_writes_it(value, column_type, english, german):
    cell = CellEntry("found", "as stored", value)
    for language, words in (("en", english), ("de", german)):
        with override(language):
            assert value_words(cell, column_type) == words


@pytest.mark.parametrize(
    ("name", "text", "value", "german"),
    [
        ("maximum", "17098242", 17_098_242.0, "17.098.242"),
        ("mean", "683012.25", 683_012.25, "683.012,25"),
        ("median", "1998", 1998.0, "1998"),
        ("earliest", "1999-02", None, "Februar 1999"),
        ("most_frequent", "no (153), yes (42)", 153.0, "Nein (153), Ja (42)"),
        ("most_frequent", "by no (3), Kabul (2)", 3.0, "by no (3), Kabul (2)"),
    ],
)
def test_a_figure_of_a_column_reads_as_its_cells_do(name, text, value, german):
    with override("de"):
        assert statistic_value(name, text, value) == german


@pytest.mark.parametrize("write", [write_html, write_markdown], ids=["html", "markdown"])
def test_files_for_people_say_yes_or_no_and_name_what_was_counted(write):
    said = write(document("table"), ExportOptions(), lambda _share: None).decode()
    assert "True" not in said
    assert "median" in said
    with override("de"):
        assert statistic_name("most_frequent") == "am häufigsten"
        assert statistic_name("not_known_here") == "not known here"
