"""Changes of what players may do, told to the audit log: flags, roles, rights, and the rights of a role.

By Django's signals, as the changes are made by Django's own pages and commands; `QuerySet.update` sends none.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.models import Group, Permission
from django.db.models import Model
from django.db.models.signals import m2m_changed, post_save, pre_delete, pre_save

from games.audit.acting import acting_command, acting_player
from games.models import AuditEntry, AuditKind
from players.models import Player

FLAGS: Final = ("is_staff", "is_superuser", "is_active")
_DONE: Final = {"post_add": "added", "post_remove": "removed", "pre_clear": "removed"}


def listen() -> None:
    """Hear of every change from now on; harmless to repeat."""
    pre_save.connect(_flags, sender=Player, dispatch_uid="games.audit.flags")
    post_save.connect(_flags_of_new, sender=Player, dispatch_uid="games.audit.new")
    m2m_changed.connect(_groups, sender=Player.groups.through, dispatch_uid="games.audit.groups")
    m2m_changed.connect(_rights, sender=Player.user_permissions.through, dispatch_uid="games.audit.rights")
    m2m_changed.connect(_role_rights, sender=Group.permissions.through, dispatch_uid="games.audit.role_rights")
    pre_delete.connect(_role_gone, sender=Group, dispatch_uid="games.audit.role_gone")


def _tell(code: str, data: dict[str, Any], subject: UUID | None = None) -> None:
    command = acting_command()
    AuditEntry.objects.create(
        at=datetime.now(UTC),
        kind=AuditKind.ROLE,
        code=code,
        player_id=acting_player(),
        subject_id=subject,
        data=data | ({"command": command} if command else {}),
    )


def _flags(sender: type[Player], instance: Player, update_fields: Iterable[str] | None = None, **_: Any) -> None:
    if instance._state.adding:
        return
    flags = [flag for flag in FLAGS if update_fields is None or flag in update_fields]
    before = sender.objects.filter(pk=instance.pk).values(*flags).first() if flags else None
    changed = {flag: [was, getattr(instance, flag)] for flag, was in (before or {}).items()}
    changed = {flag: values for flag, values in changed.items() if values[0] != values[1]}
    if changed:
        _tell("flags_changed", changed, instance.pk)


def _flags_of_new(instance: Player, created: bool, **_: Any) -> None:
    given = {flag: [False, True] for flag in ("is_staff", "is_superuser") if getattr(instance, flag)}
    if created and given:
        _tell("flags_changed", given, instance.pk)


def _groups(action: str, instance: Model, reverse: bool, pk_set: set[Any] | None, **_: Any) -> None:
    if action not in _DONE:
        return
    if isinstance(instance, Group):  # from the role's side: the players are the set
        players = pk_set if pk_set is not None else set(instance.user_set.values_list("pk", flat=True))
        for player in sorted(players):
            _tell(f"roles_{_DONE[action]}", {"roles": [instance.name]}, player)
    elif isinstance(instance, Player):
        groups = Group.objects.filter(pk__in=pk_set) if pk_set is not None else instance.groups.all()
        names = sorted(groups.values_list("name", flat=True))
        if names:
            _tell(f"roles_{_DONE[action]}", {"roles": names}, instance.pk)


def _rights(action: str, instance: Model, reverse: bool, pk_set: set[Any] | None, **_: Any) -> None:
    if action not in _DONE:
        return
    if isinstance(instance, Permission):
        players = pk_set if pk_set is not None else set(instance.user_set.values_list("pk", flat=True))
        for player in sorted(players):
            _tell(f"rights_{_DONE[action]}", {"rights": [_name(instance)]}, player)
    elif isinstance(instance, Player):
        rights = _names(pk_set, instance.user_permissions.all())
        if rights:
            _tell(f"rights_{_DONE[action]}", {"rights": rights}, instance.pk)


def _role_rights(action: str, instance: Model, reverse: bool, pk_set: set[Any] | None, **_: Any) -> None:
    if action not in _DONE:
        return
    code = f"role_rights_{_DONE[action]}"
    if isinstance(instance, Permission):
        groups = Group.objects.filter(pk__in=pk_set) if pk_set is not None else instance.group_set.all()
        for name in sorted(groups.values_list("name", flat=True)):
            _tell(code, {"role": name, "rights": [_name(instance)]})
    elif isinstance(instance, Group):
        rights = _names(pk_set, instance.permissions.all())
        if rights:
            _tell(code, {"role": instance.name, "rights": rights})


def _role_gone(instance: Group, **_: Any) -> None:
    _tell("role_deleted", {"role": instance.name, "players": instance.user_set.count()})


def _names(pk_set: set[Any] | None, all_of_them: Any) -> list[str]:
    found = Permission.objects.filter(pk__in=pk_set) if pk_set is not None else all_of_them
    return sorted(_name(right) for right in found.select_related("content_type"))


def _name(right: Permission) -> str:
    return f"{right.content_type.app_label}.{right.codename}"
