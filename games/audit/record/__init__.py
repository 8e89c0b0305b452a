"""A whole game as text that people read and programs read back: what PGN is to chess (docs/record.md). Pure.

`parse_record` and `print_record` are each other's inverse; `record_of` makes a record of a log, `lines_of` the log of
a record, event for event and hash for hash.
"""

from games.audit.record.faults import RecordError
from games.audit.record.game import Group, Part, Record, Sitting, Tags, Told
from games.audit.record.parsing import parse_record, split_records
from games.audit.record.printing import print_record
from games.audit.record.replaying import lines_of, require_claims
from games.audit.record.writing import record_of

__all__ = [
    "Group",
    "Part",
    "Record",
    "RecordError",
    "Sitting",
    "Tags",
    "Told",
    "lines_of",
    "parse_record",
    "print_record",
    "record_of",
    "require_claims",
    "split_records",
]
