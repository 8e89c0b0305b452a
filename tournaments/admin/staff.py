"""The roles at the desk, as Django's groups: made after every migration, so that a new right reaches them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.apps import AppConfig, apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from players.models import Player
from tournaments.models import Tournament
from tournaments.roles import RUN, VIEW, runs

ADD: Final = "tournaments.add_tournament"
_LOOK: Final = ("games.view_game", "players.view_player")
_HANDS: Final = "games.look_at_hands"  # each look is in the audit log, with its reason
_AUDIT: Final = ("games.view_auditentry", "games.view_auditrun", "games.view_signingkey", "games.unfreeze_game")
ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    "organiser": (ADD, *_LOOK),
    "referee": (RUN, VIEW, *_LOOK, _HANDS),
    "auditor": (VIEW, *_LOOK, _HANDS, *_AUDIT),
}
"""The rights of each role. An organiser runs the tournaments it owns, which needs no right of its own."""


@receiver(post_migrate, dispatch_uid="tournaments.roles")
def arrange_roles(sender: AppConfig, using: str = "default", **_: Any) -> None:
    """Make the groups, with these rights and no fewer; what a superuser added to them stays."""
    if sender.label != Tournament._meta.app_label:
        return
    for app in ("players", "games", "tournaments"):
        create_permissions(apps.get_app_config(app), verbosity=0, using=using)
    with transaction.atomic(using=using):
        for role, rights in ROLES.items():
            group, _made = Group.objects.using(using).get_or_create(name=role)
            group.permissions.add(*_permissions(rights, using))


def _permissions(rights: tuple[str, ...], using: str) -> list[Permission]:
    found = []
    for right in rights:
        app, codename = right.split(".")
        found.append(Permission.objects.using(using).get(content_type__app_label=app, codename=codename))
    return found


# ---- who may do what at the desk


def may_open(player: Player) -> bool:
    """Whether there is anything at the desk for this one."""
    return any(player.has_perm(right) for right in (ADD, RUN, VIEW))


def may_create(player: Player) -> bool:
    """Organisers and superusers; a referee may not."""
    return player.has_perm(ADD)


def may_see(player: Player, tournament: Tournament) -> bool:
    """One's own, or any with the right to."""
    return runs(player, tournament) or player.has_perm(VIEW)
