import pytest

from research.evaluation.labelled_cases import BadLine, Case, read_cases


def test_cases_come_in_order_and_blank_lines_count_for_nothing():
    lines = ['{"id": "1"}', "", '{"id": "2", "label": "supported", "licence": "other keys are not read"}']
    assert [(case.id, case.label) for case in read_cases(lines, Case)] == [("1", ""), ("2", "supported")]


@pytest.mark.parametrize("bad", ["{", "[]", '{"id": 3}', '{"label": "x"}', "null", "\x00"])
def test_a_bad_line_is_named_by_its_number_after_the_good_ones(bad):
    cases = read_cases(['{"id": "1"}', bad], Case)
    assert next(cases).id == "1"
    with pytest.raises(BadLine, match="line 2"):
        next(cases)
