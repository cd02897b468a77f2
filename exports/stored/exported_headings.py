"""Headings that runs store, recognized by exact match so that a source's heading is never taken for one of ours."""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as noop

HEADINGS = frozenset(
    (
        noop("In short"),
        noop("What the sources say"),
        noop("Further evidence"),
        noop("Findings"),
        # of answers without a model
        noop("In short"),
        noop("In detail"),
        noop("Computed figures"),
        noop("Over time"),
        noop("Side by side"),
        noop("Step by step"),
        noop("What others add"),
        noop("In favour"),
        noop("Against"),
        noop("It depends"),
        # of technical answers, and what their things are compared in
        noop("Key findings"),
        noop("Best practices"),
        noop("Recommendations"),
        noop("Warnings"),
        noop("Comparison"),
        noop("Purpose"),
        noop("Suited for"),
        noop("Setup"),
        noop("Ease of use"),
        noop("Size"),
        noop("Ecosystem"),
        noop("Performance"),
        noop("Memory and storage"),
        noop("Security"),
        noop("Languages and platforms"),
        noop("Limits"),
        noop("Concurrency"),
        noop("Full-text search"),
        noop("Licence"),
        noop("Which source says what"),
        # of timelines and comparisons
        noop("Release or date"),
        noop("What changed"),
        noop("What it said"),
        noop("Aspect"),
        # of briefs and syntheses
        noop("Key claims"),
        noop("What came in"),
        noop("Areas of agreement"),
        noop("Areas of disagreement"),
        noop("Findings on different exposures"),
        noop("Findings of single studies"),
        noop("Evidence table"),
    )
)

ASPECT = "Aspect"  # the head of the first column of a comparison


def translate_heading(heading: str) -> str:
    """Return the heading in the reader's language if it is one of ours, otherwise unchanged."""
    return gettext(heading) if heading in HEADINGS else heading
