"""What tournaments add to the stream process."""

from typing import Final

from games.streaming.application import Route
from games.streaming.own_feeds import OwnFeeds
from games.streaming.process import StreamProcess
from tournaments.streaming.own import TOURNAMENTS
from tournaments.streaming.stream import tournament_stream

TOURNAMENT_ROUTES: Final = (Route("tournaments/{id}/stream/", tournament_stream),)


def begin(process: StreamProcess) -> None:
    """A player's own stream tells of its tournaments too."""
    process.part(OwnFeeds).sections["tournaments"] = TOURNAMENTS
