"""A shared report: who has the link reads it and the words it stands on, and reaches nothing else."""

import re
from datetime import timedelta
from hashlib import sha256

import pytest
from django.test import Client
from django.utils import timezone

from exports.export_share_links import MAX_LINKS
from exports.models import ShareLink
from research.db.tenancy import tenant_context
from research.models import State
from tests.web.tabled import make_table
from tests.worlds import finish


@pytest.fixture
def anyone() -> Client:
    """A browser without an account."""
    return Client()


def share(client, world, **given: str) -> str:
    """The path of a new link."""
    page = client.post(f"/runs/{world.run.pk}/share/", {"days": "7", **given}).content.decode()
    found = re.search(r'value="http://testserver(/shared/[\w-]+/)"', page)
    assert found, page
    return found[1]


def links(world) -> list[ShareLink]:
    with tenant_context(world.person.tenant.pk):
        return list(ShareLink.objects.order_by("created_at"))


def change(world, **columns: object) -> None:
    with tenant_context(world.person.tenant.pk):
        ShareLink.objects.update(**columns)


def test_the_link_shows_the_report_and_its_sources(client, anyone, world):
    page = anyone.get(share(client, world)).content.decode()
    assert "The seasonal factor stayed above two at nine sites." in page
    assert "Laborstudie" in page
    assert "Nothing on maintenance." in page


def test_each_claim_opens_onto_its_words(client, anyone, world):
    address = f"{share(client, world)}claims/1/"
    assert "Eleven homes were measured over two winters." in anyone.get(address).content.decode()
    fragment = anyone.get(address, headers={"HX-Request": "true"}).content.decode()
    assert ("<html" in fragment, "Der Jahresfaktor" in fragment) == (False, True)


def test_nothing_in_it_leads_into_the_workspace(client, anyone, world):
    path = share(client, world)
    for address in (path, f"{path}claims/1/"):
        page = anyone.get(address).content.decode()
        inside = re.findall(r'(?:href|hx-get|formaction|action)="(/[^"]*)"', page)
        foreign = [
            one for one in inside if not one.startswith((path, "/static/", "/styles/", "/help/", "/login/"))
        ]
        assert set(foreign) <= {"/", "/accessibility/", "/display/", "/i18n/setlang/"}, address


def test_a_source_that_nobody_cites_is_not_shown(client, anyone, world):
    assert "A note that nobody cites" not in anyone.get(share(client, world)).content.decode()


def test_no_search_engine_cache_or_linked_site_learns_of_it(client, anyone, world):
    path = share(client, world)
    for address in (path, f"{path}claims/1/"):
        response = anyone.get(address)
        assert "noindex" in response["X-Robots-Tag"]
        assert b'<meta name="robots" content="noindex' in response.content
        assert (response["Cache-Control"], response["Referrer-Policy"]) == (
            "private, no-store",
            "no-referrer",
        )


def test_the_token_is_told_once_and_stands_nowhere(client, world):
    token = share(client, world).split("/")[2]
    assert len(token) >= 43
    assert links(world)[0].token_hash == sha256(token.encode()).hexdigest()
    assert token not in client.get(f"/runs/{world.run.pk}/export/").content.decode()


def test_a_link_that_was_taken_back_opens_nothing(client, anyone, world):
    path = share(client, world)
    client.post(f"/runs/{world.run.pk}/share/{links(world)[0].pk}/revoke/")
    assert anyone.get(path).status_code == 404
    assert anyone.get(f"{path}claims/1/").status_code == 404
    assert "Taken back" in client.get(f"/runs/{world.run.pk}/export/").content.decode()


def test_a_link_that_has_ended_opens_nothing(client, anyone, world):
    path = share(client, world)
    ended = timezone.now() - timedelta(hours=1)  # before the transaction of the test
    change(world, created_at=ended - timedelta(days=1), expires_at=ended)
    assert anyone.get(path).status_code == 404


@pytest.mark.parametrize("token", ["a", "x" * 43, "x" * 500, "%27%20OR%201=1", "é"])
def test_a_guess_opens_nothing(anyone, client, world, token):
    share(client, world)
    assert anyone.get(f"/shared/{token}/").status_code == 404


def test_it_ends_when_it_was_said_to(client, world):
    share(client, world, days="30", note="For the <board>")
    link = links(world)[0]
    assert timedelta(days=29) < link.expires_at - timezone.now() <= timedelta(days=30)
    assert "For the &lt;board&gt;" in client.get(f"/runs/{world.run.pk}/export/").content.decode()


@pytest.mark.parametrize("given", [{"days": "0"}, {"days": "99999"}, {"days": "x"}, {"note": "n" * 101}])
def test_what_makes_no_sense_makes_no_link(client, world, given):
    response = client.post(f"/runs/{world.run.pk}/share/", {"days": "7", **given})
    assert (response.status_code, links(world)) == (422, [])


def test_looking_is_counted(client, anyone, world):
    path = share(client, world)
    anyone.get(path)
    anyone.get(path)
    assert (links(world)[0].view_count, links(world)[0].viewed_at is not None) == (2, True)


def test_a_stranger_with_the_link_reads_as_anyone_does(client, stranger, world):
    assert b"seasonal factor" in stranger.get(share(client, world)).content


def test_a_stranger_makes_and_takes_back_no_link(client, stranger, world):
    path = share(client, world)
    link = links(world)[0]
    assert stranger.post(f"/runs/{world.run.pk}/share/", {"days": "7"}).status_code == 404
    assert stranger.post(f"/runs/{world.run.pk}/share/{link.pk}/revoke/").status_code == 404
    assert (client.get(path).status_code, len(links(world))) == (200, 1)


def test_a_claim_that_is_not_in_the_report_is_not_found(client, anyone, world):
    assert anyone.get(f"{share(client, world)}claims/99/").status_code == 404


def test_what_is_still_written_is_not_shared(client, world):
    with tenant_context(world.person.tenant.pk):
        finish(world.run, State.READING)
    response = client.post(f"/runs/{world.run.pk}/share/", {"days": "7"}, follow=True)
    assert ("still being written" in response.content.decode(), links(world)) == (True, [])


def test_a_report_has_so_many_open_links(client, world):
    for _number in range(MAX_LINKS):
        share(client, world)
    response = client.post(f"/runs/{world.run.pk}/share/", {"days": "7"}, follow=True)
    assert "Revoke one first." in response.content.decode()


def test_the_operator_can_do_without_links(client, anyone, world, settings):
    path = share(client, world)
    settings.PLUMBLINE_SHARE_LINKS = False
    assert anyone.get(path).status_code == 404
    assert client.post(f"/runs/{world.run.pk}/share/", {"days": "7"}).status_code == 422
    assert "Make a link" not in client.get(f"/runs/{world.run.pk}/export/").content.decode()


def test_a_shared_table_shows_its_cells_and_their_words(client, anyone, ada):
    path = share(client, make_table(ada))
    page = anyone.get(path).content.decode()
    assert "Atlantis" in page
    assert "5550203" in page.replace(",", "")
    assert f"{path}claims/101/" in page
    assert "Its capital is Oslo" in anyone.get(f"{path}claims/101/").content.decode()
