"""Technical runs over a small library from start to end: by rules, with dead links, by a model, and going on."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from django.test import override_settings

from citations.models import Citation
from exports.building.build_document_tables import NOTHING_SAID
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine import pipeline_registry
from research.engine.step_runner import drive
from research.fetching.fetch_process import close_fetch_process
from research.fetching.http_client import HttpClient
from research.library.import_library_folder import import_folder
from research.models import Kind, ModelCall, Relation, Run
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.pipeline_kinds import kind_of
from research.pipelines.technical import analyze_technical
from research.pipelines.technical.answer.technical_answer import StoredTechnical, read_answer
from research.pipelines.technical.answer.technical_answer_tree import answer_of
from research.pipelines.technical.code.find_technical_code_fragments import is_code
from research.pipelines.technical.start_technical_follow_up import start_follow_up
from tests.fakes.openai_server import FakeOpenAI
from tests.fetching.site import Answer, Said, Site, result, searxng, serve_site
from tests.pipelines.model_world import model_world
from tests.pipelines.technical.library import NOTES, QUESTION, lay_out, note

COMPARED = {"type": "comparison", "technologies": ["Annoy", "Voyager"]}
DEAD = {1: "404", 2: "410", 3: "reset", 4: "timeout", 5: "redirect to 404", 6: "500", 7: "closed"}
PATIENCE_S = 6  # for a page that never comes; any other is there long before, however busy the machine is


class Slow:
    """A page that comes when the test is over."""

    def __init__(self) -> None:
        self.is_over = threading.Event()

    def __call__(self, path: str) -> Said:
        self.is_over.wait()
        return Said("too late")


def reset(path: str) -> Said:
    raise ConnectionResetError


def page(number: int) -> Said:
    title, _empty, text = note(number).partition("\n\n")
    return Said(
        f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text * 4}</p></body></html>"
    )


@pytest.fixture(scope="module", autouse=True)
def real_recipe() -> Iterator[None]:
    """Tests of the lifecycle put a toy in its place, for the process that they share with these."""
    with pytest.MonkeyPatch.context() as patch:
        known = {kind: one for kind, one in pipeline_registry._recipes.items() if kind != Kind.TECHNICAL}
        patch.setattr(pipeline_registry, "_recipes", known)
        yield


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    slow = Slow()
    answers: dict[str, Answer] = {f"/note-{number}": page(number) for number in range(1, NOTES + 1)}
    answers |= {
        "/note-1": Said("", 404),
        "/note-2": Said("", 410),
        "/note-3": reset,
        "/note-4": slow,
        "/note-5": Said("", 302, headers={"Location": "/nowhere"}),
        "/note-6": Said("", 500),
        "/web": page(99),
    }
    with serve_site(answers) as site:
        yield site
        slow.is_over.set()


@pytest.fixture(scope="module")
def addresses(site: Site) -> dict[int, str]:
    with serve_site({}, "127.0.0.3") as closed:
        gone = closed.base  # nobody listens there any more
    found = {number: f"{site.base}/note-{number}" for number in range(1, NOTES + 1)}
    return found | {7: f"{gone}/note-7"}


@pytest.fixture(scope="module")
def library(
    account: PersonalAccount, addresses: dict[int, str], tmp_path_factory: pytest.TempPathFactory
) -> str:
    folder = tmp_path_factory.mktemp("vectors")
    lay_out(folder, addresses)
    return import_folder(account.tenant_id, folder).folder


@pytest.fixture(scope="module")
def ask_it(account: PersonalAccount, library: str) -> Callable[..., Document]:
    def act(question: str = QUESTION, **config: object) -> Document:
        return ask(account, Kind.TECHNICAL, question, {"folders": [library], **config})

    return act


@pytest.fixture(scope="module")
def report(ask_it: Callable[..., Document]) -> Document:
    """Make a report by rules, from the library alone."""
    return ask_it(**COMPARED)


@pytest.fixture(scope="module")
def report_with_links(ask_it: Callable[..., Document], site: Site) -> Iterator[Document]:
    """Make a report from the library and the web, so that links are looked at."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setitem(HttpClient.__init__.__kwdefaults__, "total_s", PATIENCE_S)
        hits = searxng(lambda query, page: [result(f"{site.base}/web", "web")] if page == 1 else [])
        search = stack.enter_context(serve_site({"/search": hits}, "127.0.0.2"))
        stack.enter_context(
            override_settings(
                PLUMBLINE_ALLOW_LOOPBACK=True, PLUMBLINE_POLITENESS_MS=0, PLUMBLINE_SEARXNG_URL=search.base
            )
        )
        close_fetch_process()
        stack.callback(close_fetch_process)
        yield ask_it(**COMPARED, sources="both")


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


def own(account: PersonalAccount, document: Document) -> StoredTechnical:
    with tenant_context(account.tenant_id):
        found = read_answer(Run.objects.get(pk=document.run_id).outcome)
    assert found is not None
    return found


def is_dead(url: str) -> bool:
    """Return whether a browser would find the link dead, without any of our ways to fetch."""
    try:
        with urlopen(url, timeout=PATIENCE_S) as response:
            return response.status != 200
    except (URLError, TimeoutError, ConnectionError):
        return True


def test_no_dead_link_is_among_the_first_ten(account, report_with_links):
    stored = own(account, report_with_links)
    urls = {source.id: source.url for source in report_with_links.sources}
    listed = [urls[one.source] for one in stored.results]
    assert len(listed) == 10
    assert [url for url in listed if url and is_dead(url)] == []
    gone = {int(re.search(r"\d+$", urls[one.source])[0]): one for one in stored.gone}
    assert gone.keys() == DEAD.keys()
    assert all(one.note for one in gone.values())


def test_without_the_web_no_site_is_asked(account, report):
    stored = own(account, report)
    assert {one.link for one in stored.results} == {"saved"}
    assert stored.gone == []


def test_a_run_by_rules_answers_with_cited_claims(account, report):
    assert (report.status, report.engine) == ("done", "extractive")
    assert report.claims
    assert all(claim.citations for claim in report.claims)
    assert not any(is_code(claim.text) for claim in report.claims)
    with tenant_context(account.tenant_id):
        rows = list(Citation.objects.filter(claim__run=report.run_id).select_related("source__content"))
    assert all(row.quote == row.source.text[row.start_offset : row.end_offset] for row in rows)


def test_a_run_whose_sentences_are_all_left_out_says_that_nothing_answers(ask_it, monkeypatch):
    monkeypatch.setattr(analyze_technical, "_findings", lambda *_given: [])
    document = ask_it("How much memory does Voyager use?")
    assert (document.status, document.failure) == ("insufficient_evidence", "")
    assert document.reasons


def test_each_cell_cites_or_says_that_no_source_does(account, report):
    answer = answer_of(report, own(account, report))
    table = answer.synthesis.comparison
    assert [row.thing for row in table.rows] == ["Annoy", "Voyager"]
    cells = [pair for row in table.rows for pair in zip(row.cells, row.reasons, strict=True)]
    assert any(cell for cell, _ in cells)
    assert all((cell.citations and not reason) if cell else reason == NOTHING_SAID for cell, reason in cells)


def test_its_code_is_checked_and_its_facts_are_there(account, report):
    answer = answer_of(report, own(account, report))
    assert answer.status == "success"
    assert [(example.language, example.check) for example in answer.code_examples] == [("python", "passed")]
    assert len(answer.results) == 10
    assert answer.citations
    assert answer.follow_ups


def test_a_terminal_shows_its_code_in_the_format_that_was_asked_for(account, report):
    with tenant_context(account.tenant_id):
        words = kind_of(Kind.TECHNICAL).printed(report)
    assert 'index = AnnoyIndex(40, "angular")' in words
    assert "\n==========" in words  # the text, which is what the command line asks for
    assert "# How do" not in words


def test_a_model_reads_and_writes_and_a_follow_up_is_its_child(account, ask_it, model):
    first = ask_it(**COMPARED, max_results=3)
    assert (first.status, first.engine) == ("done", "model")
    assert all(claim.citations for claim in first.claims)
    stored = own(account, first)
    with tenant_context(account.tenant_id):
        parent = Run.objects.get(pk=first.run_id)
        assert ModelCall.objects.filter(run=parent).exists()
        assert parent.estimate["calls"] > 0
        child = start_follow_up(parent, account.user, stored.follow_ups[0])
    drive(account.tenant_id, child.pk)
    with tenant_context(account.tenant_id):
        child.refresh_from_db()
        assert (child.parent_id, child.relation) == (parent.pk, Relation.FOLLOW_UP)
        assert child.is_finished
        assert child.state == "completed"
        assert child.config["folders"] == parent.config["folders"]
        assert read_answer(child.outcome).results
