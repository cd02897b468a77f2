"""The evidence table of a synthesis: sorted, searched, seen by its own workspace alone; and its form, step by step."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from research.db.tenancy import tenant_context
from research.models import Kind, Run, State
from research.models.schemas import RunOutcome
from research.pipelines.synthesis.synthesis_markdown import parts_of_text, safe_html
from research.pipelines.synthesis.synthesis_result import StudyRow, Synthesis
from research.web.report.studies_page import select_studies
from tests.people import join
from tests.pipelines.synthesis.test_runs import STUDIES

ROWS = [
    StudyRow(number=1, label="Ray, 2020", title="Light", year=2020, sample_size=None, outcome="sleep"),
    StudyRow(
        number=2, label="Lee, 2022", title="Tea", year=2022, sample_size=40, outcome="pain", preprint=True
    ),
    StudyRow(number=3, label="Ann, 2021", title="Pills", year=2021, sample_size=900, outcome="sleep"),
]


@pytest.mark.parametrize(
    ("sort", "find", "numbers"),
    [
        ("row", "", [1, 2, 3]),
        ("year", "", [2, 3, 1]),
        ("size", "", [3, 2, 1]),
        ("nonsense", "", [1, 2, 3]),
        ("row", "sleep", [1, 3]),
        ("row", "PREPRINT tea", [2]),
        ("row", "nowhere", []),
    ],
)
def test_rows_are_sorted_and_searched(sort, find, numbers):
    assert [row.number for row in select_studies(ROWS, sort, find)] == numbers


@pytest.mark.django_db
def test_the_table_is_seen_by_its_own_workspace_alone(client):
    ada, eve = join("iris"), join("eve")
    with tenant_context(ada.tenant.pk):
        rows = [row.model_copy(update={"source": "6f1c1b2e-0000-4000-8000-000000000001"}) for row in ROWS]
        own = Synthesis(studies=rows).model_dump(mode="json")
        result = RunOutcome(own=own).model_dump(mode="json")
        run = Run.objects.create(
            owner=ada.user, kind=Kind.SYNTHESIS, topic="Sleep", state=State.COMPLETED, result=result
        )
    client.force_login(eve.user)
    assert client.get(f"/runs/{run.pk}/studies/").status_code == 404
    client.force_login(ada.user)
    page = client.get(f"/runs/{run.pk}/studies/?find=tea").content.decode()
    assert "Lee, 2022" in page
    assert "Ray, 2020" not in page


@pytest.mark.django_db
def test_columns_are_shown_and_can_be_changed_before_anything_starts(client):
    ada = join("iris")
    client.force_login(ada.user)
    file = SimpleUploadedFile("studies.csv", STUDIES.encode())
    page = client.post("/syntheses/", {"file": file}).content.decode()
    assert "The first rows" in page
    assert 'value="Main finding" selected' in page
    assert (
        page.index("Which column says what")
        < page.index('name="column_title"')
        < page.index("The first rows")
    )
    assert "Make the synthesis" in page
    headers, *rows = [line.split(",") for line in ("Name,Found", "A,It helps.", "B,It does not.")]
    sent = {"grid": json.dumps([headers, rows]), "column_title": "Name", "column_finding": "Found"}
    answer = client.post("/syntheses/", sent)
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get()
    assert answer.url == f"/runs/{run.pk}/"
    assert [one["finding"] for one in run.config["studies"]] == ["It helps.", "It does not."]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "name", "data", "complaint"),
    [
        ("/syntheses/", "a.csv", b"Title\n", "no rows below its headers"),
        ("/syntheses/", "a.bib", b"@article{a, title = ", "read as BibTeX"),
        ("/syntheses/", "a.ris", b"TY  - JOUR\nTI  - x\n", "read as RIS"),
        ("/syntheses/", "a.csv", b"A,A\n1,2\n", "two columns called"),
        ("/digests/", "a.json", b"[]", "but not an object"),
        ("/digests/", "a.json", b'{"query": "pipes"}', "no list “posts”"),
    ],
)
def test_each_malformed_file_is_refused_in_words(client, page, name, data, complaint):
    client.force_login(join("iris").user)
    answer = client.post(page, {"file": SimpleUploadedFile(name, data)})
    assert answer.status_code == 422
    assert complaint in answer.content.decode()


def test_an_older_text_makes_no_markup_of_its_own():
    html = safe_html(
        '# T\n\n<script>x</script> **b** [l](javascript:x) ![i](http://x.example/i) <b onclick="x">'
    )
    assert "<script" not in html
    assert "<a" not in html
    assert "<img" not in html
    assert "<b " not in html
    assert "<strong>b</strong>" in html


def test_an_older_text_keeps_its_headings_for_files():
    parts = parts_of_text("Before.\n\n# One\n\n- a\n- b\n\n## Two\nText *here*.")
    assert [(heading, [block["type"] for block in blocks]) for heading, blocks in parts] == [
        ("Synthesis", ["paragraph"]),
        ("One", ["list"]),
        ("Two", ["paragraph"]),
    ]


@pytest.mark.django_db
def test_a_table_that_was_tampered_with_between_two_forms_is_not_taken(client):
    client.force_login(join("iris").user)
    tampered = [
        "[" * 50_000,
        "[[1], [[2]]]",
        '[["A"], [[1]]]',
        '[["A"], 5]',
        '{"A": 1}',
        "[[], []]",
        "nonsense",
    ]
    told = {grid[:20]: client.post("/syntheses/", {"grid": grid, "column_title": "A"}) for grid in tampered}
    assert {grid: answer.status_code for grid, answer in told.items() if answer.status_code != 422} == {}
    assert "Give the studies" in told["nonsense"].content.decode()
    assert not Run.objects.exists()
