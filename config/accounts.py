"""Settings of django-allauth: accounts over JSON, below `/_allauth/`."""

from typing import Any, Final

PREFIX: Final = "/_allauth/"
SERVED: Final = frozenset(
    {
        "config",
        "auth/session",
        "auth/signup",
        "auth/login",
        "auth/reauthenticate",
        "auth/email/verify",
        "auth/password/request",
        "auth/password/reset",
        "account/email",
        "account/password/change",
    }
)
"""What of allauth is served, below `/_allauth/{client}/v1/`: the library has telephones and codes as well."""


def settings(frontend_url: str) -> dict[str, Any]:
    """The settings; links in mails lead to pages below `frontend_url`."""
    return {
        "ACCOUNT_ADAPTER": "players.accounts.adapter.AccountAdapter",
        "ACCOUNT_USER_MODEL_USERNAME_FIELD": "name",
        "ACCOUNT_LOGIN_METHODS": {"username", "email"},
        "ACCOUNT_SIGNUP_FIELDS": ["username*", "email*", "password1*"],
        # One plays at once; mails are sent to a verified address only, and it alone can be logged in with for sure.
        "ACCOUNT_EMAIL_VERIFICATION": "optional",
        # A sign-up with another's address is answered as any other; only the mailbox learns more.
        "ACCOUNT_PREVENT_ENUMERATION": "strict",
        "ACCOUNT_CHANGE_EMAIL": True,
        "ACCOUNT_EMAIL_NOTIFICATIONS": True,
        "ACCOUNT_EMAIL_SUBJECT_PREFIX": "[TAKI] ",
        "ACCOUNT_REAUTHENTICATION_REQUIRED": True,
        "ACCOUNT_REAUTHENTICATION_METHODS": ("password",),
        "ACCOUNT_SESSION_REMEMBER": True,
        # Ours are counted in one step in Valkey (config.account_door); these would be, twice over, in a cache.
        "ACCOUNT_RATE_LIMITS": False,
        "HEADLESS_ONLY": True,
        "HEADLESS_CLIENTS": ("app", "browser"),
        "HEADLESS_ADAPTER": "players.accounts.adapter.HeadlessAdapter",
        "HEADLESS_TOKEN_STRATEGY": "players.accounts.sessions.SessionTokens",
        "HEADLESS_SERVE_SPECIFICATION": True,
        "HEADLESS_SPECIFICATION_TEMPLATE_NAME": None,  # its page would load scripts from elsewhere
        # Keys stand in the query, which no log holds.
        "HEADLESS_FRONTEND_URLS": {
            "account_confirm_email": f"{frontend_url}/verify-email/?key={{key}}",
            "account_reset_password": f"{frontend_url}/password/",
            "account_reset_password_from_key": f"{frontend_url}/new-password/?key={{key}}",
            "account_signup": f"{frontend_url}/",
        },
    }
