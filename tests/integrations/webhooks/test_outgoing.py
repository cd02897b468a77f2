"""Briefs on their way to consumers: signed, tried again, sent once more on demand."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.db.tenancy import tenant_context
from research.integrations.webhooks.outgoing_webhooks import redeliver
from research.integrations.webhooks.send_webhooks import (
    MAX_PAUSE,
    MAX_TRIES,
    MIN_PAUSE,
    pause_after,
    send_of_tenant,
)
from research.integrations.webhooks.webhook_signatures import has_valid_signature
from research.models import DeliveryState, SecretPurpose, WebhookDelivery, WebhookEndpoint
from research.storage.keys.webhook_secrets import keep_secret, key_of, new_secret
from tests.briefs.making import make_brief
from tests.fakes.partners import Partners, partners
from tests.people import Person, join
from tests.web.pages import words


@pytest.fixture
def consumer() -> Iterator[Partners]:
    with partners() as made:
        yield made


@pytest.fixture
def ada(db: None) -> Person:
    return join("ada")


def listen(ada: Person, url: str) -> str:
    secret = new_secret()
    with tenant_context(ada.tenant.pk):
        WebhookEndpoint.objects.create(consumer="rewrite", url=url)
        keep_secret(SecretPurpose.REWRITE, secret, ada.user)
    return secret


def delivery(ada: Person) -> WebhookDelivery:
    with tenant_context(ada.tenant.pk):
        return WebhookDelivery.objects.get()


def test_a_brief_is_sent_signed_and_once(ada: Person, consumer: Partners, settings) -> None:
    settings.PLUMBLINE_ALLOW_LOOPBACK = True
    secret = listen(ada, consumer.url)
    made = make_brief(ada)
    assert [send_of_tenant(ada.tenant.pk), send_of_tenant(ada.tenant.pk)] == [1, 0]
    [(headers, body)] = consumer.got
    assert has_valid_signature(body, headers, [key_of(secret)])
    assert json.loads(body)["data"]["brief"]["task_run"] == made.brief.task_run
    assert delivery(ada).state == DeliveryState.DELIVERED


def test_a_consumer_that_fails_is_asked_again_with_the_same_id(
    ada: Person, consumer: Partners, settings
) -> None:
    settings.PLUMBLINE_ALLOW_LOOPBACK = True
    listen(ada, consumer.url)
    make_brief(ada)
    consumer.status = 500
    send_of_tenant(ada.tenant.pk)
    row = delivery(ada)
    assert (row.state, row.attempts, row.tries[0]["status"]) == (DeliveryState.WAITING, 1, 500)
    consumer.status = 200
    with tenant_context(ada.tenant.pk):
        redeliver(row)
    send_of_tenant(ada.tenant.pk)
    assert delivery(ada).state == DeliveryState.DELIVERED
    assert len({headers["webhook-id"] for headers, _ in consumer.got}) == 1


def test_an_address_inside_the_network_is_never_called(ada: Person, consumer: Partners) -> None:
    listen(ada, consumer.url)
    make_brief(ada)
    send_of_tenant(ada.tenant.pk)
    assert consumer.got == []
    assert "refused" in delivery(ada).tries[0]["error"]


def test_after_the_last_try_it_is_given_up_and_kept(ada: Person) -> None:
    listen(ada, "http://127.0.0.1:9/")
    make_brief(ada)
    with tenant_context(ada.tenant.pk):
        WebhookDelivery.objects.update(attempts=MAX_TRIES - 1)
    send_of_tenant(ada.tenant.pk)
    assert delivery(ada).state == DeliveryState.GIVEN_UP


def test_nothing_is_kept_for_nobody(ada: Person) -> None:
    make_brief(ada)
    with tenant_context(ada.tenant.pk):
        assert not WebhookDelivery.objects.exists()


@given(st.integers(1, 400), st.floats(0, 1))
def test_pauses_grow_and_end(tries: int, draw: float) -> None:
    assert MIN_PAUSE <= pause_after(tries, draw) <= MAX_PAUSE * 1.25 + timedelta(seconds=1)
    assert pause_after(tries, 0) <= pause_after(tries + 1, 0)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://10.0.0.1/hook", "not on the public internet"),
        ("http://[::1]/hook", "not on the public internet"),
        ("ftp://consumer.example/hook", "http:// or https://"),
    ],
)
def test_an_address_that_is_never_called_is_not_kept(ada: Person, address: str, why: str) -> None:
    form = {"act": "endpoint", "consumer": "rewrite", "rewrite-url": address}
    answer = ada.sign_in().post("/account/webhooks/", form)
    assert (answer.status_code, why in words(answer)) == (422, True)
    with tenant_context(ada.tenant.pk):
        assert not WebhookEndpoint.objects.exists()
