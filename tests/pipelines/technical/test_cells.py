"""Whatever lies in a comparison's table: each cell cites, or says that no source says it; on the page and in files."""

import json
import re
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from exports.building.build_document_tables import LEFT_OUT, NOTHING_SAID, build_layout_table
from exports.document.document_tree import BlockEntry
from research.pipelines.technical.answer.technical_answer import StoredComparison, StoredTechnical
from research.pipelines.technical.answer.technical_answer_text import format_answer
from research.pipelines.technical.answer.technical_answer_tree import answer_of
from research.pipelines.technical.write_technical_comparison import layout_of
from tests.exports.drafting import Draft
from tests.often import often

EMPTY, GONE = "empty", "gone"  # no sentence was found; its claim did not hold and has left the report
CELLS = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([1, 2, 3, EMPTY, GONE]), min_size=width, max_size=width),
        min_size=1,
        max_size=5,
    )
)


def make_comparison(cells):
    """A document with the table of these cells; a number is of how many sources its claim has."""
    draft, claims = Draft("compared"), {}
    sources = [draft.source() for _ in range(3)]

    def cell(t, a, kind):
        if kind == EMPTY:
            return None
        if kind == GONE:
            return draft.id()
        claim = draft.claim(f"Thing {t} says on aspect {a} what it | is.", *sources[:kind])
        claims[claim.id] = claim
        return claim.id

    rows = [[cell(t, a, kind) for a, kind in enumerate(row)] for t, row in enumerate(cells)]
    table = StoredComparison(
        things=[f"Thing {t}" for t in range(len(rows))],
        aspects=[f"Aspect {a}" for a in range(len(rows[0]))],
        cells=rows,
    )
    draft.section("Comparison", BlockEntry("table", table=build_layout_table(layout_of(table), claims)))
    return draft.document("Which is better?", kind="technical"), table


def flat(rows):
    return [one for row in rows for one in row]


@given(CELLS)
@often(100)
def test_each_cell_of_a_document_cites_or_says_why_it_is_empty(cells):
    document, stored = make_comparison(cells)
    [block] = document.sections[0].blocks
    for kind, claim, cell in zip(
        flat(zip(*cells, strict=True)),
        flat(zip(*stored.cells, strict=True)),
        flat(row.cells for row in block.table.rows),
        strict=True,
    ):
        if isinstance(kind, int):
            assert cell.claim.id == claim
            assert (len(cell.claim.citations), cell.reason) == (kind, "")
        else:
            assert cell.claim is None
            assert not cell.text
            assert cell.reason == (NOTHING_SAID if kind == EMPTY else LEFT_OUT)


@given(CELLS)
@often(100)
def test_each_cell_of_the_outputs_cites_or_says_why_it_is_empty(cells):
    document, stored = make_comparison(cells)
    answer = answer_of(document, StoredTechnical(comparison=stored))
    table = json.loads(format_answer(answer, "json"))["synthesis"]["comparison"]
    for row in table["rows"]:
        assert all(
            bool(cell and cell["citations"]) != bool(reason)
            for cell, reason in zip(row["cells"], row["reasons"], strict=True)
        )
    lines = [line for line in format_answer(answer, "markdown").split("\n") if line.startswith("| **Aspect")]
    shown = flat(re.split(r"(?<!\\)\|", line)[2:-1] for line in lines)
    text = [line for line in format_answer(answer, "text").split("\n") if re.match(r" +Thing \d: ", line)]
    assert len(shown) == len(text) == len(flat(cells))
    for kind, cell, line in zip(flat(zip(*cells, strict=True)), shown, text, strict=True):
        reason = {EMPTY: NOTHING_SAID, GONE: LEFT_OUT}.get(kind, "")
        assert reason in cell
        assert reason in line
        assert bool(re.search(r"\[\d", line)) != bool(reason)
        assert bool(re.search(r"\\\[\d", cell)) != bool(reason)


def test_a_claim_without_a_number_is_no_cell():
    draft = Draft("unnumbered")
    claim = draft.claim("It was left out.", draft.source(), number=0)
    table = StoredComparison(things=["A"], aspects=["B"], cells=[[UUID(str(claim.id))]])
    [row] = build_layout_table(layout_of(table), {claim.id: claim}).rows
    assert [(cell.state, cell.claim, cell.reason) for cell in row.cells] == [("not_found", None, LEFT_OUT)]
