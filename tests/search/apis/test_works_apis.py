"""Behaviour of arXiv, OpenAlex, Crossref or Semantic Scholar alone, or of their providers."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from research.search.search_protocol import SearchCode
from tests.fetching.site import Said
from tests.search.apis import arxiv, crossref, openalex, semantic_scholar
from tests.search.apis.server import KEY, Asking, serve_world
from tests.search.apis.works import preprint, work


@pytest.fixture
def papers() -> Iterator[Asking]:
    with serve_world(arxiv.WORLD) as service:
        yield service


@pytest.fixture
def alex() -> Iterator[Asking]:
    with serve_world(openalex.WORLD) as service:
        yield service


@pytest.fixture
def register() -> Iterator[Asking]:
    with serve_world(crossref.WORLD) as service:
        yield service


@pytest.fixture
def scholar() -> Iterator[Asking]:
    with serve_world(semantic_scholar.WORLD) as service:
        yield service


def test_arxiv_is_asked_for_any_of_the_words_that_say_something(papers):
    papers.search("What is the efficiency of air-source heat pumps?")
    assert (
        papers.calls[0].word("search_query") == 'all:efficiency OR all:"air-source" OR all:heat OR all:pumps'
    )


def test_arxiv_is_told_from_which_day_on(papers):
    papers.search("heat", published_from=date(2024, 5, 1))
    assert (
        papers.calls[0].word("search_query") == "(all:heat) AND submittedDate:[202405010000 TO 299912312359]"
    )


def test_a_query_without_a_word_is_not_asked_of_arxiv(papers):
    [error] = papers.failures("What is it?")
    assert (error.code, papers.calls) == (SearchCode.INVALID_QUERY, [])


def test_versions_of_a_preprint_are_one_preprint(papers):
    papers.has(arxiv.raw(preprint(1), 3), arxiv.raw(preprint(1), 1))
    assert [hit.url for hit in papers.search().hits] == ["https://arxiv.org/abs/2405.00001"]


def test_a_preprint_of_the_old_kind_of_number_is_found_too(papers):
    papers.has(arxiv.raw(replace(preprint(1), landing="https://arxiv.org/abs/cond-mat/0207270")))
    [hit] = papers.search().hits
    assert (hit.url, hit.full_text) == (
        "https://arxiv.org/abs/cond-mat/0207270",
        "https://arxiv.org/pdf/cond-mat/0207270",
    )


def test_what_arxiv_refuses_in_a_good_answer_is_a_refusal(papers):
    papers.server.says = lambda call: replace(arxiv.error("incorrect id format for x"), status=200)
    [error] = papers.failures("heat")
    assert (error.code, "incorrect id format" in error.message) == (SearchCode.INVALID_QUERY, True)


def test_an_answer_that_declares_entities_of_its_own_is_not_read(papers):
    bomb = '<?xml version="1.0"?><!DOCTYPE f [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><feed>&b;</feed>'
    papers.server.says = lambda call: Said(bomb, kind=arxiv.KIND)
    [error] = papers.failures("heat")
    assert error.code is SearchCode.NOT_AVAILABLE


def test_arxiv_gets_a_request_every_three_seconds(papers, slept):
    papers.answers(["heat", "pumps", "cold"])
    assert [round(one) for one in slept] == [3, 6]


def test_openalex_is_told_from_which_day_on(alex):
    alex.search(published_from=date(2024, 5, 1))
    assert alex.calls[0].word("filter") == "from_publication_date:2024-05-01"


def test_openalex_is_asked_without_its_operators(alex):
    alex.search("heat* (pumps) NOT: cold?")
    assert alex.calls[0].word("search") == "heat pumps cold"


def test_openalex_takes_its_key_as_a_parameter_and_nothing_tells_it(alex, settings, caplog):
    settings.PLUMBLINE_PROVIDER_KEYS = {"openalex": KEY}
    alex.server.says = lambda call: Said("", 401)
    [error] = alex.failures("heat")
    assert alex.calls[0].word("api_key") == KEY
    assert KEY not in error.message + caplog.text


def test_a_work_without_a_doi_is_found_at_its_page(alex):
    alex.has(openalex.raw(replace(work(1), doi="")))
    [hit] = alex.search().hits
    assert (hit.url, hit.full_text) == (
        "https://journal.example/articles/1",
        "https://journal.example/pdf/1.pdf",
    )


def test_a_work_of_which_little_is_known_is_a_hit(alex):
    alex.has({"id": "https://openalex.org/W1", "publication_year": 1987, "best_oa_location": None})
    [hit] = alex.search().hits
    assert (hit.url, hit.title, hit.published, hit.full_text) == ("https://openalex.org/W1", "", "1987", "")


def test_a_preprint_is_the_same_page_whoever_finds_it(alex):
    alex.has({**openalex.raw(work(1)), "doi": "https://doi.org/10.48550/arXiv.2405.00001"})
    assert alex.search().hits[0].url == "https://arxiv.org/abs/2405.00001"


def test_crossref_is_told_whom_to_write_to(register, settings):
    settings.PLUMBLINE_PROVIDER_KEYS = {"crossref": "ops@plumbline.example"}
    register.search(published_from=date(2024, 5, 1))
    asked = register.calls[0]
    assert (asked.word("mailto"), asked.word("filter")) == (
        "ops@plumbline.example",
        "from-pub-date:2024-05-01",
    )


def test_who_names_no_address_is_not_asked_for_one(register):
    register.search()
    assert register.calls[0].word("mailto", "none") == "none"


def test_a_copy_for_subscribers_is_not_called_open(register):
    register.has({**crossref.raw(work(1)), "license": [{"URL": "https://journal.example/tdm"}]})
    assert register.search().hits[0].full_text == ""


@pytest.mark.parametrize(
    ("parts", "published"),
    [([[2024]], "2024"), ([[2024, 5]], "2024-05"), ([[None]], ""), ([], ""), ([[2024, 13, 1]], "2024")],
)
def test_a_date_of_crossref_is_as_precise_as_it_is_known(register, parts, published):
    register.has({**crossref.raw(work(1)), "issued": {"date-parts": parts}})
    assert register.search().hits[0].published == published


def test_a_title_goes_with_its_subtitle(register):
    register.has({**crossref.raw(work(1)), "subtitle": ["A <i>review</i>"]})
    assert register.search().hits[0].title == "Heat pumps, part 1: A review"


def test_semantic_scholar_is_asked_without_hyphens_which_find_nothing(scholar):
    scholar.search("air-source heat pumps", published_from=date(2024, 5, 1))
    asked = scholar.calls[0]
    assert (asked.word("query"), asked.word("publicationDateOrYear")) == (
        "air source heat pumps",
        "2024-05-01:",
    )


def test_a_preprint_is_read_at_arxiv_where_nothing_else_is_open(scholar):
    closed = {"url": "", "status": "CLOSED"}
    names = {"ArXiv": "2405.00001"}
    scholar.has({**semantic_scholar.raw(work(1)), "externalIds": names, "openAccessPdf": closed})
    [hit] = scholar.search().hits
    assert (hit.url, hit.full_text) == (
        "https://arxiv.org/abs/2405.00001",
        "https://arxiv.org/pdf/2405.00001",
    )


def test_a_paper_without_other_names_is_found_at_its_page_there(scholar):
    bare = {
        "title": "Heat",
        "url": "https://www.semanticscholar.org/paper/1",
        "externalIds": None,
        "year": 1987,
    }
    scholar.has(bare)
    [hit] = scholar.search().hits
    assert (hit.url, hit.published, hit.full_text) == ("https://www.semanticscholar.org/paper/1", "1987", "")


def test_a_paper_without_any_address_is_left_out(scholar):
    scholar.has({"title": "Heat"}, semantic_scholar.raw(work(1)))
    assert len(scholar.search().hits) == 1
