"""Browse where a plain page is not enough: a browser, actions, links followed, pictures named."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from django.test import Client, override_settings

from config.services.browser_service import find_browser
from research.agents.tools.evidence.tool_source_handles import source_handle
from research.agents.tools.tool_interface import ToolCode
from research.fetching.fetch_process import close_fetch_process
from research.models import AgentRole, SourceStatus
from tests.fetching.site import Said, Site, serve_site
from tests.people import join
from tests.pipelines.test_fetch_rendered_pages import SHELL
from tests.tools.conftest import Hand

LONG = "The trial ran over two winters in eleven homes near Kiruna, and two sites fell below 1.9 in the coldest weeks. "
SCRIPT = "document.getElementById('root').innerHTML = '<article><h1>Trial</h1><p>%s</p></article>'" % (
    LONG * 2
)


def html(body: str, script: str = "") -> Said:
    return Said(
        f"<!doctype html><html lang=en><body><article>{body}</article><script>{script}</script></body></html>"
    )


PAGES = {
    "/shell": Said(SHELL), "/app.js": Said(SCRIPT, kind="text/javascript"),
    "/more": html(f"<h1>More</h1><p>{LONG * 2}</p><button>Show the method</button>",
                  "document.querySelector('button').onclick = () => document.querySelector('h1').insertAdjacentHTML("
                  f"'afterend', '<p>The method was told by the button. {LONG}</p>')"),
    "/deep": html(f"<h1>Deep</h1><p>{LONG * 2}</p><a href=/first>1</a><a href=/gone>2</a><a href=/second>3</a>"
                  "<a href=/third>4</a><a href='http://other.example.net/'>5</a>"),
    "/first": html(f"<h1>First</h1><p>{LONG.replace('eleven', 'twelve') * 2}</p>"),
    "/second": html(f"<h1>Second</h1><p>{LONG.replace('eleven', 'thirty') * 2}</p>"),
    "/third": html(f"<h1>Third</h1><p>{LONG.replace('eleven', 'forty') * 2}</p>"),
    "/seen": html(f"<h1>Seen</h1><p>{LONG * 2}</p><figure><img src=plant.png alt='The plant'><figcaption>Figure 1"
                  "</figcaption></figure>"),
    "/steps": html(
        f"<h1>Steps</h1><p>{LONG * 2}</p><p id=out></p><button>Begin</button><form method=post action=/send>"
        "<label>Town<input></label><select aria-label=Year><option>1990</option><option>2020</option></select></form>"
        "<button style='display:none'>Secret</button><details><summary>Method</summary>Told.</details>",
        "const say = t => document.querySelector('#out').append(t); const b = document.querySelector('button');"
        "b.onclick = () => { say('Begun. '); b.insertAdjacentHTML('afterend', '<button id=on>Go on</button>');"
        "document.querySelector('#on').onclick = () => say('Gone on. ') };"
        "document.querySelector('input').onkeydown = e => { if (e.key == 'Enter') say('Entered. ') }"),
    "/stuck": html(f"<p>{LONG * 2}</p>", "while (true) {}"),
    "/slides.pdf": Said(b"%PDF-1.7 broken", kind="application/pdf"),
}  # fmt: skip


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with ExitStack() as stack:
        site = stack.enter_context(serve_site(PAGES))
        stack.enter_context(override_settings(PLUMBLINE_ALLOW_LOOPBACK=True, PLUMBLINE_POLITENESS_MS=0))
        close_fetch_process()
        yield site
        close_fetch_process()


@pytest.fixture
def make_reader(make_hand: Callable[..., Hand], site: Site) -> Callable[..., Hand]:
    """Return the reader of a run whose owner has named the site's pages."""

    def make(**config: object) -> Hand:
        site.asked.clear()
        return make_hand(sources="web", urls=[f"{site.base}{path}" for path in PAGES], **config)

    return make


@pytest.fixture
def reader(make_reader: Callable[..., Hand]) -> Hand:
    return make_reader()


@pytest.fixture
def browser() -> None:
    if not find_browser("").path:
        pytest.skip("chromium is not installed: apt-get install chromium")


@pytest.fixture
def no_browser(site: Site) -> Iterator[None]:
    with override_settings(PLUMBLINE_BROWSER="none"):
        close_fetch_process()
        yield
    close_fetch_process()


CLICK = [{"do": "click", "text": "Show the method"}]


@pytest.mark.browser
def test_a_page_that_only_scripts_fill_is_shown_without_asking(browser, reader, site):
    shown = reader.use("browse", url=f"{site.base}/shell")
    assert (shown.rendered, "eleven homes near Kiruna" in shown.content) == (True, True)
    assert [source.status for source in reader.sources()] == [SourceStatus.EXTRACTED]


@pytest.mark.browser
def test_text_behind_a_button_is_a_source_beside_the_page_as_it_came(browser, reader, site):
    plain = reader.use("browse", url=f"{site.base}/more")
    shown = reader.use("browse", url=f"{site.base}/more", actions=CLICK)
    assert ("told by the button" in plain.content, "told by the button" in shown.content) == (False, True)
    assert shown.rendering == ["Did click “Show the method”."]
    assert (shown.final_url, shown.id != plain.id) == (f"{site.base}/more", True)
    assert len(reader.sources()) == 2


@pytest.mark.browser
def test_a_picture_of_what_the_browser_showed_is_kept_for_people(browser, reader, site, account):
    reader.use("browse", url=f"{site.base}/seen")
    shown = reader.use("browse", url=f"{site.base}/more", actions=CLICK)
    reader.note("browse", shown)
    assert shown.picture
    [source] = [source for source in reader.sources() if source_handle(source.pk) == shown.id]
    client = Client()
    client.force_login(account.user)
    address = f"/sources/{source.pk}/picture/"
    sent = client.get(address)
    assert (sent.status_code, sent["Content-Type"], sent.content[:3]) == (200, "image/jpeg", b"\xff\xd8\xff")
    assert address in client.get(f"/sources/{source.pk}/").content.decode()
    assert address in client.get(f"/runs/{reader.run_id}/log/").content.decode()
    other = next(source for source in reader.sources() if source_handle(source.pk) != shown.id)
    assert client.get(f"/sources/{other.pk}/picture/").status_code == 404
    stranger = Client()
    stranger.force_login(join("stranger").user)
    assert stranger.get(address).status_code == 404


@pytest.mark.full
@pytest.mark.browser
def test_the_same_wish_is_done_once_for_a_run(browser, reader, site):
    first = reader.use("browse", url=f"{site.base}/more", actions=CLICK)
    again = reader.use("browse", url=first.id, actions=CLICK)
    assert (again.id, again.content, again.fetched) == (first.id, first.content, False)


@pytest.mark.full
@pytest.mark.browser
def test_what_is_shown_by_a_browser_can_be_stored_and_found(browser, reader, site):
    shown = reader.use("browse", url=f"{site.base}/more", actions=CLICK)
    kept = reader.use("store", source=shown.id, chunks=shown.passages)
    assert kept.count == len(shown.passages) > 0


@pytest.mark.browser
def test_what_can_be_clicked_or_filled_is_numbered_and_aimed_at(browser, reader, site):
    shown = reader.use("browse", url=f"{site.base}/steps", controls=True)
    named = [(one.number, one.kind, one.name) for one in shown.controls]
    assert named == [
        (1, "click", "Begin"),
        (2, "fill", "Town"),
        (3, "select", "Year"),
        (4, "click", "Method"),
    ]
    assert shown.controls[2].choices == ["1990", "2020"]
    begun = reader.use("browse", url=shown.id, go_on=True, actions=[{"do": "click", "number": 1}])
    assert ("Begun." in begun.content, begun.rendering) == (True, ["Did click 1."])
    assert [one.name for one in begun.controls][:2] == ["Begin", "Go on"]


@pytest.mark.browser
def test_a_page_is_acted_on_from_call_to_call(browser, reader, site):
    first = reader.use("browse", url=f"{site.base}/steps", actions=[{"do": "click", "text": "Begin"}])
    second = reader.use("browse", url=first.id, go_on=True, actions=[{"do": "click", "number": 2}])
    third = reader.use(
        "browse", url=second.id, go_on=True, actions=[{"do": "press", "text": "Enter", "number": 3}]
    )
    assert third.rendering[:3] == ["Did click “Begin”.", "Did click 2.", "Did press 3 “Enter”."]
    assert all(word in third.content for word in ("Begun.", "Gone on.", "Entered."))
    assert len({first.id, second.id, third.id}) == 3
    assert not any(path.startswith("POST") for path in site.asked)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"do": "click", "number": 9}, "Could not click 9: the page has 4 controls"),
        ({"do": "press", "text": "a"}, "Could not press “a”: only these keys are pressed"),
    ],
)
def test_what_cannot_be_aimed_at_is_told(browser, reader, site, action, said):
    [line] = reader.use("browse", url=f"{site.base}/steps", actions=[action]).rendering
    assert line.startswith(said)


def test_only_a_page_that_was_shown_can_be_gone_on_with(reader, site):
    assert reader.error("browse", url=f"{site.base}/more", go_on=True, actions=CLICK) is ToolCode.UNKNOWN_ID


@pytest.mark.full
@pytest.mark.browser
def test_a_page_that_does_not_end_is_out_of_time(browser, reader, site):
    assert (
        reader.error("browse", url=f"{site.base}/stuck", scroll_to_bottom=True, timeout_s=5)
        is ToolCode.TIMEOUT
    )


def test_without_a_browser_the_plain_page_comes_with_a_note(no_browser, reader, site):
    shown = reader.use("browse", url=f"{site.base}/more", wait_for=".never")
    assert (shown.rendered, "eleven homes" in shown.content) == (False, True)
    assert shown.rendering == ["The page needs a browser, and no browser is used, by PLUMBLINE_BROWSER."]


def test_without_a_browser_an_empty_page_says_that_it_needs_one(no_browser, reader, site):
    problem = reader.failure("browse", url=f"{site.base}/shell")
    assert (problem.code, "needs a browser" in problem.message) == (ToolCode.EXTRACTION_FAILED, True)
    assert "needs a browser" in reader.sources()[0].error_message


def test_a_page_that_the_run_has_not_come_upon_is_not_shown_either(reader, site):
    assert reader.error("browse", url=f"{site.base}/other", scroll_to_bottom=True) is ToolCode.BLOCKED


def test_who_checks_does_not_act_on_pages(reader, site):
    with pytest.raises(Exception, match="Only what the run's searches found"):
        reader.use("browse", AgentRole.VERIFIER, url=f"{site.base}/more", actions=CLICK)
    assert site.asked == []


@pytest.mark.parametrize(
    "given",
    [
        {"actions": [{"do": "submit"}]},
        {"actions": [{"do": "click"}] * 11},
        {"timeout_s": 600},
        {"mode": "deepest"},
    ],
)
def test_what_cannot_be_asked_for_is_said(reader, site, given):
    assert reader.error("browse", url=f"{site.base}/more", **given) is ToolCode.INVALID_ARGUMENTS


def test_deep_mode_reads_the_pages_of_the_site_that_it_leads_to(make_reader, site):
    reader = make_reader(pages_per_source=3)
    shown = reader.use("browse", url=f"{site.base}/deep", mode="deep")
    assert [(one.url, one.problem) for one in shown.followed] == [
        (f"{site.base}/first", ""), (f"{site.base}/gone", "The site has no such page (404)."),
    ]  # fmt: skip
    assert {source.url: str(source.status) for source in reader.sources()} == {
        f"{site.base}/deep": "extracted", f"{site.base}/first": "extracted", f"{site.base}/gone": "failed",
    }  # fmt: skip
    assert reader.use("browse", url=shown.followed[0].id).title == "First"


@pytest.mark.full
def test_deep_mode_reads_a_page_once(make_reader, site):
    reader = make_reader(pages_per_source=2)
    for _ in range(2):
        shown = reader.use("browse", url=f"{site.base}/deep", mode="deep")
        assert [one.words > 20 for one in shown.followed] == [True]
    assert site.asked.count("/first") <= 1  # or it is kept from before


def test_what_the_owner_does_not_want_is_not_followed(make_reader, site):
    reader = make_reader(excluded_domains=["127.0.0.1"])
    shown = reader.use("browse", url=f"{site.base}/deep", mode="deep")  # which the owner named all the same
    problems = {one.url.rpartition("/")[2]: one.problem for one in shown.followed}
    assert problems["gone"] == "The run reads nothing of 127.0.0.1."
    assert "/gone" not in site.asked


def test_pictures_are_named_and_not_loaded(reader, site):
    shown = reader.use("browse", url=f"{site.base}/seen", images=True)
    assert [(image.url, image.alt, image.caption) for image in shown.images] == [
        (f"{site.base}/plant.png", "The plant", "Figure 1")
    ]
    assert "/plant.png" not in site.asked
