"""Internal links of a page: pure, linear, in a reader's order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.fetching.page_links import internal_links
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
