"""The API with all its operations, whose errors become problems."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.parser import Parser
from ninja.types import DictStrAny

from research.integrations.api import (
    api_account,
    api_decks,
    api_files,
    api_knowledge,
    api_library,
    api_plans,
    api_results,
    api_runs,
    api_schedules,
    api_share_links,
    api_tables,
)
from research.integrations.api.api_problems import FieldFault, Problem, problem_for
from research.integrations.api.openapi import build_openapi_schema
from research.models import Kind

DESCRIPTION = """\
Use the site's research from programs: start research of any kind, watch it, read the results with the exact words
that support every claim, download files, and manage the library.

Send `Authorization: Bearer <token>`; tokens are created on the account page. Errors are `application/problem+json`
with a stable `code`. A POST with an `Idempotency-Key` is executed only once within 24 hours, however often it is
sent."""


_ESCAPED = re.compile(r"\\u(?:0000|d[89ab])", re.IGNORECASE)  # NUL, and surrogates


class StrictParser(Parser):
    """A parser that accepts only what the database can store and JSON defines.

    That is UTF-8 with no NUL and no lone surrogates, and no numbers that JSON does not have.
    """

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        text = request.body.decode("utf-8-sig")  # json would also detect UTF-16 and accept lone surrogates
        found = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        if _ESCAPED.search(text) and not _is_text(found):
            raise ValueError("it holds what is no text")
        return cast(DictStrAny, found)

    def parse_querydict(
        self, data: MultiValueDict[str, object], list_fields: list[str], request: HttpRequest
    ) -> DictStrAny:
        """Parse query parameters, a form or its files. Raises Problem if one contains a NUL character."""
        texts = (
            value for name, values in data.lists() for value in (name, *values) if isinstance(value, str)
        )
        if any("\0" in text for text in texts):
            raise Problem("invalid", _("The request contains characters that are not text."))
        return super().parse_querydict(data, list_fields, request)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits} is too large")
    return number


def _is_text(value: object) -> bool:
    if isinstance(value, str):
        return not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, dict):
        return all(_is_text(item) for pair in value.items() for item in pair)
    return not isinstance(value, list) or all(map(_is_text, value))


class Service(NinjaAPI):
    """The API; its published schema includes what all operations share."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: DictStrAny | None = None
    ) -> OpenAPISchema:
        return build_openapi_schema(self, path_prefix or self.get_root_path(path_params or {}))


api = Service(
    title="Plumbline",
    version="1",
    description=DESCRIPTION,
    openapi_url="/openapi.json",
    docs_url=None,
    urls_namespace="api",
    parser=StrictParser(),
)
for _router in (
    api_runs.router,
    api_results.router,
    api_tables.router,
    api_plans.router,
    api_schedules.router,
    api_files.router,
    api_decks.router,
    api_share_links.router,
    api_library.router,
    api_knowledge.router,
    api_account.router,
):
    api.add_router("", _router)


@api.exception_handler(Problem)
def _problem(request: HttpRequest, problem: Problem) -> HttpResponse:
    return problem.response()


def _place(location: Sequence[str | int]) -> str:
    """Return the client's path of a field, "body.input.question", without the internal names of the body and its
    kind.
    """
    where, *inside = map(str, location)
    if where == "body":
        inside = inside[1:]
        if inside and inside[0] in Kind.values:
            inside = inside[1:]
    return ".".join((where, *inside))


def _fault(detail: Mapping[str, Any]) -> FieldFault:
    """Return a validation error as a field fault; an unknown kind is reported for its field."""
    if detail["type"] == "union_tag_invalid":
        message = _("“%(given)s” is not one of: %(known)s.") % {
            "given": detail["ctx"]["tag"],
            "known": detail["ctx"]["expected_tags"].replace("'", ""),
        }
        return FieldFault(field=f"{_place(detail['loc'])}.kind", message=message)
    return FieldFault(field=_place(detail["loc"]), message=str(detail["msg"]).removeprefix("Value error, "))


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Respond `invalid` if a request violates the published schema, `refused` if it breaks another rule."""
    faults = [_fault(detail) for detail in error.errors]
    words = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
    is_of_shape = any(detail["type"] != "value_error" for detail in error.errors)
    return Problem("invalid" if is_of_shape else "refused", words, errors=faults).response()


@api.exception_handler(HttpError)
def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    return problem_for(error.status_code).response()


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return Problem("not_found").response()
