"""Answers in their shapes, from rows to the page: in short once, cited tables, levels, steps, who says it."""

import re
from uuid import UUID

import pytest

from citations.models import Section, Warning
from exports.building.build_document import build_document, read_claim
from exports.export_answer_json import answer
from research.db.tenancy import tenant_context
from tests.gallery.answers import make_comparison, make_positions, make_steps, make_timeline
from tests.web.pages import fold_spaces, tree, words

NEWEST = "The default iteration count for the PBKDF2 password hasher is increased from 870,000 to 1,000,000."


def texts(page, path):
    return [fold_spaces(one.text_content()) for one in page.xpath(path)]


def build_answer(person, address):
    with tenant_context(person.tenant.pk):
        return build_document(UUID(address.split("/")[2]))


@pytest.fixture
def timeline(client, ada):
    return tree(client.get(make_timeline(ada)))


def test_the_answer_stands_right_below_the_title_and_nowhere_else(timeline):
    head = timeline.xpath("//header[contains(@class, 'reader-head')]")[0]
    assert [one.tag for one in head][:2] == ["h1", "section"]
    assert texts(head, "section/h2") == ["In short"]
    assert texts(timeline, "//div[@class='report']//h2")[0] == "How has it changed?"
    assert "In short" not in texts(timeline, "//nav//a")
    assert texts(timeline, "//section[@class='answer']//span[contains(@class, 'claim')]") == [NEWEST]


def test_what_the_answer_states_has_its_badge_and_its_place_there(timeline):
    [claim] = timeline.xpath("//*[@id='claim-1']")
    assert claim.getparent().getparent().get("class") == "answer"
    assert "badge" in claim.getnext().get("class")
    ids = timeline.xpath("//@id")
    assert len(ids) == len(set(ids))


def test_each_claim_is_followed_by_who_says_it_and_from_when(timeline):
    assert texts(timeline, "//section[@class='answer']//*[@class='attribution']") == [
        "Django 5.2 release notes, April 2025"
    ]
    assert texts(timeline, "//*[@class='newest']") == [
        "Newest source: Password Storage Cheat Sheet, 17 August 2026."
    ]


def test_a_row_that_names_its_source_does_not_name_it_again(timeline):
    assert texts(timeline, "//table//*[@class='attribution']") == [
        "Django 5.1 release notes, August 2024 and 1 more"
    ]


def test_a_timeline_has_its_heads_and_cites_every_sentence(timeline):
    assert texts(timeline, "//thead//th") == ["Release or date", "What changed"]
    rows = timeline.xpath("//tbody/tr")
    assert [fold_spaces(row.xpath("th")[0].text_content()) for row in rows] == [
        "Django 5.0, December 2023",
        "Django 5.1, August 2024",
        "Django 5.2, April 2025",
    ]
    claims = [len(row.xpath(".//span[contains(@class, 'claim')]")) for row in rows]
    assert claims == [len(row.xpath(".//button[contains(@class, 'badge')]")) for row in rows] == [1, 3, 1]


def test_an_empty_cell_says_that_nothing_is_stated(client, ada):
    page = tree(client.get(make_comparison(ada)))
    assert texts(page, "//tbody/tr[3]/td")[0] == "not stated"
    assert page.xpath("//tbody/tr[1]/td/@data-label") == [
        "ASVS 4.0.3 (October 2021)",
        "ASVS 5.0.0 (May 2025)",
    ]


def test_positions_stand_a_level_below_their_part(client, ada):
    page = tree(client.get(make_positions(ada)))
    headings = page.xpath(
        "//div[@class='report']/section[starts-with(@id, 'section-')]/*[self::h2 or self::h3]"
    )
    assert [(heading.tag, fold_spaces(heading.text_content())) for heading in headings] == [
        ("h2", "Is a long password better than a complex one?"),
        ("h3", "For"),
        ("h3", "Against"),
        ("h3", "It depends"),
        ("h2", "Which length do they recommend?"),
    ]
    assert texts(page, "//p[@class='muted']") == ["No source that was read says anything on this."]


def test_steps_are_counted(client, ada):
    page = tree(client.get(make_steps(ada)))
    assert len(page.xpath("//section[starts-with(@id, 'section-')]/ol/li")) == 4


def test_steps_of_one_document_name_it_once(client, ada):
    page = tree(client.get(make_steps(ada)))
    [shared] = texts(page, "//section[starts-with(@id, 'section-')]/p[@class='attribution']")
    assert shared.startswith("All from ")
    assert not page.xpath("//ol/li//*[@class='attribution']")


def test_a_claim_on_its_own_says_who_says_it(client, ada):
    address = make_timeline(ada).replace("report/", "claims/1/")
    assert "Django 5.2 release notes, April 2025" in words(client.get(address))
    assert "Django 5.2 release notes, April 2025" in words(
        client.get(address, headers={"HX-Request": "true"})
    )


def test_a_shared_report_begins_with_the_answer(client, ada):
    address = make_timeline(ada)
    made = client.post(address.replace("report/", "share/"), {"days": "7"}).content.decode()
    [shared] = re.findall(r'value="http://testserver(/shared/[\w-]+/)"', made)
    page = tree(client.get(shared))
    assert texts(page, "//header[contains(@class, 'reader-head')]/section/h2") == ["In short"]
    assert texts(page, "//section[@class='answer']//*[@class='attribution']") == [
        "Django 5.2 release notes, April 2025"
    ]


def test_the_document_counts_a_claim_once_and_takes_its_summary_from_the_answer(ada):
    document = build_answer(ada, make_timeline(ada))
    assert [section.role for section in document.sections] == ["answer", ""]
    assert document.summary == ("3 changes between December 2023 and April 2025, newest first:", NEWEST)
    assert sum(document.counts.values()) == len(document.claims) == 5


def test_sources_have_the_same_numbers_on_the_page_and_beside_a_claim(ada):
    document = build_answer(ada, make_timeline(ada))
    with tenant_context(ada.tenant.pk):
        alone = [read_claim(document.run_id, claim.number) for claim in document.claims]
    labels = [[citation.label for citation in claim.citations] for claim in document.claims]
    assert [[citation.label for citation in claim.citations] for claim in alone] == labels


def test_what_the_command_prints_as_json_says_who_says_each_claim(ada):
    printed = answer(build_answer(ada, make_timeline(ada)))
    assert [section["role"] for section in printed["sections"]] == ["answer", ""]
    attributions = [claim["attribution"] for section in printed["sections"] for claim in section["claims"]]
    assert attributions[:2] == [
        "Django 5.2 release notes, April 2025",
        "Django 5.0 release notes, December 2023",
    ]
    assert all(attributions)


def test_a_table_that_is_the_answer_stands_below_the_title_with_nothing_in_short(client, ada):
    address = make_timeline(ada)
    with tenant_context(ada.tenant.pk):
        table = Section.objects.filter(run=address.split("/")[2]).latest("index")
        Section.objects.filter(run=table.run).exclude(pk=table.pk).update(body={"blocks": []})
        Section.objects.filter(pk=table.pk).update(body={**table.body, "role": "answer"})
    page = tree(client.get(address))
    assert not page.xpath("//section[@class='answer']")
    assert len(page.xpath("//div[@class='report']//tbody/tr")) == 3
    assert not page.xpath("//header//*[@class='newest']")
    [newest] = page.xpath("//div[@class='report']//*[@class='newest']")
    assert "compared" in newest.getprevious().get("class")
    document = build_answer(ada, address)
    assert (document.answer_section, document.answer) == (None, ())


def test_what_the_sources_leave_open_stands_below_the_answer(client, ada):
    address = make_timeline(ada)
    text = "“and by whom” was looked for again with “who”. Results: 9 (library). None of them answers it."
    with tenant_context(ada.tenant.pk):
        Warning.objects.create(
            run_id=address.split("/")[2], code="G007", kind="gap", severity="medium", text=text
        )
    page = tree(client.get(address))
    assert texts(page, "//section[@class='answer']/p[@class='open-parts']") == [
        "No clear answer was found to “and by whom”."
    ]
