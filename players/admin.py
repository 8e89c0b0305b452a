"""Players and tokens in the admin."""

from typing import TYPE_CHECKING, Any, ClassVar

import allauth.account.admin  # noqa: F401  # what it registers is registered anew below
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest

from players.models import Player, Token
from players.read_only import ReadOnly

if TYPE_CHECKING:
    _PlayerPages = admin.ModelAdmin[Player]
    _TokenPages = admin.ModelAdmin[Token]
    _AddressPages = admin.ModelAdmin[EmailAddress]
    _GroupPages = GroupAdmin
else:  # the theme's; it takes no type argument at run time
    from unfold.admin import ModelAdmin

    _PlayerPages = _TokenPages = _AddressPages = ModelAdmin

    class _GroupPages(GroupAdmin, ModelAdmin):
        """Django's, themed."""


@admin.register(Player)
class PlayerAdmin(_PlayerPages):
    """Who plays. Players come in by themselves, and are never deleted here: games name them."""

    list_display = ("name", "guest", "bot", "is_active", "is_staff", "created_at")
    list_filter = ("guest", "bot", "is_active", "is_staff")
    search_fields = ("name",)
    ordering = ("-id",)
    fields = (
        "id", "name", "email", "guest", "bot", "is_active",
        "is_staff", "is_superuser", "groups", "user_permissions", "created_at", "last_login",
    )  # fmt: skip
    filter_horizontal = ("groups", "user_permissions")
    # Addresses are confirmed by their mailboxes, and changed by their accounts.
    _told: ClassVar[tuple[str, ...]] = ("id", "email", "guest", "created_at", "last_login")
    _power: ClassVar[tuple[str, ...]] = ("is_staff", "is_superuser", "groups", "user_permissions")

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        """Only a superuser hands out rights, or nobody's would be safe from the least of them."""
        return self._told if _is_superuser(request) else (*self._told, *self._power)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody: `createsuperuser` makes staff, guests make themselves."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Nobody changes a superuser but a superuser."""
        if obj is not None and obj.is_superuser and not _is_superuser(request):
            return False
        return super().has_change_permission(request, obj)


@admin.register(Token)
class TokenAdmin(_TokenPages):
    """Tokens: to be looked at and revoked (deleted). What they are is known to nobody but their owners."""

    list_display = ("id", "player", "name", "scopes", "created_at", "expires_at", "last_used_on")
    search_fields = ("player__name", "name")
    fields = ("id", "player", "name", "scopes", "created_at", "expires_at", "last_used_on")
    readonly_fields = fields
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Token]:
        """Without the digests."""
        return super().get_queryset(request).select_related("player").defer("digest")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False


admin.site.unregister(EmailAddress)


@admin.register(EmailAddress)
class EmailAddressAdmin(ReadOnly, _AddressPages):
    """Whose address is which, and whether its mailbox has said so: to be looked at."""

    list_display = ("email", "user", "verified", "primary")
    list_filter = ("verified",)
    search_fields = ("email", "user__name")
    fields = ("email", "user", "verified", "primary")
    list_select_related = ("user",)


admin.site.unregister(Group)


@admin.register(Group)
class RoleAdmin(_GroupPages):
    """Groups are the roles at the desk."""


def _is_superuser(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))
