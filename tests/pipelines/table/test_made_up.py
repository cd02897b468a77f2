"""The accuracy of finding values on made-up worlds, so that it fits no one set of pages."""

from collections.abc import Iterator

import pytest

from research.pipelines.table.convert_table_cell_values import same
from research.pipelines.table.finding import FoundCell, find_cells
from tests.pipelines.table.made_up.companies import companies
from tests.pipelines.table.made_up.packages import packages
from tests.pipelines.table.made_up.world import Made, World

SEEDS = (11, 12)
COUNT = 42


def find_all_cells(world: World) -> Iterator[tuple[Made, FoundCell]]:
    for made in world.items:
        for cell in find_cells(made.item, world.fields, world.sources(made)):
            yield made, cell


def is_right(made: Made, cell: FoundCell) -> bool:
    wanted = made.truth[cell.field.name]
    if cell.value is None or wanted is None:
        return cell.value is wanted
    return same(cell.value, wanted) or cell.field.name in made.disputed and cell.is_disputed


@pytest.mark.parametrize("make", [companies, packages])
@pytest.mark.parametrize("seed", SEEDS)
def test_at_least_nineteen_cells_of_twenty_are_right(make, seed):
    judged = [is_right(made, cell) for made, cell in find_all_cells(make(seed, COUNT))]
    assert sum(judged) >= 0.95 * len(judged)


def test_no_cell_of_an_item_without_a_page_has_a_value():
    cells = [cell for made, cell in find_all_cells(companies(SEEDS[0], COUNT)) if not made.pages]
    assert cells
    assert all(cell.value is None and cell.reason for cell in cells)


def test_pages_that_disagree_are_told_and_others_are_not():
    world = companies(SEEDS[0], COUNT)
    told = {(made.item, cell.field.name) for made, cell in find_all_cells(world) if cell.is_disputed}
    assert told == {(made.item, name) for made in world.items for name in made.disputed}


def test_every_value_is_quoted_from_its_source():
    world = packages(SEEDS[0], COUNT)
    for made in world.items:
        texts = {source.key: source.text for source in world.sources(made)}
        for cell in find_cells(made.item, world.fields, world.sources(made)):
            assert bool(cell.evidence) == (cell.value is not None)
            assert all(texts[one.source][one.start : one.end] for one in cell.evidence)
