"""Every route of the API process."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from config.account_views import SPEC, account_spec
from config.problem_views import ProblemsView, ProblemView
from config.schema_views import SchemaView

urlpatterns: list[URLPattern | URLResolver] = [
    # Whoever follows the bare address that `./taki up` prints.
    path("", RedirectView.as_view(pattern_name="docs"), name="home"),
    path("admin/", admin.site.urls),
    path("", include("tournaments.pages.urls")),
    path("", include("games.pages.urls")),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("api/docs/accounts/", SpectacularSwaggerSplitView.as_view(url=SPEC), name="account_docs"),
    path(SPEC.lstrip("/"), account_spec),
    path("_allauth/openapi.yaml", RedirectView.as_view(url=SPEC)),  # JSON is YAML
    path("_allauth/", include("allauth.headless.urls")),
    path("account/", include("players.pages.urls")),
    path("mails/", include("games.notices.pages")),
    path("api/v1/problems/", ProblemsView.as_view(), name="problems"),
    path("api/v1/problems/<slug:code>/", ProblemView.as_view(), name="problem"),
    path("api/v1/", include("players.api.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("tournaments.api.urls")),
]

handler400 = "config.problems.bad_request"
handler403 = "config.problems.permission_denied"
handler404 = "config.problems.page_not_found"
handler500 = "config.problems.server_error"
