"""The schema at `/api/v1/openapi.json`: ninja's, with the responses and headers that all operations share."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.types import DictStrAny

from research.integrations.api.api_auth import Bearer
from research.integrations.api.api_idempotency_keys import HEADER, KEY, MAX_KEY
from research.integrations.api.api_problems import MEDIA_TYPE, ProblemOut

METHODS = ("get", "post", "put", "patch", "delete")
COMMON = {400: "Unreadable", 401: "No valid token", 403: "Not allowed", 404: "Not there", 422: "Invalid"}
OF_CHANGES = {
    409: "Not now",
    413: "Too large",
    415: "Another media type is needed",
    429: "Too many requests",
}
GONE = {409: "Not ready", 410: "Not there any more"}
INPUT = "In"  # suffix of request schemas, as responses may have the same name


class NamesClash(Exception):
    """Two different schemas have the same name, so that one would replace the other."""


class Schema(OpenAPISchema):
    """An OpenAPI schema with separate names for requests and responses, in which no schema replaces another."""

    def request_body(self, operation: Any) -> DictStrAny:  # noqa: ANN401 - ninja's own
        kept = self.schemas
        self.schemas = {}
        body = super().request_body(operation)
        sent, self.schemas = self.schemas, kept
        renamed = {f"{name}{INPUT}": _rename_references(schema, sent) for name, schema in sent.items()}
        self.add_schema_definitions(renamed)
        published: DictStrAny = _rename_references(body, sent)
        return published

    def operation_security(self, operation: Any) -> list[DictStrAny] | None:  # noqa: ANN401 - ninja's own
        """Return the security requirements, with the scope that the operation needs."""
        security: list[DictStrAny] | None = super().operation_security(operation)
        scopes = [
            callback.scope.value
            for callback in operation.auth_callbacks or ()
            if isinstance(callback, Bearer)
        ]
        return [dict.fromkeys(requirement, scopes) for requirement in security] if security else security

    def add_schema_definitions(self, definitions: DictStrAny) -> None:
        for name, definition in definitions.items():
            if self.schemas.setdefault(name, definition) != definition:
                raise NamesClash(name)


def _rename_references(schema: DictStrAny, names: DictStrAny) -> Any:  # noqa: ANN401 - any JSON
    """Return the schema with references to the published names."""
    text = json.dumps(schema)
    for name in names:
        text = text.replace(f'"#/components/schemas/{name}"', f'"#/components/schemas/{name}{INPUT}"')
    return json.loads(text)


def build_openapi_schema(api: NinjaAPI, path_prefix: str) -> OpenAPISchema:
    schema = Schema(api, path_prefix)
    schema["paths"] = deepcopy(schema["paths"])  # operations with several methods share their parts
    schema["components"]["schemas"]["Problem"] = ProblemOut.model_json_schema(
        ref_template="#/components/schemas/{model}", mode="serialization"
    )
    faults = schema["components"]["schemas"]["Problem"].pop("$defs")
    schema["components"]["schemas"].update(faults)
    for path, method, operation in operations(schema):
        _complete(path, method, operation)
    return schema


def operations(schema: DictStrAny) -> Iterator[tuple[str, str, DictStrAny]]:
    for path, found in schema["paths"].items():
        for method in METHODS:
            if method in found:
                yield path, method, found[method]


def _complete(path: str, method: str, operation: DictStrAny) -> None:
    told = {**COMMON, **(OF_CHANGES if method != "get" else {}), **(GONE if path.endswith("/file") else {})}
    for status, words in told.items():
        operation["responses"].setdefault(
            status,
            {
                "description": words,
                "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        )
    if method == "post":
        operation["parameters"].append(
            {
                "in": "header",
                "name": HEADER,
                "required": False,
                "description": "The same request with the same key is executed only once within 24 hours.",
                "schema": {"type": "string", "maxLength": MAX_KEY, "pattern": f"^{KEY.pattern}$"},
            }
        )
