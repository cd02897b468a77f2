"""Parts for readers: the source beside the report, what changed since, who is behind the evidence."""

import gzip

from django.test import Client
from django.utils import timezone
from lxml import html

from citations.models import Citation, Claim, Recheck, RecheckedCitation, RecheckState
from research.db.tenancy import tenant_context
from research.models import Run, Source, State
from tests.web.pages import fold_spaces, tree, words
from tests.web.test_browser import lengthen
from tests.worlds import finish

HTMX = {"HX-Request": "true"}


def report(client, world):
    return client.get(f"/runs/{world.run.pk}/report/")


def popover(client, world, number=1):
    return client.get(f"/runs/{world.run.pk}/claims/{number}/", headers=HTMX)


def pane(client, world, query=""):
    return client.get(f"/sources/{world.trial.pk}/{query}", headers=HTMX)


def change(world, *outcomes):
    """A look at the trial that found these outcomes, one a citation."""
    with tenant_context(world.person.tenant.pk):
        look = Recheck.objects.create(source=world.trial, state=RecheckState.DONE, finished_at=timezone.now())
        for citation, outcome in zip(world.citations, outcomes, strict=False):
            RecheckedCitation.objects.create(recheck=look, citation=citation, outcome=outcome)


def test_the_pane_is_a_part_with_its_headings_one_level_down(client, world):
    response = pane(client, world)
    assert "HX-Request" in response["Vary"]
    page = tree(response)
    assert not page.xpath("//h1|//main|//aside")
    assert page.xpath("//h2")[0].text == "Cold field trial"
    levels = [int(one.get("aria-level")) for one in page.xpath("//*[@role='heading']")]
    assert min(levels) == 3


def test_what_the_pane_links_to_does_not_hang_on_the_page_around_it(client, world):
    page = tree(pane(client, world, f"?citation={world.citations[2].pk}"))
    own = [link for link in page.xpath("//a/@href") if "citation=" in link]
    assert own
    assert all(link.startswith(f"/sources/{world.trial.pk}/?") for link in own)
    assert not page.xpath("//a[starts-with(@href, '?')]")


def test_the_claim_stands_beside_its_passage(client, world):
    with tenant_context(world.person.tenant.pk):
        third = world.claims[2]
        start = world.citations[3].start_offset
        part = {
            "start": 0, "end": 3, "kind": "word", "state": "matched", "source": "Oil",
            "citation": str(world.citations[3].pk), "source_start": start, "source_end": start + 3,
        }  # fmt: skip
        Run.objects.filter(pk=world.run.pk).update(state=State.VERIFYING)
        Claim.objects.filter(pk=third.pk).update(alignment=[part])
        Citation.objects.filter(pk=world.citations[3].pk).update(verification_status="verified")
    page = tree(client.get(f"/sources/{world.trial.pk}/?claim=3"))
    laid = page.xpath("//section[@data-claim='3']")[0]
    assert "Supports Exact words characters" in fold_spaces(laid.text_content())
    assert [one.text for one in laid.xpath(".//p/span[@class='part matched']")] == ["Oil"]
    assert [one.text for one in page.xpath("//mark[@class='current']/span")] == ["Oil"]


def test_a_report_says_which_sources_changed_since(client, world):
    change(world, "changed", "still there", "gone")
    page = tree(report(client, world))
    notice = page.get_element_by_id("changed-since")
    assert "sources of 2 claims have changed" in fold_spaces(notice.text_content())
    assert notice.xpath(".//a/@href") == ["#claim-1", "#claim-2"]
    badges = page.xpath("//section[starts-with(@id, 'section-')]//button")
    assert ["source changed" in badge.text_content() for badge in badges] == [True, True, False]


def test_a_later_look_that_finds_all_there_takes_the_mark_away(client, world):
    change(world, "changed")
    change(world, "still there")
    assert "source changed" not in words(report(client, world))


def test_pages_of_one_publisher_are_told_apart_from_sources_of_several(client, world):
    assert "2 sources, 2 publishers" in words(popover(client, world))
    with tenant_context(world.person.tenant.pk):
        Source.objects.filter(pk=world.trial.pk).update(publisher="PRÜFAMT")
        Run.objects.filter(pk=world.run.pk).update(state=State.VERIFYING)
        Claim.objects.filter(number=1).update(origins=1, strength="limited")
    page = words(popover(client, world))
    assert "Limited · 2 pages, 1 publisher" in page
    assert "They count as 1 independent source" in page


def test_publishers_that_nobody_knows_are_not_counted(client, world):
    with tenant_context(world.person.tenant.pk):
        Source.objects.filter(pk=world.trial.pk).update(domain="", publisher="")
    page = words(popover(client, world))
    assert "Strong · 2 sources" in page
    assert "publisher" not in page


def test_each_source_says_how_it_bears_on_the_claim_and_what_it_is(client, world):
    with tenant_context(world.person.tenant.pk):
        Citation.objects.filter(pk=world.citations[0].pk).update(verification_status="verified")
        Citation.objects.filter(pk=world.citations[1].pk).update(verification_status="disputed")
        Source.objects.filter(pk=world.study.pk).update(source_type="academic")
    found = [fold_spaces(one.text_content()) for one in tree(popover(client, world)).xpath("//section")]
    assert "Supports Document" in found[0]
    assert "Contradicts Paper" in found[1]


def test_a_source_without_an_original_says_so(client, world):
    with tenant_context(world.person.tenant.pk):
        Source.objects.filter(pk=world.trial.pk).update(url="file:///etc/passwd", final_url="")
    page = popover(client, world, 2)
    assert "Saved copy only: there is no original to open." in words(page)
    assert not tree(page).xpath("//a[@class='open-original']")


def test_a_filter_for_disputed_claims_is_there_where_there_are_some(client, world):
    page = tree(report(client, world))
    assert (
        fold_spaces(page.xpath("//label[@class='disputed-filter']")[0].text_content()) == "≠ Only disputed 1"
    )
    assert page.xpath("//span[@id='claim-1']/@class") == ["claim strong disputed"]
    with tenant_context(world.person.tenant.pk):
        Claim.objects.update(contradiction_status="none")
    assert not tree(report(client, world)).xpath("//*[@id='only-disputed']")


def test_a_report_of_sixty_claims_is_light(client, world):
    """Spec: ui.md, goals: below 100 KB with all that it loads, scripts below 25 KB."""
    lengthen(world, 60)
    with tenant_context(world.person.tenant.pk):
        finish(world.run, State.COMPLETED)
    page = client.get(f"/runs/{world.run.pk}/report/", headers={"Accept-Encoding": "gzip"})
    whole = tree_of(page)
    assert len(whole.xpath("//section[starts-with(@id, 'section-')]//button")) == 60
    scripts = sum(measure_packed(client, path) for path in whole.xpath("//script/@src"))
    others = sum(measure_packed(client, path) for path in whole.xpath("//link/@href"))
    assert scripts < 25_000
    assert len(page.content) + scripts + others < 100_000


def tree_of(page):
    return html.document_fromstring(gzip.decompress(page.content).decode())


def measure_packed(client: Client, address: str) -> int:
    """Bytes of a file of the site as they are sent."""
    answer = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip", address
    return len(answer.getvalue())
