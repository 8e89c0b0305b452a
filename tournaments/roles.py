"""Who may do what with a tournament: its owner and staff run it, entered players and staff know of a private one."""

from players.models import Player
from tournaments.models import Entry, Phase, Tournament, Visibility

RUN: str = "tournaments.run_tournament"
VIEW: str = "tournaments.view_tournament"


def may_create(player: Player) -> bool:
    """Whoever has an account; guests have none."""
    return player.is_active and not player.guest


def runs(player: Player | None, tournament: Tournament) -> bool:
    """The owner, a superuser, or staff who may run any tournament (referees, say)."""
    if player is None or not player.is_active:
        return False
    if tournament.owner_id is not None and tournament.owner_id == player.pk:
        return True
    return player.is_staff and player.has_perm(RUN)


def knows_of(player: Player | None, tournament: Tournament, *, invite_code: str | None = None) -> bool:
    """Whether somebody (None: anybody) may see that it exists: not a draft, and of a private one not strangers."""
    if tournament.visibility == Visibility.PUBLIC and tournament.phase != Phase.DRAFT:
        return True
    if player is None:
        return False
    if runs(player, tournament) or (player.is_staff and player.has_perm(VIEW)):
        return True
    if tournament.phase == Phase.DRAFT:
        return False
    return Entry.objects.filter(tournament=tournament, player_id=player.pk).exists()
