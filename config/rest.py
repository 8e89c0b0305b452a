"""Settings of Django REST framework and of the OpenAPI document."""

from typing import Any, Final

REST_FRAMEWORK: Final[dict[str, Any]] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "players.api.authentication.TokenAuthentication",
        "players.api.authentication.SessionTokenAuthentication",
        "players.api.authentication.CookieAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["players.api.bodies.StrictJSONParser"],
    "DEFAULT_FILTER_BACKENDS": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.problems.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "URL_FORMAT_OVERRIDE": None,  # `?format=` would be one more way to say Accept
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS: Final[dict[str, Any]] = {
    "TITLE": "TAKI",
    "DESCRIPTION": (
        "Play TAKI over HTTP: tables, moves, logs. Times are RFC 3339 in UTC, durations whole seconds, "
        "errors `application/problem+json` with a stable `code`."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SORT_OPERATIONS": False,
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "config.openapi.complete"],
    "PATH_CONVERTER_OVERRIDES": {
        "game_id": {"type": "string", "format": "uuid"},
        "tournament_id": {"type": "string", "format": "uuid"},
        "number": {"type": "integer", "minimum": 1, "maximum": 999_999},
        "seat": {"type": "integer", "minimum": 0, "maximum": 9},
        "version": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # they say the same again
    "ENUM_NAME_OVERRIDES": {
        "Scope": "players.models.Scope",
        "Language": "players.api.serializers.LANGUAGE_CODES",
        "Phase": "games.models.Phase",
        "Visibility": "games.models.Visibility",
        "FirstPlayer": "games.models.FirstPlayer",
        "BotLevel": "games.selectors.LEVEL_NAMES",
        "CommandType": "games.api.commands.TYPES",
        "Then": "games.api.serializers.THEN_WORDS",
        "Color": "games.api.shapes.COLORS",
        "Again": "games.api.shapes.AGAIN",
        "EventType": "games.api.shapes.EVENT_NAMES",
        "Looking": "games.api.serializers.LOOKING",
        "Refusal": "games.api.shapes.REFUSALS",
        "WhenAway": "tournaments.api.bodies.WHEN_AWAY",
        "TournamentPhase": "tournaments.api.bodies.PHASES",
        "TournamentFormat": "tournaments.api.bodies.FORMATS",
        "TableKind": "tournaments.api.bodies.TABLE_KINDS",
        "Seeding": "tournaments.api.bodies.SEEDINGS",
        "NoShows": "tournaments.api.bodies.NO_SHOWS",
        "FirstPlayerDrawn": "tournaments.api.bodies.FIRST_PLAYERS",
        "EntryStatus": "tournaments.api.bodies.ENTRY_STATUSES",
        "TableStatus": "tournaments.api.shapes.TABLE_STATUSES",
        "TableEnding": "tournaments.api.shapes.ENDINGS",
        "StageKind": "tournaments.api.shapes.STAGE_KINDS",
        "StageStatus": "tournaments.api.shapes.STAGE_STATUSES",
        "StandingGroup": "tournaments.api.shapes.GROUPS",
        "TournamentEventType": "tournaments.api.shapes.EVENT_NAMES",
    },
}
