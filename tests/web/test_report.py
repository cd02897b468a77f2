"""The report reader and the evidence of a claim."""

import pytest

from citations.models import Claim, Contradiction, Section, Warning
from research.db.tenancy import tenant_context
from research.models import ReviewItem, Role, Run, State
from tests.people import join
from tests.web.pages import fold_spaces, tree, words
from tests.worlds import make_report


def report(client, world):
    return client.get(f"/runs/{world.run.pk}/report/")


def claim(client, world, number=1, **headers):
    return client.get(f"/runs/{world.run.pk}/claims/{number}/", headers=headers)


def test_a_badge_follows_each_claim_and_says_what_it_opens(client, world):
    badges = tree(report(client, world)).xpath("//section[starts-with(@id, 'section-')]//button")
    assert [fold_spaces(badge.text_content()) for badge in badges] == [
        "[1][2] ≠ disputed Strong evidence, 3 independent sources. Show sources for claim 1",
        "[1] Limited evidence, 1 independent source. Show sources for claim 2",
        "[1] Moderate evidence, 2 independent sources. Show sources for claim 3",
    ]


def test_dots_show_the_strength_beside_the_word(client, world):
    badge = tree(report(client, world)).xpath("//section[@id='section-2']//button")[0]
    assert [dot.get("class") for dot in badge.xpath(".//i")] == ["on", "on", None]


def test_a_badge_works_as_a_plain_form_and_as_a_popover(client, world):
    page = tree(report(client, world))
    badge = page.xpath("//main//button[@popovertarget]")[0]
    address = f"/runs/{world.run.pk}/claims/1/"
    assert (badge.get("type"), badge.get("formaction")) == ("submit", address)
    assert badge.get("hx-get").startswith(address)
    assert page.xpath(f"//form[@id='{badge.get('form')}']/@method") == ["get"]
    assert page.xpath(f"//*[@id='{badge.get('popovertarget')}']/@popover") == [""]


def test_no_id_is_given_twice(client, world):
    ids = tree(report(client, world)).xpath("//@id")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (State.COMPLETED, "No source that was read says anything on this."),
        (State.SYNTHESIZING, "is not written yet"),
    ],
)
def test_an_empty_section_is_not_yet_written_only_while_it_is_written(client, ada, state, said):
    world = make_report(ada, state=state)
    with tenant_context(ada.tenant.pk):
        Section.objects.create(
            run=world.run, report_version=world.run.report_version, index=9, heading="Cautions",
            body={"blocks": []}, status="cited",
        )  # fmt: skip
    assert said in words(report(client, world))


def test_every_claim_has_an_address_of_its_own(client, world):
    ids = tree(report(client, world)).xpath("//*[contains(@class, 'claim ')]/@id")
    assert ids == ["claim-1", "claim-2", "claim-3"]


def test_quotes_carry_the_language_of_their_source_and_find_their_direction(client, world):
    quotes = tree(claim(client, world)).xpath("//blockquote")
    assert [(quote.get("lang"), quote.get("dir")) for quote in quotes] == [("en", "auto"), ("de", "auto")]


def test_the_reader_shows_the_short_answer_prose_and_headings(client, world):
    page = words(report(client, world))
    assert "In short The seasonal factor stayed above two" in page
    assert "And the heaters?" in page
    assert "Field trials" in page


def test_a_sentence_of_the_short_answer_can_be_asked_who_says_so(client, world):
    answer = tree(report(client, world)).xpath("//section[@aria-labelledby='answer']//button/@formaction")
    assert answer == [f"/runs/{world.run.pk}/claims/1/"]


def test_disagreements_gaps_warnings_and_what_was_left_out_have_their_place(client, world):
    page = words(report(client, world))
    assert "Where sources disagree 1 Different figures Open Claim 1 Claim 2" in page
    assert "High Nothing on maintenance." in page
    assert "One publisher dominates." in page
    assert "Left out 1" in page


def test_the_method_names_searches_counts_time_and_cost(client, world):
    method = fold_spaces(tree(report(client, world)).get_element_by_id("method").text_content())
    assert "No language model was used." in method
    assert "cold trial" in method
    assert "2 cited of 4" in method
    assert "free" in method


def test_there_is_one_main_heading_and_no_level_is_skipped(client, world):
    page = tree(report(client, world))
    levels = [int(heading.tag[1]) for heading in page.xpath("//h1|//h2|//h3|//h4")]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def test_text_from_sources_is_never_markup(client, world):
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(topic="<img src=x onerror=alert(1)>")
        Warning.objects.create(
            run=world.run, code="W099", kind="gap", severity="low", text="<script>alert(2)</script>"
        )
    page = report(client, world).content.decode()
    assert "<img src=x" not in page
    assert "<script>alert" not in page


@pytest.mark.parametrize(
    ("state", "notice"),
    [
        (State.SYNTHESIZING, "the report is incomplete"),
        (State.FAILED, "No source could be read. (no_sources)"),
        (State.CANCELLED, "This run was cancelled."),
    ],
)
def test_an_unfinished_report_says_so_and_shows_what_there_is(client, ada, state, notice):
    page = words(report(client, make_report(ada, state=state)))
    assert notice in page
    assert "Backup heaters ran for forty hours." in page


def test_insufficient_evidence_says_what_was_looked_for(client, world):
    with tenant_context(world.person.tenant.pk):
        result = {
            "insufficient": True,
            "reasons": ["No document names R290."],
            "looked_for": ["R290 pressure"],
            "left_out": [
                {"text": "R32 is held at 40 bar.", "reason": "Nearest passage; it does not answer."},
                {"text": "It rained.", "reason": "It is not on the question."},
            ],
        }
        Run.objects.filter(pk=world.run.pk).update(result=result)
    page = words(report(client, world))
    assert "The sources do not answer this question" in page
    assert "No document names R290." in page
    assert "R290 pressure" in page
    assert "The nearest passages None of them seems to answer the question. R32 is held at 40 bar." in page
    assert "Left out 1" in page
    assert "In short" not in page


def test_a_run_without_sections_says_that_nothing_is_written(client, ada):
    with tenant_context(ada.tenant.pk):
        run = Run.objects.create(owner=ada.user, topic="Not begun")
    page = client.get(f"/runs/{run.pk}/report/")
    assert "No section is written yet." in words(page)


def test_the_popover_holds_the_exact_words_in_their_context(client, world):
    page = tree(claim(client, world, **{"HX-Request": "true"}))
    assert page.xpath("//mark")[0].text == "The seasonal factor stayed above two at nine sites."
    assert "measured over two winters." in page.xpath("//blockquote")[0].text_content()
    assert not page.xpath("//html/head/*")


def test_the_popover_names_sources_match_confidence_and_factors(client, world):
    page = words(claim(client, world, **{"HX-Request": "true"}))
    assert "Strong · 2 sources, 2 publishers" in page
    assert "Disputed" in page
    assert "Exact words" in page
    assert "82%" in page
    assert "Source authority70%" in page
    assert "single source 0.69" in page


def test_the_popover_leads_to_the_passage_and_to_the_words_on_the_living_page(client, world):
    page = tree(claim(client, world, **{"HX-Request": "true"}))
    citation = world.citations[0]
    assert page.xpath("//a[@class='view-source']/@href")[0] == (
        f"/sources/{world.trial.pk}/?citation={citation.pk}#passage-{citation.pk}"
    )
    (original, *_) = page.xpath("//a[@class='open-original']")
    assert original.get("href").startswith("https://example.org/trial.txt#:~:text=The%20seasonal")
    assert "noopener" in original.get("rel")


def test_the_popovers_body_is_cached_by_report_version_and_apart_from_the_page(client, world):
    address = f"/runs/{world.run.pk}/claims/1/?v=1"
    fragment = client.get(address, headers={"HX-Request": "true"})
    assert "max-age=3600" in fragment["Cache-Control"]
    assert "private" in fragment["Cache-Control"]
    assert "HX-Request" in fragment["Vary"]
    assert "max-age" not in client.get(address).get("Cache-Control", "")


@pytest.mark.parametrize(("state", "version"), [(State.VERIFYING, 1), (State.COMPLETED, 0)])
def test_evidence_that_may_still_change_is_not_cached(client, ada, state, version):
    address = f"/runs/{make_report(ada, state=state).run.pk}/claims/1/?v={version}"
    assert "max-age" not in client.get(address, headers={"HX-Request": "true"}).get("Cache-Control", "")


def test_without_htmx_the_evidence_is_a_page_with_ways_back_and_on(client, world):
    page = claim(client, world, 2)
    links = tree(page).xpath("//main//a/@href")
    assert f"/runs/{world.run.pk}/report/#claim-2" in links
    assert f"/runs/{world.run.pk}/claims/1/" in links
    assert f"/runs/{world.run.pk}/claims/3/" in links
    assert "Claim 2" in words(page)


def test_a_claim_that_is_not_there_is_a_404(client, world):
    assert claim(client, world, 4).status_code == 404
    assert claim(client, world, 0).status_code == 404


def test_a_dangerous_address_is_not_linked(client, world):
    with tenant_context(world.person.tenant.pk):
        world.trial.url = "javascript:alert(1)"
        world.trial.save()
    assert b'href="javascript' not in claim(client, world).content
    assert b'href="javascript' not in client.get(f"/sources/{world.trial.pk}/").content


def test_a_contradiction_with_a_claim_outside_the_report_shows_its_words(client, world):
    with tenant_context(world.person.tenant.pk):
        Contradiction.objects.all().delete()
        loose = world.claims[1]
        Contradiction.objects.create(run=world.run, claim_a=world.claims[2], claim_b=loose, kind="polarity")
    assert "Opposite statements" in words(report(client, world))


# --- having its claims in doubt reviewed -------------------------------------------------------


def review(client, world):
    return client.post(f"/runs/{world.run.pk}/claims/review/")


def test_one_click_puts_the_claims_in_doubt_into_the_queue(client, ada, world):
    page = report(client, world)
    assert "1 claim is in doubt" in words(page)
    assert [fold_spaces(one.text_content()) for one in tree(page).xpath("//*[@id='doubts']//button")] == [
        "Review this claim"
    ]
    assert review(client, world)["Location"] == f"/review/?run={world.run.pk}"
    with tenant_context(ada.tenant.pk):
        (item,) = ReviewItem.objects.filter(run=world.run, escalation__rule="review_on_request")
        assert item.reason == "Sources disagree about it; both sides are presented."
    assert "Continue reviewing" in words(report(client, world))
    review(client, world)
    with tenant_context(ada.tenant.pk):
        assert ReviewItem.objects.filter(run=world.run).count() == 1


def test_a_report_without_doubts_offers_no_review(client, ada, world):
    with tenant_context(ada.tenant.pk):
        Claim.objects.filter(run=world.run).update(
            confidence=0.8, contradiction_status="none", verification_status="verified"
        )
    assert "Request a review" not in words(report(client, world))
    page = client.post(f"/runs/{world.run.pk}/claims/review/", follow=True)
    assert "No claim of this report is in doubt." in words(page)


def test_who_only_reads_is_told_who_may_review(world, ada):
    vera = join("vera", tenant=ada.tenant, role=Role.VIEWER).sign_in()
    said = words(report(vera, world))
    assert "reviewers of this workspace can review them" in said
    assert review(vera, world).status_code == 403
