"""A manifest says what its documents do not say of themselves; an odd one is no reason to stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.library.library_manifest import Details, details, parse_manifest


def test_the_columns_of_a_manifest_become_details():
    table = (
        b"file,title,canonical_url,author,published,licence\npdf/a.pdf,A,https://a.example/,Ada,2017-06,MIT\n"
    )
    assert parse_manifest(table) == {
        "pdf/a.pdf": Details(
            url="https://a.example/", title="A", author="Ada", published_date="2017-06", licence="MIT"
        )
    }


def test_an_american_spelling_is_understood():
    assert parse_manifest(b"file,license\na.md,MIT\n")["a.md"].licence == "MIT"


def test_paths_are_compared_in_one_spelling():
    assert set(parse_manifest(b"file,title\n.\\deep\\a.md,A\n./b.md,B\n")) == {"deep/a.md", "b.md"}


@pytest.mark.parametrize("date", ["spring", "2017-13", "17-06-2017", "2017-06-22T10:00", "20170622"])
def test_a_date_that_is_none_is_left_out(date):
    assert parse_manifest(f"file,published\na.md,{date}\n".encode())["a.md"].published_date == ""


@pytest.mark.parametrize(
    "odd",
    [
        b"",
        b"name,size\na.md,3\n",
        b"\x00\x01\x02",
        b"\xff\xfe\x00",
        b'file,title\n"never closed',
        b"file\n\n\n",
    ],
)
def test_an_odd_manifest_says_nothing_of_a_document(odd):
    assert "a.md" not in parse_manifest(odd)


def test_too_many_and_too_few_cells_do_no_harm():
    found = parse_manifest(b"file,title\na.md,A,surplus,cells\nb.md\n")
    assert found["a.md"].title == "A"
    assert found["b.md"] == Details()


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_a_failure(data):
    parse_manifest(data)


@given(st.text(max_size=50), st.text(max_size=50))
def test_details_are_fit_for_the_database(title, licence):
    found = details({"title": title, "licence": licence * 20})
    assert "\0" not in found.title
    found.title.encode()
    assert len(found.licence) <= 200


@pytest.mark.parametrize("name", ["title", "author", "publisher"])
def test_what_names_a_document_is_no_longer_than_a_name(name):
    assert getattr(details({name: "(" * 100_000}), name) == "(" * 1_000


def test_what_a_manifest_leaves_empty_the_document_says():
    own = Details(title="Own title", author="Own author")
    assert Details(title="Better title").over(own) == Details(title="Better title", author="Own author")
