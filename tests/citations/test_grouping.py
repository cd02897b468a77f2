import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_grouping import Grouping, group
from citations.claim_similarity import ComparedClaim
from citations.contradiction.nearest_claim_vectors import Vectors


def group_claims(*texts: str, vectors: Vectors | None = None) -> Grouping:
    """Claims named a, b, c ..., with equal embeddings unless given."""
    near = np.ones((len(texts), 1), dtype=np.float32)
    names = "abcdefghijkl"
    return group(
        {names[n]: ComparedClaim(text) for n, text in enumerate(texts)}, near if vectors is None else vectors
    )


def test_claims_that_agree_are_one_group_under_the_first():
    found = group_claims(
        "The tower of Bergen is 40 metres high.",
        "Bananas are yellow.",
        "At 40 metres high stands the tower of Bergen.",
    )
    assert found.groups == (("a", "c"), ("b",))


def test_claims_in_conflict_stay_apart_and_are_named():
    found = group_claims(
        "The tower of Bergen is 40 metres high today.", "The tower of Bergen is 70 metres high today."
    )
    assert found == Grouping((("a",), ("b",)), (("a", "b"),))


def test_a_conflict_is_named_between_the_groups():
    found = group_claims(
        "The tower of Bergen is 40 metres high today.",
        "The tower of Bergen is 70 metres high today.",
        "Today the tower of Bergen is 70 metres high.",
    )
    assert found.groups == (("a",), ("b", "c"))
    assert found.conflicts == (("a", "b"),)


def test_claims_far_apart_by_embedding_are_not_compared():
    texts = ("The tower of Bergen is 40 metres high.",) * 2
    assert group_claims(*texts, vectors=np.eye(2, dtype=np.float32)).groups == (("a",), ("b",))


def test_no_claims_have_no_groups():
    assert group_claims() == Grouping((), ())


def test_a_vector_for_each_claim_is_needed():
    with pytest.raises(ValueError, match="1 claims and 2 vectors"):
        group_claims("One.", vectors=np.eye(2, dtype=np.float32))


TEXTS = st.sampled_from(
    [
        "The tower of Bergen is 40 metres high.",
        "The tower of Bergen is 70 metres high.",
        "The tower of Bergen is 40 metres high and was built in 1802.",
        "Bananas are yellow.",
        "",
        "\ud800",
    ]
)


@given(st.lists(TEXTS, max_size=8))
def test_every_claim_is_in_one_group_and_leads_or_follows_an_earlier_one(texts):
    found = group_claims(*texts)
    members = [name for each in found.groups for name in each]
    assert sorted(members) == list("abcdefghijkl"[: len(texts)])
    assert all(list(each) == sorted(each) for each in found.groups)
    leaders = {each[0] for each in found.groups}
    assert all(one in leaders and other in leaders for one, other in found.conflicts)
