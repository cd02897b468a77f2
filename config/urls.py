"""URLs of the whole site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from research.admin_operating import installation
from research.api.service import api
from research.web.preferences import choose_language
from research.web.probes import live, metrics, ready
from research.web.review_page import review

handler400 = "research.web.errors.bad_request"
handler403 = "research.web.errors.refused"
handler404 = "research.web.errors.not_found"
handler500 = "research.web.errors.failed"

# The second step is asked for wherever one signs in.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("health/live/", live, name="live"),
    path("health/ready/", ready, name="ready"),
    path("metrics/", metrics, name="metrics"),
    path("admin/installation/", admin.site.admin_view(installation), name="admin_installation"),
    path("admin/review/", admin.site.admin_view(review), name="admin_review"),
    path("admin/", admin.site.urls),
    path("", include("research.web.sign_in_urls")),
    path("i18n/setlang/", choose_language, name="set_language"),
    path("api/v1/docs", RedirectView.as_view(pattern_name="research:api")),
    path("api/v1/", api.urls),
    path("", include("research.web.urls")),
]
