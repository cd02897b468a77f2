"""Results of a benchmark are stored whole, and their table says the load of every row."""

import json
import urllib.request

import pytest
from django.conf import settings

from research.evaluation.evaluation_overhead_growth import GrowthMeasurement, Latencies
from research.management.bench_results import (
    BEGIN,
    END,
    BenchmarkPart,
    BenchmarkReport,
    part_of,
    write_between,
)
from research.management.bench_stub_site import calls_of, environment_of, stub_world

GROWN = [
    GrowthMeasurement("report", 20, wall_s=6.6, calls=23, limit_s=4.6),
    GrowthMeasurement("report", 200, 27.6, 203, 7.6, cpu_s=20.3, commits=406, statements=2030),
    GrowthMeasurement("table", 50, wall_s=4.6, calls=100, limit_s=2.6),
]
FOUND = BenchmarkReport(
    "2026-11-23", "0123456789ab", "2 cores", [BenchmarkPart("reading", 3.2, 1.5, {"a_second": 12.5})], GROWN
)


def test_the_file_has_every_figure_and_the_exponents():
    found = json.loads(FOUND.as_json())
    assert {name: found[name] for name in ("date", "commit", "machine")} == {
        "date": "2026-11-23",
        "commit": "0123456789ab",
        "machine": "2 cores",
    }
    assert found["parts"][0] | {"told": []} == {
        "name": "reading", "seconds": 3.2, "load": 1.5, "figures": {"a_second": 12.5}, "told": [],
    }  # fmt: skip
    assert [one["overhead_s"] for one in found["grown"]] == [2.0, 20.0, 2.0]
    assert found["exponents"] == {"report": pytest.approx(1.0), "table": None}


def test_the_table_says_the_load_and_how_overhead_grows():
    table = FOUND.as_table()
    assert "| reading | a second 12.5 | 3 s | 2 |" in table
    costs = "100.0, 101.5 | 2.0, 2.0 | 10.0, 10.2"
    assert f"| report, 200 | 203 | 27.6 | 7.6 | 20.0 | 3.63 | {costs} |" in table
    assert "| open_deep_research | 2.1 to 2.6 | 17 |" in table
    assert "power of: report 1.00, table – (goal ≤ 1.1)" in table


def test_lines_of_json_are_figures_and_others_are_words():
    part = part_of("reports", 'read | and said\n{"median_s": 1.5}\n{"cpu_s": {"web": 0.25}}\n\n[1]', 2.0)
    assert part.figures == {"median_s": 1.5, "cpu_s": {"web": 0.25}}
    assert part.told == ["read | and said", "[1]"]
    assert (
        r"median s 1.5; cpu s web 0.25; read \| and said; [1]"
        in BenchmarkReport("", "", "", [part]).as_table()
    )


def test_a_table_is_brought_between_the_marks_and_nowhere_else(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n{BEGIN}\nold\n{END}\nAfter.\n")
    write_between(page, "new\n")
    assert page.read_text() == f"Before.\n{BEGIN}\nnew\n{END}\nAfter.\n"
    page.write_text(f"Before. {END}")
    with pytest.raises(ValueError, match="no place"):
        write_between(page, "new\n")
    assert page.read_text() == f"Before. {END}"


def test_the_page_of_figures_has_a_place_for_them():
    page = (settings.BASE_DIR / "docs" / "performance.md").read_text(encoding="utf-8")
    assert page.index(BEGIN) < page.index(END)


def test_the_stub_world_is_served_for_a_site_and_counts_the_calls_of_its_model():
    with stub_world(Latencies(0, 0, 0, 0)) as address:
        given = environment_of(address)
        asked = urllib.request.Request(
            f"{given['PLUMBLINE_MODEL_BASE_URL']}/chat/completions",
            data=b'{"model": "stub", "messages": [{"role": "user", "content": "x"}]}',
            headers={"content-type": "application/json"},
        )
        before = calls_of(address)
        with urllib.request.urlopen(asked) as answer:
            assert answer.status == 200
        assert (before, calls_of(address)) == (0, 1)
    with pytest.raises(OSError, match="refused"):
        calls_of(address)
