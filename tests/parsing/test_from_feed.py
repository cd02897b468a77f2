"""Feeds: an entry a section. Nothing is ever fetched for one."""

from __future__ import annotations

import json
import socket

import pytest

from research.parsing.hidden_text import HiddenReason
from research.parsing.parse_document import read
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_media_types import FEED
from research.runtime.sandbox.sandbox_read_error import ReadError

WORDS = "The library opens at nine in the morning from now on, and closes at six in the evening."
RSS = f"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Town news</title><link>https://town.example/</link><language>en-gb</language>
<item><title>New hours</title><link>https://town.example/hours</link><dc:creator>A. Clerk</dc:creator>
<pubDate>Mon, 06 May 2024 09:00:00 GMT</pubDate><description>Short.</description>
<content:encoded><![CDATA[<p>{WORDS}</p><ul><li>Monday</li></ul><p style="display:none">Buy now</p>]]></content:encoded>
</item>
<item><title>Old &lt;b&gt;hours&lt;/b&gt;</title><link>javascript:alert(1)</link>
<description>&lt;p&gt;Closed.&lt;/p&gt;</description>
</item></channel></rss>"""
ATOM = f"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Town news</title><updated>2024-05-07T10:00:00Z</updated>
<link href="https://town.example/"/><entry><title>New hours</title><link href="https://town.example/hours"/>
<published>2024-05-06T09:00:00Z</published><author><name>A. Clerk</name></author>
<content type="html">&lt;p&gt;{WORDS}&lt;/p&gt;</content></entry></feed>"""
RDF = f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>Town news</title></channel><item><title>New hours</title><link>https://town.example/hours</link>
<description>{WORDS}</description></item></rdf:RDF>"""
JSON = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1", "title": "Town news", "home_page_url": "https://town.example/",
        "items": [
            {
                "id": 1, "url": "https://town.example/hours", "title": "New hours", "content_html": f"<p>{WORDS}</p>",
                "date_published": "2024-05-06T09:00:00Z", "authors": [{"name": "A. Clerk"}],
            },
            {"id": 2, "content_text": "Plain & <simple>.\n\nSecond part."}, "no entry", {"id": 3, "title": 7},
        ],
    }
)  # fmt: skip


def feed(text: str, name: str = "page.txt") -> ReadDocument:
    return read(text.encode(), name)


@pytest.mark.parametrize("text", [RSS, ATOM, RDF, JSON], ids=["RSS", "Atom", "RDF", "JSON"])
def test_every_kind_of_feed_is_read_whatever_its_name(text: str) -> None:
    document = feed(text)
    assert (document.media_type, document.title) == (FEED, "Town news")
    first = document.blocks[0]
    assert (first.kind, document.text[first.start : first.end]) == (BlockKind.HEADING, "New hours")
    assert WORDS in document.text
    assert "https://town.example/hours" in document.text


@pytest.mark.parametrize("text", [RSS, ATOM, JSON], ids=["RSS", "Atom", "JSON"])
def test_an_entry_is_a_section_with_its_date_and_author(text: str) -> None:
    document = feed(text)
    assert "2024-05-06 · A. Clerk · https://town.example/hours" in document.text
    said = next(block for block in document.blocks if WORDS in document.text[block.start : block.end])
    assert (said.section, said.kind) == ("New hours", BlockKind.PARAGRAPH)
    assert (document.published, document.url) == ("2024-05-06", "https://town.example/")


def test_date_and_address_are_no_sentence_of_the_feed() -> None:
    document = feed(RSS)
    inside = [document.text[block.start : block.end] for block in document.blocks]
    assert not any("2024-05-06" in words for words in inside)


def test_the_longer_of_summary_and_content_is_read_as_blocks() -> None:
    document = feed(RSS)
    kinds = [(block.kind, document.text[block.start : block.end]) for block in document.blocks]
    assert (BlockKind.LIST, "Monday") in kinds
    assert "Short." not in document.text


def test_hidden_words_of_an_entry_are_left_out_and_noted() -> None:
    document = feed(RSS)
    assert "Buy now" not in document.text
    assert [(one.why, one.excerpts) for one in document.dropped] == [(HiddenReason.STYLE, ("Buy now",))]


def test_markup_in_titles_is_not_words_and_odd_addresses_are_none() -> None:
    document = feed(RSS)
    assert "Old hours" in document.text
    assert "javascript" not in document.text


def test_titles_are_read_as_they_are_shown() -> None:
    title = "Ferry costs &lt;del&gt;14&lt;/del&gt; 17 for 10&lt;sup&gt;6&lt;/sup&gt; people"
    document = feed(RSS.replace("New hours", title))
    assert "Ferry costs 17 for 10^6 people" in document.text
    assert (HiddenReason.STRUCK, ("14",)) in [(one.why, one.excerpts) for one in document.dropped]
    told = feed(JSON.replace("New hours", "Is a < b or <b>?"))
    assert "Is a < b or <b>?" in told.text


def test_plain_text_of_a_json_feed_stays_plain() -> None:
    document = feed(JSON)
    assert "Plain & <simple>." in document.text
    assert "Untitled" in document.text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<rss version="2.0"><channel><title>Empty</title></channel></rss>', "empty"),
        ('{"version": "https://jsonfeed.org/version/1", "items": []}', "empty"),
        ('{"version": "https://jsonfeed.org/version/1", "items": 7}', "empty"),
        ('{"version": "https://jsonfeed.org/version/1", "items": [', "unreadable"),
        ('<!DOCTYPE rss [<!ENTITY a "b">]><rss><channel><title>&a;</title></channel></rss>', "unsupported"),
    ],
)  # fmt: skip
def test_a_feed_that_cannot_be_read_says_why(text: str, code: str) -> None:
    with pytest.raises(ReadError) as error:
        feed(text, "feed.xml")
    assert error.value.code == code


def test_a_damaged_feed_is_read_as_far_as_it_goes() -> None:
    assert WORDS in feed(RSS.replace("</item>", "</itemm>&oops;")).text


def test_very_many_entries_are_cut_and_counted() -> None:
    items = "".join(
        f"<item><title>Entry {n}</title><description>Words.</description></item>" for n in range(1_003)
    )
    document = feed(f'<rss version="2.0"><channel><title>Long</title>{items}</channel></rss>')
    assert "Entry 999" in document.text
    assert "Entry 1000" not in document.text
    assert document.notes == ("1,000 of 1,003 entries were read.",)


def test_reading_a_feed_fetches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    image = f'<img src="http://127.0.0.1:1/x.png"/><iframe src="http://127.0.0.1:1/"></iframe>{WORDS}'
    linked = RSS.replace(WORDS, image).replace(
        "<channel>", '<?xml-stylesheet href="http://127.0.0.1:1/a.xsl"?><channel>'
    )
    assert WORDS in feed(linked).text


def test_other_xml_and_json_are_no_feeds() -> None:
    assert feed(f"<note><p>{WORDS}</p></note>").media_type == "text/plain"
    assert feed(json.dumps({"version": "1", "text": WORDS})).media_type == "text/plain"
