"""A synthesis from its file to the tree that pages and files draw."""

import pytest

from exports.building.build_document import build_document
from research.db.tenancy import tenant_context
from research.models import Source, State
from research.pipelines.synthesis.start_synthesis import read_file, start_synthesis
from research.pipelines.synthesis.synthesis_result import Synthesis
from tests.pipelines.stepping import go_on
from tests.web.pages import tree

STUDIES = """Title,Authors,Year,Study design,N,Outcome,Main finding,Direction,Preprint
Virus in tumours,"Urisman, Anatoly; Molinaro, Ross; Fischer, Nicole",2006,case survey,86,XMRV detection,\
The virus was found in 8 of 20 cases.,positive,no
No virus in fatigue,"Erlwein, Otto; Kaye, Steve; McClure, Myra",2010,case series,186,detection of XMRV,\
The virus was detected in none of 186 samples.,null,no
Pills for sleep,"Smith, Anna; Lee, Bo",2020,randomised trial,40,sleep quality,\
Sleep quality was better with the pills.,benefit,yes
Tea for sleep,"Jones, Cy",2021,cohort,60,quality of sleep,Sleep was better after tea.,benefit,no
Light for sleep,"Ray, Di",2022,cohort,70,sleep quality,Sleep was better with less light.,benefit,no
"""


def synthesis_of(account, name, data, **config):
    with tenant_context(account.tenant_id):
        run = start_synthesis(owner=account.user, asked=read_file(name, data), config=config)
    run = go_on(run)
    with tenant_context(account.tenant_id):
        return run, Synthesis.model_validate(run.outcome["own"]), build_document(run.pk)


@pytest.fixture(scope="module")
def synthesis_run(account):
    return synthesis_of(account, "studies.csv", STUDIES.encode())


def test_a_table_becomes_sections_bound_to_its_rows(synthesis_run):
    run, own, document = synthesis_run
    assert (run.state, document.status) == (State.COMPLETED, "done")
    assert [section.heading for section in document.sections] == [
        "Areas of agreement",
        "Areas of disagreement",
        "Evidence table",
    ]
    first = document.sections[0].claims[0]
    assert first.text == "On sleep quality, 3 studies agree: they report a benefit."
    assert (first.strength, first.origins, first.verification_status) == ("strong", 3, "verified")
    assert [citation.label for citation in first.citations] == [
        "[Smith & Lee, 2020]",
        "[Jones, 2021]",
        "[Ray, 2022]",
    ]


def test_each_claim_names_rows_that_are_there(synthesis_run):
    _run, own, document = synthesis_run
    named = {number for row in own.studies for number in row.claims}
    assert named == {claim.number for claim in document.claims}
    assert {str(citation.source.id) for claim in document.claims for citation in claim.citations} <= {
        row.source for row in own.studies
    }


def test_a_badge_opens_onto_the_words_of_the_row(account, synthesis_run):
    _run, _own, document = synthesis_run
    with tenant_context(account.tenant_id):
        texts = {source.pk: source.text for source in Source.objects.select_related("content")}
    for claim in document.claims:
        for citation in claim.citations:
            assert texts[citation.source.id][citation.start : citation.end] == citation.quote


def test_disagreement_is_shown_as_such(synthesis_run):
    claim = synthesis_run[2].sections[1].claims[0]
    assert (
        claim.text == "On XMRV detection, 2 studies disagree: 1 reports higher values, 1 reports no effect."
    )
    assert (claim.strength, claim.contradiction_status) == ("moderate", "presented_both")


def test_the_sentence_above_says_for_its_studies_that_they_are_disputed(account, synthesis_run, client):
    client.force_login(account.user)
    page = tree(client.get(f"/runs/{synthesis_run[0].pk}/report/"))
    section = "//section[.//h2[normalize-space()='Areas of disagreement']]"
    assert len(page.xpath(f"{section}//p//*[contains(@class, 'doubt disputed')]")) == 1
    assert page.xpath(f"{section}//li")
    assert not page.xpath(f"{section}//li//*[contains(@class, 'doubt disputed')]")


def test_weaknesses_stand_among_the_warnings(synthesis_run):
    document = synthesis_run[2]
    assert {warning.code for warning in (*document.warnings, *document.gaps)} >= {"W040", "G041", "W042"}


def test_the_evidence_table_is_a_part_of_the_document(synthesis_run):
    block = synthesis_run[2].sections[-1].blocks[0]
    assert len(block.table.rows) == 5
    assert block.table.rows[2].input == "Smith & Lee, 2020: Pills for sleep"


def test_a_text_of_the_older_form_is_kept(account):
    run, own, document = synthesis_of(
        account, "old.md", b"# What we know\n\nSleep **helps**.\n\n- one\n- two\n"
    )
    assert (run.state, own.form) == (State.COMPLETED, "text")
    assert document.sections[0].heading == "What we know"
    assert [warning.code for warning in document.warnings] == ["W045"]
