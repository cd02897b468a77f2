"""One page has one address, however it is written; a pasted address finds its local copy."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.fetching.canonical_urls import canonical_url, find_by_url, unwrap_redirect
from research.models import DocumentStatus, LibraryDocument


@pytest.mark.parametrize(
    "spelling",
    [
        "https://www.Example.com:443/a/../b/?utm_source=x&b=2&a=1#part",
        "http://example.com/b?a=1&b=2",
        "example.com/b/?b=2&a=1&fbclid=abc&gclid=d",
        "  HTTPS://EXAMPLE.com/b?a=1&b=2&mc_eid=9 ",
        "https://example.com./b?a=1&b=2&msclkid=x&srsltid=y&yclid=1&ttclid=2",
        "//m.example.com/b?a=1&b=2",
        "https://mobile.example.com/b?a=1&b=2",
    ],
)
def test_spellings_of_one_page_are_one(spelling):
    assert canonical_url(spelling) == "http://example.com/b?a=1&b=2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a", "https://example.com/b"),
        ("https://example.com/a?id=1", "https://example.com/a?id=2"),
        ("https://example.com:8443/a", "https://example.com/a"),
        ("https://docs.example.com/a", "https://example.com/a"),
        ("https://m.com/a", "https://com/a"),
    ],
)
def test_different_pages_stay_different(one, other):
    assert canonical_url(one) != canonical_url(other)


def test_a_name_in_unicode_and_in_punycode_is_one():
    assert canonical_url("https://münchen.de/") == canonical_url("https://xn--mnchen-3ya.de")


def test_both_resolvers_of_dois_are_one():
    assert canonical_url("http://dx.doi.org/10.1000/a1") == canonical_url("https://doi.org/10.1000/A1")


PAGE = "https://example.com/report?id=7"
IN_QUERY = quote(PAGE, safe="")


@pytest.mark.parametrize(
    "wrapped",
    [
        f"https://scholar.google.com/scholar_url?url={IN_QUERY}&hl=en",
        f"https://translate.google.com/translate?sl=de&u={IN_QUERY}",
        f"https://www.google.com/url?q={quote(f'https://l.facebook.com/l.php?u={IN_QUERY}', safe='')}",
        f"https://www.ecosia.org/link?url={IN_QUERY}",
        f"https://www.startpage.com/do/proxy?u={IN_QUERY}",
        f"https://t.umblr.com/redirect?z={IN_QUERY}&t=x",
        f"https://vk.com/away.php?to={IN_QUERY}",
        f"https://slack-redir.net/link?url={IN_QUERY}",
        f"https://eur01.safelinks.protection.outlook.com/?url={IN_QUERY}&data=05",
        f"https://urldefense.com/v3/__{PAGE}__;!!abc$",
        "https://www.bing.com/amp/s/example.com/report?id=7",
        "https://example-com.cdn.ampproject.org/v/s/example.com/report?id=7&amp_js_v=0.1",
        "https://example-com.translate.goog/report?id=7&_x_tr_sl=de&_x_tr_tl=en",
    ],
)
def test_a_wrapper_or_a_copy_shown_elsewhere_leads_to_its_page(wrapped):
    assert unwrap_redirect(wrapped) == PAGE


def test_a_hyphen_in_a_translated_host_stays():
    assert unwrap_redirect("https://a--b-example-org.translate.goog/x") == "https://a-b.example.org/x"


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        f"https://notgoogle.com/url?q={IN_QUERY}",
        f"https://www.google.com.evil.example/url?q={IN_QUERY}",
        "https://www.google.com/url?q=javascript%3Aalert(1)",
        "https://urldefense.com/v3/__javascript:alert(1)__;",
        "https://www.google.com/amphitheatre",
    ],
)
def test_what_wraps_no_page_stays_as_it_is(url):
    assert unwrap_redirect(url) == url


@pytest.mark.parametrize(
    "text", ["", "no address", "http://[::1", "ftp://example.com/a", "javascript:alert(1)", "http://",
     "https://example.com/" + 2_000 * "a", "https://example.com/" + 300 * "😀"],
)  # fmt: skip
def test_what_is_no_web_address_has_none(text):
    assert canonical_url(text) == ""


@given(st.text(max_size=60))
def test_a_canonical_address_is_its_own(text):
    once = canonical_url(f"https://example.com/{text}")
    assert canonical_url(once) == once


def document(path: str, url: str, **values: str) -> LibraryDocument:
    return LibraryDocument.objects.create(
        folder=values.pop("folder", "uploads"),
        path=path,
        url=url,
        **{"status": DocumentStatus.READY, **values},
    )


def test_a_pasted_address_finds_its_copy(inside):
    row = document("a.html", "https://www.example.com/guide/")
    document("b.html", "https://www.example.com/guide/other")
    assert find_by_url("http://example.com/guide?utm_campaign=mail") == row


def test_of_several_revisions_the_newest_is_found(inside):
    document("2019.html", "https://example.com/guide", published_date="2019-03")
    newest = document("2023.html", "https://example.com/guide", published_date="2023")
    document("undated.html", "https://example.com/guide")
    assert find_by_url("https://example.com/guide") == newest


def test_an_unreadable_copy_is_not_found(inside):
    document("a.html", "https://example.com/guide", status=DocumentStatus.FAILED, error_code="empty")
    assert find_by_url("https://example.com/guide") is None


def test_the_search_can_be_kept_to_a_folder(inside):
    document("a.html", "https://example.com/guide", folder="sample")
    assert find_by_url("https://example.com/guide", folder="uploads") is None
    assert find_by_url("https://example.com/guide", folder="sample") is not None


def test_an_address_without_a_copy_finds_nothing(inside):
    document("a.html", "")
    assert find_by_url("https://example.com/") is None
    assert find_by_url("") is None
