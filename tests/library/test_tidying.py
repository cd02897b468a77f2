"""Files that no row needs are removed a day later; what a row needs, or needs again meanwhile, stays."""

import os
import time
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from config import celery_settings
from research.db.tenancy import create_tenant, tenant_context
from research.models import AgentRole, KeptPage, Run, State, Step
from research.ops.retention.retention_of_files import (
    ORPHANS_AFTER,
    PAGES_FOR,
    UnusedFileCleanup,
    tidy,
    tidy_tenant,
)
from research.storage.object_store import (
    ObjectError,
    drop_object,
    get_object,
    has_object,
    old_objects,
    put_object,
)
from tests.documents import add_upload

DAY = timedelta(days=1)


def age(path: Path, by: timedelta = 2 * DAY) -> None:
    then = time.time() - by.total_seconds()
    os.utime(path, (then, then))


def file_of(key: str) -> Path:
    return Path(settings.MEDIA_ROOT) / key


def put_long_ago(tenant: UUID, data: bytes) -> str:
    key = put_object(tenant, data)
    age(file_of(key))
    return key


def keep_page(key: str, ago: timedelta) -> None:
    KeptPage.objects.create(
        canonical_url=f"https://a.example/{key[-9:]}",
        final_url="https://a.example/",
        raw_key=key,
        media_type="text/html",
        name="a.html",
        fetched_at=timezone.now() - ago,
    )


def step_with(key: str, state: State) -> None:
    owner = User.objects.create_user(f"of {state}")
    code = {"failure_code": "REJECTED"} if state == State.FAILED else {}
    run = Run.objects.create(owner=owner, topic="Which words?", state=state, **code)
    Step.objects.create(
        run=run,
        step_index=0,
        key="extract",
        handler="x",
        agent_role=AgentRole.EXTRACTOR,
        input={"object": key},
    )


def test_a_file_that_no_row_names_is_removed_after_a_day(inside):
    key = put_long_ago(inside, b"nobody's")
    assert tidy_tenant(inside) == UnusedFileCleanup(files=1)
    with pytest.raises(ObjectError, match="no longer there"):
        get_object(key)
    assert tidy_tenant(inside) == UnusedFileCleanup()


def test_a_young_file_stays_for_its_row_may_be_on_its_way(inside):
    key = put_object(inside, b"just now")
    age(file_of(key), ORPHANS_AFTER - timedelta(minutes=1))
    assert tidy_tenant(inside) == UnusedFileCleanup()
    assert get_object(key) == b"just now"


def test_a_file_of_a_text_or_an_upload_stays(inside):
    read, unreadable = add_upload("a.md", b"# Words\n\nSome words."), add_upload("b.pdf", b"%PDF-1.4 no more")
    for path in Path(settings.MEDIA_ROOT).rglob("*.gz"):
        age(path)
    assert tidy_tenant(inside) == UnusedFileCleanup()
    assert get_object(read.content.raw_key)
    assert unreadable.content is None


def test_an_old_kept_page_goes_with_its_file(inside):
    keep_page(put_long_ago(inside, b"old"), PAGES_FOR + DAY)
    young = put_long_ago(inside, b"young")
    keep_page(young, PAGES_FOR - DAY)
    assert tidy_tenant(inside) == UnusedFileCleanup(pages=1, files=1)
    assert get_object(young) == b"young"


@pytest.mark.parametrize(
    ("state", "files"), [(State.READING, 0), (State.HUMAN_REVIEW_PLAN, 0), (State.FAILED, 1)]
)
def test_a_file_that_a_step_will_read_stays_until_its_run_has_ended(inside, state, files):
    step_with(put_long_ago(inside, b"fetched"), state)
    assert tidy_tenant(inside) == UnusedFileCleanup(files=files)


def test_a_file_that_is_wanted_again_is_young_again(inside):
    key = put_long_ago(inside, b"again")
    put_object(inside, b"again")
    assert list(old_objects(inside, DAY)) == []
    assert not drop_object(key, DAY)
    assert get_object(key) == b"again"


def test_a_file_that_is_wanted_while_it_is_being_dropped_is_written_anew(inside):
    key = put_long_ago(inside, b"at the last moment")
    os.replace(
        file_of(key), file_of(key).with_suffix(".doomed")
    )  # the first half of `drop_object`; then a kill
    assert not has_object(key)
    put_object(inside, b"at the last moment")
    assert tidy_tenant(inside) == UnusedFileCleanup()  # the second half
    assert get_object(key) == b"at the last moment"
    assert not list(Path(settings.MEDIA_ROOT).rglob("*.doomed"))


def test_a_file_that_was_wanted_just_before_it_was_doomed_is_put_back(inside):
    key = put_object(inside, b"just before")
    os.replace(file_of(key), file_of(key).with_suffix(".doomed"))
    assert tidy_tenant(inside) == UnusedFileCleanup()
    assert get_object(key) == b"just before"


def test_what_a_kill_left_half_written_is_removed(inside):
    put_object(inside, b"whole")
    half = next(Path(settings.MEDIA_ROOT).rglob("*.gz")).with_suffix(".gz.0a1b.part")
    half.write_bytes(b"half")
    assert tidy_tenant(inside) == UnusedFileCleanup()
    assert half.exists()
    age(half)
    tidy_tenant(inside)
    assert not half.exists()


def test_a_file_that_another_sweep_removed_first_is_no_error(inside):
    assert not drop_object(put_long_ago(inside, b"gone").replace("a", "b"), DAY)


def test_every_tenant_is_tidied_and_keeps_its_own(inside):
    other = create_tenant("Others").pk
    with tenant_context(other):
        theirs = put_long_ago(other, b"the same bytes")
        keep_page(theirs, DAY)
    put_long_ago(inside, b"the same bytes")
    assert tidy() == UnusedFileCleanup(files=1)
    with tenant_context(other):
        assert get_object(theirs) == b"the same bytes"


def test_beat_asks_for_it_a_few_times_a_day():
    assert celery_settings.beat_schedule["tidy"]["task"] == "research.tasks.tidy"
