from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction.candidate_claim_pairs import candidate_pairs
from citations.text.claim_words_and_stems import content_stems


def pairs(texts: dict[str, str], neighbours: dict[str, list[tuple[str, float]]] | None = None) -> list:
    stems = {name: content_stems(text) for name, text in texts.items()}
    return list(candidate_pairs(stems, neighbours or {}))


def test_claims_that_share_two_words_meet():
    texts = {"a": "Salted hashes resist tables.", "b": "Bananas are yellow.", "c": "Use salted hashes."}
    assert pairs(texts) == [("a", "c", None)]


def test_neighbours_by_embedding_meet_without_shared_words():
    texts = {"a": "Salted hashes.", "b": "Bananas.", "c": "Fruit."}
    assert pairs(texts, {"c": [("b", 0.8)]}) == [("b", "c", 0.8)]


def test_a_pair_comes_once_with_its_cosine():
    texts = {"a": "Use salted hashes.", "b": "Salted hashes resist."}
    assert pairs(texts, {"a": [("b", 0.9)], "b": [("a", 0.9)]}) == [("a", "b", 0.9)]


def test_unknown_neighbours_and_oneself_are_left_out():
    assert pairs({"a": "Salts."}, {"a": [("a", 1.0), ("z", 0.9)], "q": [("a", 0.5)]}) == []


def test_a_commonplace_shared_by_very_many_claims_parts_nothing():
    texts = {str(n): "passwords are secrets" for n in range(100)}
    assert pairs(texts) == []


def test_a_claim_is_compared_with_a_bounded_number_of_others():
    words = [f"word{n}" for n in range(12)]
    texts = {
        str(n): f"{words[n % 12]} {words[(n + 1 + n // 12) % 12]} {words[(n + 5) % 12]}" for n in range(400)
    }
    met = [name for a, b, _ in pairs(texts) for name in (a, b)]
    assert max(map(met.count, set(met)), default=0) <= 50


def test_the_number_of_pairs_grows_with_the_claims_and_not_with_their_square():
    texts = {str(n): f"topic{n // 4} value{n // 4} of passwords and secrets" for n in range(400)}
    assert len(pairs(texts)) == 100 * 6


@given(st.dictionaries(st.text(max_size=3), st.text(alphabet="abcd efgh", max_size=30), max_size=12))
def test_pairs_are_ordered_and_unique(texts):
    order = list(texts)
    found = [(a, b) for a, b, _ in pairs(texts)]
    assert len(found) == len(set(found))
    assert all(order.index(a) < order.index(b) for a, b in found)
