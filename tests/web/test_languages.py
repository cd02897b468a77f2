"""The interface in other languages: whole, with figures for people as their language writes them, for machines not."""

import re

import pytest
from django.conf import settings as django_settings
from django.test import Client
from lxml import html

from citations.models import Claim
from exports.formats.export_formats import Format
from exports.labels.format_document_values import direction
from research.db.tenancy import tenant_context
from research.models import Source
from tests.people import join
from tests.pseudo import PSEUDO, lengthen
from tests.web.pages import tree, words
from tests.web.tongues import addresses, speak_pseudo, worlds
from tests.worlds import ReportWorld

# Attributes that a browser computes with.
FOR_MACHINES = (
    "cx cy d datetime height high low max maxlength min optimum points r rows step viewBox width x y"
)
# Pages that hold nothing but our own words.
OURS = (
    "/",
    "/help/",
    "/help/api/",
    "/help/shortcuts/",
    "/accessibility/",
    "/runs/",
    "/runs/new/",
    "/library/",
    "/nothing/",
)
NAMES = {"Plumbline", "ada", "·", "–", "—", *map(str, Format.labels)}


@pytest.fixture
def pseudo(settings, tmp_path):
    speak_pseudo(settings, tmp_path)
    return {"Accept-Language": PSEUDO}


def visible_texts(page: html.HtmlElement) -> list[str]:
    apart = "ancestor::script or ancestor::style or ancestor::kbd or ancestor::code or ancestor::template"
    apart += " or ancestor::option or ancestor::*[@lang][not(self::html)]"
    found = page.xpath(f"//body//text()[not({apart})]")
    return [text for one in found if (text := " ".join(one.split()))]


def not_translated(page: html.HtmlElement) -> list[str]:
    """Texts are cut where an element stands in a sentence: each piece lies inside of the brackets of its string."""
    depth, outside = 0, []
    for text in visible_texts(page):
        if not depth and "[" not in text and re.search(r"[^\W\d_]{2}", text) and text not in NAMES:
            outside.append(text)
        depth = max(0, depth + text.count("[") - text.count("]"))
    return outside


def test_every_word_of_ours_goes_through_the_translations(client, pseudo):
    """One test does it, since Django reads all languages anew for each that speaks another."""
    found = {address: not_translated(tree(client.get(address, headers=pseudo))) for address in OURS}
    assert {address: left for address, left in found.items() if left} == {}


def test_pages_say_which_language_they_are_in(client, world):
    page = tree(client.get(f"/runs/{world.run.pk}/report/", headers={"Accept-Language": "de"}))
    assert page.get("lang") == "de"
    assert page.xpath("//h1")[0].get("lang") in (None, "en")
    assert "Aussagen" in page.text_content()


def test_quotes_keep_the_language_of_their_source(client, world):
    page = tree(client.get(f"/runs/{world.run.pk}/claims/1/", headers={"Accept-Language": "de"}))
    assert set(page.xpath("//*[contains(@class, 'quote')]/@lang")) == {"en", "de"}


@pytest.mark.parametrize(
    ("text", "expected"), [("At 9 sites", "ltr"), ("9 אתרים", "rtl"), ("٩ مواقع", "rtl"), ("9 %", "ltr")]
)
def test_a_paragraph_runs_as_its_first_letter_does(text, expected):
    assert direction(text) == expected


def test_sentences_of_a_report_follow_each_other_in_its_own_direction(client, world):
    with tenant_context(world.person.tenant.pk):
        Claim.objects.filter(pk=world.claims[0].pk).update(text="המקדם נשאר מעל שתיים.")
    page = tree(client.get(f"/runs/{world.run.pk}/report/"))
    assert page.xpath("//*[@id='claim-1']/ancestor::p/@dir") == ["rtl"]
    assert page.xpath("//*[@id='claim-3']/ancestor::ul/@dir") == ["ltr"]


def test_figures_for_machines_are_the_same_in_every_language(ada):
    client, found = ada.sign_in(), list(worlds(ada))
    wrong = []
    for address in addresses(found):
        page = tree(client.get(address, headers={"Accept-Language": "de"}, follow=True))
        for name in FOR_MACHINES.split():
            values = page.xpath(f"//@{name}")
            wrong += [f"{address} {name}={value}" for value in values if re.search(r"\d,\d", value)]
    assert wrong == []


def test_figures_for_people_are_written_as_their_language_does(client, world):
    address = f"/runs/{world.run.pk}/sources/"
    assert "22. Juni 2017" in words_in_german(client, world, "2017-06-22", address)
    assert "Juni 2017" in words_in_german(client, world, "2017-06", address)


def words_in_german(client: Client, world: ReportWorld, published: str, address: str) -> str:
    with tenant_context(world.person.tenant.pk):
        Source.objects.filter(pk=world.trial.pk).update(published_date=published)
    return words(client.get(address, headers={"Accept-Language": "de"}))


def test_who_has_chosen_no_language_gets_that_of_the_browser(db):
    client = join("berta").sign_in()
    assert "Was möchten Sie wissen?" in words(
        client.get("/runs/new/", headers={"Accept-Language": "de-CH, en"})
    )
    assert "What do you want to know?" in words(
        client.get("/runs/new/", headers={"Accept-Language": "fr, en"})
    )


def test_both_languages_that_we_ship_are_offered():
    assert [code for code, _ in django_settings.LANGUAGES] == ["en", "de"]


def test_a_pseudo_string_is_longer_by_two_fifths_and_keeps_what_is_no_text():
    told = lengthen("Read <b>%(count)s</b> sources")
    assert told.startswith("[Réàd <b>%(count)s</b> šõûrçéš")
    assert len(told) >= 1.4 * len("Read  sources")
