"""A claim may stand on several quotes of one source together, where each is whole."""

from uuid import UUID

import pytest

from citations.models import Citation
from citations.verification import Verdict, VerdictStatus
from research.pipelines.common.verifying.check_report_claims import verify_quotes_together

SOURCE, OTHER = UUID(int=1), UUID(int=2)
UNSUPPORTED = Verdict(VerdictStatus.UNSUPPORTED, ("The passage does not say this.",))


def verdicts(claim: str, *quotes: str, sources: tuple[UUID, ...] = (SOURCE, SOURCE)) -> list[VerdictStatus]:
    rows = [
        Citation(source_id=source, quote=quote, start_offset=100 * place)
        for place, (source, quote) in enumerate(zip(sources, quotes, strict=True))
    ]
    found = verify_quotes_together(claim, rows, [UNSUPPORTED] * len(rows))
    return [verdict.status for verdict in found]


@pytest.mark.parametrize(
    ("claim", "quotes"),
    [
        ("The hashers that ship with it are: scrypt.", ("The hashers that ship with it are:", "scrypt")),
        (
            "Boilers are inspected every year. Owners pay for it.",
            ("Boilers are inspected every year.", "Owners pay for it."),
        ),
    ],
)
def test_whole_quotes_of_one_source_carry_a_claim_together(claim, quotes):
    assert verdicts(claim, *quotes) == [VerdictStatus.VERIFIED] * 2


def test_pieces_of_sentences_are_not_joined():
    pieces = "The new drug reduced", "mortality by 30 percent in the trial."
    assert verdicts(" ".join(pieces), *pieces) == [VerdictStatus.UNSUPPORTED] * 2


def test_quotes_of_two_sources_are_not_joined():
    quotes = "Boilers are inspected every year.", "Owners pay for it."
    assert verdicts(" ".join(quotes), *quotes, sources=(SOURCE, OTHER)) == [VerdictStatus.UNSUPPORTED] * 2
