"""Standard Webhooks: what is verified, and what is not."""

import base64
import hashlib
import hmac
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.integrations.webhooks.webhook_signatures import (
    ID,
    SIGNATURE,
    TIMESTAMP,
    build_signature_headers,
    has_valid_signature,
)
from research.storage.keys.webhook_secrets import key_of, new_secret

KEY, BODY = b"TEST-ONLY-SECRET-not-a-credential", '{"type":"task_run.status"}'


def headers(*, ago_s: float = 0, key: bytes = KEY, body: str = BODY) -> dict[str, str]:
    return build_signature_headers("msg_1", datetime.now(tz=UTC) - timedelta(seconds=ago_s), body, [key])


def test_what_was_signed_is_verified():
    assert has_valid_signature(BODY.encode(), headers(), [KEY])


def test_the_signature_is_the_standards_own():
    moment = datetime(2026, 11, 20, 9, 3, 12, tzinfo=UTC)
    digest = hmac.new(KEY, f"msg_1.{int(moment.timestamp())}.{BODY}".encode(), hashlib.sha256).digest()
    assert (
        build_signature_headers("msg_1", moment, BODY, [KEY])[SIGNATURE]
        == f"v1,{base64.b64encode(digest).decode()}"
    )


@pytest.mark.parametrize(
    ("ago_s", "stands"), [(0, True), (290, True), (-290, True), (310, False), (-310, False)]
)
def test_a_message_counts_for_five_minutes_either_way(ago_s, stands):
    assert has_valid_signature(BODY.encode(), headers(ago_s=ago_s), [KEY]) is stands


def test_another_body_id_time_or_key_is_refused():
    good = headers()
    assert not has_valid_signature(BODY.encode() + b" ", good, [KEY])
    assert not has_valid_signature(BODY.encode(), {**good, ID: "msg_2"}, [KEY])
    assert not has_valid_signature(BODY.encode(), {**good, TIMESTAMP: str(int(good[TIMESTAMP]) - 1)}, [KEY])
    assert not has_valid_signature(BODY.encode(), good, [b"another-secret-of-someone"])
    assert not has_valid_signature(BODY.encode(), good, [])


def test_any_of_several_keys_and_signatures_is_enough():
    moment = datetime.now(tz=UTC)
    both = build_signature_headers("msg_1", moment, BODY, [b"the-old-secret-of-ours", KEY])
    assert has_valid_signature(BODY.encode(), both, [KEY])
    assert has_valid_signature(BODY.encode(), headers(), [b"the-new-secret-of-ours", KEY])
    assert has_valid_signature(BODY.encode(), {**both, SIGNATURE: f"v1a,AAAA v2,x {both[SIGNATURE]}"}, [KEY])


@pytest.mark.parametrize("name", [ID, TIMESTAMP, SIGNATURE])
@pytest.mark.parametrize(
    "value", ["", " ", "v1", "v1,", "v1,é", "v1,a", ",", "nan", "-1", "1e9", "9" * 400, "²"]
)
def test_nonsense_in_a_header_is_refused_and_breaks_nothing(name, value):
    assert not has_valid_signature(BODY.encode(), {**headers(), name: value}, [KEY])


@given(st.binary(max_size=60), st.text(max_size=30), st.text(max_size=30), st.text(max_size=60))
def test_no_noise_is_ever_verified(body, message_id, moment, signature):
    assert not has_valid_signature(body, {ID: message_id, TIMESTAMP: moment, SIGNATURE: signature}, [KEY])


def test_bytes_that_are_no_text_are_refused():
    assert not has_valid_signature(b"\xff\xfe", headers(), [KEY])


def test_a_secret_is_raw_or_in_base64():
    assert key_of("raw-secret-of-sixteen") == b"raw-secret-of-sixteen"
    assert len(key_of(new_secret())) == 32
    assert key_of("whsec_!!!!") == b""
