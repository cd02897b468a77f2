"""Themes of a workspace: both gates are shown while one is edited, and what fails is refused in words."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from research.db.tenancy import tenant_context
from research.models import Role
from slides.models import DeckTheme, Picture
from tests.decks.test_pictures import picture
from tests.people import join
from tests.web.decks import make_deck_world

GOOD = {
    "name": "House",
    "primary": "#0B3D2E",
    "secondary": "#E8F4EE",
    "accent": "#0B7A55",
    "background": "#FFFFFF",
    "text": "#1A1A1A",
    "text_light": "#555555",
    "heading_font": "Inter",
    "body_font": "Roboto",
}
GREY = GOOD | {"background": "#777777"}  # on which no five series can be told apart


def own(ada) -> list[DeckTheme]:
    with tenant_context(ada.tenant.pk):
        return list(DeckTheme.objects.select_related("logo"))


def test_a_theme_is_saved_and_can_be_chosen(ada, client):
    assert client.post("/themes/new/", GOOD | {"save": "yes"})["Location"] == "/themes/"
    (theme,) = own(ada)
    assert (theme.name, theme.value.body_font) == ("House", "Roboto")
    made = make_deck_world(ada)
    assert "House" in client.get(made.address).text
    client.post(f"{made.address}change/", {"act": "theme", "theme": str(theme.pk), "slide": 1, "version": 1})
    assert made.now.theme_value.accent == "#0B7A55"


def test_a_theme_that_cannot_be_read_is_refused_in_words_and_kept_in_the_form(ada, client):
    response = client.post("/themes/new/", GREY | {"save": "yes"})
    assert response.status_code == 422
    assert "does not pass yet" in response.text
    assert "told apart" in response.text
    assert 'value="House"' in response.text
    assert own(ada) == []


def test_the_gates_are_shown_while_it_is_edited(client):
    part = client.post("/themes/new/", GOOD | {"check": "yes"}, headers={"HX-Request": "true"}).text
    assert part.lstrip().startswith("<section")
    ratios = [float(one) for one in re.findall(r"([\d.]+) : 1", part)]
    assert len(ratios) == 5
    assert min(ratios) >= 4.5


def test_without_scripts_check_shows_them_and_saves_nothing(ada, client):
    page = client.post("/themes/new/", GOOD | {"check": "yes"}).text
    assert "passes both checks" in page
    assert own(ada) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"primary": "red"},
        {"accent": "#12345"},
        {"heading_font": "Comic Sans"},
        {"name": " "},
        {"name": "x" * 61},
    ],
)
def test_what_is_no_theme_is_refused(ada, client, wrong):
    assert client.post("/themes/new/", GOOD | wrong | {"save": "yes"}).status_code == 422
    assert own(ada) == []


def test_two_themes_have_two_names(client):
    client.post("/themes/new/", GOOD | {"save": "yes"})
    assert "this name already" in client.post("/themes/new/", GOOD | {"save": "yes"}).text


def test_a_logo_is_kept_shown_and_taken_away(ada, client):
    file = SimpleUploadedFile("logo.exe", picture(), "text/plain")  # what it holds counts
    client.post("/themes/new/", GOOD | {"save": "yes", "logo": file})
    (theme,) = own(ada)
    image = client.get(f"/pictures/{theme.logo.pk}/")
    assert (image["Content-Type"], image["X-Content-Type-Options"]) == ("image/png", "nosniff")
    assert f"/pictures/{theme.logo.pk}/" in client.get(f"/themes/{theme.pk}/").text
    client.post(f"/themes/{theme.pk}/", GOOD | {"save": "yes", "drops_logo": "on"})
    assert own(ada)[0].logo is None


def test_a_logo_that_is_no_picture_is_refused(ada, client):
    file = SimpleUploadedFile("logo.png", b"<svg onload=alert(1)>", "image/png")
    response = client.post("/themes/new/", GOOD | {"save": "yes", "logo": file})
    assert response.status_code == 422
    assert "not a PNG" in response.text
    assert own(ada) == []


def test_a_deck_keeps_the_theme_that_was_deleted(ada, client):
    client.post("/themes/new/", GOOD | {"save": "yes"})
    (theme,) = own(ada)
    made = make_deck_world(ada)
    client.post(f"{made.address}change/", {"act": "theme", "theme": str(theme.pk), "slide": 1, "version": 1})
    client.post(f"/themes/{theme.pk}/delete/")
    assert (own(ada), made.now.theme_value.name) == ([], "House")
    assert client.get(made.address).status_code == 200


def test_themes_and_pictures_are_their_tenants_alone(ada, client, stranger):
    client.post("/themes/new/", GOOD | {"save": "yes", "logo": SimpleUploadedFile("l.png", picture())})
    (theme,) = own(ada)
    with tenant_context(ada.tenant.pk):
        (logo,) = Picture.objects.all()
    for address in (f"/themes/{theme.pk}/", f"/pictures/{logo.pk}/"):
        assert stranger.get(address).status_code == 404, address
    assert stranger.post(f"/themes/{theme.pk}/delete/").status_code == 404
    assert "House" not in stranger.get("/themes/").text


def test_a_viewer_looks_at_themes_only(ada):
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    assert viewer.get("/themes/").status_code == 200
    assert viewer.get("/themes/new/").status_code == 403
    assert viewer.post("/themes/new/", GOOD).status_code == 403
