"""Several machines: the site on one, workers on others, no disk in common, and one of them is cut off."""

from collections.abc import Iterator

import pytest

from exports.formats.export_formats import Format
from tests.crash.beside import ask_for_file, fresh
from tests.crash.hosts import BUCKET, Host, host
from tests.crash.rig import LEASE_S
from tests.crash.stage import LONG, Stage, count_begun_steps, new_stage, wait_for_completion
from tests.crash.world import World
from tests.fakes.s3_server import S3Server, s3_server

pytestmark = pytest.mark.crash


@pytest.fixture
def bucket() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
def stage(world: World, bucket: S3Server) -> Stage:
    made = new_stage(world)
    made.kept = lambda: [path.removeprefix(f"/{BUCKET}/") for path in list(bucket.files)]
    return made


@pytest.fixture
def site(world: World, bucket: S3Server, tmp_path) -> Iterator[Host]:
    """Serves the web, and has no worker."""
    with host(world, tmp_path / "site", bucket) as made:
        yield made


@pytest.fixture
def workers(world: World, bucket: S3Server, tmp_path) -> Iterator[Host]:
    with host(world, tmp_path / "workers", bucket) as made:
        made.start_workers("b")
        yield made


def test_the_site_and_its_workers_need_no_disk_in_common(
    site: Host, workers: Host, stage: Stage, bucket: S3Server, tmp_path
) -> None:
    run = stage.start(site.rig)
    wait_for_completion(workers.rig, stage, run)
    file = ask_for_file(stage, run, Format.CSV)
    assert workers.rig.wait_until(lambda: fresh(stage, file).state == "ready", 60), fresh(stage, file)
    site.rig.web("fetch", stage.tenant_id, fresh(stage, file).object_key, tmp_path / "there")
    assert (tmp_path / "there").read_bytes() == b"en: What is known?"
    assert (site.list_stored_files(), workers.list_stored_files()) == ([], [])
    assert f"/{BUCKET}/{fresh(stage, file).object_key}" in bucket.files


@pytest.mark.full
@pytest.mark.parametrize("how", ["asleep", "cut off"])
def test_a_host_is_lost_in_mid_run_and_comes_back(
    how: str, site: Host, workers: Host, world: World, stage: Stage, bucket: S3Server, tmp_path
) -> None:
    """Another goes on with its run; nothing is doubled when it is there again."""
    run = stage.start(site.rig, **LONG)
    assert workers.rig.wait_until(lambda: count_begun_steps(workers.rig, run) > 5, 60)
    (workers.sleep if how == "asleep" else workers.wire.cut)()
    stage.note_kill()
    with host(world, tmp_path / "others", bucket) as others:
        others.start_workers("c")
        stage.wait(others.rig, run, 30 * LEASE_S)
        (workers.wake if how == "asleep" else workers.wire.mend)()
        wait_for_completion(others.rig, stage, run)
        again = stage.start(site.rig, **LONG)
        wait_for_completion(workers.rig, stage, again)
        assert (site.list_stored_files(), workers.list_stored_files(), others.list_stored_files()) == (
            [],
            [],
            [],
        )
