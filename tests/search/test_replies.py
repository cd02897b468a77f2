"""Replies of a search service: failures by its status, pauses, and bodies that are not what they should be."""

import pytest
from pydantic import BaseModel

from research.search.search_protocol import SearchCode, SearchError
from research.search.search_service_replies import MAX_MARKUP, ProviderReply, readable, refusal_of


class Thing(BaseModel):
    name: str


def reply(body: bytes = b"", status: int = 200, **headers: str) -> ProviderReply:
    return ProviderReply(status, {name.replace("_", "-"): value for name, value in headers.items()}, body)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (429, "RATE_LIMITED"), (500, "TIMEOUT"), (503, "TIMEOUT"), (408, "TIMEOUT"), (400, "INVALID_QUERY"),
        (422, "INVALID_QUERY"), (403, "NOT_AVAILABLE"), (302, "NOT_AVAILABLE"), (204, "NOT_AVAILABLE"),
    ],
)  # fmt: skip
def test_a_status_has_its_code(status, code):
    assert refusal_of(reply(status=status)).code == code


def test_a_service_that_is_down_for_a_while_is_one_that_asks_for_a_pause():
    refusal = refusal_of(reply(status=503, retry_after="30"))
    assert (refusal.code, refusal.pause_s) == (SearchCode.RATE_LIMITED, 30)


def test_success_is_no_refusal():
    assert refusal_of(reply()) is None


@pytest.mark.parametrize("body", [b"", b"{", b"NaN", b"[" * 100_000, b"\xff\xfe"])
def test_what_is_no_json_is_a_named_failure(body):
    with pytest.raises(SearchError, match="could not be read"):
        reply(body).json()


def test_json_of_another_shape_is_a_named_failure():
    with pytest.raises(SearchError, match="could not be read"):
        reply(b'{"name": [1]}').parse_as(Thing)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<a>",
        b"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
        b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
        b"<a>" + b"x" * MAX_MARKUP + b"</a>",
        b"<a>" * 100_000,
    ],
    ids=["empty", "open", "entity", "system", "long", "deep"],
)
def test_what_is_no_plain_xml_is_a_named_failure(body):
    with pytest.raises(SearchError, match="could not be read"):
        reply(body).xml()


def test_xml_is_read_in_its_own_charset():
    body = "<?xml version='1.0' encoding='iso-8859-1'?><a>Müller</a>".encode("iso-8859-1")
    assert reply(body).xml().text == "Müller"


@pytest.mark.parametrize("body", [b"", b"   ", b"<p>" + b"x" * MAX_MARKUP])
def test_what_is_no_page_is_a_named_failure(body):
    with pytest.raises(SearchError, match="could not be read"):
        reply(body).html()


def test_a_page_is_read_however_broken():
    page = reply(b"<p>one<p><b>two\xff</div>").html()
    assert page.xpath("//b/text()") == ["two\ufffd"]


def test_each_odd_result_costs_itself_alone():
    assert readable([{"name": "a"}, {"name": 7}, None, {"name": "b"}], Thing) == (
        [Thing(name="a"), Thing(name="b")],
        2,
    )
