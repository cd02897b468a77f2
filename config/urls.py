"""URLs of the whole site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from research.admin.operations_admin import installation
from research.integrations.api.api_service import api
from research.web.review.review_page import review
from research.web.site.display_preferences import choose_language
from research.web.site.health_pages import live, metrics, ready

handler400 = "research.web.site.error_pages.bad_request"
handler403 = "research.web.site.error_pages.render_forbidden"
handler404 = "research.web.site.error_pages.not_found"
handler500 = "research.web.site.error_pages.render_server_error"

# The second factor is required for every way to sign in.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("health/live/", live, name="live"),
    path("health/ready/", ready, name="ready"),
    path("metrics/", metrics, name="metrics"),
    path("admin/installation/", admin.site.admin_view(installation), name="admin_installation"),
    path("admin/review/", admin.site.admin_view(review), name="admin_review"),
    path("admin/", admin.site.urls),
    path("", include("research.web.account.sign_in_urls")),
    path("i18n/setlang/", choose_language, name="set_language"),
    path("api/v1/docs", RedirectView.as_view(pattern_name="research:api")),
    path("api/v1/", api.urls),
    path("", include("research.web.urls")),
]
