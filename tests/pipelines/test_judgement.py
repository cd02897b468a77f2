"""A run takes sources until it has enough: rounds of searching, saved pages, must-read lists, filters, scores."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import pytest
from django.test import override_settings

from exports.building.build_document import build_document
from exports.building.build_document_method import SEARCHING_WEB, TAKING
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.models import DocumentStatus, Kind, LibraryDocument, Run, Source, SourceStatus, Step
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.report_step_names import ReportStepName
from tests.fetching.site import Said, Site, result, searxng, serve_site
from tests.often import one_in
from tests.pipelines.conftest import QUESTION
from tests.pipelines.test_web_report import ANSWER, article

WORDS = "A heat pump shall reach a seasonal performance factor under the Building Policy Guide"
# What lies on the second site: one page leads out of it, one is in German, one is old, one says no date.
PAGES = {
    "/answer": article("Building Policy Guide 2.0", f"{ANSWER} {WORDS}, says the ministry in its newest edition."),
    "/old": Said(
        article("Old guide to heat pumps", f"{WORDS} since long ago, as owners know.").body.replace("2024", "1999")
    ),
    "/undated": Said(
        article("Guide without a date", f"{WORDS} of which nobody knows the year, and which many owners keep.").body
        .replace("<meta property='article:published_time' content='2024-03-01'>", "")
    ),
    "/deutsch": Said(
        article(
            "Leitfaden für Wärmepumpen",
            "Eine Wärmepumpe muss nach dem Leitfaden eine Jahresarbeitszahl von mindestens drei erreichen, damit der"
            " Eigentümer des Hauses die Förderung bekommt. Das gilt auch für alle öffentlichen Gebäude im Land.",
        ).body.replace("lang=en", "lang=de")
    ),
    "/out": Said("", 302, headers={"Location": "http://127.0.0.2:1/away"}),
}  # fmt: skip


def note(number: int) -> Said:
    """A page that says something of its own on the question."""
    name = (
        "Aare",
        "Birs",
        "Emme",
        "Inn",
        "Kander",
        "Linth",
        "Maggia",
        "Orbe",
        "Rhone",
        "Saane",
        "Thur",
        "Wiese",
    )[number]
    return article(
        f"Council survey of {name}",
        f"In {name} a heat pump shall reach a seasonal performance factor of {number}.5 under the guide of its town.",
        f"The council of {name} measured {number + 3} houses in two winters and wrote down what each of them needed.",
    )


NOTES = {f"/note-{number}": note(number) for number in range(12)}


@pytest.fixture(scope="module")
def web() -> Iterator[tuple[Site, Site]]:
    """A site with pages, and its search server, which gives some results to those only who say what they are about."""
    with ExitStack() as stack:
        site = stack.enter_context(serve_site({**PAGES, **NOTES}))

        def results(query: str, page: int) -> list[dict[str, object]]:
            found = [*PAGES, *list(NOTES)[:4], *(list(NOTES)[4:] if "survey" in query else ())]
            titles = {path: f"Council survey {path[-1]}" for path in NOTES}
            shown = found[10 * (page - 1) : 10 * page]
            return [result(site.base + path, titles.get(path, path[1:])) for path in shown]

        search = stack.enter_context(serve_site({"/search": searxng(results)}))
        stack.enter_context(
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True, PLUMBLINE_POLITENESS_MS=0, PLUMBLINE_SEARXNG_URL=search.base
            )
        )
        close_fetch_process()
        yield site, search
        close_fetch_process()


@pytest.fixture(scope="module")
def report(account: PersonalAccount, web: tuple[Site, Site]) -> Document:
    return ask(
        account,
        Kind.REPORT,
        QUESTION,
        {"sources": "web", "target_sources": 20, "excluded_domains": ["127.0.0.2"]},
    )


def sources_of(account: PersonalAccount, document: Document) -> dict[str, Source]:
    """Return sources by the last part of their addresses."""
    with tenant_context(account.tenant_id):
        rows = Source.objects.filter(run=document.run_id).select_related("content")
        return {row.url.rpartition("/")[2]: row for row in rows}


def outputs(account: PersonalAccount, document: Document, work: ReportStepName) -> list[Mapping[str, object]]:
    with tenant_context(account.tenant_id):
        done = Step.objects.filter(run=document.run_id, handler=work).order_by("step_index")
        return list(done.values_list("output", flat=True))


def test_a_round_that_did_not_find_enough_is_followed_by_one_in_other_words(report, account):
    first, second = outputs(account, report, ReportStepName.PLAN_WEB)
    asked = {one["query"] for one in first["decisions"]}
    new = {one["query"] for one in second["decisions"]} - asked
    assert (first["round"], second["round"]) == (1, 2)
    assert any(query.endswith("council survey") for query in new)
    assert asked | new <= set(report.queries)


def test_the_further_round_ends_where_there_is_enough(report, account):
    first, second = outputs(account, report, ReportStepName.PICK_PAGES)
    assert (first["new"], second["new"]) == (9, 8)
    with tenant_context(account.tenant_id):
        tries = Step.objects.filter(run=report.run_id, handler="state.retrying").count()
    assert tries == 1


def test_the_six_checks_are_kept_and_told_in_the_report(report, account):
    with tenant_context(account.tenant_id):
        stored = Run.objects.get(pk=report.run_id).sufficiency
    assert [check.name for check in report.sufficiency.checks] == [
        "count", "coverage", "diversity", "recency", "quality", "novelty",
    ]  # fmt: skip
    assert stored["state"] == "reading"
    assert report.sufficiency.rounds == len(outputs(account, report, ReportStepName.PLAN_WEB))
    assert report.sufficiency.checks[0].detail.endswith("at least 10 wanted.")


def test_a_page_behind_a_redirect_to_a_site_that_was_left_out_is_not_read(report, account):
    source = sources_of(account, report)["out"]
    assert (source.status, source.error_message) == (
        SourceStatus.EXCLUDED,
        "The run reads nothing of 127.0.0.2.",
    )
    assert source.content is None


def test_every_source_that_was_read_has_its_scores_with_their_parts(report, account):
    with tenant_context(account.tenant_id):
        read = list(Source.objects.filter(run=report.run_id, status=SourceStatus.PROCESSED))
    assert read
    for source in read:
        parts = {one["name"]: one["value"] for one in source.assessment["quality"]}
        assert parts == {
            "authority": source.authority_score,
            "relevance": source.relevance_score,
            "recency": source.recency_score,
        }
        assert 0 < source.quality_score <= 1
        assert len(source.assessment["credibility"]) == 5
        assert 1 <= source.credibility <= 10


def test_what_a_page_says_of_itself_counts_for_its_recency(report, account):
    sources = sources_of(account, report)
    assert sources["old"].recency_score < sources["answer"].recency_score
    assert sources["undated"].recency_score is None
    assert sources["undated"].quality_score is not None


def test_saved_pages_are_read_again_beside_a_search_that_they_do_not_replace(report, account, web):
    again = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "target_sources": 60})
    [planned, *_] = outputs(account, again, ReportStepName.PLAN_WEB)
    assert {one["decision"] for one in planned["decisions"]} == {"both"}
    assert "cover only" in planned["decisions"][0]["reason"]


def test_young_saved_pages_that_cover_the_question_save_the_search(report, account, web):
    site, search = web
    fetched, searched = len(site.asked), len(search.asked)
    again = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "target_sources": 10})
    [planned, *_] = outputs(account, again, ReportStepName.PLAN_WEB)
    assert {one["decision"] for one in planned["decisions"]} == {"reuse"}
    assert (len(site.asked), len(search.asked)) == (fetched, searched)
    assert again.status == "done"
    assert all(source.status == "processed" for source in again.sources)


def test_where_pages_are_wanted_anew_none_that_was_saved_is_read(report, account, web):
    searched = len(web[1].asked)
    again = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "target_sources": 10, "fresh_pages": True})
    assert {
        output["decision"] for output in outputs(account, again, ReportStepName.PLAN_WEB)[0]["decisions"]
    } == {"browse"}
    assert len(web[1].asked) > searched


def test_a_page_in_another_language_is_not_taken(account, web):
    document = ask(
        account, Kind.REPORT, QUESTION, {"sources": "web", "languages": ["EN"], "fresh_pages": True}
    )
    source = sources_of(account, document)["deutsch"]
    assert (source.status, source.error_code) == (SourceStatus.EXCLUDED, "EXCLUDED")
    assert "another language" in source.error_message


def test_a_date_that_only_the_page_tells_is_held_against_the_range(account, web):
    config = {"sources": "web", "published_from": "2020", "fresh_pages": True}
    sources = sources_of(account, ask(account, Kind.REPORT, QUESTION, config))
    assert "before 2020" in sources["old"].error_message
    assert sources["undated"].status == SourceStatus.PROCESSED


def test_what_must_be_read_is_read_whatever_the_filters_say(account, web):
    old = f"{web[0].base}/old"
    config = {"sources": "web", "urls": [old], "published_from": "2020", "excluded_domains": ["127.0.0.1"]}
    document = ask(account, Kind.REPORT, QUESTION, config)
    sources = sources_of(account, document)
    assert set(sources) == {"old"}
    assert (sources["old"].status, sources["old"].must_read) == (SourceStatus.PROCESSED, True)


def test_a_page_that_had_to_be_read_and_is_gone_is_named_in_the_report(account, web):
    gone = f"{web[0].base}/gone"
    document = ask(account, Kind.REPORT, QUESTION, {"sources": "web", "urls": [gone]})
    assert [one.name for one in document.unread] == [gone]
    assert "404" in document.unread[0].reason
    assert [warning.code for warning in document.warnings if gone in warning.text] == ["W018"]


def test_a_document_that_must_be_read_is_read_though_it_is_of_another_folder(account, library, web):
    with tenant_context(account.tenant_id):
        garden = LibraryDocument.objects.get(folder=library, path="gardening.html")
        elsewhere = LibraryDocument.objects.get(pk=garden.pk)
        elsewhere.pk, elsewhere.folder, elsewhere._state.adding = None, "elsewhere", True
        elsewhere.save()
    document = ask(account, Kind.REPORT, QUESTION, {"folders": ["elsewhere"], "documents": [str(garden.pk)]})
    with tenant_context(account.tenant_id):
        [source] = Source.objects.filter(run=document.run_id)
    assert (source.library_document_id, source.must_read) == (garden.pk, True)
    assert source.status == SourceStatus.PROCESSED


def test_a_document_that_had_to_be_read_and_cannot_be_is_named_by_its_title(account, library, web):
    with tenant_context(account.tenant_id):
        lost = LibraryDocument.objects.create(
            folder="elsewhere",
            path="lost.pdf",
            title="A lost study",
            status=DocumentStatus.FAILED,
            error_code="unreadable",
        )
    document = ask(account, Kind.REPORT, QUESTION, {"folders": [library], "documents": [str(lost.pk)]})
    assert [one.name for one in document.unread] == [lost.title]
    assert [warning.code for warning in document.warnings if lost.title in warning.text] == ["W018"]


def test_the_steps_that_the_method_tells_of_are_those_of_the_recipe():
    assert (SEARCHING_WEB, TAKING) == (
        ReportStepName.SEARCH_WEB,
        (ReportStepName.TAKE_URL, ReportStepName.TAKE_DOCUMENT),
    )


def test_sites_to_read_first_are_fetched_first(account, library, web):
    with serve_site({"/far": NOTES["/note-3"], "/robots.txt": Said("", 404)}, "127.0.0.3") as far:
        found = [result(f"{web[0].base}{path}", path[1:]) for path in NOTES] + [
            result(f"{far.base}/far", "far")
        ]
        with serve_site({"/search": searxng(lambda query, page: found if page == 1 else [])}) as search:
            with override_settings(PLUMBLINE_SEARXNG_URL=search.base):
                close_fetch_process()
                config = {
                    "sources": "web",
                    "priority_domains": ["127.0.0.3"],
                    "fresh_pages": True,
                }
                document = ask(account, Kind.REPORT, QUESTION, config)
            close_fetch_process()
    with tenant_context(account.tenant_id):
        fetches = Step.objects.filter(run=document.run_id, handler=ReportStepName.READ_PAGE).order_by(
            "step_index"
        )
        assert fetches.first().input["url"] == f"{far.base}/far"


@pytest.mark.parametrize(("pages", "read"), one_in(2, [(3, {"hub", "note-1", "note-2"}), (1, {"hub"})]))
def test_links_of_a_good_page_are_followed_as_far_as_was_asked(account, web, pages, read):
    links = "".join(f"<a href='/note-{number}'>More on note {number}</a> " for number in range(1, 9))
    hub = PAGES["/answer"].body.replace("</article>", f"<p>{links}</p></article>")
    onward = "<a href='/deep'>deep</a></article>"
    notes = {path: Said(said.body.replace("</article>", onward)) for path, said in NOTES.items()}
    hub_site = serve_site({**notes, "/hub": Said(hub), "/deep": NOTES["/note-9"]})
    with hub_site as site, override_settings(PLUMBLINE_SEARXNG_URL=""):
        config = {"sources": "web", "urls": [f"{site.base}/hub"], "pages_per_source": pages}
        document = ask(account, Kind.REPORT, QUESTION, config)
    sources = sources_of(account, document)
    assert {name for name, one in sources.items() if one.status == SourceStatus.PROCESSED} == read
    assert "/deep" not in site.asked


def test_a_run_on_the_library_alone_searches_once_and_tells_its_checks(account, library):
    document = ask(account, Kind.REPORT, QUESTION, {"folders": [library]})
    assert document.sufficiency.rounds == 1
    assert document.sufficiency.checks[0].detail == "All 5 documents of the library are among the sources."
    assert not document.sufficiency.is_enough


def test_what_was_asked_for_stands_in_the_report(account, report):
    with tenant_context(account.tenant_id):
        told = {setting.name: setting.values for setting in build_document(report.run_id).settings}
    assert told == {"sources": ("web",), "target_sources": ("20",), "excluded_domains": ("127.0.0.2",)}
