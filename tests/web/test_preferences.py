"""Theme, single keys and language: kept with the user where one is signed in, by the browser otherwise."""

import pytest
from django.test import Client
from django.urls import reverse

from research.models import UserSettings
from tests.people import join
from tests.web.pages import tree, words

DISPLAY, LANGUAGE = "/display/", "/i18n/setlang/"


def root(response):
    return tree(response)


def list_pressed(response, name):
    return root(response).xpath(f"//button[@name='{name}'][@aria-pressed='true']/@value")


def test_at_first_the_page_looks_as_the_system_does(client):
    page = client.get("/")
    assert "data-theme" not in root(page).attrib
    assert root(page).xpath("//meta[@name='color-scheme']/@content") == ["light dark"]
    assert (list_pressed(page, "theme"), root(page).get("data-keys")) == (["system"], "on")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_in_the_first_bytes_of_every_page(client, theme):
    client.post(DISPLAY, {"theme": theme, "next": "/runs/"})
    page = client.get("/library/")
    assert root(page).get("data-theme") == theme
    assert root(page).xpath("//meta[@name='color-scheme']/@content") == [theme]
    assert list_pressed(page, "theme") == [theme]


def test_a_choice_is_the_users_on_every_device_and_nobody_elses(ada, client, stranger):
    client.post(DISPLAY, {"theme": "dark"})
    client.post(DISPLAY, {"keys": "off"})
    again = root(ada.sign_in().get("/"))
    assert (again.get("data-theme"), again.get("data-keys")) == ("dark", "off")
    assert "data-theme" not in root(stranger.get("/")).attrib


def test_after_a_choice_one_is_where_one_was(client):
    assert client.post(DISPLAY, {"theme": "dark", "next": "/runs/?q=oil"})["Location"] == "/runs/?q=oil"


@pytest.mark.parametrize("address", [DISPLAY, LANGUAGE])
def test_no_choice_leads_to_another_site(client, address):
    answer = client.post(address, {"theme": "dark", "language": "de", "next": "https://evil.example/"})
    assert answer["Location"] == "/"


@pytest.mark.parametrize("sent", [{}, {"theme": "neon"}, {"keys": "perhaps"}, {"theme": ""}])
def test_nonsense_is_refused_and_changes_nothing(client, sent):
    answer = client.post(DISPLAY, sent)
    assert (answer.status_code, "cannot be understood" in words(answer)) == (400, True)
    assert not UserSettings.objects.exists()


def test_a_choice_is_not_made_by_following_a_link(client):
    assert client.get(DISPLAY, {"theme": "dark"}).status_code == 405
    client.get(LANGUAGE, {"language": "de"})
    assert not UserSettings.objects.exists()


def test_a_choice_needs_a_token():
    assert Client(enforce_csrf_checks=True).post(DISPLAY, {"theme": "dark"}).status_code == 403


def test_without_an_account_the_browser_keeps_it(db):
    visitor = Client()
    visitor.post(DISPLAY, {"theme": "dark"})
    visitor.post(DISPLAY, {"keys": "off"})
    page = root(visitor.get("/help/"))
    assert (page.get("data-theme"), page.get("data-keys")) == ("dark", "off")
    assert visitor.cookies["theme"]["httponly"]
    assert not UserSettings.objects.exists()


def test_what_a_browser_kept_holds_until_its_user_chooses(ada):
    browser = Client()
    browser.post(DISPLAY, {"theme": "dark"})
    browser.post(DISPLAY, {"keys": "off"})
    browser.force_login(ada.user)
    assert root(browser.get("/")).get("data-theme") == "dark"
    browser.post(DISPLAY, {"theme": "light"})
    row = UserSettings.objects.get()
    assert (row.theme, row.single_keys) == ("light", False)


def test_a_cookie_with_nonsense_counts_for_nothing(db):
    visitor = Client()
    visitor.cookies.load({"theme": '"><script>', "keys": "?"})
    assert "data-theme" not in root(visitor.get("/help/")).attrib


def language_of(client, **headers):
    return root(client.get("/help/", headers=headers)).get("lang")


def test_the_language_that_a_user_chose_goes_before_the_browsers(ada, client):
    assert language_of(client, accept_language="de") == "de"
    client.post(LANGUAGE, {"language": "en", "next": "/help/"})
    assert language_of(client, accept_language="de") == "en"
    client.post(LANGUAGE, {"language": "de"})
    assert language_of(ada.sign_in(), accept_language="en") == "de"


def test_without_an_account_a_cookie_keeps_the_language(db):
    visitor = Client()
    visitor.post(LANGUAGE, {"language": "de", "next": "/help/"})
    assert language_of(visitor) == "de"
    assert visitor.cookies["django_language"]["max-age"] == 31_536_000


@pytest.mark.parametrize("language", ["fr", "xx", "", "../../etc"])
def test_a_language_that_is_not_offered_is_not_kept(client, language):
    assert client.post(LANGUAGE, {"language": language}).status_code == 302
    assert language_of(client) == "en"
    assert not UserSettings.objects.exists()


def test_a_language_that_is_no_longer_offered_counts_for_nothing(ada, client):
    UserSettings.objects.create(user=ada.user, language="tlh")
    assert language_of(client) == "en"
    assert client.get("/account/settings/").status_code == 200


def test_languages_stand_under_their_own_names(client):
    found = root(client.get("/")).xpath("//button[@name='language']")
    named = {one.get("value"): (one.text, one.get("lang")) for one in found}
    assert named["de"] == ("Deutsch", "de")
    assert named["en"] == ("English", "en")


def test_the_menu_leads_to_the_account_and_for_staff_to_the_admin(client, db):
    page = words(client.get("/"))
    assert "Signed in as ada" in page
    links = root(client.get("/")).xpath("//*[@id='own-menu']//a/@href")
    assert links == ["/account/", "/account/workspace/", "/account/settings/"]
    staff = join("grace", is_staff=True).sign_in()
    assert reverse("admin:index") in root(staff.get("/")).xpath("//*[@id='own-menu']//a/@href")


def test_an_error_page_keeps_theme_and_language(client):
    client.post(DISPLAY, {"theme": "dark"})
    client.post(LANGUAGE, {"language": "de"})
    page = root(client.get("/nothing/"))
    assert (page.get("data-theme"), page.get("lang"), page.get("dir")) == ("dark", "de", "ltr")


def test_a_request_that_is_refused_before_it_is_known_whose_it_is_gets_its_page(db):
    answer = Client().get("/", HTTP_HOST="evil.example")
    assert (answer.status_code, "cannot be understood" in words(answer)) == (400, True)
