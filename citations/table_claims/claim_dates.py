"""Dates and years of a claim, as mentions of the cells with the same time."""

from collections.abc import Iterator

from citations.dates.find_dates import Moment, TimeMention, find_times
from citations.table_claims.claim_mentions import CellMention, ColumnLink, MentionKind
from citations.table_claims.claim_table import ColumnKind, PassageTable
from citations.table_claims.claim_tokens import Token, tokens
from citations.table_claims.table_claim_cells import NUMERIC_DATE, close_commas, moment_of
from citations.text.quote_span import Span

_SAMPLED = 20  # rows that are checked for dates with a year


def time_mentions(claim: str, found: tuple[Token, ...], table: PassageTable) -> Iterator[CellMention]:
    dated = [column for column, kind in enumerate(table.kinds) if kind is ColumnKind.DATE]
    if not dated:
        return
    for time in _times(claim):
        inside = [at for at, token in enumerate(found) if time.span.start <= token.start < time.span.end]
        links = tuple(_time_links(time, table, dated)) if _is_of_title(time.start, table) else ()
        if inside and links:
            # "in May" is found with its preposition, which is not part of the time
            first = next((at for at in inside if found[at].is_content), inside[-1])
            yield CellMention(first, inside[-1] + 1, links, MentionKind.TIME)


def _times(claim: str) -> Iterator[TimeMention]:
    """Yield times of ordinary text, and numeric dates, which only tables make unambiguous ("31/05/1975")."""
    yield from find_times(close_commas(claim))
    for match in NUMERIC_DATE.finditer(claim):
        moment = moment_of(match.group())
        if moment is not None:
            yield TimeMention(Span(*match.span()), match.group(), moment)


def _time_links(time: TimeMention, table: PassageTable, dated: list[int]) -> Iterator[ColumnLink]:
    for column in dated:
        rows = frozenset(
            row
            for row, cell in enumerate(table.column(column))
            if cell.moment is not None and _is_meant(time, cell.moment)
        )
        if rows:
            yield ColumnLink(column, rows, 1.0)


def _is_of_title(moment: Moment, table: PassageTable) -> bool:
    """False for another year than the title's; dates of the table mostly omit the year."""
    years = {
        year
        for token in tokens(table.title)
        if token.number is not None and 1000 <= token.number <= 2100
        for year in (token.number, token.number + 1)  # a season ends in the year after
    }
    has_years = any(cell.moment and cell.moment.year for row in table.rows[:_SAMPLED] for cell in row)
    return moment.year is None or has_years or not years or moment.year in years


def _is_meant(time: TimeMention, moment: Moment) -> bool:
    if time.end is None:
        return _names_same(time.start, moment)
    period, other = time.period, moment.period
    return period is not None and other is not None and period.overlaps(other)


def _names_same(claimed: Moment, moment: Moment) -> bool:
    """True if nothing conflicts and the cell has the finest part that the claim names."""
    if claimed.conflicts(moment):
        return False
    if claimed.day is not None:
        return moment.day is not None
    if claimed.month is not None:
        return moment.month is not None
    return moment.year is not None
