"""Workers load their code and model before they are asked for anything."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery import Celery
from django.conf import settings
from django.test import override_settings

from research import tasks
from research.ops import health_warm_up
from research.parsing.vectors.minilm import ensure_quantised_model, is_built
from research.parsing.vectors.minilm_files import ModelFilesError

# In a process of its own: others have loaded everything already.
FORKED = """
import os, sys, django
django.setup()
assert "research.pipelines.report.pipeline" not in sys.modules
from research.ops.health_warm_up import load_model, warm_up_before_forking
warm_up_before_forking()
from research.parsing.vectors.embed_texts import builtin_embedder
vectors = builtin_embedder().embed(["A heat pump."])
if os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
load_model()
loaded = set(sys.modules)
assert (builtin_embedder().embed(["A heat pump."]) == vectors).all()
from citations.entities.entities import find_entities
from citations.find_quantities import find_quantities
from research.engine.pipeline_registry import pipeline_for
assert pipeline_for("report") and find_entities("Berlin") and find_quantities("3 kg")
print(*sorted(set(sys.modules) - loaded), flush=True)
os._exit(0)  # as forked processes end
"""


@pytest.mark.django_db(transaction=True)
def test_a_forked_reader_has_all_that_a_first_report_needs(child_environment):
    ensure_quantised_model(Path(settings.PLUMBLINE_DATA) / "models")
    done = subprocess.run(
        [sys.executable, "-c", FORKED],
        cwd=settings.BASE_DIR,
        env=child_environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr


def test_a_model_that_has_not_been_built_is_left_to_the_first_step(tmp_path):
    with override_settings(PLUMBLINE_DATA=str(tmp_path)):
        health_warm_up.warm_up()
    assert not is_built(tmp_path / "models")


def test_a_broken_model_keeps_no_worker_from_starting(monkeypatch):
    def raise_incomplete() -> None:
        raise ModelFilesError("The embedding model is incomplete.")

    monkeypatch.setattr(health_warm_up, "is_built", lambda folder: True)
    monkeypatch.setattr(health_warm_up, "builtin_embedder", raise_incomplete)
    health_warm_up.warm_up()


@pytest.fixture
def warm_ups(monkeypatch) -> list[str]:
    seen: list[str] = []
    monkeypatch.setattr(health_warm_up, "warm_up_before_forking", lambda: seen.append("before forking"))
    monkeypatch.setattr(health_warm_up, "warm_up", lambda: seen.append("beside the messages"))
    monkeypatch.setattr(tasks.threading, "Thread", _AtOnce)
    return seen


class _AtOnce:
    def __init__(self, target, **_options: object) -> None:
        self.start = target


@pytest.mark.parametrize(
    ("queues", "how"),
    [
        (["reading", "exports"], ["before forking"]),
        (["agents", "control"], ["beside the messages"]),
        (["exports"], []),
    ],
)
def test_readers_are_warm_before_they_are_forked_and_agents_at_their_leisure(warm_ups, queues, how):
    app = Celery("test")
    app.config_from_object("config.celery_settings")
    app.amqp.queues.select(queues)
    tasks.warm_up_readers(instance=SimpleNamespace(app=app))
    tasks.warm_up_agents(sender=SimpleNamespace(app=app))
    assert warm_ups == how
