"""A program that speaks to the interface with a token."""

import json
from collections.abc import Collection
from dataclasses import dataclass, field

from django.test import Client

from research.accounts.api_tokens import issue_token
from research.db.tenancy import tenant_context
from research.models import Scope
from tests.people import Person

ROOT = "/api/v1"


@dataclass
class Program:
    """Paths are relative to the interface's root."""

    token: str | None = None
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        named = {name.replace("_", "-"): value for name, value in more.items()}
        return {"Authorization": f"Bearer {self.token}", **named} if self.token else named

    def get(self, path: str, **headers: str):
        return self.client.get(f"{ROOT}{path}", headers=self._headers(headers))

    def post(self, path: str, body: object = None, **headers: str):
        data = b"" if body is None else json.dumps(body).encode()
        return self.client.post(
            f"{ROOT}{path}", data, content_type="application/json", headers=self._headers(headers)
        )

    def upload(self, path: str, data: dict[str, object], **headers: str):
        return self.client.post(f"{ROOT}{path}", data, headers=self._headers(headers))

    def delete(self, path: str):
        return self.client.delete(f"{ROOT}{path}", headers=self._headers({}))

    def send(self, method: str, path: str, body: object = None):
        if method in ("GET", "DELETE"):
            return self.get(path) if method == "GET" else self.delete(path)
        data = b"" if body is None else json.dumps(body).encode()
        return self.client.generic(
            method, f"{ROOT}{path}", data, content_type="application/json", headers=self._headers({})
        )


def token_of(person: Person, scopes: Collection[Scope] = tuple(Scope), days: int | None = None) -> str:
    with tenant_context(person.tenant.pk):
        return issue_token(person.user, "a program", scopes, days)[1]


def program_of(person: Person, scopes: Collection[Scope] = tuple(Scope)) -> Program:
    return Program(token_of(person, scopes))
