"""The page of a quote is told as it is printed, where that is not its place in the file."""

import pytest

from citations.models import Citation
from exports.paper.exported_paper_citations import at_page
from tests.exports.drafting import Draft


@pytest.mark.parametrize(
    ("page", "label", "told"), [(4, "246", ", p. 246"), (4, "", ", p. 4"), (None, "", "")]
)
def test_at_page_tells_the_printed_number(page, label, told):
    draft = Draft("pages")
    citation = draft.citation(draft.source(), "The canal is 38 kilometres long.", page=page, page_label=label)
    assert at_page(citation) == told
    assert Citation(page_number=page, page_label=label).printed_page == told.removeprefix(", p. ")
