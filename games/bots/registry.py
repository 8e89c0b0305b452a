"""The bots by the name of their level."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.bots import expert, greedy, random
from games.bots.policy import Policy

LEVELS: Final[Mapping[str, Policy]] = MappingProxyType(
    {"random": random.choose, "greedy": greedy.choose, "expert": expert.choose}
)
"""Every level, the weakest first. A level's name is stored with its seat: it never changes its meaning."""
