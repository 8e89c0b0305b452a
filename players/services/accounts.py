"""Accounts: a guest becomes one, and what one says of oneself."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from allauth.account.models import EmailAddress, get_emailconfirmation_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from players import hooks
from players.errors import AlreadyAccount, FieldRefused, NameTaken, PlayerNotFound, PlayingNow
from players.models import Player
from players.names import is_reserved, name_key, name_normal

CHANGEABLE: Final = frozenset({"name", "birth_year", "language", "notify_by_email", "bot"})


def player_upgrade(*, player_id: UUID, email: str, password: str, name: str | None = None) -> Player:
    """The guest is an account from now on: same id, games and tokens. A mail asks to confirm the address.

    Whether the address is another account's is told to its mailbox alone. BadName, NameTaken, AlreadyAccount,
    FieldRefused (password), PlayerNotFound.
    """
    with transaction.atomic():
        player = lock_player(player_id)
        if not player.guest:
            raise AlreadyAccount
        if name is not None:
            player.name = _free_name(player, name)
        player.email, player.guest = email.lower(), False
        _require_good_password(password, player)
        player.set_password(password)
        _save(player, {"name", "email", "guest", "password"})
        address = EmailAddress.objects.create(user=player, email=player.email, primary=True)
        get_emailconfirmation_model().create(address).send(signup=True)
    return player


def player_change(*, player_id: UUID, changes: Mapping[str, Any]) -> Player:
    """What the player says of itself, changed: some of `CHANGEABLE`. Twice is once.

    BadName, NameTaken; PlayingNow: becoming a bot at a running table; FieldRefused: a bot stays one; PlayerNotFound.
    """
    with transaction.atomic():
        player = lock_player(player_id)
        for field, value in changes.items():
            if field == "name":
                player.name = _free_name(player, value)
            elif field == "bot":
                _become_bot(player, value)
            elif field in CHANGEABLE:
                setattr(player, field, "" if field == "language" and value is None else value)
            else:
                raise ValueError(field)
        if changes:
            _save(player, set(changes))
    return player


def lock_player(player_id: UUID) -> Player:
    """The player, its row locked until the end of the transaction. PlayerNotFound."""
    player = Player.objects.select_for_update(no_key=True).filter(pk=player_id).first()
    if player is None:
        raise PlayerNotFound(player_id)
    return player


def _become_bot(player: Player, bot: bool) -> None:
    if player.bot and not bot:
        raise FieldRefused("bot", "bot_for_good")
    if bot and not player.bot and any(sits(player) for sits in hooks.plays_now):
        raise PlayingNow
    player.bot = bot


def _free_name(player: Player, name: str) -> str:
    """The name in its normal form, if the player may have it. BadName, NameTaken."""
    normal = name_normal(name)
    taken = Player.objects.filter(key=name_key(normal)).exclude(pk=player.pk)
    if is_reserved(normal) or taken.exists():
        raise NameTaken(normal)
    return normal


def _require_good_password(password: str, player: Player) -> None:
    try:
        validate_password(password, player)
    except ValidationError as weak:
        raise FieldRefused("password", weak.error_list[0].code or "bad_password") from weak


def _save(player: Player, fields: set[str]) -> None:
    try:
        with transaction.atomic():
            player.save(update_fields=fields)
    except IntegrityError as taken:  # in the instant since it was looked for
        raise NameTaken(player.name) from taken
