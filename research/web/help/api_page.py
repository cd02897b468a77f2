"""The documentation of the API for people: first steps, errors, operations. Public."""

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from research.integrations.api.api_problems import CODES
from research.integrations.api.api_reference import ApiReference, reference_of

ROOT = "/api/v1"


@require_safe
def api_page(request: HttpRequest) -> HttpResponse:
    codes = [(code, status, title) for code, (status, title) in CODES.items()]
    shown = {
        "site": request.build_absolute_uri("/").rstrip("/"),
        "root": ROOT,
        "codes": codes,
        "reference": _reference(),
    }
    return render(request, "research/help/api.html", shown)


@cache
def _reference() -> ApiReference:
    from research.integrations.api.api_service import api

    return reference_of(api.get_openapi_schema(path_prefix=f"{ROOT}/"))
