"""Check a game's log: that nothing was altered, that the shuffles were honest, that every act was lawful.

Pure: the standard library, the rules, the chain and the clock. It trusts nobody, the server that wrote the log least.
`python -m games.audit.verify FILE` is the program, docs/audit.md says what each check proves and what none can.
"""

from games.audit.verify.checking import Verified, verify_export, verify_lines, verify_log
from games.audit.verify.errors import Forged, Unreadable
from games.audit.verify.lines import Line, Seal, read_line

__all__ = [
    "Forged",
    "Line",
    "Seal",
    "Unreadable",
    "Verified",
    "read_line",
    "verify_export",
    "verify_lines",
    "verify_log",
]
