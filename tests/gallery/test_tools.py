"""The gallery's tools see the faults that they are there to see, and name the element."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings

from research.management.bench_with_lighthouse import GOALS, LighthouseResult
from tests.gallery.axe import COLOURS, violations
from tests.gallery.looking import overflow
from tests.web.browser import chromium

ROOT = Path(settings.BASE_DIR)
PAGE = "<!doctype html><html lang=en><title>A page</title><body><main><h1>A page</h1>{}</main>"


@pytest.fixture(scope="module")
def page():
    with chromium() as browser:
        yield browser.new_page()


@pytest.mark.browser
def test_axe_names_the_rule_the_place_and_what_is_wrong(page):
    page.set_content(PAGE.format("<img src=x id=chart>"))
    [fault] = violations(page)
    assert fault.startswith("image-alt: #chart: ")


@pytest.mark.browser
def test_a_colour_that_only_the_dark_scheme_has_is_seen_there(page):
    page.set_content(
        PAGE.format("<p>Words</p><style>@media (prefers-color-scheme: dark) {p {color: #eee}}</style>")
    )
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert [fault.split(":")[0] for fault in violations(page, COLOURS)] == ["color-contrast"]
    page.emulate_media(color_scheme="light")


@pytest.mark.browser
def test_what_hangs_over_the_edge_is_named_and_what_scrolls_within_is_not(page):
    page.set_content(PAGE.format("<div style='overflow: auto'><pre style='width: 2000px'>x</pre></div>"))
    assert overflow(page) == []
    page.set_content(PAGE.format("<table style='width: 400px'><tr><td>Figures</table>"))
    [width, *places] = overflow(page)
    assert re.fullmatch(r"320 px: 4\d\d px wide", width)
    assert places[0].startswith("320 px: <table")


def test_packages_are_pinned_and_their_lock_names_no_registry():
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    installed = [one for path, one in packages.items() if path]
    assert all("integrity" in one and "resolved" not in one for one in installed)


def answer(**points):
    audits = {
        "largest-contentful-paint": {"title": "Largest paint", "score": 0.5, "numericValue": 1740.2},
        "listed": {"title": "Links have names", "score": None},
    }
    weights = [{"id": name, "weight": 1} for name in audits]
    scores = dict.fromkeys(GOALS, 1.0) | points
    return LighthouseResult.model_validate(
        {
            "audits": audits,
            "categories": {name: {"score": score, "auditRefs": weights} for name, score in scores.items()},
        }
    )


def test_a_page_that_reaches_every_goal_misses_none():
    assert answer(performance=0.95).missed_goals == ()


def test_a_page_just_below_a_goal_misses_it():
    assert answer(performance=0.949, accessibility=0.996, seo=None).missed_goals == (
        "performance",
        "accessibility",
        "seo",
    )


def test_what_costs_points_is_named_and_the_largest_paint_told_in_seconds():
    measured = answer()
    assert measured.weak("performance") == ["largest-contentful-paint: Largest paint"]
    assert measured.paint_s == pytest.approx(1.7402)
