"""The form's choice of sources: the library, the web, pages that were pasted; and what cannot be had."""

import pytest

from research.db.tenancy import tenant_context
from research.models import LibraryDocument, Run
from tests.web.pages import tree, words

QUESTION = "How long must a password be in 2025?"
PAGE = "https://example.org/guide?part=2,3"


@pytest.fixture
def search(settings):
    settings.PLUMBLINE_SEARXNG_URL = "http://searxng:8080"


def ask(client, **fields):
    return client.post("/runs/new/", {"question": QUESTION} | fields)


def config_of(person):
    with tenant_context(person.tenant.pk):
        return Run.objects.get().config


def complaints(response):
    assert response.status_code == 422
    return [item.text_content() for item in tree(response).xpath("//*[@id='error-summary']//li")]


def choices(response):
    """Value → whether it is chosen."""
    return {
        box.get("value"): box.get("checked") is not None
        for box in tree(response).xpath("//input[@name='sources']")
    }


def read_typed(response, name):
    return tree(response).xpath(f"//textarea[@name='{name}']")[0].text.strip("\n")


def test_with_a_web_search_the_library_is_chosen_and_the_web_offered(client, search):
    page = client.get("/runs/new/")
    assert choices(page) == {"library": True, "web": False, "both": False}
    assert "Sites to exclude from the search" in words(page)


def test_one_field_comes_first_and_the_details_are_closed(client, search):
    assert not tree(client.get("/runs/new/")).xpath("//details[@open]")


def test_without_one_the_web_is_what_is_pasted(client):
    page = client.get("/runs/new/")
    assert choices(page) == {"both": True, "library": False, "web": False}
    assert "Only the pages named below" in words(page)
    assert "Sites to exclude from the search" not in words(page)


def test_a_choice_becomes_the_runs_configuration(client, ada, search):
    urls, sites = f"{PAGE}\r\n\r\n  example.com/a \r\n", "www.Ads.example\n*.spam.test"
    ask(client, sources="both", urls=urls, excluded_domains=sites)
    assert config_of(ada) == {
        "sources": "both",
        "urls": [PAGE, "https://example.com/a"],
        "excluded_domains": ["ads.example", "spam.test"],
    }


def test_an_address_that_is_pasted_twice_is_read_once(client, ada):
    ask(client, urls=f"{PAGE}\n{PAGE}")
    assert config_of(ada)["urls"] == [PAGE]


def test_pasting_is_enough_to_have_a_page_fetched(client, ada):
    ask(client, urls=PAGE)
    assert config_of(ada) == {"sources": "both", "urls": [PAGE]}


def test_what_was_left_as_it_was_is_no_configuration(client, ada, library_stock):
    ask(client, sources="both", urls="", target_sources="30", max_quotes="", fact_check="standard")
    assert config_of(ada) == {}


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("ftp://example.org/a", "it must begin with http:// or https://"),
        ("https://", "it names no host"),
        ("https://user@example.org/", "it has a user name in it"),
        ("intranet", "only one part"),
        ("https://wiki.corp/page", "belong to a local network"),
        ("http://127.0.0.1/admin", "is not on the public internet"),
        ("http://[::1]/", "is not on the public internet"),
        ("http://0x7f.1/", "no plain IPv4 address"),
        ("https://example.org:99999/", "port 99999"),
        ("javascript:alert(1)", "in an odd way"),
        ("see the guide", "written in an odd way"),
    ],
)
def test_an_address_that_no_page_has_comes_back_with_the_reason(client, ada, address, reason):
    response = ask(client, urls=f"{PAGE}\n{address}")
    [said] = complaints(response)
    assert reason in said
    assert "example.org/guide" not in said
    with tenant_context(ada.tenant.pk):
        assert not Run.objects.exists()


def test_every_bad_address_is_named_and_nothing_typed_is_lost(client):
    lines = f"ftp://one.example\n{PAGE}\nhttp://10.0.0.1/two"
    response = ask(client, urls=lines, sources="web")
    assert len(complaints(response)) == 2
    assert read_typed(response, "urls").split() == lines.split()
    assert choices(response)["web"]
    assert tree(response).xpath("//details[@open]")


def test_a_mistake_elsewhere_keeps_the_addresses_in_sight(client, search):
    response = ask(client, question="", urls=PAGE, excluded_domains="ads.example")
    assert (read_typed(response, "urls"), read_typed(response, "excluded_domains")) == (PAGE, "ads.example")
    assert tree(response).xpath("//details[@open]")


def test_a_question_from_the_first_page_comes_back_with_all_defaults(client):
    response = ask(client, question="")
    assert choices(response)["both"]
    assert tree(response).xpath("//select[@name='depth']/option[@selected]/@value") == ["standard"]
    assert tree(response).xpath("//input[@name='target_sources']/@value") == []
    assert not tree(response).xpath("//details[@open]")


def test_focus_can_go_from_the_error_to_the_field(client):
    response = ask(client, urls="ftp://example.org")
    assert tree(response).xpath("//*[@id='error-summary']//a/@href") == ["#id_urls"]
    (field,) = tree(response).xpath("//*[@id='id_urls']")
    assert field.get("aria-invalid") == "true"
    assert tree(response).get_element_by_id(field.get("aria-describedby").split()[-1]) is not None


def test_the_pages_alone_need_a_page(client):
    [said] = complaints(ask(client, sources="web"))
    assert "Name a page to read" in said


def test_the_library_alone_has_only_its_own_copies(client, ada):
    [said] = complaints(ask(client, sources="library", urls="https://wiki.corp/page"))
    assert "The library has no copy of “https://wiki.corp/page”" in said
    with tenant_context(ada.tenant.pk):
        LibraryDocument.objects.create(
            folder="wiki", path="page.html", status="ready", url="https://wiki.corp/page/"
        )
    assert ask(client, sources="library", urls="https://wiki.corp/page").status_code == 302
    assert config_of(ada) == {"urls": ["https://wiki.corp/page"]}


def test_more_addresses_than_a_run_takes_are_refused(client):
    [said] = complaints(ask(client, urls="\n".join(f"example.org/{n}" for n in range(51))))
    assert said == "You gave 51 entries; at most 50 are allowed."


@pytest.mark.parametrize("site", ["gov", "a b", "https://", "-.example", "http://x y/"])
def test_a_site_that_cannot_be_is_refused(client, search, site):
    [said] = complaints(ask(client, sources="web", excluded_domains=site))
    assert "is not a valid site" in said


@pytest.mark.parametrize("sources", ["", "everything", "<script>"])
def test_a_choice_that_was_not_offered_is_refused(client, ada, sources):
    assert complaints(ask(client, sources=sources))
    with tenant_context(ada.tenant.pk):
        assert not Run.objects.exists()


def test_asking_again_begins_with_what_was_asked(client, ada, search):
    ask(client, sources="both", urls=f"{PAGE}\nexample.com/a", target_sources="7", fact_check="strict")
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get()
    page = client.get(f"/runs/new/?again={run.pk}")
    assert read_typed(page, "question") == QUESTION
    assert read_typed(page, "urls").split() == [PAGE, "https://example.com/a"]
    assert choices(page)["both"]
    assert tree(page).xpath("//input[@name='target_sources']/@value") == ["7"]
    assert tree(page).xpath("//select[@name='fact_check']/option[@selected]/@value") == ["strict"]
    assert tree(page).xpath("//details[@open]")


def test_a_finished_run_offers_to_ask_again_with_changes(client, world):
    links = tree(client.get(f"/runs/{world.run.pk}/")).xpath(
        "//a[normalize-space()='Edit and ask again']/@href"
    )
    assert links == [f"/runs/new/?again={world.run.pk}"]
    assert read_typed(client.get(links[0]), "question") == world.run.topic


def test_a_strangers_run_cannot_be_asked_again(stranger, world):
    assert stranger.get(f"/runs/new/?again={world.run.pk}").status_code == 404


@pytest.mark.parametrize("again", ["", "7", "\x00", "x" * 5_000])
def test_what_is_no_run_is_an_empty_form(client, again):
    page = client.get("/runs/new/", {"again": again})
    assert page.status_code == 200
    assert read_typed(page, "question") == ""


def test_markup_in_an_address_stays_text(client):
    page = ask(client, urls="https://<script>alert(1)</script>/").content
    assert b"<script>alert" not in page
