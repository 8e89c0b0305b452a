"""A game and its callers, seat by seat, and how to play it to its end over HTTP."""

from dataclasses import dataclass
from typing import Any

from tests.api.http import Caller

ORDER = ("play", "accept", "close", "draw", "end", "last")


@dataclass
class Table:
    """A game's id, its host, and who sits on seat 0, 1, …"""

    id: str
    host: Caller
    seats: list[Caller]

    def path(self, rest: str = "") -> str:
        return f"games/{self.id}/{rest}"

    def views(self) -> list[dict[str, Any]]:
        return [caller.get(self.path("view/")).json() for caller in self.seats]

    def turn(self) -> tuple[Caller, Caller]:
        """Who is on turn, and another player."""
        turn = self.views()[0]["turn"]
        return self.seats[turn], self.seats[1 - turn]

    def events(self) -> int:
        """How many events the log has."""
        from games.models import GameEvent  # after Django is set up, as conftest imports this module

        return GameEvent.objects.filter(game_id=self.id).count()

    def state(self) -> tuple[Any, ...]:
        """Everything a refused request must leave as it was."""
        from games.models import Game

        game = Game.objects.values().get(pk=self.id)
        seats = Game.objects.get(pk=self.id).seating.values_list("seat", "player_id", "bot", "until_version")
        return tuple(sorted((key, str(value)) for key, value in game.items())), tuple(seats), self.events()

    def move(self) -> tuple[Caller, str]:
        """The command that the first seat able to act would choose: lay a card if one can."""
        for caller in self.seats:
            commands = caller.get(self.path("legal/")).json()["commands"]
            found = min(commands, key=lambda command: ORDER.index(command["type"]) if command["type"] in ORDER else 9)
            if found["type"] not in ("leave", "last"):
                return caller, found["command"]
        raise AssertionError("nobody can act")

    def play_to_the_end(self, most: int = 3000) -> dict[str, Any]:
        """Play until the game is over, and return the last move's answer."""
        for _ in range(most):
            caller, command = self.move()
            answer = caller.post(self.path("commands/"), {"command": command})
            assert answer.status_code == 201, answer.content
            body: dict[str, Any] = answer.json()
            if body["view"]["phase"] == "finished":
                return body
        raise AssertionError("the game did not end")
