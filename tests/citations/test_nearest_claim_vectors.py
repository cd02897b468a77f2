import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction import nearest_claim_vectors
from citations.contradiction.nearest_claim_vectors import nearest


def unit(rows: int, seed: int = 0, groups: int = 0) -> nearest_claim_vectors.Vectors:
    source = np.random.default_rng(seed)
    vectors = source.standard_normal((rows, 16))
    if groups:
        vectors = 0.2 * vectors + source.standard_normal((groups, 16))[np.arange(rows) % groups]
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_the_nearest_come_first_with_their_cosine():
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    assert [other for other, _ in nearest(vectors, 2)[0]] == [1, 2]
    assert nearest(vectors, 2)[0][0][1] == pytest.approx(0.6)


def test_nothing_is_its_own_neighbour():
    assert all(row != other for row, found in enumerate(nearest(unit(30), 29)) for other, _ in found)


def test_equal_vectors_come_in_the_order_of_rows():
    vectors = np.ones((4, 1), dtype=np.float32)
    assert [other for other, _ in nearest(vectors, 3)[2]] == [0, 1, 3]


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_few_vectors_have_few_neighbours(rows):
    assert [len(found) for found in nearest(unit(rows), 6)] == [max(0, rows - 1)] * rows


def test_cells_find_nearly_all_that_an_exact_search_finds(monkeypatch):
    vectors = unit(600, groups=60)
    exact = nearest(vectors, 3)
    monkeypatch.setattr(nearest_claim_vectors, "_EXACT", 100)
    close = nearest(vectors, 3)
    met = sum(
        len({a for a, _ in one} & {b for b, _ in other}) for one, other in zip(exact, close, strict=True)
    )
    assert met >= 0.95 * sum(map(len, exact))


def test_cells_compare_far_fewer_than_all_pairs(monkeypatch):
    monkeypatch.setattr(nearest_claim_vectors, "_EXACT", 100)
    vectors = unit(1_600, groups=400)
    products = sum(len(rows) * len(others) for rows, others in nearest_claim_vectors._searches(vectors))
    assert products < 0.25 * len(vectors) ** 2


@given(st.integers(0, 40), st.integers(1, 8), st.integers(0, 5))
def test_neighbours_are_sorted_and_unique(rows, count, seed):
    for found in nearest(unit(rows, seed), count):
        cosines = [cosine for _, cosine in found]
        assert cosines == sorted(cosines, reverse=True)
        assert len({other for other, _ in found}) == len(found) == min(count, max(0, rows - 1))
