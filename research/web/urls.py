"""URLs of the pages."""

from django.urls import URLPattern

app_name = "research"

urlpatterns: list[URLPattern] = []
