"""The page of a report's files: what can be asked for, how far it is, what is there, and what went wrong."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.utils import timezone

from exports.files.make_export import make
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from exports.models import Export, ExportCode, ExportState
from research.db.tenancy import tenant_context
from research.models import Role, Run, State
from tests.people import join
from tests.web.pages import tree, words
from tests.worlds import finish

WISH = {"citation_style": "apa", "include_appendix": "on", "include_sources": "on"}


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """CSV and JSON are written as plain words; the others are as they are."""
    for one in (Format.CSV, Format.JSON):
        monkeypatch.setitem(WRITERS, one, replace(WRITERS[one], path="tests.exports.writers.plain"))


def page_of(world) -> str:
    return f"/runs/{world.run.pk}/export/"


def ask(client, world, *formats: str, **wish: str):
    return client.post(page_of(world), {**WISH, "formats": formats, **wish})


def rows(world) -> list[Export]:
    with tenant_context(world.person.tenant.pk):
        return list(Export.objects.order_by("created_at"))


def make_all(world) -> Export:
    """All that was asked for is made, as a worker does."""
    for row in rows(world):
        make(row.tenant_id, row.pk)
    return rows(world)[-1]


def change(world, **columns: object) -> None:
    with tenant_context(world.person.tenant.pk):
        Export.objects.update(**columns)


def get_page(client, world) -> str:
    return client.get(page_of(world)).content.decode()


def test_each_format_says_what_it_holds(client, world):
    page = get_page(client, world)
    assert "One row for each claim and source" in page
    assert "No file was made of this report yet." in page


def test_several_formats_are_asked_for_at_once(client, world):
    response = ask(client, world, "csv", "json", citation_style="ieee")
    assert (response.status_code, response["Location"]) == (302, f"{page_of(world)}#files")
    assert [row.format for row in rows(world)] == ["csv", "json"]
    assert rows(world)[0].requested_options == ExportOptions(citation_style="ieee")


def test_who_asks_twice_has_one_file(client, world):
    ask(client, world, "csv")
    ask(client, world, "csv")
    assert len(rows(world)) == 1


def test_without_a_format_nothing_is_asked_and_nothing_lost(client, world):
    response = ask(client, world, citation_style="mla", include_raw_data="on")
    page = response.content.decode()
    assert (response.status_code, rows(world)) == (422, [])
    assert "Choose at least one format." in page
    assert '<option value="mla" selected>' in page


@pytest.mark.parametrize("wrong", [{"formats": "exe"}, {"citation_style": "../etc"}])
def test_what_is_no_choice_is_refused(client, world, wrong):
    assert client.post(page_of(world), {**WISH, "formats": "csv", **wrong}).status_code == 422
    assert rows(world) == []


def test_while_a_file_is_made_the_list_asks_for_itself(client, world):
    ask(client, world, "csv")
    assert "Waiting for its turn" in get_page(client, world)
    change(world, state=ExportState.MAKING, taken_until=timezone.now(), progress=0.4)
    page = client.get(f"{page_of(world)}files/", headers={"HX-Request": "true"}).content.decode()
    assert 'hx-trigger="every 2s"' in page
    assert 'value="40"' in page


def test_when_all_is_made_nobody_asks_any_more(client, world):
    ask(client, world, "csv")
    make_all(world)
    page = client.get(f"{page_of(world)}files/", headers={"HX-Request": "true"}).content.decode()
    assert "hx-trigger" not in page
    assert "downloaded 0 times" in page


def test_the_fragment_alone_leads_to_the_page(client, world):
    assert client.get(f"{page_of(world)}files/")["Location"] == page_of(world)


def test_a_file_is_downloaded_under_its_name_and_counted(client, world):
    ask(client, world, "csv")
    row = make_all(world)
    response = client.get(f"{page_of(world)}{row.pk}/")
    assert response.content.startswith(b"en: Do heat pumps")
    assert response["Content-Disposition"] == 'attachment; filename="do-heat-pumps-work-below-15-c-v1.csv"'
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert (response["X-Content-Type-Options"], "sandbox" in response["Content-Security-Policy"]) == (
        "nosniff",
        True,
    )
    assert "downloaded 1 time" in get_page(client, world)


def test_looking_at_its_head_is_no_download(client, world):
    ask(client, world, "csv")
    client.head(f"{page_of(world)}{make_all(world).pk}/")
    assert rows(world)[0].download_count == 0


def test_its_words_are_in_the_readers_language(client, world):
    client.post(page_of(world), {**WISH, "formats": "csv"}, headers={"Accept-Language": "de"})
    assert rows(world)[0].requested_options.language == "de"


def test_a_failure_is_told_with_its_code_and_tried_again(client, world):
    ask(client, world, "csv")
    change(world, state=ExportState.FAILED, error_code=ExportCode.TOO_LARGE, error="It needs more memory.")
    page = get_page(client, world)
    assert "Choose fewer parts to make it smaller." in page
    assert "(EXPORT_TOO_LARGE)" in page
    client.post(f"{page_of(world)}{rows(world)[0].pk}/again/")
    assert (make_all(world).state, len(rows(world))) == (ExportState.READY, 1)


def test_what_the_writer_says_of_it_is_shown(client, world):
    ask(client, world, "csv")
    change(world, state=ExportState.FAILED, error_code=ExportCode.CANNOT_WRITE, error="A <word> is missing.")
    assert "The file could not be written: A &lt;word&gt; is missing." in get_page(client, world)


def test_an_ended_file_says_so_and_is_not_handed_out(client, world):
    ask(client, world, "csv")
    row = make_all(world)
    change(world, expires_at=timezone.now() - timedelta(days=1))
    assert ">Ended<" in get_page(client, world)
    response = client.get(f"{page_of(world)}{row.pk}/", follow=True)
    assert "This file no longer exists." in response.content.decode()


def test_a_file_whose_bytes_are_lost_says_so_and_can_be_made_again(client, world):
    ask(client, world, "csv")
    row = make_all(world)
    (Path(settings.MEDIA_ROOT) / row.object_key).unlink()
    response = client.get(f"{page_of(world)}{row.pk}/", follow=True)
    assert "no longer there" in response.content.decode()
    client.post(f"{page_of(world)}{row.pk}/again/")
    assert make_all(world).state == ExportState.READY


def test_a_file_of_an_older_report_is_marked(client, world):
    ask(client, world, "csv")
    make_all(world)
    with tenant_context(world.person.tenant.pk):
        type(world.run).objects.update(report_version=2)
    assert "from an older version of the report" in get_page(client, world)


def test_a_report_that_is_still_written_offers_no_file(client, world):
    with tenant_context(world.person.tenant.pk):
        finish(world.run, State.SYNTHESIZING)
    assert "still being written" in get_page(client, world)
    response = client.post(page_of(world), {**WISH, "formats": "csv"}, follow=True)
    assert ("still being written" in response.content.decode(), rows(world)) == (True, [])


def test_a_viewer_makes_no_files_and_shares_nothing(ada, world):
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    assert ask(viewer, world, "csv").status_code == 403
    page = viewer.get(page_of(world)).content.decode()
    assert "Make files" not in page
    assert "Create link" not in page
    assert viewer.post(f"/runs/{world.run.pk}/share/", {"days": "7"}).status_code == 403


def test_a_stranger_gets_no_file(stranger, client, world):
    ask(client, world, "csv")
    row = make_all(world)
    for address in (page_of(world), f"{page_of(world)}files/", f"{page_of(world)}{row.pk}/"):
        assert stranger.get(address, headers={"HX-Request": "true"}).status_code == 404, address
    assert stranger.post(f"{page_of(world)}{row.pk}/again/").status_code == 404
    assert stranger.post(page_of(world), {**WISH, "formats": "csv"}).status_code == 404
    assert (len(rows(world)), rows(world)[0].download_count) == (1, 0)


def test_a_file_of_another_run_is_not_found(client, world):
    ask(client, world, "csv")
    assert client.get(f"/runs/{uuid4()}/export/{make_all(world).pk}/").status_code == 404


@pytest.fixture
def abstained(ada) -> Run:
    """A run that ended with the finding that the sources do not answer."""
    with tenant_context(ada.tenant.pk):
        return Run.objects.create(
            owner=ada.user,
            topic="How loud is the unit?",
            state=State.COMPLETED,
            completed_at=timezone.now(),
            result={
                "insufficient": True,
                "reasons": ["No source speaks of the unit."],
                "looked_for": ["a level of noise"],
                "left_out": [
                    {"text": "The unit is quiet.", "reason": "Nearest passage; it does not answer."}
                ],
            },
        )


@pytest.mark.parametrize("format_", [writer for writer in WRITERS if writer != Format.PDF])
def test_that_the_sources_do_not_answer_can_be_exported(client, abstained, format_, monkeypatch):
    monkeypatch.undo()  # the real writers
    assert client.post(f"/runs/{abstained.pk}/export/", {**WISH, "formats": [format_]}).status_code == 302
    [row] = rows_of(abstained)
    make(row.tenant_id, row.pk)
    [row] = rows_of(abstained)
    assert (row.state, row.error) == (ExportState.READY, "")
    if format_ in (Format.HTML, Format.MARKDOWN, Format.JSON):
        content = b"".join(client.get(f"/runs/{abstained.pk}/export/{row.pk}/")).decode()
        for said in ("No source speaks of the unit.", "a level of noise", "The unit is quiet."):
            assert said in content


def rows_of(run: Run) -> list[Export]:
    with tenant_context(run.tenant_id):
        return list(Export.objects.filter(run=run))


def test_that_the_sources_do_not_answer_is_offered_for_export_and_slides(client, abstained):
    page = tree(client.get(f"/runs/{abstained.pk}/report/"))
    links = [link.text for link in page.xpath("//nav[contains(@class, 'report-links')]//a")]
    assert links[-2:] == ["Export", "Slides"]
    assert "Make slides" in words(client.get(f"/runs/{abstained.pk}/decks/"))


def test_a_run_that_failed_without_a_report_has_nothing_to_export(client, abstained):
    with tenant_context(abstained.tenant_id):
        abstained.result = None
        finish(abstained, State.FAILED)
    assert "nothing to export" in words(client.get(f"/runs/{abstained.pk}/export/"))
