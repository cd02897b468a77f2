"""Steps that end together do what they have in common with the same statements."""

from collections.abc import Sequence

from research.engine.batch_save import BatchSave, run_in_batches


def test_joint_acts_are_done_once_and_each_gets_what_is_its_own():
    calls: list[list[int]] = []

    def double(parts: Sequence[int]) -> list[int]:
        calls.append(list(parts))
        return [2 * part for part in parts]

    def negative(parts: Sequence[int]) -> list[int]:
        return [-part for part in parts]

    acts = [BatchSave(double, 1), lambda: 100, BatchSave(negative, 5), BatchSave(double, 3)]
    assert run_in_batches(acts) == [2, 100, -5, 6]
    assert calls == [[1, 3]]


def test_a_joint_act_alone_acts_for_itself():
    assert BatchSave(lambda parts: [sum(parts)], 7)() == 7


def test_nothing_is_done_where_nobody_has_anything_to_do():
    assert run_in_batches([]) == []
