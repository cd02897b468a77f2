"""A file given to a kind of run makes a run, or is refused in words, whatever stands in it."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import settings as drawing
from hypothesis import strategies as st

from research.db.tenancy import tenant_context
from research.models import Run
from research.pipelines.brief.start_brief import BriefRefused, start_brief
from research.pipelines.brief.start_brief import read_file as read_brief
from research.pipelines.brief.tasks.brief_task_result import BriefErrorCode, BriefInputRefused
from research.pipelines.brief.tasks.parse_brief_task_result import read_result
from research.pipelines.common.pipeline_input_errors import InputRefused as Refusal
from research.pipelines.common.pipeline_input_errors import read_object
from research.pipelines.digest.start_digest import read_file as read_digest
from research.pipelines.digest.start_digest import start_digest
from research.pipelines.report.report_config import ConfigError
from research.pipelines.synthesis.read_synthesis_files import grid_of
from research.pipelines.synthesis.start_synthesis import read_file as read_studies
from research.pipelines.synthesis.start_synthesis import start_synthesis
from research.pipelines.synthesis.synthesis_study_columns import guess_mapping, map_rows
from tests.briefs.making import result
from tests.often import often
from tests.people import Person, join

DIGITS = "9" * 5_000


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


def nest(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


def fault_of(file: bytes) -> tuple[BriefErrorCode, str]:
    with pytest.raises(BriefRefused) as refused:
        read_brief("a.json", file)
    return refused.value.code, str(refused.value)


def faults_of(**changes: object) -> str:
    with pytest.raises(BriefInputRefused) as refused:
        read_result(result(**changes))
    return f"{refused.value.code}: {refused.value}"


def test_what_is_no_json_is_told_by_its_fault():
    whole = json.dumps(result())
    assert fault_of(b"\xff\xfe{") == (
        BriefErrorCode.NOT_JSON,
        "The file is not JSON: it is not UTF-8 text.",
    )
    assert fault_of(b"[]") == (BriefErrorCode.NOT_A_RESULT, "The file contains no JSON object.")
    assert fault_of(b"{" + b" " * 1_000_000)[0] is BriefErrorCode.TOO_LARGE
    assert fault_of(nest(5_000).encode()) == (BriefErrorCode.NOT_JSON, "The file is nested too deeply.")
    assert "or was cut off: line 1, column 2." in fault_of(whole[:8].encode())[1]
    assert fault_of(whole.replace("0.8", DIGITS).encode()) == (
        BriefErrorCode.NOT_JSON,
        "The file contains a number that is too long.",
    )


CURRENT = {
    "run": {"run_id": "trun_1", "status": "completed"},
    "output": {"type": "text", "content": "Eight.", "basis": []},
}


def test_every_field_at_fault_is_named_at_once():
    told = faults_of(run_id=7, confidence=1.5, citations=[{"snippet": "x"}, "no object"], excerpts="none")
    assert told.startswith("BRIEF_NOT_A_RESULT: This is not the result of a Parallel task. ")
    for words in (
        "“run_id” must be text, not a number.",
        "“confidence” must be a number from 0 to 1, not a number.",
        "“url” is missing.",
        "“citations” must be a list of objects, not text.",
        "“excerpts” must be a list, not text.",
    ):
        assert words in told


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"status": None}, "“status” is missing."),
        ({"status": "asleep"}, "“status” is unknown: asleep."),
        ({"status": "running"}, "BRIEF_NOT_FINISHED: The task is not finished yet: its status is “running”."),
        ({"status": "cancelled"}, "BRIEF_TASK_FAILED: The task itself ended as “cancelled”: it gives no reason."),
        ({"status": "failed", "error": {"message": "No funds", "detail": "No funds"}}, "“failed”: No funds."),
        ({"answer": " "}, "BRIEF_NO_ANSWER"),
        ({"answer": ["Eight."]}, "“answer” must be text, not a list."),
        ({"confidence": True}, "not true or false"),
        ({"confidence": "sure"}, "“confidence” must be a number from 0 to 1, not text."),
        ({"citations": [{"url": "https://a.example", "relevance": -0.1}]}, "“relevance” must be a number"),
        ({"citations": [{}] * 501}, "“citations” has 501 entries; the limit is 500."),
        ({**CURRENT, "output": None}, "“output” must be an object, not nothing."),
        ({**CURRENT, "output": {"content": 5}}, "“content” must be text or an object, not a number."),
        ({**CURRENT, "output": {"content": "x", "basis": [{"citations": [{"url": "u", "excerpts": "e"}]}]}},
         "“excerpts” must be a list, not text."),
    ],
)  # fmt: skip
def test_a_result_that_makes_no_brief_says_why(changes, words):
    assert words in faults_of(**changes)


def test_the_basis_of_single_elements_does_not_count_beside_that_of_their_field():
    basis = [
        {"field": "age", "confidence": "high", "reasoning": "Told."},
        {"field": "age.0", "confidence": "low"},
        {"field": "size", "confidence": 0.3, "reasoning": "Seen."},
    ]
    found = read_result({**CURRENT, "output": {"content": {"age": 7, "size": None}, "basis": basis}})
    assert (found.answer, found.confidence) == ("Age: 7.", 0.6)
    assert found.reasoning == "age: Told.\nsize: Seen."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@drawing(max_examples=25)
@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys((*result(), "run", "output"), JSON)),
    st.booleans(),
)
def test_whatever_is_handed_in_it_is_read_or_refused(values, is_finished):
    found = None
    with suppress(BriefInputRefused):
        found = read_result(result(**values) | ({"status": "completed"} if is_finished else {}))
    if found is not None:
        assert found.answer.strip()
        assert found.confidence is None or 0 <= found.confidence <= 1
        assert all(piece.url and piece.text.strip() for piece in found.pieces)


@pytest.mark.parametrize(
    "file", [b'{"title": null, "studies": [{"title": "T"}]}', b'{"title": null, "synthesis": "x"}']
)
def test_studies_without_a_title_get_none(file):
    assert read_studies("a.json", file).title == ""


def test_an_input_that_is_nested_too_deeply_is_refused_before_anybody_walks_it():
    assert read_object(nest(99).encode(), 10_000)
    for levels in (101, 500, 100_000):
        with pytest.raises(Refusal, match="nested too deeply"):
            read_object(nest(levels).encode(), 1_000_000)
        with pytest.raises(Refusal, match="nested too deeply"):
            read_studies("a.json", ('{"studies": [{"title": ' + nest(levels) + "}]}").encode())


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (b"{", "not_json: "),
        (b'{"studies": [{"title": %s}]}' % DIGITS.encode(), "not_json: "),
        (b'{"studies": []}', "no_rows: The input holds no study."),
        (b'{"studies": [{"year": 2020}]}', "no_title: No column says what the studies are called; there are: year."),
        (b'{"studies": "many"}', "studies: "),
        (b'{"colour": "red"}', "colour: there is no such setting"),
        (json.dumps({"title": "x" * 301, "studies": [{"title": "T"}]}).encode(), "title: "),
    ],
)  # fmt: skip
def test_studies_as_json_that_cannot_be_used_are_refused_by_name(file, words):
    with pytest.raises(ConfigError) as refused:
        read_studies("a.json", file)
    assert str(refused.value).startswith(words)


LINES = st.text(st.sampled_from("ab,;\t|\"'\n\r @{}=\\~$%#ü0119-TYERAU  "), max_size=60)


@often(80)
@given(st.sampled_from(["a.csv", "a.bib", "a.ris", "a.txt"]), LINES)
def test_whatever_stands_in_a_table_of_studies_it_is_read_or_refused(name, text):
    heads = {
        "a.bib": "@article{a, title={T}, note={" + text + "}}",
        "a.ris": "TY  - JOUR\n" + text + "\nER  -\n",
    }
    with suppress(Refusal):
        grid = grid_of(name, heads.get(name, text))
        assert all(study.title for study in map_rows(grid, guess_mapping(grid.headers)).studies)


def test_what_the_database_takes_in_no_text_is_left_out_of_what_is_kept(ada):
    posts = b'{"query": "quiet pipes", "posts": [{"id": "a", "title": "Lo\\u0000ud", "selftext": "Pi\\u0000pes."}]}'
    with tenant_context(ada.tenant.pk):
        digest = start_digest(owner=ada.user, asked=read_digest("a.json", posts), config={})
        table = start_synthesis(
            owner=ada.user, asked=read_studies("a.json", b'{"studies": [{"title": "T\\u0000ea"}]}'), config={}
        )
        older = start_synthesis(
            owner=ada.user, asked=read_studies("What helps.md", b"# A\0B\n\nTea."), config={}
        )
        brief = start_brief(
            owner=ada.user,
            asked=read_brief("a.json", json.dumps(result(reasoning="Two\0 guides \ud800agree.")).encode()),
            config={},
        )
        kept = {run.pk: run.config for run in Run.objects.all()}
    assert kept[digest.pk]["posts"][0]["title"] == "Loud"
    assert kept[table.pk]["studies"] == [{"title": "Tea"}]
    assert kept[older.pk]["text"] == "# AB\n\nTea."
    assert kept[brief.pk]["result"]["reasoning"] == "Two guides agree."


def test_a_backslash_that_begins_nothing_stays_in_its_title():
    [row] = grid_of("a.bib", '@article{a, title={Tea \\}, note={\\"u}}').rows
    assert row[0] == "Tea \\"
