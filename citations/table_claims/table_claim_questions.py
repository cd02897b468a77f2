"""Prepares a claim for a table: its mentions, with bounds, results and lists among them, and the rows they select."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from citations.table_claims.claim_bounds import find_bound_mentions
from citations.table_claims.claim_cues import Cue, CueKind
from citations.table_claims.claim_mentions import CellMention, ColumnLink, MentionKind
from citations.table_claims.claim_table import ColumnKind, PassageTable
from citations.table_claims.claim_tokens import Token
from citations.table_claims.link_claim_to_table import LinkedClaim, link, without_overlap
from citations.table_claims.rules.claimed_wins import outcome_mentions

# Words that fit nearly any table, and so do not show the claim's subject.
GENERAL = frozenset("table list season game match team number player year time record".split())
_SPECIFIC = 2_101  # numbers from here on (years are below) rarely occur in a table by chance
MAX_CLAIM_LENGTH = 2_000  # characters of a claim that are read
_NEAR = 4  # tokens between a number and the name of its column
_EARLIEST, _LATEST = 1000, 2100  # a number between may be a year
_NAMED = 0.5  # share of a header's words that names its column
_JOINS = frozenset({"and", "or"})
_ARTICLES = frozenset({"the", "a", "an"})


def ask(claim: str, table: PassageTable) -> LinkedClaim:
    """Link the claim to the table, with each mention narrowed to its most likely columns."""
    linked = link(claim[:MAX_CLAIM_LENGTH], table)
    plain = [_narrow_links(linked, each) for each in linked.mentions if not _is_denial(linked, each)]
    plain += _absent(linked)
    # Bounds and results take precedence over other meanings of their words.
    added = without_overlap([*find_bound_mentions(linked), *outcome_mentions(linked)])
    taken = positions_of(added)
    kept = [each for each in plain if not taken.intersection(each.positions)]
    mentions = sorted([*kept, *added], key=lambda each: each.start)
    return replace(linked, mentions=tuple(_merge_lists(linked, mentions)))


def _is_denial(linked: LinkedClaim, mention: CellMention) -> bool:
    """True for a "no" that happens to occur in cells as well."""
    denials = positions_of(each for each in linked.cues if each.kind in (CueKind.NONE, CueKind.NOT))
    return mention.end - mention.start == 1 and mention.start in denials


def _narrow_links(linked: LinkedClaim, mention: CellMention) -> CellMention:
    """Keep the links in a column whose name is nearby, for numbers; else those that fill their cell best."""
    if mention.kind in (MentionKind.NUMBER, MentionKind.TIME) or len(mention.links) > 1:
        beside = columns_beside(linked, mention)
        links = tuple(each for each in mention.links if each.column in beside)
        if links:
            return replace(mention, links=links)
    best = mention.fullness
    return replace(mention, links=tuple(each for each in mention.links if each.fullness >= 0.8 * best))


def _absent(linked: LinkedClaim) -> Iterator[CellMention]:
    """Yield figures that occur in no cell although the claim names their column, as mentions of no row."""
    named = {at for each in linked.names if each.share == 1.0 for at in range(each.start, each.end)}
    if any(each.kind in (CueKind.TOTAL, CueKind.MEAN) and each.start not in named for each in linked.cues):
        return  # a sum or mean need not be in a cell
    taken = positions_of(linked.mentions) | _header_words(linked)
    for at, token in enumerate(linked.tokens):
        if at in taken | linked.title_positions or not _is_figure(token, linked.table):
            continue
        mention = CellMention(at, at + 1, (), MentionKind.NUMBER)
        kind = ColumnKind.DATE if _EARLIEST <= (token.number or 0) <= _LATEST else ColumnKind.NUMBER
        columns = sorted(each for each in columns_beside(linked, mention) if linked.table.kinds[each] is kind)
        if columns:
            yield replace(mention, links=tuple(ColumnLink(each, frozenset(), 1.0) for each in columns))


def _header_words(linked: LinkedClaim) -> frozenset[int]:
    """Return positions of words of a header where it is named: the 10 of "made the top 10"."""
    keys = linked.table.header_tokens
    return frozenset(
        at
        for name in linked.names
        for at in range(name.start, name.end)
        if linked.tokens[at].key in {token.key for token in keys[name.column]} and name.end - name.start > 1
    )


def _is_figure(token: Token, table: PassageTable) -> bool:
    """True for a number in digits that is too great, or too precise, to be a count of rows."""
    if token.number is None or token.is_ordinal or not token.is_digits:
        return False
    return token.number > len(table.rows) or token.number != int(token.number)


def columns_beside(linked: LinkedClaim, mention: CellMention) -> frozenset[int]:
    """Return the columns named fully (or best) within a few tokens of a mention."""
    near = [
        name for name in linked.names if name.start - mention.end < _NEAR and mention.start - name.end < _NEAR
    ]
    best = max((name.share for name in near), default=0.0)
    return frozenset(name.column for name in near if name.share == best)


def _merge_lists(linked: LinkedClaim, mentions: Sequence[CellMention]) -> Iterator[CellMention]:
    """Merge neighbouring mentions of one column that are separated by "and", "or" or a comma only."""
    group: list[CellMention] = []
    for mention in mentions:
        if group and not _continues(linked, group[-1], mention):
            yield from _merge_mentions(group)
            group = []
        group.append(mention)
    yield from _merge_mentions(group)


def _continues(linked: LinkedClaim, last: CellMention, mention: CellMention) -> bool:
    between = linked.tokens[last.end : mention.start]
    gap = linked.claim[linked.tokens[last.end - 1].end : linked.tokens[mention.start].start]
    words = {token.word for token in between}
    parted = words <= _JOINS | _ARTICLES and (words & _JOINS or "," in gap)
    return bool(parted) and bool(last.columns & mention.columns) and not last.rows & mention.rows


def _merge_mentions(group: Sequence[CellMention]) -> Iterator[CellMention]:
    shared = frozenset[int].intersection(*(each.columns for each in group)) if group else frozenset[int]()
    if len(group) < 2 or not shared:
        yield from group
        return
    links = tuple(
        ColumnLink(column, frozenset().union(*(_rows_in(each, column) for each in group)), 1.0)
        for column in sorted(shared)
    )
    yield CellMention(group[0].start, group[-1].end, links, MentionKind.LIST, tuple(group))


def _rows_in(mention: CellMention, column: int) -> frozenset[int]:
    return next((each.rows for each in mention.links if each.column == column), frozenset())


def linkage(linked: LinkedClaim) -> float:
    """Return the share, 0 to 1, of the words of a claim that name something of the table; 0 for a claim without words.

    Small numbers alone do not count, since other tables have them as well, nor do words that fit any table.
    """
    at_cue = positions_of(linked.cues)
    named = positions_of(each for each in linked.mentions if each.end - each.start > 1)
    named |= {at for each in linked.names if each.share >= _NAMED for at in range(each.start, each.end)}
    words = [
        at
        for at, token in enumerate(linked.tokens)
        if at in named or (_tells_subject(token) and at not in at_cue and token.word not in GENERAL)
    ]
    found = named | positions_of(linked.mentions) | linked.title_positions
    return sum(at in found for at in words) / len(words) if words else 0.0


def _tells_subject(token: Token) -> bool:
    return token.is_content and (token.number is None or token.number >= _SPECIFIC)


# --- selecting ---


def select_rows(linked: LinkedClaim, mentions: Iterable[CellMention]) -> frozenset[int]:
    """Return the rows with all the mentions; all rows for none."""
    rows = _every_row(linked)
    for mention in mentions:
        rows &= mention.rows
    return rows


def _every_row(linked: LinkedClaim) -> frozenset[int]:
    return frozenset(range(len(linked.table.rows)))


def positions_of(some: Iterable[CellMention | Cue]) -> frozenset[int]:
    return frozenset(at for each in some for at in each.positions)


def names_of(linked: LinkedClaim, columns: Iterable[int]) -> frozenset[int]:
    """Return the positions at which the claim names the columns."""
    wanted = frozenset(columns)
    return frozenset(
        at for name in linked.names if name.column in wanted for at in range(name.start, name.end)
    )


def columns_of(mentions: Iterable[CellMention]) -> frozenset[int]:
    return frozenset(column for each in mentions for column in each.columns)


# --- telling ---


def row_name(linked: LinkedClaim, row: int) -> str:
    """Return the name of a row: its first cell of text, else its first that is not empty."""
    cells = [cell for cell in linked.table.rows[row] if not cell.is_empty]
    texts = [cell for cell in cells if cell.amount is None]
    return (texts or cells)[0].text if cells else ""


def quote_mention(linked: LinkedClaim, mention: CellMention) -> str:
    """Return the mention in the claim's own words."""
    return linked.claim[linked.tokens[mention.start].start : linked.tokens[mention.end - 1].end]
