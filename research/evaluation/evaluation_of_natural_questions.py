"""Ask natural questions with and without a model, and score both with the scorer in the shared folder."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from django.conf import settings
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from exports.export_answer_json import answer
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import Kind
from research.pipelines.pipeline_in_foreground import ask, open_library

SCORER = settings.BASE_DIR.parent / "shared" / "tools" / "score_answers.py"
LIMIT_S = 600.0  # of the scorer
ENGINES = {"with": "auto", "without": "extractive"}


class NaturalQuestion(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    library: str
    question: str


class NoQuestions(Exception):
    """The file, its library or the scorer is missing; str() says which."""


def read_questions(path: Path, most: int) -> list[NaturalQuestion]:
    """Return the first `most` questions of a file. Raises NoQuestions."""
    try:
        found = TypeAdapter(list[NaturalQuestion]).validate_json(path.read_bytes())
    except OSError as error:
        raise NoQuestions(f"{path} cannot be opened: {error.strerror}") from error
    except ValidationError as error:
        raise NoQuestions(f"{path} cannot be read as questions: {error}") from error
    return found[:most]


def library_of(path: Path, question: NaturalQuestion) -> Path:
    """Return the library folder of a question, beside the folder of questions. Raises NoQuestions."""
    folder = path.resolve().parent.parent / f"library-{question.library}"
    if not folder.is_dir():
        raise NoQuestions(f"There is no folder {folder} with the documents of “{question.library}”.")
    return folder


def ask_all(
    account: PersonalAccount,
    path: Path,
    questions: Sequence[NaturalQuestion],
    saved: Path,
    say: Callable[[str], object],
) -> None:
    """Save each report as with/ID.json and without/ID.json, skipping those that exist.

    Raises NoQuestions and NoSuchLibrary.
    """
    for question in questions:
        library = open_library(account, str(library_of(path, question)))
        for name, engine in ENGINES.items():
            file = saved / name / f"{question.id}.json"
            if file.exists():
                continue
            config = {"folders": [library], "engine": engine, "depth": "quick"}
            document = ask(account, Kind.REPORT, question.question, config)
            with tenant_context(account.tenant_id):
                report = json.dumps(answer(document), ensure_ascii=False)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(report, encoding="utf-8")
            ended = f"{document.status}, {len(document.claims)} claims, {document.seconds or 0:.0f} s"
            say(f"{question.id} {name} a model: {ended}")


def score(path: Path, saved: Path, questions: Sequence[NaturalQuestion]) -> dict[str, dict[str, object]]:
    """Return the scorer's figures for all questions, with and without a model. Raises NoQuestions if it fails."""
    scores: dict[str, dict[str, object]] = {}
    for name in ENGINES:
        figures = saved / f"{name}.json"
        command = [
            sys.executable, str(SCORER), *sorted({question.library for question in questions}),
            "--questions", str(path.parent), "--from", str(saved / name), "--out", str(figures),
            "--ids", ",".join(question.id for question in questions),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S)  # noqa: S603 - our own
        if done.returncode:
            raise NoQuestions(f"The scorer failed: {(done.stderr or done.stdout).strip()[-500:]}")
        scores[name] = json.loads(figures.read_text(encoding="utf-8"))["all"]
    return scores


def table(scores: dict[str, dict[str, object]]) -> list[str]:
    """Return lines for a terminal: one per figure, with and without a model."""
    width = max(len(figure) for figure in scores["with"])
    head = f"{'':<{width}} {'with':>9} {'without':>9}"
    return [head, *(
        f"{figure:<{width}} {_number(value):>9} {_number(scores['without'].get(figure)):>9}"
        for figure, value in scores["with"].items()
    )]  # fmt: skip


def _number(value: object) -> str:
    return "–" if value is None else str(value)
