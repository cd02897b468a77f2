"""Twenty canaries in a question, documents, an upload, a secret and a wrong password: no log or message has any."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from redis import Redis

from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.models import Kind, ModelCall, Outbox, SecretPurpose, TenantSecret
from research.pipelines.pipeline_in_foreground import ask
from research.storage.keys import data_encryption_keys
from research.storage.keys.webhook_secrets import keep_secret
from tests.secret_markers import CANARIES, capture_logs, find_markers

QUESTION = "What seasonal factor must a heat pump reach for Canary Guide 3.0?"


def dump_valkey(url: str) -> str:
    """All that Valkey holds, names and values."""
    take = {b"string": "get", b"list": "lrange", b"hash": "hgetall", b"set": "smembers", b"zset": "zrange"}
    with Redis.from_url(url) as client:
        found = []
        for key in client.scan_iter():
            name = take[client.type(key)]
            ends = (0, -1) if name in ("lrange", "zrange") else ()
            found.append(f"{key!r} {getattr(client, name)(key, *ends)!r}")
    return "\n".join(found)


@pytest.fixture
def log_and_output(account, tmp_path, valkey, capfd):
    """Return what was logged and printed while all of it was asked, read and refused."""
    (tmp_path / "guide.md").write_text(
        "# Canary Guide 3.0\n\nA heat pump must reach a seasonal factor of at least 3.0 by Canary Guide 3.0.\n\n"
        + "\n\n".join(f"The office keeps {canary} on record for heat pumps." for canary in CANARIES),
        encoding="utf-8",
    )
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 " + " ".join(CANARIES).encode())
    client = Client()
    client.force_login(account.user)
    with capture_logs() as lines:
        Client().post("/login/", {"login": CANARIES[8], "password": CANARIES[6]})
        client.post("/library/", {"documents": SimpleUploadedFile("note.txt", " ".join(CANARIES).encode())})
        with tenant_context(account.tenant_id):
            keep_secret(SecretPurpose.PARALLEL_WEBHOOK, CANARIES[2], account.user)
        key = import_folder(account.tenant_id, tmp_path).folder
        for question in (f"{QUESTION} {' '.join(CANARIES)}", QUESTION):
            document = ask(account, Kind.REPORT, question, {"folders": [key]})
            assert document.sources  # with or without an answer, it has been through all states
    return lines.getvalue() + "".join(capfd.readouterr())


def test_none_of_twenty_canaries_is_in_a_log_a_message_or_a_row_of_the_log(account, log_and_output, valkey):
    assert len(set(CANARIES)) == 20
    assert find_markers(log_and_output) == []
    assert find_markers(dump_valkey(valkey)) == []
    with tenant_context(account.tenant_id):
        assert find_markers(str(list(Outbox.objects.values()))) == []
        assert find_markers(str(list(ModelCall.objects.values()))) == []
        sealed = bytes(TenantSecret.objects.latest("created_at").sealed)
        assert CANARIES[2].encode() not in sealed
        assert sealed[:1] == data_encryption_keys.VERSION
