"""URLs of the whole site."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from research.api.service import api
from research.web.preferences import choose_language
from research.web.review_page import review
from research.web.sign_in import SignIn

handler400 = "research.web.errors.bad_request"

urlpatterns = [
    path("admin/review/", admin.site.admin_view(review), name="admin_review"),
    path("admin/", admin.site.urls),
    path("login/", SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("i18n/setlang/", choose_language, name="set_language"),
    path("api/v1/", api.urls),
    path("", include("research.web.urls")),
]
