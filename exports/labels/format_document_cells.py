"""Formatting of table cell values in the active language, for pages, papers and slides. Pure."""

import re
from collections.abc import Mapping
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from exports.document.document_tree import CellEntry
from exports.document.format_document_dates import as_known

# Answers in a statistic that lists values with counts: "yes (3), no (2)".
_ANSWERS = re.compile(r"(?<![^,] )(?<!\w)(?:yes|no)(?= \(\d+\)(?:,|$))")
GROUPED_FROM = 10_000  # smaller numbers may be years, which are never grouped

STATISTICS: Mapping[str, Promise] = {
    "rows": pgettext_lazy("statistic", "rows"),
    "cells": pgettext_lazy("statistic", "values requested"),
    "count": pgettext_lazy("statistic", "filled"),
    "filled": pgettext_lazy("statistic", "filled"),
    "missing": pgettext_lazy("statistic", "missing"),
    "failed": pgettext_lazy("statistic", "failed"),
    "disputed": pgettext_lazy("statistic", "disputed"),
    "distinct": pgettext_lazy("statistic", "different values"),
    "minimum": pgettext_lazy("statistic", "lowest"),
    "maximum": pgettext_lazy("statistic", "highest"),
    "mean": pgettext_lazy("statistic", "mean"),
    "median": pgettext_lazy("statistic", "median"),
    "most_frequent": pgettext_lazy("statistic", "most frequent"),
    "outliers": pgettext_lazy("statistic", "outliers"),
    "earliest": pgettext_lazy("statistic", "earliest"),
    "latest": pgettext_lazy("statistic", "latest"),
}


def statistic_value(name: str, text: str, value: float | None) -> str:
    """Format a statistic of a column from its stored `text` and `value`; words of sources are not changed."""
    if name == "most_frequent":
        return _ANSWERS.sub(lambda found: yes_or_no(found[0] == "yes"), text)
    if name in ("earliest", "latest"):
        return as_known(text)
    return text if value is None else figure(value)


def statistic_name(name: str) -> str:
    """Return the label of a statistic, or its name if it has none."""
    return str(STATISTICS.get(name) or name.replace("_", " "))


def value_words(cell: CellEntry, column_type: str) -> str:
    """Format the value of a filled cell: "Yes", "1,250,000", "22 June 2017", or a URL without its scheme."""
    value = cell.value
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, bool):
        return yes_or_no(value)
    if isinstance(value, int | float):
        return figure(value)
    if column_type == "date" and value:
        return as_known(value)
    if column_type == "url" and value:
        return value.partition("://")[2].removeprefix("www.").rstrip("/") or value
    return cell.text or str(value or "")


def yes_or_no(value: bool) -> str:
    return _("Yes") if value else _("No")


def figure(value: float) -> str:
    """Format a number with its stored precision, grouped unless it may be a year."""
    decimals = decimals_of(value)
    plain = Decimal(repr(value)) if decimals else int(value)
    is_grouped = abs(value) >= GROUPED_FROM
    return number_format(plain, decimals or None, use_l10n=True, force_grouping=is_grouped)


def decimals_of(value: float) -> int:
    """Return the number of decimals with which a number is stored.

    >>> decimals_of(652230.0), decimals_of(2.02), decimals_of(0.000012)
    (0, 2, 6)
    """
    return 0 if float(value).is_integer() else len(f"{Decimal(repr(value)):f}".partition(".")[2])
