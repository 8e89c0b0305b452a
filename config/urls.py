"""Every route of the API process."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from config.problem_views import ProblemsView, ProblemView

urlpatterns: list[URLPattern | URLResolver] = [
    # Whoever follows the bare address that `./taki up` prints.
    path("", RedirectView.as_view(pattern_name="docs"), name="home"),
    path("admin/", admin.site.urls),
    path("", include("tournaments.pages.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
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
