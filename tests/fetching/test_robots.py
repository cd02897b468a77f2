"""robots.txt as RFC 9309 has it."""

import pytest

from research.fetching.robots import ALLOW_ALL, LONGEST, MAX_DELAY_S, forbid_all, parse_robots

FILE = b"""
# a comment
User-agent: OtherBot
Disallow: /

User-agent: *
Disallow: /private
Allow: /private/press
Disallow: /*.zip$
Disallow: /search*q=
Crawl-delay: 2

Sitemap: https://example.com/sitemap.xml
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True), ("/private", False), ("/private/a", False), ("/private/press/1", True), ("/a.zip", False),
        ("/a.zip?x=1", True), ("/b/a.zip", False), ("/search?q=1", False), ("/search", True), ("/robots.txt", True),
        ("/Private", True), ("/%70rivate", False),
    ],
)  # fmt: skip
def test_the_longest_rule_decides(path, allowed):
    assert parse_robots(FILE, "Plumbline").allows(path) is allowed


def test_a_group_of_our_own_goes_before_the_one_for_all():
    robots = parse_robots(FILE + b"\nUser-Agent: plumbline/2\nDisallow: /only", "Plumbline")
    assert robots.allows("/private")
    assert not robots.allows("/only/this")


def test_several_names_may_share_a_group():
    robots = parse_robots(b"User-agent: a\nUser-agent: Plumbline\nDisallow: /x", "Plumbline")
    assert not robots.allows("/x")


def test_of_rules_as_long_as_each_other_the_one_that_allows_counts():
    assert parse_robots(b"User-agent: *\nDisallow: /a\nAllow: /a", "Plumbline").allows("/a")


def test_an_empty_disallow_forbids_nothing():
    assert parse_robots(b"User-agent: *\nDisallow:", "Plumbline").allows("/a")


@pytest.mark.parametrize("data", [b"", b"<html>404</html>", b"\xff\xfe\x00", b"Disallow: /", b":::\n\n:"])
def test_what_says_nothing_known_forbids_nothing(data):
    assert parse_robots(data, "Plumbline").allows("/a")


def test_a_delay_is_kept_and_a_senseless_one_capped():
    assert parse_robots(FILE, "Plumbline").delay_s == 2
    assert parse_robots(b"User-agent: *\nCrawl-delay: 86400", "Plumbline").delay_s == MAX_DELAY_S
    assert parse_robots(b"User-agent: *\nCrawl-delay: soon", "Plumbline").delay_s == 0


def test_a_pattern_of_many_stars_takes_no_time_that_grows():
    robots = parse_robots(b"User-agent: *\nDisallow: /" + b"*" * 200 + b"x$", "Plumbline")
    assert robots.allows("/" + "a" * 5_000)


def test_stars_with_letters_between_them_take_no_time_that_grows():
    robots = parse_robots(b"User-agent: *\nDisallow: /" + b"*a" * 200 + b"*b", "Plumbline")
    assert robots.allows("/" + "a" * 5_000)
    assert not robots.allows("/" + "a" * 5_000 + "b")


@pytest.mark.parametrize(
    ("pattern", "path", "allowed"),
    [
        ("/a$", "/a", False), ("/a$", "/ab", True), ("/a*$", "/ab", False), ("/*a$", "/a", False),
        ("/*a$", "/aab", True), ("/a*a$", "/a", True), ("/a*a$", "/aa", False), ("/a*b*c", "/axbxc/d", False),
        ("/a*b*c", "/axcxb", True), ("*/x", "/y/x", False), ("/a$b", "/a$b", False), ("/*.", "/a", True),
    ],
)  # fmt: skip
def test_stars_stand_for_anything_and_a_dollar_for_the_end(pattern, path, allowed):
    assert parse_robots(f"User-agent: *\nDisallow: {pattern}".encode(), "Plumbline").allows(path) is allowed


def test_all_and_nothing():
    assert ALLOW_ALL.allows("/a")
    assert not forbid_all("it failed").allows("/a")


def test_half_a_megabyte_of_a_file_is_read_at_least():
    """RFC 9309, 2.5."""
    padding = b"# " + b"x" * 97 + b"\n"
    far = b"User-agent: *\nDisallow: /first\n" + padding * 5_000 + b"Disallow: /last\n"
    assert 500_000 < len(far) < LONGEST
    robots = parse_robots(far, "Plumbline")
    assert not robots.allows("/first")
    assert not robots.allows("/last")
