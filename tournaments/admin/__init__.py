"""The organiser's desk: tournaments in the Django admin. Everything that changes anything calls a service."""

from django.contrib import admin

from tournaments.admin.desk import TournamentAdmin
from tournaments.admin.staff import arrange_roles  # noqa: F401  # connects itself to the end of every migration
from tournaments.models import Tournament

admin.site.index_template = "admin/tournaments/dashboard.html"
admin.site.register(Tournament, TournamentAdmin)
