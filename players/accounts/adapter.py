"""What django-allauth asks us: which names there are, how mails are written, where their links lead."""

import logging
from http import HTTPStatus
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context as current
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.httpkit import is_headless_request
from allauth.headless.adapter import DefaultHeadlessAdapter
from allauth.headless.constants import Client
from allauth.headless.internal.restkit.response import ErrorResponse
from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from players.api.addresses import client_address
from players.api.errors import TooManyRequests
from players.api.throttles import MAILS, limit_spend
from players.models import Player, new_id
from players.names import BadName, is_reserved, name_key, name_normal

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Our names, our mails, our limits."""

    error_messages: Final = {
        **DefaultAccountAdapter.error_messages,
        "bad_name": _("A name has 2 to 24 letters, digits, single spaces, “_”, “-” or “.”."),
        "username_taken": _("This name is taken."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name in its normal form. ValidationError when it is none, or taken in whatever case."""
        try:
            name = name_normal(username)
        except BadName as bad:
            raise self.validation_error("bad_name") from bad
        if is_reserved(name) or (not shallow and Player.objects.filter(key=name_key(name)).exists()):
            raise self.validation_error("username_taken")
        return name

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        """The new account. A name that was taken in this instant is answered as one that was taken before."""
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)
        except IntegrityError as taken:
            raise self._refused(request, "username_taken") from taken

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Whether it is a change of address that is called off. An account keeps its last: passwords are forgotten."""
        others = EmailAddress.objects.filter(user_id=email_address.user_id).exclude(pk=email_address.pk)
        return not email_address.primary and others.exists()

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Note that the address is the account's. Of two that confirm the same one at once, one is told it is taken."""
        try:
            with transaction.atomic():
                return bool(super().confirm_email(request, email_address))
        except IntegrityError as taken:
            raise self._refused(request, "email_taken") from taken

    def set_password(self, user: Any, password: str) -> None:
        """Write the password and nothing else: the rest may have changed meanwhile.

        Of several who come at once with the same proof, an old password or the key of a mail, it serves one.
        """
        as_proved = Player.objects.select_for_update(no_key=True).filter(pk=user.pk, password=user.password)
        if not as_proved.exists():
            knows = current.request.user.is_authenticated
            raise self._refused(current.request, "enter_current_password" if knows else "invalid_password_reset")
        user.set_password(password)
        user.save(update_fields=["password"])

    def _refused(self, request: HttpRequest, code: str) -> ImmediateHttpResponse:
        """allauth's own answer of what the database found out last; a page (`players.pages`) says it in its own way."""
        if not is_headless_request(request):
            return ImmediateHttpResponse(HttpResponse(status=HTTPStatus.BAD_REQUEST))
        return ImmediateHttpResponse(ErrorResponse(request, exception=self.validation_error(code)))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Nothing: log-ins are counted where the password is looked at (`AccountBackend`)."""

    def _rollback_login_failed_rl_usage(self) -> None:
        """Nothing, likewise: a right guess counts as well, or it would show."""

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Nothing, likewise."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """As everywhere here."""
        return client_address(request)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Ask to confirm the address; if it is another account's, tell its mailbox that, and nobody else."""
        address: EmailAddress = emailconfirmation.email_address
        others = EmailAddress.objects.filter(email=address.email, verified=True).exclude(user_id=address.user_id)
        if others.exists():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tell the account's address what was done to it; not where from: an address is personal data."""
        to = email or EmailAddress.objects.get_primary_email(user)
        if to:
            self.send_mail(template_prefix, to, {"user": user, **(context or {})})

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write the mail, in the language of its player, or else of the request.

        A mailbox gets only so many of a kind an hour; what is beyond is left out, and nobody is told. (Of a kind: or
        strangers' sign-ups with an address would keep the mail away by which its owner chooses a new password.)
        """
        if template_prefix == _UNKNOWN:
            _cost_as_much(email)
        try:
            limit_spend(MAILS, _mailbox(email, template_prefix))
        except TooManyRequests:
            logger.warning("a mail (%s) was left out: its mailbox has had too many", template_prefix)
            return
        language = getattr(context.get("user"), "language", "") or translation.get_language()
        pages = {
            "site": settings.TAKI_PUBLIC_URL,
            "reset_page": settings.HEADLESS_FRONTEND_URLS["account_reset_password"],
        }
        with translation.override(language):
            self.render_mail(template_prefix, email, {**pages, **context}).send()

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """The mail, plain text alone."""
        subject = " ".join(render_to_string(f"{template_prefix}_subject.txt", context).split())
        body = render_to_string(f"{template_prefix}_message.txt", context)
        to = [email] if isinstance(email, str) else email
        return EmailMessage(self.format_email_subject(subject), body.strip() + "\n", self.get_from_email(), to)


class HeadlessAdapter(DefaultHeadlessAdapter):  # type: ignore[misc]  # allauth has no types
    """Links that need no request: a mail may be written by a task."""

    def get_frontend_url(self, urlname: str, **kwargs: Any) -> str | None:
        """The page that a link leads to."""
        found: str = settings.HEADLESS_FRONTEND_URLS[urlname]
        return found.format(**kwargs)

    def populate_response_meta(self, request: HttpRequest, meta: dict[str, Any]) -> None:
        """For a page, the CSRF token: one on another host of the same site cannot read this host's cookie."""
        if is_headless_request(request) == Client.BROWSER:
            meta["csrf_token"] = get_token(request)


def _mailbox(email: str, kind: str) -> str:
    """Under what a mail is counted: no address is kept."""
    return salted_hmac("players.accounts.mailbox", f"{kind} {email.lower()}", algorithm="sha256").hexdigest()


_UNKNOWN: Final = "account/email/unknown_account"


def _cost_as_much(email: str) -> None:
    """What a link for a known address takes: or the time would tell that this one is unknown."""
    nobody = Player(pk=new_id(), last_login=None)
    EmailAddress.objects.filter(user_id=nobody.pk, email=email).exists()
    list(EmailAddress.objects.filter(user_id=nobody.pk).values_list("email", flat=True))
    PasswordResetTokenGenerator().make_token(nobody)
