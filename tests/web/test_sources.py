"""The sources of a run, and the saved copy of one."""

from research.db.tenancy import tenant_context
from research.models import Source
from tests.web.hidden import hide_text
from tests.web.pages import fold_spaces, tree, words


def copy(client, source, query=""):
    return client.get(f"/sources/{source.pk}/{query}")


def marks(response):
    return [mark.text_content() for mark in tree(response).xpath("//mark")]


def current(response):
    return [mark.text_content() for mark in tree(response).xpath("//mark[@class='current']")]


def test_sources_stand_in_three_groups_with_reasons(client, world):
    page = client.get(f"/runs/{world.run.pk}/sources/")
    assert "2 cited · 1 read but not used · 1 failed" in words(page)
    assert "The file ends too early." in words(page)
    cited = tree(page).xpath("//section[@aria-labelledby='cited']//tbody/tr")
    assert [fold_spaces(row[0].text_content()) for row in cited] == ["[1]", "[2]"]


def test_a_copy_of_another_source_names_it(client, world):
    with tenant_context(world.person.tenant.pk):
        Source.objects.filter(pk=world.note.pk).update(status="duplicate", duplicate_of=world.trial)
    assert "Same text as “Cold field trial”." in words(client.get(f"/runs/{world.run.pk}/sources/"))


def test_a_source_that_hid_words_says_how_many_passages(client, world):
    hide_text(world, world.note)
    page = client.get(f"/runs/{world.run.pk}/sources/")
    unused = tree(page).xpath("//section[@aria-labelledby='unused']//tbody/tr")
    assert "2 hidden passages were left out" in fold_spaces(unused[0].text_content())
    assert "2 hidden passages were left out: text that is invisible in the original" in words(page)


def test_nothing_is_said_of_hidden_words_where_there_were_none(client, world):
    assert "hidden" not in words(client.get(f"/runs/{world.run.pk}/sources/"))


def test_of_many_sources_a_hundred_are_shown_and_each_list_turns_its_own_pages(client, world):
    with tenant_context(world.person.tenant.pk):
        Source.objects.bulk_create(
            Source(
                run=world.run, canonical_url=f"https://example.org/{n}", title=f"Page {n}", status="processed"
            )
            for n in range(250)
        )
    page = client.get(f"/runs/{world.run.pk}/sources/?unused=2&style=apa")
    assert "2 cited · 251 read but not used · 1 failed" in words(page)
    assert len(tree(page).xpath("//section[@aria-labelledby='unused']//tbody/tr")) == 100
    assert len(tree(page).xpath("//section[@aria-labelledby='cited']//tbody/tr")) == 2
    assert tree(page).xpath("//section[@aria-labelledby='unused']//nav/a/@href") == [
        "?unused=1&style=apa#unused",
        "?unused=3&style=apa#unused",
    ]


def test_a_scan_says_what_it_is_and_what_can_be_done(client, world):
    with tenant_context(world.person.tenant.pk):
        Source.objects.filter(pk=world.failed.pk).update(error_code="scanned")
    page = words(client.get(f"/sources/{world.failed.pk}/"))
    assert "A scan without text" in page
    assert "ocrmypdf" in page


def test_the_saved_copy_marks_every_cited_passage(client, world):
    assert marks(copy(client, world.trial)) == [
        "The seasonal factor stayed above two at nine sites.",
        "Backup heaters ran for forty hours.",
        "Oil fell by 30 percent.",
    ]


def test_the_passage_that_was_asked_for_stands_out(client, world):
    second = world.citations[2]
    page = copy(client, world.trial, f"?citation={second.pk}")
    assert current(page) == ["Backup heaters ran for forty hours."]
    assert tree(page).xpath("//mark[@class='current']/@id") == [f"passage-{second.pk}"]
    assert "passage 2 of 3" in words(page)


def test_a_passage_can_be_asked_for_by_its_claim(client, world):
    assert current(copy(client, world.trial, "?claim=3")) == ["Oil fell by 30 percent."]


def test_a_passage_that_is_not_there_falls_back_to_the_first(client, world):
    for query in ("?citation=nonsense", "?claim=99", "?claim=x", "?part=99", "?part=²", "?page=0"):
        assert current(copy(client, world.trial, query)) == [
            "The seasonal factor stayed above two at nine sites."
        ]


def test_one_goes_from_passage_to_passage_and_back_to_the_claim(client, world):
    page = tree(copy(client, world.trial, f"?citation={world.citations[2].pk}"))
    own = f"/sources/{world.trial.pk}/?citation="
    assert page.xpath("//a[@rel='prev']/@href")[0].startswith(f"{own}{world.citations[0].pk}")
    assert page.xpath("//a[@rel='next']/@href")[0].startswith(f"{own}{world.citations[3].pk}")
    assert page.xpath(f"//a[@href='/runs/{world.run.pk}/report/#claim-2']")


def test_the_whole_text_is_shown_with_its_structure(client, world):
    page = tree(copy(client, world.trial))
    article = page.xpath("//article")[0]
    assert article.get("lang") == "en"
    headings = [
        (fold_spaces(h.text_content()), h.get("aria-level")) for h in article.xpath(".//*[@role='heading']")
    ]
    assert headings == [("Cold field trial", "2"), ("Costs", "2")]
    assert len(article.xpath(".//li")) == 2
    assert [p.text_content() for p in article.xpath(".//p[@class='outside']")] == ["\n\n3"]


def test_markup_in_a_source_is_shown_as_text(client, world):
    page = copy(client, world.note).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;markup&lt;/b&gt;" in page
    assert "<b>" not in page


def test_the_copy_says_when_it_was_saved_and_its_hash(client, world):
    page = words(copy(client, world.trial))
    with tenant_context(world.person.tenant.pk):
        sha256 = Source.objects.get(pk=world.trial.pk).content.sha256
    assert sha256 in page
    assert "March 2024" in page
    assert "characters 63–114" in page


def test_a_source_that_was_not_cited_says_so(client, world):
    assert "No passage of this source is cited." in words(copy(client, world.note))


def test_a_source_that_failed_says_why(client, world):
    page = words(copy(client, world.failed))
    assert "This source could not be read" in page
    assert "The file ends too early. (truncated)" in page


def test_a_text_has_no_page_images(client, world):
    assert client.get(f"/sources/{world.trial.pk}/pages/1.png").status_code == 404
    assert current(copy(client, world.trial, "?view=page"))
