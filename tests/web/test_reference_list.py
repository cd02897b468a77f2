"""The reference list on the page of sources, and its files."""

import json

import pytest

from citations.bibliography.bibliography_by_pandoc import PandocTimeout
from research.web.report.source_list_page import FILES
from tests.web.pages import tree, words


def page(client, world, query=""):
    return client.get(f"/runs/{world.run.pk}/sources/{query}")


def file(client, world, suffix):
    return client.get(f"/runs/{world.run.pk}/references.{suffix}")


def list_references(response):
    return [
        " ".join(item.text_content().split())
        for item in tree(response).xpath("//section[@aria-labelledby='references']//li")
    ]


def test_without_a_style_there_is_only_the_choice(client, world):
    response = page(client, world)
    assert list_references(response) == []
    assert len(tree(response).xpath("//select[@name='style']/option")) == 6


def test_the_cited_sources_are_listed_in_the_style_that_was_chosen(client, world):
    response = page(client, world, "?style=apa")
    trial = next(entry for entry in list_references(response) if "Cold field trial" in entry)
    assert trial.startswith("Miller, A. (2024, March). Cold field trial.")
    assert len(list_references(response)) == 2
    assert tree(response).xpath("//option[@selected]/@value") == ["apa"]


def test_numbers_of_ieee_are_those_of_the_report(client, world):
    assert [entry[:3] for entry in list_references(page(client, world, "?style=ieee"))] == ["[1]", "[2]"]


def test_a_label_stands_before_the_choice(client, world):
    labelled = tree(page(client, world)).xpath("//label[@for='style']")
    assert labelled


def test_a_style_that_does_not_exist_is_named_and_the_page_stays(client, world):
    response = page(client, world, "?style=turabian")
    assert "There is no citation style “turabian”." in words(response)
    assert "2 cited" in words(response)


def test_when_pandoc_fails_the_page_stays(client, world, monkeypatch):
    def fail(*arguments: object) -> None:
        raise PandocTimeout("Formatting the references took more than 20 seconds.")

    monkeypatch.setattr("research.web.report.source_list_page.load_formatted_references", fail)
    response = page(client, world, "?style=mla")
    assert response.status_code == 200
    assert "took more than 20 seconds" in words(response)


@pytest.mark.parametrize(
    ("suffix", "media_type", "part"),
    [
        ("bib", "application/x-bibtex", "@misc{source1,"),
        ("ris", "application/x-research-info-systems", "TI  - Cold field trial"),
        ("json", "application/vnd.citationstyles.csl+json", '"title": "Cold field trial"'),
    ],
)
def test_each_file_is_a_download_of_the_cited_sources(client, world, suffix, media_type, part):
    response = file(client, world, suffix)
    assert response["Content-Type"] == f"{media_type}; charset=utf-8"
    assert response["Content-Disposition"].startswith("attachment")
    assert part in response.content.decode()


def test_the_json_has_the_day_on_which_each_source_was_read(client, world):
    items = json.loads(file(client, world, "json").content)
    assert [item["id"] for item in items] == ["source1", "source2"]
    assert all("date-parts" in item["accessed"] for item in items)


def test_a_file_of_another_kind_is_not_there(client, world):
    assert file(client, world, "docx").status_code == 404


def test_a_stranger_gets_no_file(stranger, world):
    assert file(stranger, world, "bib").status_code == 404


def test_a_file_that_cannot_be_made_says_why(client, world, monkeypatch):
    def fail(*arguments: object) -> str:
        raise PandocTimeout("Formatting the references took more than 20 seconds.")

    monkeypatch.setitem(FILES, "bib", ("application/x-bibtex", fail))
    response = file(client, world, "bib")
    assert (response.status_code, "20 seconds" in response.content.decode()) == (503, True)
