"""JSON of strangers: what no row can hold is left out, what is no JSON is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.parsing.lenient_json import read_json


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('{"a": "x\\u0000y"}', {"a": "xy"}),
        ('["\\ud800 half", "\\udc00\\ud800"]', [" half", ""]),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\\\u0000"', "\\u0000"),
        ('"\\\\\\u0000"', "\\"),
        ('{"na\\u0000me": [{"b": "\\u200bc"}]}', {"name": [{"b": "c"}]}),
        ('{"a": [1, 2.5, true, null]}', {"a": [1, 2.5, True, None]}),
        (b'"\\ud800"', ""),
    ],
)
def test_text_that_no_row_can_hold_is_left_out(written, read):
    assert read_json(written) == read


@pytest.mark.parametrize(
    "written",
    [
        "",
        "{",
        "no",
        '{"a": NaN}',
        "[-Infinity]",
        "[" * 100_000,
        '{"a":' * 50_000,
        b'"\xff"',
        '"\\u00\\u000000"',
    ],
)
def test_what_is_no_json_is_refused(written):
    with pytest.raises(ValueError, match=r".+"):
        read_json(written)


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(any_json)
def test_whatever_is_read_can_be_stored(value):
    stored = json.dumps(read_json(json.dumps(value)), ensure_ascii=False)
    assert "\\u0000" not in stored.replace("\\\\", "")
    stored.encode()
