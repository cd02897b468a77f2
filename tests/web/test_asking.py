"""The first page and the form: from a question to a run, and every refusal in words."""

import pytest

from research.db.tenancy import tenant_context
from research.library.sample.sample_library_listing import load_suggested_questions
from research.library.sample.sample_library_progress import hold_preparation_lock, is_under_way
from research.llm.model_settings import Endpoint, Models
from research.models import LibraryDocument, Run, State
from tests.web.pages import tree, words
from tests.worlds import finish, make_report

SAMPLE_QUESTIONS = [suggestion.question for suggestion in load_suggested_questions()]
QUESTION = "How long must a password be in 2025?"


@pytest.fixture
def sample_library(ada):
    with tenant_context(ada.tenant.pk):
        return LibraryDocument.objects.create(folder="sample", path="a.txt", status="ready")


def ask(client, **fields):
    return client.post("/runs/new/", {"question": QUESTION} | fields)


def runs_of(person):
    with tenant_context(person.tenant.pk):
        return list(Run.objects.all())


def test_a_question_starts_a_run_and_leads_to_it(client, ada, library_stock):
    response = ask(client)
    (run,) = runs_of(ada)
    assert (response.status_code, response["Location"]) == (302, f"/runs/{run.pk}/")
    assert (run.topic, run.owner, run.kind, run.config) == (QUESTION, ada.user, "report", {})


def test_details_become_the_runs_configuration(client, ada, sample_library):
    ask(client, folders=["sample"], max_quotes="12", fact_check="strict")
    (run,) = runs_of(ada)
    assert run.config == {"folders": ["sample"], "max_quotes": 12, "fact_check": "strict"}


def test_the_same_form_sent_twice_starts_one_run(client, ada, library_stock):
    key = tree(client.get("/runs/new/")).xpath("//input[@name='client_key']/@value")[0]
    ask(client, client_key=key)
    ask(client, client_key=key)
    assert len(runs_of(ada)) == 1


def test_going_back_and_asking_something_else_starts_another_run(client, ada, sample_library):
    key = tree(client.get("/")).xpath("//input[@name='client_key']/@value")[0]
    ask(client, client_key=key)
    ask(client, client_key=key, question="And how long must a PIN be?")
    ask(client, client_key=key, folders=["sample"])
    assert len({run.pk for run in runs_of(ada)}) == 3


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("", "Write a question first."),
        ("   ", "Write a question first."),
        ("ab", "at least 3 characters"),
        ("x" * 10_001, "The question has 10001 characters; the limit is 10000."),
        ("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "not"),
        ("What is \ufffd\ufffd\ufffd?", "not text"),
    ],
)
def test_a_question_that_cannot_be_asked_comes_back_with_the_reason(client, ada, question, reason):
    response = ask(client, question=question)
    assert response.status_code == 422
    (summary,) = tree(response).xpath("//*[@id='error-summary']")
    assert reason in summary.text_content()
    assert runs_of(ada) == []


def test_focus_goes_to_the_error_summary_which_leads_to_the_field(client):
    (summary,) = tree(ask(client, question="")).xpath("//*[@id='error-summary']")
    assert summary.get("autofocus") is not None
    assert summary.xpath(".//a/@href") == ["#id_question"]


def test_what_was_typed_is_not_lost_with_a_mistake(client):
    response = ask(client, max_quotes="0")
    assert response.status_code == 422
    assert QUESTION in tree(response).xpath("//textarea")[0].text
    assert tree(response).xpath("//details[@open]")


def test_a_folder_that_is_not_there_is_refused(client):
    assert ask(client, folders=["/etc"]).status_code == 422


def test_a_longest_question_is_accepted(client, ada, library_stock):
    ask(client, question="Why? " + "é" * 9_995)
    assert len(runs_of(ada)) == 1


def test_markup_in_a_question_stays_text(client, library_stock):
    page = client.get(ask(client, question="Is <script>alert(1)</script> safe?")["Location"]).content
    assert b"<script>alert" not in page
    assert b"Is &lt;script&gt;alert(1)&lt;/script&gt; safe?" in page


def test_who_has_an_empty_library_is_told_before_asking(client):
    assert "Your library is still empty" in words(client.get("/"))
    notice = tree(client.get("/runs/new/")).xpath("//p[contains(@class, 'notice')]")[0]
    assert "The library is empty" in notice.text_content()
    assert not notice.xpath("ancestor::details")


def test_a_question_that_nothing_can_answer_is_not_asked_and_not_lost(client, ada):
    response = ask(client)
    assert response.status_code == 422
    assert "The library is empty" in tree(response).xpath("//*[@id='error-summary']")[0].text_content()
    assert QUESTION in tree(response).xpath("//textarea")[0].text
    assert runs_of(ada) == []
    assert (
        ask(client, urls="https://example.org/a", sources="both").status_code == 302
    )  # there is a page to read


def test_while_nothing_is_read_yet_a_question_is_kept_for_a_moment_later(client, ada):
    with tenant_context(ada.tenant.pk):
        row = LibraryDocument.objects.create(folder="sample", path="a.txt", status="pending")
    assert "still being read" in words(ask(client))
    assert "1 document to go" in words(client.get("/"))
    with tenant_context(ada.tenant.pk):
        LibraryDocument.objects.filter(pk=row.pk).update(status="ready")
    assert ask(client).status_code == 302


def test_pages_that_runs_have_read_are_nothing_to_answer_from(client, ada):
    with tenant_context(ada.tenant.pk):
        LibraryDocument.objects.create(folder="web", path="http://example.org/", status="ready")
    assert ask(client).status_code == 422


def test_the_first_page_brings_what_changed_without_a_reload(client, ada, sample_library):
    assert not tree(client.get("/")).xpath("//*[@id='poll']/@hx-get")
    with hold_preparation_lock():
        (poll,) = tree(client.get("/")).xpath("//*[@id='poll']/@hx-get")
        part = client.get(poll, headers={"HX-Request": "true"}).content.decode()
    assert "The sample library is being prepared" in part
    assert SAMPLE_QUESTIONS[0] in part
    assert "<textarea" not in part  # what is being typed stays
    assert (
        'hx-target="#scope"' not in part
    )  # and which folders are ticked, where there are no others to choose
    assert not is_under_way()


def test_the_list_of_runs_follows_those_that_are_at_work(client, world):
    assert not tree(client.get("/runs/")).xpath("//*[@id='runs']/@hx-get")
    with tenant_context(world.person.tenant.pk):
        finish(world.run, State.READING)
    assert tree(client.get("/runs/?state=active")).xpath("//*[@id='runs']/@hx-get") == ["/runs/?state=active"]


def test_the_first_page_without_documents_shows_three_steps(client):
    page = words(client.get("/"))
    assert "Three steps to the first report" in page
    assert "Try one of these" not in page


def test_the_first_page_offers_samples_when_the_sample_library_is_there(client, sample_library):
    questions = tree(client.get("/")).xpath("//ul[@class='samples']//button/@value")
    assert questions == SAMPLE_QUESTIONS


def test_a_sample_question_starts_with_one_click(client, ada, sample_library):
    form = tree(client.get("/")).xpath("//ul[@class='samples']//form")[0]
    sent = {field.get("name"): field.get("value") for field in form.xpath(".//input | .//button")}
    for _click in range(2):
        assert client.post(form.get("action"), sent).status_code == 302
    (run,) = runs_of(ada)
    assert (run.topic, run.config) == (SAMPLE_QUESTIONS[0], {"folders": ["sample"]})


def test_the_first_page_opens_the_sample_report(client, ada, sample_library):
    world = make_report(ada)
    with tenant_context(ada.tenant.pk):
        Run.objects.update(topic=SAMPLE_QUESTIONS[0])
    links = tree(client.get("/")).xpath("//a[normalize-space()='Open the sample report']/@href")
    assert links == [f"/runs/{world.run.pk}/report/"]


def test_the_first_page_says_that_no_model_is_needed(client):
    assert "extractive mode" in words(client.get("/"))


@pytest.mark.parametrize(("rate", "is_said"), [(10.0, True), (2000.0, False)])
def test_first_page_says_how_long_a_slow_model_takes(client, settings, monkeypatch, rate, is_said):
    models = Models(Endpoint("http://localhost:8080/v1", "", at_once=1, tokens_a_second=rate), "m")
    monkeypatch.setattr("research.runs.run_estimate.usable_models_of", lambda _tenant: models)
    settings.PLUMBLINE_MODEL_BASE_URL = "http://localhost:8080/v1"
    assert ("A report takes this model about" in words(client.get("/"))) is is_said


def test_recent_runs_stand_on_the_first_page(client, world):
    assert "Do heat pumps work below −15 °C?" in words(client.get("/"))
