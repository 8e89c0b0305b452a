"""The routes of the pages, below `/account/`."""

from django.urls import path

from players.pages.views import choose_password, confirm_email, request_password, welcome

urlpatterns = [
    path("", welcome, name="account"),
    path("verify-email/", confirm_email, name="account-verify-email"),
    path("password/", request_password, name="account-password"),
    path("new-password/", choose_password, name="account-new-password"),
]
