"""Internal links of a page: pure, linear, in a reader's order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.fetching.fetched_page_links import internal_links, next_page
from research.fetching.strict_urls import parse_url

URL = "https://www.example.com/guide/start"


def links(html: str, most: int = 50, url: str = URL) -> list[str]:
    return internal_links(html, url, most)


def a(href: str, rest: str = "") -> str:
    return f'<a {rest} href="{href}">x</a>'


def test_relative_and_absolute_links_of_the_same_host_are_followed():
    html = (
        a("next") + a("/top") + a("https://example.com/without-www") + a("?page=2") + a("//www.example.com/b")
    )
    assert links(html) == [
        "https://www.example.com/guide/next",
        "https://www.example.com/top",
        "https://example.com/without-www",
        "https://www.example.com/guide/start?page=2",
        "https://www.example.com/b",
    ]


def test_links_within_the_text_come_before_those_around_it():
    html = f"<nav>{a('/menu')}</nav><main>{a('/told')}</main><footer>{a('/imprint')}</footer><p>{a('/also')}"
    assert [link.rpartition("/")[2] for link in links(html)] == ["told", "also", "menu", "imprint"]


def test_a_text_that_begins_within_an_unclosed_menu_is_still_the_text():
    assert links(f"<header>{a('/menu')}<main>{a('/told')}</main>")[0].endswith("/told")


def test_each_page_is_named_once_whatever_its_spelling_and_never_the_page_itself():
    html = (
        a("/b") + a("/b#part") + a("/b/?utm_source=x") + a("#here") + a("/guide/start") + a("/guide/start#x")
    )
    assert links(html) == ["https://www.example.com/b"]


@pytest.mark.parametrize(
    "html",
    [
        a("https://other.example.net/"), a("https://docs.example.com/"), a("https://www.example.com:8443/x"),
        a("mailto:ada@example.com"), a("javascript:alert(1)"), a("data:text/html,x"), a("ftp://www.example.com/x"),
        a("http://user@www.example.com/x"), a("http://www.example.com\\@127.0.0.1/"), a(""), "<a>x</a>",
        a("/picture.PNG"), a("/feed.xml"), a("/all.tar.gz"), a("/login"), a("/user/logout/"), a("/cart"),
        a("/x", 'rel="nofollow noopener"'), a("/x", 'download="a.pdf"'), a("/x", "download"),
        "<!-- " + a("/x") + " -->", "<!-- " + a("/x"),
        "<script>document.write('" + a("/x") + "')</script>", "<template>" + a("/x") + "</template>",
        "<noscript>" + a("/x") + "</noscript>", "<script>" + a("/x"), '<link href="/x">', "<abbr href='/x'>x</abbr>",
    ],
)  # fmt: skip
def test_what_is_no_internal_page_is_not_followed(html):
    assert links(html) == []


def test_attributes_are_read_as_browsers_do():
    html = "<A CLASS=x DATA-1='href=/other' HREF=/bare>1</A>"
    html += "<a href='/single'>2</a><a href=\"/a&amp;b\" href='/second'>3</a>"
    assert [link.rpartition("/")[2] for link in links(html)] == ["bare", "single", "a&b"]


def test_a_base_changes_what_links_are_relative_to_but_not_which_host_is_internal():
    assert links("<base href='/other/'>" + a("x")) == ["https://www.example.com/other/x"]
    assert links("<base href='https://evil.example.net/'>" + a("x")) == []


def test_no_more_than_wanted_are_named():
    assert len(links("".join(a(f"/{n}") for n in range(500)), most=20)) == 20
    assert links(a("/x"), most=0) == []


@pytest.mark.parametrize("piece", ["<!--", "<a href='", "<script>", "<a ", "<nav>", "<", "<a href=x<"])
def test_a_page_of_nothing_but_openings_is_looked_through_in_one_go(piece):
    assert links(piece * (1_000_000 // len(piece))) == []


@given(
    st.lists(
        st.sampled_from([a("/b"), "<nav>", "</nav>", "<!--", "-->", "<script>", "'", '"', ">", "ü", "<a"])
    )
)
def test_whatever_is_found_is_an_address_of_the_same_host(pieces):
    for link in links("".join(pieces)):
        assert parse_url(link).host in ("www.example.com", "example.com")


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<link rel="next" href="/guide/start?page=2">', "/guide/start?page=2"),
        (a("/b", 'rel="next"'), "/b"),
        (f'{a("/a")}<a href="/b">Next ›</a>', "/b"),
        ('<a href="/b"><span>Next</span> <span>page</span></a>', "/b"),
        ('<a href="/b" aria-label="Next page"><svg></svg></a>', "/b"),
        ('<a href="/b">Nächste Seite »</a>', "/b"),
        ('<a href="/prev">‹ Previous</a><a href="/b">&raquo;</a>', "/b"),
        (f"{a('?page=1')}{a('?page=2')}{a('?page=3')}", "/guide/start?page=2"),
        (a("/guide/start/page/2/"), "/guide/start/page/2/"),
        # a relation counts for more than words, and words for more than numbers
        (f'{a("?page=2")}<a href="/b">Next</a><a rel="next" href="/c">x</a>', "/c"),
        (f'{a("?page=2")}<a href="/b">Next</a>', "/b"),
        ('<a href="/b">Next of kin</a>', ""),
        ('<a href="https://other.example.net/">Next</a>', ""),
        ('<a href="/b" rel="next nofollow">Next</a>', ""),
        ('<a href="#next">Next</a>', ""),
        ('<a href="/b"></a>', ""),
        (a("/other?page=2"), ""),
        (a("?page=3"), ""),
    ],
)
def test_the_next_page_of_a_list_is_the_one_that_the_page_names(html, found):
    assert next_page(html, URL).removeprefix("https://www.example.com") == found


@pytest.mark.parametrize(
    ("url", "html", "found"),
    [
        (
            "/list?sort=name&page=2",
            a("/list?sort=name&page=1") + a("/list?page=3&sort=name"),
            "/list?page=3&sort=name",
        ),
        ("/list?sort=name&page=2", a("/list?sort=size&page=3"), ""),
        ("/list/page/2", a("/list") + a("/list/page/3"), "/list/page/3"),
    ],
)
def test_the_next_number_is_counted_from_the_page_itself(url, html, found):
    whole = f"https://www.example.com{url}"
    assert next_page(html, whole).removeprefix("https://www.example.com") == found


@given(st.text(alphabet="<>a/ href=\"'nextpage?=2›", max_size=400))
def test_whatever_a_page_holds_its_next_page_is_on_its_host(html):
    assert next_page(html, URL) == "" or next_page(html, URL).startswith("https://www.example.com/")
