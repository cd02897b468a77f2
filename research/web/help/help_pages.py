"""Help pages: how it works, keys, accessibility. Public."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    return render(request, "research/help/help.html")


@require_safe
def shortcuts(request: HttpRequest) -> HttpResponse:
    return render(request, "research/help/shortcuts.html")


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    return render(request, "research/help/accessibility.html")
