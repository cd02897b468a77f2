"""Pages that a table is filled from without a search: those that must be read, and items that are addresses."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from research.accounts.people import PersonalAccount
from research.fetching.fetch_process import close_fetch_process
from tests.fetching.site import Said, Site, serve_site
from tests.tables.rows import begin, fill_table, values

MORE = "Here stands what travellers tell of the coast, of its harbours and of its weather in winter. " * 6
LANDS = f"""<html lang="en"><title>Lands of the coast</title><h1>Lands of the coast</h1><p>{MORE}</p><table>
<tr><th>Land</th><th>Capital</th><th>Area (km²)</th></tr><tr><td>Arden</td><td>Port Arden</td><td>41,285</td></tr>
<tr><td>Brightsea</td><td>Lanthorn</td><td>920</td></tr></table></html>"""
CALDER = f"""<html lang="en"><title>A land</title><h1>A land</h1><p>Capital: Weir</p><p>Area: 12 km²</p>
<p>{MORE}</p></html>"""


@pytest.fixture
def site() -> Iterator[Site]:
    """Without a search: what is read is what was named."""
    settings = {"PLUMBLINE_ALLOW_LOOPBACK": True, "PLUMBLINE_POLITENESS_MS": 0, "PLUMBLINE_PROVIDERS": ()}
    with serve_site({"/lands": Said(LANDS), "/calder": Said(CALDER)}) as site, override_settings(**settings):
        close_fetch_process()
        yield site
        close_fetch_process()


def test_every_item_is_looked_for_in_a_page_that_must_be_read(account: PersonalAccount, site: Site) -> None:
    run = begin(account, "", "Arden", "Brightsea", folders=[], sources="web", urls=[f"{site.base}/lands"])
    assert values(fill_table(account, run)) == {
        "Arden": {"capital": "Port Arden", "area": 41_285},
        "Brightsea": {"capital": "Lanthorn", "area": 920},
    }


def test_a_page_that_must_be_read_is_read_whatever_the_library_has(
    account: PersonalAccount, library: str, site: Site
) -> None:
    run = begin(account, library, "Calder", sources="both", pages_per_item=1, urls=[f"{site.base}/lands"])
    assert values(fill_table(account, run)) == {"Calder": {"capital": "Weir", "area": 12_400}}
    assert site.asked.count("/lands") == 1


def test_an_item_that_is_an_address_is_answered_by_its_page(account: PersonalAccount, site: Site) -> None:
    item = f"{site.base}/calder"
    run = begin(account, "", item, folders=[], sources="web")
    assert values(fill_table(account, run)) == {item: {"capital": "Weir", "area": 12}}
