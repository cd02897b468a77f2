"""`manage.py research` and `manage.py evaluate`, as a person at a terminal meets them."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from exports.document.document_plain_text import MARKDOWN
from research.db.tenancy import tenant_context
from research.management.command_progress_bar import bar
from research.management.commands.research import readable
from research.models import LibraryDocument, Run, State
from tests.exports.drafting import Draft, prose
from tests.pipelines.conftest import DOCUMENTS, QUESTION

pytestmark = pytest.mark.usefixtures("at_work")


@pytest.fixture
def at_work(account, monkeypatch):
    """The test's own database is up already."""
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)


def run_command(name: str, *arguments: str, errors: StringIO | None = None) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command(name, *arguments, stdout=out, stderr=errors or StringIO())
    except SystemExit as left:
        return int(str(left.code or 0)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture(scope="module")
def command_result(account, library):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("config.services.embedded.build_embedded_services", list)
        return run_command("research", QUESTION, "--library", library, "--json")


def test_an_answered_question_exits_with_0_and_prints_one_object(command_result):
    code, printed = command_result
    answer = json.loads(printed)
    assert (code, answer["status"], answer["cost"]) == (0, "done", 0.0)
    assert set(answer) >= {
        "run",
        "sections",
        "sources",
        "contradictions",
        "gaps",
        "warnings",
        "left_out",
        "seconds",
    }


def test_each_printed_citation_names_a_printed_source(command_result):
    answer = json.loads(command_result[1])
    sources = {source["id"] for source in answer["sources"]}
    cited = [one["source"] for s in answer["sections"] for c in s["claims"] for one in c["citations"]]
    assert cited
    assert set(cited) <= sources


def test_a_question_without_an_answer_exits_with_3(library):
    code, printed = run_command(
        "research",
        "What share of homes in Portugal heat with district heating?",
        "--library",
        library,
        "--json",
    )
    assert (code, json.loads(printed)["status"]) == (3, "insufficient_evidence")


def test_the_passages_nearest_to_a_question_without_an_answer_are_printed_with_their_source(library):
    question = "What share of homes in Portugal heat with district heating?"
    _code, printed = run_command("research", question, "--library", library)
    assert "The nearest passages (none of them seems to answer the question)" in printed
    assert printed.count("(Building Policy Guide") + printed.count("(Field trial") > 0


def test_a_failed_run_exits_with_1_and_says_why(library):
    errors = StringIO()
    code, printed = run_command(
        "research", QUESTION, "--library", library, "--language", "fr", "--json", errors=errors
    )
    assert (code, json.loads(printed)["status"]) == (1, "failed")
    assert "The run failed: There is no source." in errors.getvalue()


def test_a_folder_without_documents_is_no_library(tmp_path):
    with pytest.raises(CommandError, match="has no document that could be read"):
        run_command("research", QUESTION, "--library", str(tmp_path))


def test_without_json_the_report_is_printed_to_be_read(library):
    code, printed = run_command("research", QUESTION, "--library", library)
    assert code == 0
    named = "(Building Policy Guide 2.0, May 2023; limited)"
    assert f"seasonal performance factor of at least 3.0 to receive the subsidy. [1] {named}" in printed
    assert "[1] Building Policy Guide 2.0 2023-05-01 https://policy.example/guide/2.0" in printed


def test_what_is_printed_has_no_marks_of_a_markdown_source():
    draft = Draft("marked")
    draft.section(
        "Passwords", prose(draft.claim("**6.2.2** Use `argon2`.", draft.source(media_type=MARKDOWN)))
    )
    assert any("6.2.2 Use argon2. [1]" in line for line in readable(draft.document("How?")))


def test_an_honest_report_reads_as_its_reasons(ask_in_library):
    lines = readable(ask_in_library("What share of homes in Portugal heat with district heating?"))
    assert any("Portugal" in line for line in lines[2:])


def test_folders_are_searched_by_name_and_said_before_and_in_the_report(library):
    name = Path(library).name
    errors = StringIO()
    _code, printed = run_command("research", QUESTION, "--library", name.upper(), errors=errors)
    said = f"{name}; {len(DOCUMENTS)} documents"
    assert errors.getvalue() == f"Searching: {said}\n"
    assert printed.splitlines()[1] == f"Searched: {said}"


def test_without_a_library_own_documents_are_searched_and_all_takes_the_sample_too(library, account):
    with tenant_context(account.tenant_id):
        row = LibraryDocument.objects.create(folder="sample", path="empty.txt", status="ready")
    try:
        found = [
            json.loads(run_command("research", QUESTION, *more, "--json")[1])["searched"]
            for more in ((), ("--library", "all"))
        ]
    finally:
        with tenant_context(account.tenant_id):
            row.delete()
    assert [{one["name"] for one in each["folders"]} for each in found] == [
        {Path(library).name},
        {Path(library).name, "Sample library"},
    ]
    assert [each["whole_library"] for each in found] == [False, True]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["ab"], "at least 3"),
        (["x" * 10_001], "10001"),
        ([QUESTION, "--library", "/no/such/folder"], "no folder"),
        ([QUESTION, "--set", "colour=red"], "colour"),
        ([QUESTION, "--set", "nonsense"], "KEY=VALUE"),
        ([QUESTION, "--user", "nobody"], "no user"),
        ([QUESTION, "--url", "policy.example/none"], "no copy of “https://policy.example/none”"),
        ([QUESTION, "--sources", "both", "--url", "ftp://x.example"], "must begin with http"),
        ([QUESTION, "--sources", "web"], "no web search is set up"),
        ([QUESTION, "--sources", "web", "--exclude", "gov"], "--exclude takes a site"),
        ([QUESTION, "--prefer", "a b"], "--prefer takes a site"),
        ([QUESTION, "--doi", "10.1/short"], "is not a valid DOI"),
        ([QUESTION, "--document", "nothing.txt"], "“nothing.txt” is not a readable document in the library"),
        ([QUESTION, "--region", "mars"], "regions.0"),
        ([QUESTION, "--language", "english"], "languages.0"),
        ([QUESTION, "--doi", "10.1000/182"], "no copy of “https://doi.org/10.1000/182”"),
        ([QUESTION, "--set", "published_from=2025", "--set", "published_to=2024"], "lies after"),
    ],
    ids=[
        "short",
        "long",
        "no folder",
        "unknown setting",
        "not a setting",
        "unknown user",
        "no copy",
        "no address",
        "no search",
        "no site",
        "no site to prefer",
        "no DOI",
        "no document",
        "no region",
        "no language",
        "no copy of a paper",
        "dates in the wrong order",
    ],
)
def test_what_cannot_be_asked_is_explained(arguments, complaint):
    with pytest.raises(CommandError, match=complaint) as raised:
        run_command("research", *arguments)
    assert raised.value.returncode == 1


def test_a_page_that_must_be_read_is_read_from_its_copy(library):
    pages = ("--url", "policy.example/guide/1.0", "--json")
    _code, printed = run_command("research", QUESTION, "--library", library, *pages)
    assert "https://policy.example/guide/1.0" in [load["url"] for load in json.loads(printed)["sources"]]


def test_a_document_that_must_be_read_is_named_by_its_file(library):
    named = ("--document", "gardening.html", "--depth", "quick", "--recency", "historical", "--json")
    _code, printed = run_command("research", QUESTION, "--library", library, *named)
    answer = json.loads(printed)
    [garden] = [one for one in answer["sources"] if one["file"] == "gardening.html"]
    assert (garden["status"], garden["published"]) == ("processed", "")
    assert garden["quality"] > 0
    assert [one["name"] for one in answer["sufficiency"]["checks"]][:2] == ["count", "coverage"]
    assert answer["unread"] == []


def test_a_file_is_no_library(tmp_path):
    (tmp_path / "a.txt").write_text("words")
    with pytest.raises(CommandError, match="no folder"):
        run_command("research", QUESTION, "--library", str(tmp_path / "a.txt"))


GOLD = {
    "answerable": [
        {
            "id": "A1",
            "question": QUESTION,
            "evidence": [
                {"doc": "policy-guide-2.0.txt", "sentence": "seasonal performance factor of at least 3.0"}
            ],
        }
    ],
    "unanswerable": [{"id": "U1", "question": "Who won the Portuguese chess league in 1987?"}],
}


def test_evaluating_counts_what_reports_hold(library, tmp_path: Path):
    gold, output = tmp_path / "gold.json", tmp_path / "out.json"
    gold.write_text(json.dumps(GOLD))
    _, printed = run_command(
        "evaluate", "report", "--library", library, "--gold", str(gold), "--output", str(output)
    )
    figures = json.loads(printed)
    assert (figures["recall"], figures["recall_early"], figures["abstention"]) == (1.0, 1.0, 1.0)
    assert figures["misquoted"] == 0 < figures["quotes"] <= 40
    assert [load["id"] for load in json.loads(output.read_text())["questions"]] == ["A1", "U1"]


@pytest.mark.parametrize(
    "content", [None, "", "[]", '{"answerable": 3}'], ids=["missing", "empty", "list", "wrong"]
)
def test_a_gold_file_that_is_none_is_refused(library, tmp_path, content):
    path = tmp_path / "gold.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(CommandError, match="gold file"):
        run_command("evaluate", "report", "--library", library, "--gold", str(path))


@pytest.mark.parametrize(
    ("state", "filled"),
    [(State.CREATED, 0), (State.PLANNING, 0), (State.VERIFYING, 18), (State.COMPLETED, 24)],
)
def test_the_bar_fills_with_the_stages(state, filled):
    line = bar(Run(topic="A question", state=state, current_activity="Reading"))
    assert line.startswith(f"[{'=' * filled}{' ' * (24 - filled)}]")
    assert "Reading" in line


def test_what_a_report_says_can_be_set(library, account):
    wishes = ["--subtopic", "Costs", "--without", "subsidy", "--words", "200", "--claim-sources", "2"]
    more = ["--thin-claims", "mark", "--commentary", "--set", "follow_ups=false"]
    code, printed = run_command("research", QUESTION, "--library", library, "--json", *wishes, *more)
    answer = json.loads(printed)
    with tenant_context(account.tenant_id):
        config = Run.objects.get(pk=answer["run"]).config
    asked = {"subtopics": ["Costs"], "excluded_subjects": ["subsidy"], "words": 200, "sources_per_claim": 2}
    assert config.items() >= {**asked, "commentary": True, "follow_ups": False}.items()
    assert (code, answer["follow_ups"]) in ((0, []), (3, []))
