"""Filters of the pages of evidence."""

import pytest

from research.web.templatetags.evidence_tags import breakable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Use django.contrib.auth.hashers.", "Use django.<wbr>contrib.<wbr>auth.<wbr>hashers."),
        ("AXES_COOLOFF_TIME is short.", "AXES_COOLOFF_TIME is short."),
        ("SECURITY_PASSWORD_LENGTH_MIN", "SECURITY_<wbr>PASSWORD_<wbr>LENGTH_<wbr>MIN"),
        ("https://example.org/a/b.html", "https://<wbr>example.<wbr>org/<wbr>a/<wbr>b.<wbr>html"),
        ("a < b & 'c'", "a &lt; b &amp; &#x27;c&#x27;"),
        (
            "<b>django.contrib.auth.hashers</b>",
            "&lt;b&gt;django.<wbr>contrib.<wbr>auth.<wbr>hashers&lt;/b&gt;",
        ),
        ("counterrevolutionaries", "counterrevolutionaries"),
    ],
)
def test_long_names_may_break_behind_their_dots(text, shown):
    assert breakable(text) == shown
