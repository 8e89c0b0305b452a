"""Confirming an address and choosing a new password in a browser. A link only looks; what is done, a POST does."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from allauth.account.internal.flows import password_reset
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.headless.account.inputs import RequestPasswordResetInput, ResetPasswordInput, VerifyEmailInput
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.api.addresses import address_key
from players.api.errors import TooManyRequests
from players.api.throttles import ACCOUNTS, RESETS, limit_spend

POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
USED_UP: Final = gettext_noop("This link is used up or too old, or the address is another account's.")
Page = Callable[..., HttpResponse]


def page(view: Page) -> Page:
    """A page that looks at GET and acts at POST, in one transaction, at most so often, under a strict policy."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def answered(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        try:
            limit_spend(ACCOUNTS, address_key(request))
            with transaction.atomic():
                answer = view(request, *arguments, **named)
        except ImmediateHttpResponse:  # somebody else was first, in this instant
            answer = _told(request, _("Accounts"), _(USED_UP), 404)
        except TooManyRequests as refused:
            sentence = _("Too many requests; try again in %(seconds)s s.") % {"seconds": refused.seconds}
            answer = _told(request, _("Slower, please"), sentence, status=429)
            answer.headers["Retry-After"] = str(refused.seconds)
        answer.headers["Content-Security-Policy"] = POLICY
        # The address of the page holds a key. (`no-referrer` would make the form's own origin unknown.)
        answer.headers["Referrer-Policy"] = "same-origin"
        return answer

    return answered


@page
def welcome(request: HttpRequest) -> HttpResponse:
    """Where accounts are made."""
    return _told(request, _("Accounts"), _("Accounts are made in the game that you play with, or by the API."))


@page
def confirm_email(request: HttpRequest) -> HttpResponse:
    """Confirm that an address is one's own."""
    heading, asked = _("Confirm your address"), VerifyEmailInput({"key": request.GET.get("key", "")})
    if not asked.is_valid():
        return _told(request, heading, _(USED_UP), 404)
    if request.method != "POST":
        sentence = _("Is %(email)s yours?") % {"email": asked.verification.email_address.email}
        return _form(request, heading, sentence, _("Yes, confirm it"))
    asked.verification.confirm(request)
    return _told(request, heading, _("Thank you: the address is confirmed."))


@page
def request_password(request: HttpRequest) -> HttpResponse:
    """Ask for a mail by which a new password can be chosen. The answer is the same for every address."""
    heading, asked = _("Choose a new password"), RequestPasswordResetInput(request.POST or None)
    if request.method == "POST":
        limit_spend(RESETS, address_key(request))
        if asked.is_valid():
            asked.save(request)
            return _told(request, heading, _("If an account has this address, a mail with a link is on its way."))
    return _form(request, heading, _("Which address does your account have?"), _("Send me a link"), asked, "email")


@page
def choose_password(request: HttpRequest) -> HttpResponse:
    """Choose a new password, by the link of a mail."""
    heading = _("Choose a new password")
    given = {"key": request.GET.get("key", ""), "password": request.POST.get("password", "")}
    asked = ResetPasswordInput(given)
    valid = asked.is_valid()
    if "key" in asked.errors:
        return _told(request, heading, _("This link is used up or too old."), 404)
    if request.method == "POST" and valid:
        password_reset.reset_password(asked.user, asked.cleaned_data["password"])
        password_reset.finalize_password_reset(request, asked.user)
        return _told(request, heading, _("The new password holds. Every log-in and token from before has ended."))
    shown = asked if request.method == "POST" else None
    sentence = _("The new password for “%(name)s”:") % {"name": asked.user.name}
    return _form(request, heading, sentence, _("Save it"), shown, "password")


def _told(request: HttpRequest, heading: str, sentence: str, status: int = 200) -> HttpResponse:
    return render(request, "players/page.html", {"heading": heading, "sentence": sentence}, status=status)


def _form(
    request: HttpRequest, heading: str, sentence: str, button: str, asked: Any = None, field: str = ""
) -> HttpResponse:
    """The page with a form: one field, or none. What is wrong with the last try stands above it."""
    wrong = [str(text) for texts in asked.errors.values() for text in texts] if asked is not None else []
    shown = {"heading": heading, "sentence": sentence, "button": button, "field": field, "wrong": wrong}
    return render(request, "players/page.html", shown, status=422 if wrong else 200)
